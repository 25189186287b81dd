package pireval

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/vantage-search/vantage/internal/evaluation/pir"
	"github.com/vantage-search/vantage/internal/wasm/lexical"
	"github.com/vantage-search/vantage/metrics"
	"github.com/vantage-search/vantage/perspective"
)

// QAF1 is how well an extracted text matches the best gold text: max |Tq ∩ Tg| / |Tq ∪
// Tg| over sets of words (Table 6 and A.8). Despite the name, this is a Jaccard index.
// Words are runs of letters and digits in lower case, each counted once.
func QAF1(extracted string, golds ...string) float64 {
	best := 0.0
	words := wordsOf(extracted)
	for _, gold := range golds {
		want := wordsOf(gold)
		both := 0
		for w := range words {
			if want[w] {
				both++
			}
		}
		if either := len(words) + len(want) - both; either > 0 {
			best = max(best, float64(both)/float64(either))
		}
	}
	return best
}

func wordsOf(text string) map[string]bool {
	words := map[string]bool{}
	for w := range strings.FieldsFuncSeq(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		words[w] = true
	}
	return words
}

// Parts are what was extracted from a query.
type Parts struct {
	Root, Perspective string
	Split             bool // false if nothing was extracted
	Refused           bool // what a model has extracted cannot be used
}

// ByWording splits queries as a search does if it is given only the whole query.
func ByWording(queries []string) []Parts {
	parts := make([]Parts, len(queries))
	for i, query := range queries {
		p := &parts[i]
		p.Root, p.Perspective, p.Split = perspective.Split(query)
	}
	return parts
}

// Decomposition says how well queries can be split if they alone are given, and how that
// changes retrieval.
type Decomposition struct {
	N           int             `json:"n"`     // queries
	Split       int             `json:"split"` // queries that were split
	Refused     int             `json:"refused,omitempty"`
	Root        Extracted       `json:"root"`
	Perspective Extracted       `json:"perspective"`
	Recall      Ordered[Change] `json:"recall"` // by method
}

// Extracted compares the extracted texts with the given ones.
type Extracted struct {
	QAF1  float64 `json:"qa_f1"` // mean; 0 for a query from which nothing was extracted
	Equal int     `json:"equal"` // queries with the same text, except for surrounding space
}

// Change is Recall@k with the given roots and perspectives, and with those split off
// the query. If a query was not split, Split ranks by the whole query, as a search
// does.
type Change struct {
	Given Figures `json:"given"`
	Split Figures `json:"split"`
}

// measure measures extracted parts by QA-F1. The returned task has them in place of the
// given ones for queries that were split.
func measure(task *pir.Task, extracted []Parts) (Decomposition, *pir.Task) {
	d := Decomposition{N: len(task.Queries)}
	parts := *task
	parts.Roots, parts.Perspectives = slices.Clone(task.Roots), slices.Clone(task.Perspectives)
	for i, e := range extracted {
		d.Root.count(e.Root, task.Roots[i])
		d.Perspective.count(e.Perspective, task.Perspectives[i])
		if e.Refused {
			d.Refused++
		}
		if e.Split {
			d.Split++
			parts.Roots[i], parts.Perspectives[i] = e.Root, e.Perspective
		}
	}
	d.Root.QAF1 /= float64(d.N)
	d.Perspective.QAF1 /= float64(d.N)
	return d, &parts
}

func (e *Extracted) count(extracted, given string) {
	e.QAF1 += QAF1(extracted, given)
	if extracted == strings.TrimSpace(given) {
		e.Equal++
	}
}

// Decomposed measures the parts that were extracted from each query of a task, with
// Recall@k by some methods of a retriever. BM25 takes the perspective followed by the
// root as its query. Vector files have no vectors for extracted texts; Recall is empty
// then.
func Decomposed(ctx context.Context, task *pir.Task, extracted []Parts, system System, methods []Method) (Decomposition, error) {
	d, parts := measure(task, extracted)
	if v, ok := system.(Vectors); ok {
		if _, given := v.Embedder.(VectorFiles); given {
			return d, nil
		}
	}
	given := *task
	if _, lexical := system.(BM25); lexical {
		given.Queries, parts.Queries = joined(task), joined(parts)
		for i, e := range extracted {
			if !e.Split {
				parts.Queries[i] = task.Queries[i]
			}
		}
	}
	first, err := system.Prepare(ctx, &given, func(int) {})
	if err != nil {
		return d, err
	}
	second, err := system.Prepare(ctx, parts, func(int) {})
	if err != nil {
		return d, err
	}
	plain := plainOf(system)
	for _, m := range methods {
		var c Change
		c.Given, err = recall(ctx, task, func(i int) ([]lexical.Hit, error) { return first.rank(ctx, i, m, depth) })
		if err == nil {
			c.Split, err = recall(ctx, task, func(i int) ([]lexical.Hit, error) {
				if !extracted[i].Split {
					return second.rank(ctx, i, plain, depth)
				}
				return second.rank(ctx, i, m, depth)
			})
		}
		if err != nil {
			return d, fmt.Errorf("task %s, %s: %w", task.Name, m.Name, err)
		}
		d.Recall = append(d.Recall, Member[Change]{m.Name, c})
	}
	return d, nil
}

// joined are the perspective and root of each query as one text, q = p + r.
func joined(task *pir.Task) []string {
	queries := make([]string, len(task.Queries))
	for i := range queries {
		queries[i] = task.Perspectives[i] + " " + task.Roots[i]
	}
	return queries
}

// plainOf is the method that ranks by the whole query's wording alone: the system's
// first.
func plainOf(s System) Method { return s.Methods()[0] }

func recall(ctx context.Context, task *pir.Task, rank func(i int) ([]lexical.Hit, error)) (Figures, error) {
	rankings, _, err := rankAll(ctx, len(task.Queries), rank)
	judged := make([]metrics.Judgement, len(rankings))
	for i, ranking := range placesOf(rankings) {
		judged[i].Rank = metrics.FirstRank(ranking, task.Gold[i])
	}
	return figuresOf(func(k int) float64 { return metrics.Recall(judged, k) }), err
}
