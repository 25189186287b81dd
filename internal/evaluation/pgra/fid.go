package pgra

import (
	"encoding/json"
	"io"
	"path/filepath"
	"strings"

	"github.com/vantage-search/vantage/internal/file"
	"github.com/vantage-search/vantage/internal/human"
)

// The input of a reader in the format of Fusion-in-Decoder: one JSON object per line for each text.
type (
	fidRow struct {
		ID       string       `json:"id"`
		Question string       `json:"question"` // the text within the template
		Target   string       `json:"target"`   // the word of the label
		Answers  []string     `json:"answers"`
		Contexts []fidContext `json:"ctxs"`
	}
	fidContext struct {
		ID    string  `json:"id"`
		Title string  `json:"title"`
		Text  string  `json:"text"`
		Score float32 `json:"score"`
	}
)

// writeFiD writes a task's texts with the first d texts of their evidence: TASK.test.jsonl, and
// TASK.train.jsonl for the training of a reader.
func (e *Experiment) writeFiD(s *Set, test, train [][]hit) error {
	for _, part := range []struct {
		name     string
		rows     []Row
		evidence [][]hit
	}{{"train", s.Evidence, train}, {"test", s.Test, test}} {
		path := filepath.Join(e.FiD, strings.ToLower(s.task.name)+"."+part.name+".jsonl")
		err := file.Replace(path, func(w io.Writer) error {
			lines := json.NewEncoder(w)
			lines.SetEscapeHTML(false)
			for i := range part.rows {
				if err := lines.Encode(s.fid(&part.rows[i], part.evidence[i][:min(e.D, len(part.evidence[i]))])); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
		e.Encoding.Console.Printf("vantage: %s: %s with their evidence\n", human.Escape(path), human.Count(len(part.rows), "text"))
	}
	return nil
}

func (s *Set) fid(row *Row, evidence []hit) fidRow {
	before, after := s.template.Around()
	word := s.template.Labels[row.Label]
	out := fidRow{ID: row.ID, Question: before + row.Text + after, Target: word, Answers: []string{word}, Contexts: []fidContext{}}
	for _, h := range evidence {
		out.Contexts = append(out.Contexts, fidContext{ID: s.Evidence[h.row].ID, Text: s.Evidence[h.row].Text, Score: h.score})
	}
	return out
}
