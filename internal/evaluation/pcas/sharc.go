package pcas

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"path/filepath"
	"strings"

	"github.com/vantage-search/vantage/internal/evaluation/records"
	"github.com/vantage-search/vantage/internal/inputs"
	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// OR-ShARC's files (Gao et al. 2021).
const (
	snippetsFile = "id2snippet.json"
	devFile      = "open_retrieval_sharc_dev.json"
	testFile     = "open_retrieval_sharc_test.json"
)

// drawn is the number of contexts beside the right one: the paper has ten in all.
const drawn = 9

// openShARC reads OR-ShARC and makes contexts for its questions, because the paper's
// ORCA-ShARC was not released.
func openShARC(ctx context.Context, dir, name string, seed uint64) (*Set, error) {
	s := &Set{Name: name, Notes: []string{
		fmt.Sprintf("Contexts: the question's own scenario and %d others of the same split, drawn by seed %d. Unlike the paper's, they were not filtered for contradictions.", drawn, seed),
		"Questions without a scenario have the drawn ones alone; OR asks them as they are, and they stay out of the R@1 of contexts.",
	}}
	numbers, err := inputs.Read(ctx, filepath.Join(dir, snippetsFile), func(r io.Reader, file string) (map[string]int, error) { return s.readSnippets(r, file) })
	if err != nil {
		return nil, err
	}
	for split, part := range []struct {
		file string
		to   *[]Question
	}{{devFile, &s.Validation}, {testFile, &s.Test}} {
		if *part.to, err = inputs.Read(ctx, filepath.Join(dir, part.file), func(r io.Reader, file string) ([]Question, error) { return readShARC(r, file, numbers) }); err != nil {
			return nil, err
		}
		if err := draw(*part.to, rand.New(rand.NewPCG(seed, uint64(split)))); err != nil {
			return nil, fault.As(fault.Input, fmt.Errorf("%s: %w", part.file, err))
		}
	}
	return s, nil
}

// readSnippets reads the documents, an object from ids to texts, in the file's order.
func (s *Set) readSnippets(r io.Reader, file string) (map[string]int, error) {
	b, err := records.ReadAll(r, file)
	if err != nil {
		return nil, err
	}
	bad := func(err error) error {
		return fault.As(fault.Input, fmt.Errorf("%s: not an object of ids and texts: %w", file, records.Syntax(err)))
	}
	d := json.NewDecoder(bytes.NewReader(b))
	t, err := d.Token()
	if err != nil {
		return nil, bad(err)
	}
	if t != json.Delim('{') {
		return nil, bad(fmt.Errorf("it begins with %v", t))
	}
	numbers := map[string]int{}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return nil, bad(err)
		}
		id, _ := key.(string)
		var text string
		if err := d.Decode(&text); err != nil {
			return nil, bad(err)
		}
		if err := records.CheckText(id, text); err != nil {
			return nil, bad(err)
		}
		if _, twice := numbers[id]; twice {
			return nil, bad(fmt.Errorf("the id %.80q is there twice", id))
		}
		numbers[id] = len(s.IDs)
		s.IDs, s.Documents = append(s.IDs, id), append(s.Documents, text)
	}
	if _, err := d.Token(); err != nil {
		return nil, bad(err)
	}
	if len(numbers) == 0 {
		return nil, bad(fmt.Errorf("no snippet in it"))
	}
	return numbers, records.End(d, file)
}

// shARCRow has the fields of a line that are used. Histories are left out: the paper asks
// single-turn questions.
type shARCRow struct {
	ID       string `json:"utterance_id"`
	Question string `json:"question"`
	Scenario string `json:"scenario"`
	Gold     string `json:"gold_snippet_id"`
}

func readShARC(r io.Reader, file string, numbers map[string]int) ([]Question, error) {
	var questions []Question
	err := records.Lines(r, file, func(_ int, row *shARCRow) error {
		if err := records.CheckText("question", row.Question); err != nil {
			return err
		}
		gold, ok := numbers[row.Gold]
		if !ok {
			return fmt.Errorf("%s has no snippet %.80q", snippetsFile, row.Gold)
		}
		q := Question{ID: row.ID, Text: strings.TrimSpace(row.Question), Gold: []int{gold}, Right: -1}
		if scenario := strings.TrimSpace(row.Scenario); scenario != "" {
			if err := records.CheckText("scenario", scenario); err != nil {
				return err
			}
			q.Contexts, q.Right = []string{scenario}, 0
		}
		questions = append(questions, q)
		return nil
	})
	if err == nil && len(questions) == 0 {
		err = fmt.Errorf("%s: no questions in it", file)
	}
	return questions, fault.As(fault.Input, err)
}

// draw adds contexts of other questions to each question, and puts the right one at a
// random place among them. All contexts of a question differ.
func draw(questions []Question, rng *rand.Rand) error {
	var pool []string
	known := map[string]bool{}
	for _, q := range questions {
		if text, ok := q.right(); ok && !known[text] {
			known[text] = true
			pool = append(pool, text)
		}
	}
	if len(pool) <= drawn {
		return fmt.Errorf("it has %d different scenarios, at least %d are needed to draw from", len(pool), drawn+1)
	}
	for i := range questions {
		q := &questions[i]
		own, has := q.right()
		var contexts []string
		taken := map[int]bool{}
		for len(contexts) < drawn {
			if n := rng.IntN(len(pool)); !taken[n] && !(has && pool[n] == own) {
				taken[n] = true
				contexts = append(contexts, pool[n])
			}
		}
		if has {
			q.Right = rng.IntN(drawn + 1)
			contexts = append(contexts, "")
			copy(contexts[q.Right+1:], contexts[q.Right:])
			contexts[q.Right] = own
		}
		q.Contexts = contexts
	}
	return nil
}
