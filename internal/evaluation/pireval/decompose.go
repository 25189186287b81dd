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

// QAF1 is how well an extracted text matches the best of the golds: the words that
// both have over the words that either has, max |Tq ∩ Tg| / |Tq ∪ Tg| (Table 6 and
// A.8; a Jaccard index, whatever its name). Words are runs of letters and digits
// in lower case, each counted once.
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

// Decomposition is how well queries can be split by their wording alone, and how
// that changes retrieval.
type Decomposition struct {
	N           int             `json:"n"`     // queries
	Split       int             `json:"split"` // those that perspective.Split can split
	Root        Extracted       `json:"root"`
	Perspective Extracted       `json:"perspective"`
	Recall      Ordered[Change] `json:"recall"` // by method
}

// Extracted compares what was extracted with what is given.
type Extracted struct {
	QAF1  float64 `json:"qa_f1"` // mean; nothing extracted counts 0
	Equal int     `json:"equal"` // queries for which it is the same text, surrounding space aside
}

// Change is Recall@k with the given roots and perspectives and with those split
// off the query. A query that cannot be split is then ranked as it is, as in a
// search.
type Change struct {
	Given Figures `json:"given"`
	Split Figures `json:"split"`
}

// Decompose splits the queries of a task and measures the result by QA-F1. The
// second task has the extracted parts for queries that were split.
func Decompose(task *pir.Task) (Decomposition, *pir.Task, []bool) {
	d := Decomposition{N: len(task.Queries)}
	parts, split := *task, make([]bool, len(task.Queries))
	parts.Roots, parts.Perspectives = slices.Clone(task.Roots), slices.Clone(task.Perspectives)
	for i, query := range task.Queries {
		root, view, ok := perspective.Split(query)
		d.Root.count(root, task.Roots[i])
		d.Perspective.count(view, task.Perspectives[i])
		if split[i] = ok; ok {
			d.Split++
			parts.Roots[i], parts.Perspectives[i] = root, view
		}
	}
	d.Root.QAF1 /= float64(d.N)
	d.Perspective.QAF1 /= float64(d.N)
	return d, &parts, split
}

func (e *Extracted) count(extracted, given string) {
	e.QAF1 += QAF1(extracted, given)
	if extracted == strings.TrimSpace(given) {
		e.Equal++
	}
}

// Decomposed is Decompose with Recall@k by some methods of a retriever. BM25, to
// which a query is its words, is given perspective and root one after the other.
// Vectors from files have none for extracted texts: Recall then stays empty.
func Decomposed(ctx context.Context, task *pir.Task, retriever Retriever, methods []Method) (Decomposition, error) {
	d, parts, split := Decompose(task)
	if v, ok := retriever.(Vectors); ok {
		if _, given := v.Embedder.(VectorFiles); given {
			return d, nil
		}
	}
	given := *task
	if _, lexical := retriever.(BM25); lexical {
		given.Queries, parts.Queries = joined(task), joined(parts)
		for i, ok := range split {
			if !ok {
				parts.Queries[i] = task.Queries[i]
			}
		}
	}
	first, err := retriever.Prepare(ctx, &given, func(int) {})
	if err != nil {
		return d, err
	}
	second, err := retriever.Prepare(ctx, parts, func(int) {})
	if err != nil {
		return d, err
	}
	plain := plainOf(retriever)
	for _, m := range methods {
		var c Change
		c.Given, err = recall(ctx, task, func(i int) ([]lexical.Hit, error) { return first.Rank(i, m, depth) })
		if err == nil {
			c.Split, err = recall(ctx, task, func(i int) ([]lexical.Hit, error) {
				if !split[i] {
					return second.Rank(i, plain, depth)
				}
				return second.Rank(i, m, depth)
			})
		}
		if err != nil {
			return d, fmt.Errorf("task %s, %s: %w", task.Name, m.Name, err)
		}
		d.Recall = append(d.Recall, Member[Change]{m.Name, c})
	}
	return d, nil
}

// joined are perspective and root of every query as one text, q = p + r.
func joined(task *pir.Task) []string {
	queries := make([]string, len(task.Queries))
	for i := range queries {
		queries[i] = task.Perspectives[i] + " " + task.Roots[i]
	}
	return queries
}

// plainOf is the method that ranks by the query's wording alone, the retriever's
// first.
func plainOf(r Retriever) Method { return r.Methods()[0] }

func recall(ctx context.Context, task *pir.Task, rank func(i int) ([]lexical.Hit, error)) (Figures, error) {
	rankings, _, err := rankAll(ctx, len(task.Queries), rank)
	judged := make([]metrics.Judgement, len(rankings))
	for i, ranking := range placesOf(rankings) {
		judged[i].Rank = metrics.FirstRank(ranking, task.Gold[i])
	}
	return figuresOf(func(k int) float64 { return metrics.Recall(judged, k) }), err
}
