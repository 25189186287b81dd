// Package judgements writes the file of judged queries from which a page measures its
// own results.
package judgements

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"slices"
	"unicode/utf8"

	"github.com/vantage-search/vantage"
	"github.com/vantage-search/vantage/internal/collection/store"
	"github.com/vantage-search/vantage/internal/console"
	"github.com/vantage-search/vantage/internal/evaluation/beir"
	"github.com/vantage-search/vantage/internal/human"
	"github.com/vantage-search/vantage/internal/inputs"
	"github.com/vantage-search/vantage/internal/inputs/queries"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/internal/wasm/jsonlite"
)

// Limits of the file of judged queries. A page runs each of them twice.
const (
	maxJudgedQueries   = 10_000
	maxJudgements      = 1_000_000 // that are read; Marshal bounds those that the page gets
	maxJudgementsBytes = 16 << 20  // size of the file that the page loads
)

// Judgements is the content of the file that the page reads: queries with the documents
// that answer them.
type Judgements struct {
	Format  string  `json:"format"`
	Version int     `json:"version"`
	Queries []Query `json:"queries"`

	unjudged int             // number of queries that were left out
	unseen   map[string]bool // gold documents that Watch has not seen yet
}

// Query is a judged query.
type Query struct {
	ID           string   `json:"id"`
	Text         string   `json:"text"`
	Root         string   `json:"root,omitempty"`
	Perspectives []string `json:"perspectives,omitempty"`
	Label        string   `json:"label,omitempty"`
	Gold         []string `json:"gold"`
}

// Read reads queries and their judgements in BEIR's format. Queries without gold
// documents are left out, because every ranking would fail them.
func Read(ctx context.Context, queriesPath, qrelsPath string) (*Judgements, error) {
	asked, err := queries.Read(ctx, queriesPath, vantage.Query{})
	if err != nil {
		return nil, err
	}
	if len(asked) > maxJudgedQueries {
		return nil, fault.Errorf(fault.Input, "%s: %d queries, a page evaluates at most %d: give fewer", queriesPath, len(asked), maxJudgedQueries)
	}
	known := map[string]bool{}
	for _, q := range asked {
		known[q.ID] = true
	}
	gold, err := inputs.Read(ctx, qrelsPath, func(r io.Reader, name string) (map[string][]string, error) { return readGold(r, name, known) })
	if err != nil {
		return nil, err
	}
	j := &Judgements{Format: "vantage-judgements", Version: 1, Queries: []Query{}, unseen: map[string]bool{}}
	for _, q := range asked {
		if len(gold[q.ID]) == 0 {
			j.unjudged++
			continue
		}
		if missing := q.MissingText(); missing != "" {
			return nil, fault.Errorf(fault.Input, `%s:%d: query %.80q has no %s: add it, because a page encodes the texts of queries itself`, queriesPath, q.Line, q.ID, missing)
		}
		judged := Query{ID: q.ID, Text: q.Query.Query.Text, Label: q.Label, Gold: gold[q.ID]}
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
		return nil, fault.Errorf(fault.Input, "%s: it names no document that answers a query: such a document has a score above 0", qrelsPath)
	}
	return j, nil
}

// readGold reads the documents with a score above 0 for each query, in the order of the
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

// Watch records which judged documents the corpus has.
func (j *Judgements) Watch(documents iter.Seq2[store.Document, error]) iter.Seq2[store.Document, error] {
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

// Warn warns of queries that are left out and of documents that the corpus lacks. The
// arguments name the files.
func (j *Judgements) Warn(queries, qrels string, c *console.Console) {
	if j == nil {
		return
	}
	if j.unjudged > 0 {
		c.Warnf("%s: %s left out: no document answers them in %s", queries, human.Count(j.unjudged, "query"), qrels)
	}
	if len(j.unseen) > 0 {
		c.Warnf("%s: the corpus lacks %s that it names, such as %.80q: they count as not found", qrels, human.Count(len(j.unseen), "document"), j.missing())
	}
}

// missing is the first judged document that the corpus lacks.
func (j *Judgements) missing() string {
	for _, q := range j.Queries {
		for _, id := range q.Gold {
			if j.unseen[id] {
				return id
			}
		}
	}
	return ""
}

// maxExamples is the most queries that a page offers as examples.
const maxExamples = 5

// ShortExample is the most characters of a query that fits on a search page.
const ShortExample = 80

// Examples returns a few queries that a page can offer, of at most the given number of
// characters: in turns one of each label, in the order in which the labels occur. It takes the
// shortest one of a label, and the first of equally short ones. A query on a root that an
// earlier example has comes after all others of its label.
func (j *Judgements) Examples(longest int) (examples []string) {
	rest := slices.DeleteFunc(slices.Clone(j.Queries), func(q Query) bool { return utf8.RuneCountInString(q.Text) > longest })
	var labels []string
	for _, q := range rest {
		if !slices.Contains(labels, q.Label) {
			labels = append(labels, q.Label)
		}
	}
	taken := map[string]bool{} // roots
	for len(examples) < maxExamples && len(rest) > 0 {
		for _, label := range labels {
			best := -1
			for i, q := range rest {
				if q.Label == label && (best < 0 || cmp.Or(compareBool(taken[q.Root], taken[rest[best].Root]),
					cmp.Compare(utf8.RuneCountInString(q.Text), utf8.RuneCountInString(rest[best].Text))) < 0) {
					best = i
				}
			}
			if best < 0 || len(examples) == maxExamples {
				continue
			}
			q := rest[best]
			rest = slices.DeleteFunc(rest, func(other Query) bool { return other.Text == q.Text })
			taken[q.Root] = q.Root != ""
			examples = append(examples, q.Text)
		}
	}
	return examples
}

// compareBool puts false before true.
func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// Marshal is the content of the file that the page loads. It is within the page's bounds.
func (j *Judgements) Marshal() ([]byte, error) {
	content, err := json.Marshal(j)
	if err != nil {
		return nil, err
	}
	content = append(content, '\n')
	if len(content) > maxJudgementsBytes {
		return nil, fault.Errorf(fault.Input, "the judged queries take %s, a page loads at most %s: give fewer queries", human.Bytes(int64(len(content))), human.Bytes(maxJudgementsBytes))
	}
	if jsonlite.Check(content) != nil { // nothing in it is nested deeply
		return nil, fault.Errorf(fault.Input, "the judged queries have more than %d values as JSON, where each document that answers a query is one, the most that a page reads: give fewer queries", jsonlite.MaxValues)
	}
	return content, nil
}
