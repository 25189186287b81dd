package berds

import (
	"context"
	"errors"
	"strings"

	"github.com/vantage-search/vantage/internal/evaluation/retrieve"
	"github.com/vantage-search/vantage/internal/wasm/diversity"
	"github.com/vantage-search/vantage/internal/wasm/lexical"
	"github.com/vantage-search/vantage/internal/wasm/rerank"
)

// rankings are the rankings for one claim.
type rankings struct {
	base, mmr, expanded, repeated, generated, supporting, opposing judged
}

// runner runs searches and reports progress.
type runner struct {
	ctx         context.Context
	options     *Options
	retriever   retrieve.Retriever
	name        string // the retriever's name
	done, total int64
}

// plan counts the searches to come.
func (r *runner) plan(development, test []Claim, used *ExpansionsUsed) {
	used.Source = "surface"
	if r.options.Expansions != nil || r.options.Judge != nil {
		used.Source = "given"
	}
	queries := 0
	for i := range test {
		if n := len(r.expansions(&test[i])); n > 0 {
			used.Claims++
			queries += n
		}
	}
	used.Queries = ratio(queries, used.Claims)
	for i := range test {
		queries += 1 + len(r.options.Generated.of(&test[i]))
		if len(test[i].Documents) == Perspectives {
			queries += Perspectives
		}
	}
	r.total = int64(len(r.options.Retrievers)) * int64(len(development)+queries)
}

func (r *runner) expansions(c *Claim) []string {
	if c.Perspectives != nil {
		return c.Queries
	}
	if r.options.Expansions == nil {
		return []string{Surface(Support, c.Text), Surface(Oppose, c.Text)}
	}
	return r.options.Expansions[strings.TrimSpace(c.Text)]
}

// search retrieves the 100 best documents.
func (r *runner) search(text string) ([]lexical.Hit, error) {
	if err := r.ctx.Err(); err != nil {
		return nil, err
	}
	hits, err := r.retriever.Rank(r.ctx, retrieve.Query{Text: text}, depth)
	r.done++
	r.options.Progress(r.done, r.total)
	return hits, err
}

// judge returns the perspectives of the documents of a ranking. Documents that nobody has
// judged yet are judged first.
func (r *runner) judge(c *Claim, ranking []uint32) (judged, error) {
	if r.options.Judge != nil {
		if err := r.options.Judge(r.ctx, c, ranking); err != nil {
			return judged{}, err
		}
	}
	return judge(c, ranking), nil
}

// grid measures each λ on the development split.
func (r *runner) grid(claims []Claim) ([]GridPoint, error) {
	points := make([]GridPoint, len(Lambdas))
	for i := range claims {
		hits, err := r.search(claims[i].Text)
		if err != nil {
			return nil, err
		}
		for l, lambda := range Lambdas {
			ranking, err := r.judge(&claims[i], first(r.diversify(hits, lambda), tuned))
			if err != nil {
				return nil, err
			}
			if diversity.MRecall(ranking.documents, ranking.perspectives, tuned) {
				points[l].MRecall++
			}
			points[l].Precision += diversity.Precision(ranking.documents, tuned)
		}
	}
	n := float64(len(claims))
	for l, lambda := range Lambdas {
		points[l] = GridPoint{lambda, points[l].MRecall / n, points[l].Precision / n}
	}
	return points, nil
}

// diversify applies MMR to a claim's 100 candidates.
func (r *runner) diversify(hits []lexical.Hit, lambda float64) []uint32 {
	scores := make([]float32, len(hits))
	for i, h := range hits {
		scores[i] = float32(h.Score)
	}
	similarity := func(i, j int) float32 { return r.options.Similarity(hits[i].Document, hits[j].Document) }
	chosen := rerank.MMR(scores, similarity, lambda, deepest)
	ranking := make([]uint32, len(chosen))
	for rank, place := range chosen {
		ranking[rank] = hits[place].Document
	}
	return ranking
}

// claim makes all rankings for one claim.
func (r *runner) claim(c *Claim, lambda float64) (found rankings, err error) {
	hits, err := r.search(c.Text)
	if err != nil {
		return found, err
	}
	base, mmr := documents(hits), r.diversify(hits, lambda)
	if found.base, err = r.judge(c, base); err != nil {
		return found, err
	}
	found.mmr = judge(c, mmr) // of the same documents
	lists, err := r.lists(r.expansions(c))
	if err != nil {
		return found, err
	}
	merged := merge(lists, base, true)
	if found.expanded, err = r.judge(c, merged); err != nil {
		return found, err
	}
	if found.repeated, err = r.judge(c, merge(lists, base, false)); err != nil {
		return found, err
	}
	byModel := base
	if r.options.Generated != nil {
		lists, err := r.lists(r.options.Generated.of(c))
		if err != nil {
			return found, err
		}
		byModel = merge(lists, base, true)
		if found.generated, err = r.judge(c, byModel); err != nil {
			return found, err
		}
	}
	if r.options.Ranked != nil {
		err := errors.Join(r.options.Ranked(r.name, AsRetrieved, c, base), r.options.Ranked(r.name, Diversified, c, mmr),
			r.options.Ranked(r.name, Expanded, c, merged))
		if r.options.Generated != nil {
			err = errors.Join(err, r.options.Ranked(r.name, ByModel, c, byModel))
		}
		if err != nil {
			return found, err
		}
	}
	if len(c.Documents) != Perspectives {
		return found, nil
	}
	for side, ranking := range []*judged{&found.supporting, &found.opposing} {
		hits, err := r.search(c.side(side))
		if err != nil {
			return found, err
		}
		if *ranking, err = r.judge(c, first(documents(hits), tuned)); err != nil {
			return found, err
		}
	}
	return found, nil
}

// lists are the documents found for each of the queries that expand a claim.
func (r *runner) lists(queries []string) (lists [][]uint32, err error) {
	for _, query := range queries {
		hits, err := r.search(query)
		if err != nil {
			return nil, err
		}
		lists = append(lists, documents(hits))
	}
	return lists, nil
}

// merge merges rankings round-robin. If distinct, it leaves out duplicates. If there are no
// rankings to merge, it returns base, the claim's own.
func merge(lists [][]uint32, base []uint32, distinct bool) []uint32 {
	if len(lists) == 0 {
		return base
	}
	return rerank.RoundRobin(lists, deepest, distinct)
}

// of are the queries that expand a claim.
func (g *Generated) of(c *Claim) []string {
	if g == nil {
		return nil
	}
	return g.queries[strings.TrimSpace(c.Text)]
}

// first are the first k documents.
func first(documents []uint32, k int) []uint32 { return documents[:min(k, len(documents))] }

func documents(hits []lexical.Hit) []uint32 {
	list := make([]uint32, len(hits))
	for i, h := range hits {
		list[i] = h.Document
	}
	return list
}
