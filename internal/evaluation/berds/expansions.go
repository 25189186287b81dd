package berds

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/vantage-search/vantage/internal/evaluation/records"
)

// Expansion is one row of a *_query_exp file: a perspective on a question, written by a
// language model.
type Expansion struct {
	OriginalID   string   // org_id, the id of the question's record
	Original     string   // org_q, the question
	Name         string   // perspective, a name for it
	Text         string   // text, what the model wrote
	Query        string   // question, the query to retrieve with; Original and Text if absent
	Perspectives []string // reference perspectives of the question
}

// Plain reports whether the row's query is the question, a space and the text.
func (e *Expansion) Plain() bool { return e.Query == e.Original+" "+e.Text }

// ReadExpansions reads BERDS' layout of query expansions: JSON lines with org_q and
// text, and optionally org_id, id (unique), perspective, question and perspectives.
// Other fields are ignored.
func ReadExpansions(r io.Reader, name string) ([]Expansion, error) {
	var expansions []Expansion
	lines := map[int64]int{} // line of each id
	err := records.Lines(r, name, func(line int, row *rawExpansion) error {
		if row.ID != nil {
			if earlier := lines[*row.ID]; earlier > 0 {
				return fmt.Errorf("the id %d is already taken by line %d", *row.ID, earlier)
			}
			lines[*row.ID] = line
		}
		e := Expansion{row.OriginalID, row.Original, row.Name, row.Text, row.Query, row.Perspectives}
		if e.Query == "" {
			e.Query = e.Original + " " + e.Text
		}
		expansions = append(expansions, e)
		return errors.Join(records.CheckText("org_q", e.Original), records.CheckText("text", e.Text), records.CheckText("question", e.Query))
	})
	if err == nil && len(expansions) == 0 {
		err = fmt.Errorf("%s: no expansions: one JSON object with org_q and text is expected per line", name)
	}
	if err != nil {
		return nil, err
	}
	return expansions, nil
}

type rawExpansion struct {
	OriginalID   string   `json:"org_id"`
	ID           *int64   `json:"id"`
	Original     string   `json:"org_q"`
	Name         string   `json:"perspective"`
	Text         string   `json:"text"`
	Query        string   `json:"question"`
	Perspectives []string `json:"perspectives"`
}

// Queries are the expansions of each question, in the file's order. The key is the
// question's text without surrounding white space.
func Queries(expansions []Expansion) map[string][]string {
	queries := map[string][]string{}
	for _, e := range expansions {
		question := strings.TrimSpace(e.Original)
		queries[question] = append(queries[question], e.Query)
	}
	return queries
}

// ExpansionStatistics describe a file of expansions, as Table 1 of the paper
// describes the questions.
type ExpansionStatistics struct {
	File         string  `json:"file"`
	Rows         int     `json:"rows"`
	Questions    int     `json:"questions"`         // distinct texts of questions, without surrounding white space
	OriginalIDs  int     `json:"org_ids"`           // distinct values of org_id, which rows may lack
	PerQuestion  float64 `json:"rows_per_question"` // n of the paper's footnote 6
	Perspectives float64 `json:"perspectives"`      // reference perspectives per question, the paper's #p
	Words        float64 `json:"words"`             // mean words of a reference perspective, split at white space
	TextWords    float64 `json:"text_words"`        // mean words of an expansion's text, split at white space
	NotPlain     int     `json:"not_plain"`         // rows whose query is not the question, a space and the text
}

// Describe computes the statistics of a file of expansions. If rows have the same
// question, the first row's reference perspectives count.
func Describe(file string, expansions []Expansion) ExpansionStatistics {
	s := ExpansionStatistics{File: file, Rows: len(expansions)}
	questions, ids := map[string]bool{}, map[string]bool{}
	references, words, textWords := 0, 0, 0
	for i := range expansions {
		e := &expansions[i]
		if e.OriginalID != "" {
			ids[e.OriginalID] = true
		}
		textWords += len(strings.Fields(e.Text))
		if !e.Plain() {
			s.NotPlain++
		}
		question := strings.TrimSpace(e.Original)
		if questions[question] {
			continue
		}
		questions[question] = true
		references += len(e.Perspectives)
		for _, p := range e.Perspectives {
			words += len(strings.Fields(p))
		}
	}
	s.Questions, s.OriginalIDs = len(questions), len(ids)
	s.PerQuestion = ratio(s.Rows, s.Questions)
	s.Perspectives = ratio(references, s.Questions)
	s.Words = ratio(words, references)
	s.TextWords = ratio(textWords, s.Rows)
	return s
}

// ratio is a/b, and 0 if b is 0.
func ratio(a, b int) float64 {
	if b == 0 {
		return 0
	}
	return float64(a) / float64(b)
}
