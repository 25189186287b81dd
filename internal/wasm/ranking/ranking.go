// Package ranking answers one query on an index: it compiles the method to a
// plan, scans, diversifies and explains. The browser core, the wazero host and
// the native command all rank through it.
package ranking

import (
	"errors"
	"strconv"

	"github.com/vantage-search/vantage/internal/wasm/index"
	"github.com/vantage-search/vantage/internal/wasm/rerank"
	"github.com/vantage-search/vantage/perspective"
)

// Request is one query with its vectors, each of the index's dimension.
type Request struct {
	perspective.Query
	K       int
	Filters []index.Filter
	MMR     *float64 // λ of maximal marginal relevance, 0..1; nil: off
	// MMRCandidates is how many of the best rows MMR chooses from; 0 means
	// rerank.DefaultCandidates. It is never less than K.
	MMRCandidates int
	Explain       bool // needs the query's own vector
	// Part: the index holds some of a collection's rows. Hits are explained but
	// for their cosine rank, which needs every part: see Ahead.
	Part bool
	Cut  *float64 // of a gated method, over all parts, if it is known: see Cut
}

// Hit is a row of an answer, best first.
type Hit struct {
	index.Hit
	index.Explanation
}

// Search answers a request.
func Search(ix *index.Index, r *Request) ([]Hit, error) {
	plan, err := compile(r)
	if err != nil {
		return nil, err
	}
	if plan.Gate != nil && plan.Gate.Cut == nil {
		// Once for ranking and explaining.
		scores, err := ix.GateScores(&plan, r.Filters)
		if err != nil {
			return nil, err
		}
		cut := perspective.Quantile(scores, plan.Gate.Quantile)
		plan.Gate.Cut = &cut
	}
	found, err := candidates(ix, &plan, r)
	if err != nil {
		return nil, err
	}
	hits := make([]Hit, len(found))
	for i := range found {
		hits[i].Hit = found[i]
	}
	if !r.Explain {
		return hits, nil
	}
	plain, err := plain(r)
	if err != nil {
		return nil, err
	}
	explanations, err := ix.Explain(&plan, &plain, r.Filters, found, !r.Part)
	if err != nil {
		return nil, err
	}
	for i := range explanations {
		hits[i].Explanation = explanations[i]
	}
	return hits, nil
}

// Scores writes the score of every row of the index.
func Scores(ix *index.Index, r *Request, out []float32) error {
	plan, err := compile(r)
	if err != nil {
		return err
	}
	return ix.Scores(&plan, r.Filters, out)
}

func compile(r *Request) (perspective.Plan, error) {
	plan, err := perspective.Compile(r.Query)
	if err == nil && plan.Gate != nil {
		plan.Gate.Cut = r.Cut
	}
	return plan, err
}

// plain is the plan of the plain cosine, beside which hits are explained.
func plain(r *Request) (perspective.Plan, error) {
	return perspective.Compile(perspective.Query{Query: r.Query.Query, Method: "query_cosine"})
}

// candidates ranks, and diversifies if asked.
func candidates(ix *index.Index, plan *perspective.Plan, r *Request) ([]index.Hit, error) {
	if r.MMR == nil {
		return ix.Search(plan, r.K, r.Filters)
	}
	if err := r.checkMMR(); err != nil {
		return nil, err
	}
	pool := r.MMRCandidates
	if pool == 0 {
		pool = rerank.DefaultCandidates
	}
	if r.K < 1 {
		pool = r.K // refused below, under the name that the caller knows
	}
	found, err := ix.Search(plan, max(pool, r.K), r.Filters)
	if err != nil || len(found) == 0 {
		return nil, err
	}
	scores := make([]float32, len(found))
	for i, hit := range found {
		scores[i] = hit.Score
	}
	similarity := func(i, j int) float32 { return ix.Similarity(found[i].Row, found[j].Row) }
	order := rerank.MMR(scores, similarity, *r.MMR, r.K)
	picked := make([]index.Hit, len(order))
	for i, at := range order {
		picked[i] = found[at]
	}
	return picked, nil
}

func (r *Request) checkMMR() error {
	if lambda := *r.MMR; !(lambda >= 0 && lambda <= 1) {
		return errors.New("mmr: λ is " + strconv.FormatFloat(lambda, 'g', -1, 64) + ", must be between 0 and 1")
	}
	return nil
}
