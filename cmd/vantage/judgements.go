package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"iter"

	"github.com/vantage-search/vantage"
	"github.com/vantage-search/vantage/internal/collection/store"
	"github.com/vantage-search/vantage/internal/evaluation/beir"
	"github.com/vantage-search/vantage/internal/inputs"
)

// Limits of judgements for a page, which runs every query twice.
const (
	maxJudgedQueries   = 10_000
	maxJudgements      = 1_000_000
	maxJudgementsBytes = 16 << 20 // of the file that the page loads
)

// judgements are queries with the documents that answer them, as the page reads
// them.
type judgements struct {
	Format  string        `json:"format"`
	Version int           `json:"version"`
	Queries []judgedQuery `json:"queries"`

	unjudged int             // queries left out
	unseen   map[string]bool // gold documents that the corpus has not shown yet
}

type judgedQuery struct {
	ID           string   `json:"id"`
	Text         string   `json:"text"`
	Root         string   `json:"root,omitempty"`
	Perspectives []string `json:"perspectives,omitempty"`
	Label        string   `json:"label,omitempty"`
	Gold         []string `json:"gold"`
}

// readJudgements reads queries and BEIR's judgements of them. Queries without a
// document that answers them are left out: no ranking could find it.
func readJudgements(ctx context.Context, queriesPath, qrelsPath string) (*judgements, error) {
	queries, err := readQueries(ctx, queriesPath, vantage.Query{})
	if err != nil {
		return nil, err
	}
	if len(queries) > maxJudgedQueries {
		return nil, inputf("%s: %d queries, a page measures itself on at most %d: give fewer", queriesPath, len(queries), maxJudgedQueries)
	}
	known := map[string]bool{}
	for _, q := range queries {
		known[q.id] = true
	}
	gold, err := inputs.Read(ctx, qrelsPath, func(r io.Reader, name string) (map[string][]string, error) { return readGold(r, name, known) })
	if err != nil {
		return nil, err
	}
	j := &judgements{Format: "vantage-judgements", Version: 1, Queries: []judgedQuery{}, unseen: map[string]bool{}}
	for _, q := range queries {
		if len(gold[q.id]) == 0 {
			j.unjudged++
			continue
		}
		if q.Query.Query.Text == "" {
			return nil, inputf(`%s:%d: query %.80q has no "text": a page encodes words`, queriesPath, q.line, q.id)
		}
		judged := judgedQuery{ID: q.id, Text: q.Query.Query.Text, Label: q.label, Gold: gold[q.id]}
		if q.Root != nil {
			judged.Root = q.Root.Text
		}
		for _, p := range q.Perspectives {
			judged.Perspectives = append(judged.Perspectives, p.Text)
		}
		for _, id := range judged.Gold {
			j.unseen[id] = true
		}
		j.Queries = append(j.Queries, judged)
	}
	if len(j.Queries) == 0 {
		return nil, inputf("%s: it names no document that answers a query: scores above 0 do", qrelsPath)
	}
	return j, nil
}

// readGold keeps the documents with a score above 0 by query, in the order of the
// file.
func readGold(r io.Reader, name string, known map[string]bool) (map[string][]string, error) {
	gold := map[string][]string{}
	judgements := 0
	err := beir.ReadQrels(r, name, known, func(j beir.Judgement) error {
		if judgements++; judgements > maxJudgements {
			return fmt.Errorf("%s:%d: more than %d judgements: give the page fewer queries", name, j.Line, maxJudgements)
		}
		if j.Grade > 0 {
			gold[j.Query] = append(gold[j.Query], j.Document)
		}
		return nil
	})
	return gold, err
}

// watch notes which judged documents the corpus has.
func (j *judgements) watch(documents iter.Seq2[store.Document, error]) iter.Seq2[store.Document, error] {
	if j == nil {
		return documents
	}
	return func(yield func(store.Document, error) bool) {
		for d, err := range documents {
			delete(j.unseen, d.ID)
			if !yield(d, err) {
				return
			}
		}
	}
}

func (j *judgements) warn(queries, qrels string) {
	if j == nil {
		return
	}
	if j.unjudged > 0 {
		warn(stderr, "%s: %s left out: no document answers them in %s", queries, count(j.unjudged, "query"), qrels)
	}
	if len(j.unseen) > 0 {
		warn(stderr, "%s: the corpus lacks %s that it names, such as %.80q: they count as never found", qrels, count(len(j.unseen), "document"), j.missing())
	}
}

// missing is the first judged document that the corpus lacks.
func (j *judgements) missing() string {
	for _, q := range j.Queries {
		for _, id := range q.Gold {
			if j.unseen[id] {
				return id
			}
		}
	}
	return ""
}

// marshal is the file as the page loads it.
func (j *judgements) marshal() ([]byte, error) {
	content, err := json.Marshal(j)
	if err != nil {
		return nil, err
	}
	if len(content) > maxJudgementsBytes {
		return nil, inputf("the judged queries take %s, a page loads at most %s: give fewer queries", bytesText(int64(len(content))), bytesText(maxJudgementsBytes))
	}
	return append(content, '\n'), nil
}
