package sides

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/vantage-search/vantage/internal/evaluation/records"
)

// ReadSciFactCorpus reads corpus.jsonl of SciFact (Wadden et al. 2020): JSON lines of a
// doc_id, a title, and an abstract, which is a list of sentences. An abstract's text is
// its title and its sentences.
func ReadSciFactCorpus(r io.Reader, name string) (map[int64]string, error) {
	texts := map[int64]string{}
	lines := map[int64]int{}
	err := records.Lines(r, name, func(line int, row *struct {
		ID       *int64   `json:"doc_id"`
		Title    string   `json:"title"`
		Abstract []string `json:"abstract"`
	}) error {
		if row.ID == nil {
			return errors.New(`no "doc_id": this is no corpus of abstracts`)
		}
		if earlier := lines[*row.ID]; earlier > 0 {
			return fmt.Errorf("the doc_id %d is already taken by line %d", *row.ID, earlier)
		}
		lines[*row.ID] = line
		parts := []string{strings.TrimSpace(row.Title)}
		for _, sentence := range row.Abstract {
			parts = append(parts, strings.TrimSpace(sentence))
		}
		text := strings.TrimSpace(strings.Join(parts, " "))
		texts[*row.ID] = text
		return records.CheckText("title and abstract", text)
	})
	if err == nil && len(texts) == 0 {
		err = fmt.Errorf("%s: no abstracts: one JSON object with doc_id, title and abstract is expected per line", name)
	}
	return texts, err
}

type sciFactClaim struct {
	ID       *int64 `json:"id"`
	Claim    string `json:"claim"`
	Evidence map[string][]struct {
		Label string `json:"label"`
	} `json:"evidence"`
	Cited []int64 `json:"cited_doc_ids"`
}

var sciFactSides = map[string]Side{"SUPPORT": For, "CONTRADICT": Against}

// ReadSciFactClaims reads claims of SciFact with the texts of its corpus: JSON lines of
// an id, a claim, cited_doc_ids, and evidence, which has lists of sentences with their
// label by the doc_id of their abstract. Claims are roots. An abstract has the side of
// its evidence; one that is cited without evidence is on neither side.
func ReadSciFactClaims(r io.Reader, name string, corpus map[int64]string) (*Set, error) {
	b := newBuilder()
	lines := map[int64]int{} // by id
	err := records.Lines(r, name, func(line int, row *sciFactClaim) error {
		if row.ID == nil {
			return errors.New(`no "id": this is no file of claims`)
		}
		if earlier := lines[*row.ID]; earlier > 0 {
			return fmt.Errorf("the id %d is already taken by line %d", *row.ID, earlier)
		}
		lines[*row.ID] = line
		if err := records.CheckText("claim", row.Claim); err != nil {
			return err
		}
		sides, err := row.sides()
		if err != nil {
			return err
		}
		root := b.root(row.Claim)
		for _, id := range slices.Sorted(maps.Keys(sides)) {
			text, known := corpus[id]
			if !known {
				return fmt.Errorf("abstract %d is not in the corpus: give the corpus that belongs to the claims", id)
			}
			if err := b.add(root, text, sides[id]); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return b.built(name, "evidence with the label SUPPORT or CONTRADICT is expected, which the test split does not have")
}

// sides returns the side of each abstract that the claim names.
func (c *sciFactClaim) sides() (map[int64]Side, error) {
	sides := map[int64]Side{}
	for _, id := range c.Cited {
		sides[id] = Neither
	}
	keys := map[int64]string{}
	for _, key := range slices.Sorted(maps.Keys(c.Evidence)) {
		id, err := strconv.ParseInt(key, 10, 64)
		if err != nil {
			return nil, fmt.Errorf("evidence %.40q: the doc_id of an abstract is expected", key)
		}
		if other, twice := keys[id]; twice {
			return nil, fmt.Errorf("evidence %.40q and %.40q are of the same abstract: put all of its evidence under one of the two", other, key)
		}
		keys[id] = key
		evidence := c.Evidence[key]
		for i, e := range evidence {
			side, known := sciFactSides[e.Label]
			switch {
			case !known:
				return nil, fmt.Errorf("evidence %d: the label is %.60q, must be SUPPORT or CONTRADICT", id, e.Label)
			case i > 0 && side != sides[id]:
				return nil, fmt.Errorf("evidence %d supports and contradicts the claim: leave one of the two out", id)
			}
			sides[id] = side
		}
	}
	return sides, nil
}
