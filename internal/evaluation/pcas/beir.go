package pcas

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/vantage-search/vantage/internal/collection/corpus"
	"github.com/vantage-search/vantage/internal/evaluation/beir"
	"github.com/vantage-search/vantage/internal/evaluation/records"
	"github.com/vantage-search/vantage/internal/inputs"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/internal/wasm/joint"
)

// contextsFile is the file of contexts, with a line for each query: {"_id", "contexts", "right"}.
const contextsFile = "contexts.jsonl"

// contextsRow is a line of contexts.jsonl. Right counts from 0. If it is missing, none of
// the contexts is the right one.
type contextsRow struct {
	ID       string   `json:"_id"`
	Contexts []string `json:"contexts"`
	Right    *int     `json:"right"`
}

// openBEIR reads BEIR's corpus.jsonl, queries.jsonl, qrels/dev.tsv and qrels/test.tsv,
// and the contexts of every judged query.
func openBEIR(ctx context.Context, dir, name string) (*Set, error) {
	s := &Set{Name: name}
	documents, err := corpus.Open(filepath.Join(dir, "corpus.jsonl"), corpus.Options{})
	if err != nil {
		return nil, err
	}
	numbers := map[string]int{}
	for d, err := range documents.Documents() {
		if err != nil {
			return nil, err
		}
		numbers[d.ID] = len(s.IDs)
		s.IDs, s.Documents = append(s.IDs, d.ID), append(s.Documents, d.EncodedText())
	}
	lines, err := corpus.Open(filepath.Join(dir, "queries.jsonl"), corpus.Options{})
	if err != nil {
		return nil, err
	}
	texts, known := map[string]string{}, map[string]bool{}
	for q, err := range lines.Documents() {
		if err != nil {
			return nil, err
		}
		texts[q.ID], known[q.ID] = q.Text, true
	}
	contexts, err := inputs.Read(ctx, filepath.Join(dir, contextsFile), readContexts)
	if err != nil {
		return nil, err
	}
	for _, part := range []struct {
		file string
		to   *[]Question
	}{{"dev.tsv", &s.Validation}, {"test.tsv", &s.Test}} {
		path := filepath.Join(dir, "qrels", part.file)
		*part.to, err = inputs.Read(ctx, path, func(r io.Reader, file string) ([]Question, error) {
			var out []Question
			at := map[string]int{}
			err := beir.ReadQrels(r, file, known, func(j beir.Judgement) error {
				document, ok := numbers[j.Document]
				switch {
				case !ok:
					return fmt.Errorf("%s:%d: there is no document %.80q in the corpus", file, j.Line, j.Document)
				case j.Grade < 1:
					return nil
				}
				if i, seen := at[j.Query]; seen {
					out[i].Gold = append(out[i].Gold, document)
					return nil
				}
				row, ok := contexts[j.Query]
				if !ok {
					return fmt.Errorf("%s:%d: %s has no contexts for the query %.80q", file, j.Line, contextsFile, j.Query)
				}
				at[j.Query] = len(out)
				q := Question{ID: j.Query, Text: texts[j.Query], Gold: []int{document}, Contexts: row.Contexts, Right: -1}
				if row.Right != nil {
					q.Right = *row.Right
				}
				out = append(out, q)
				return nil
			})
			if err == nil && len(out) == 0 {
				err = fmt.Errorf("%s: no query has a relevant document", file)
			}
			return out, fault.As(fault.Input, err)
		})
		if err != nil {
			return nil, err
		}
	}
	return s, nil
}

// readContexts reads contexts.jsonl.
func readContexts(r io.Reader, file string) (map[string]contextsRow, error) {
	out := map[string]contextsRow{}
	err := records.Lines(r, file, func(_ int, row *contextsRow) error {
		if err := records.CheckText("_id", row.ID); err != nil {
			return err
		}
		if _, twice := out[row.ID]; twice {
			return fmt.Errorf("the query %.80q is there twice", row.ID)
		}
		if err := joint.CheckCount(len(row.Contexts)); err != nil {
			return err
		}
		for i, text := range row.Contexts {
			if err := joint.CheckText(i, text); err != nil {
				return err
			}
			row.Contexts[i] = strings.TrimSpace(text)
			if first := slices.Index(row.Contexts[:i], row.Contexts[i]); first >= 0 { // which of them is right would be a matter of order
				return fmt.Errorf("contexts %d and %d are the same, %.80q", first, i, row.Contexts[i])
			}
		}
		if row.Right != nil && (*row.Right < 0 || *row.Right >= len(row.Contexts)) {
			return fmt.Errorf(`"right" is %d, and the contexts are 0 to %d`, *row.Right, len(row.Contexts)-1)
		}
		out[row.ID] = *row
		return nil
	})
	return out, fault.As(fault.Input, err)
}
