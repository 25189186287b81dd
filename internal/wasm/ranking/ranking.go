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

// Request is one query with its vectors, of the index's dimension, and its angles, of theirs.
type Request struct {
	perspective.Query
	K    int
	Mask index.Mask // rows that answers may have
	MMR  *float64   // λ of maximal marginal relevance, 0..1; nil means off
	// MMRCandidates is the number of best rows that MMR chooses from, but at least K; 0
	// means rerank.DefaultCandidates.
	MMRCandidates int
	Explain       bool // explain the hits, which needs the query's own vector
	// CosineRank also computes the rank of explained hits by the plain cosine, among the
	// rows that Mask allows, in the same pass as the hits.
	CosineRank bool
	Cut        *float64 // cut of a gated method, if it is known: see Cut
}

// Hit is a row of an answer, best first.
type Hit struct {
	index.Hit
	index.Explanation
	CosineRank int // rank by the plain cosine, from 1, among the rows that the mask allows; 0 if not asked for
}

// Search answers a request.
func Search(ix *index.Index, r *Request) ([]Hit, error) {
	plan, err := compile(r)
	if err != nil {
		return nil, err
	}
	if plan.Gate != nil && plan.Gate.Cut == nil {
		// The cut is found once, for ranking and explaining.
		scores, err := ix.GateScores(&plan, r.Mask)
		if err != nil {
			return nil, err
		}
		cut := perspective.Quantile(scores, plan.Gate.Quantile)
		plan.Gate.Cut = &cut
	}
	var cosine, ranked *perspective.Plan
	if r.Explain {
		plain, err := plain(r)
		if err != nil {
			return nil, err
		}
		cosine = &plain
	}
	if r.CosineRank {
		ranked = cosine
	}
	found, beside, err := candidates(ix, &plan, ranked, r)
	if err != nil {
		return nil, err
	}
	hits := make([]Hit, len(found))
	for i := range found {
		hits[i].Hit = found[i]
	}
	if cosine == nil {
		return hits, nil
	}
	if err := explain(ix, &plan, cosine, r.Mask, hits); err != nil {
		return nil, err
	}
	if beside != nil {
		for i, n := range beside.Ahead(cosines(hits)) {
			hits[i].CosineRank = n + 1
		}
	}
	return hits, nil
}

// Explain explains hits of any ranking by the request's method. It first finds the row
// of each hit's document. If a document has no row in this index, the hit's Row is -1
// and it is not explained. Cosine ranks cost a scan.
func Explain(ix *index.Index, r *Request, hits []Hit) error {
	plan, err := compile(r)
	if err != nil {
		return err
	}
	plain, err := plain(r)
	if err != nil {
		return err
	}
	for i := range hits {
		hits[i].Row = ix.Find(hits[i].Document, hits[i].Row)
	}
	if err := explain(ix, &plan, &plain, r.Mask, hits); err != nil || !r.CosineRank {
		return err
	}
	ahead, err := ix.Ahead(&plain, r.Mask, cosines(hits))
	if err != nil {
		return err
	}
	for i, n := range ahead {
		hits[i].CosineRank = n + 1
	}
	return nil
}

// explain explains those of the hits that have a row.
func explain(ix *index.Index, plan, plain *perspective.Plan, m index.Mask, hits []Hit) error {
	var rows, places []int
	for i, h := range hits {
		if h.Row >= 0 {
			rows, places = append(rows, h.Row), append(places, i)
		}
	}
	explanations, err := ix.Explain(plan, plain, m, rows)
	if err != nil {
		return err
	}
	for i, place := range places {
		hits[place].Explanation = explanations[i]
	}
	return nil
}

// cosines are the hits with their scores under the plain cosine.
func cosines(hits []Hit) []index.Hit {
	out := make([]index.Hit, len(hits))
	for i, h := range hits {
		out[i] = index.Hit{Row: h.Row, Score: h.Cosine}
	}
	return out
}

// Scores writes the score of every row of the index.
func Scores(ix *index.Index, r *Request, out []float32) error {
	plan, err := compile(r)
	if err != nil {
		return err
	}
	return ix.Scores(&plan, r.Mask, out)
}

func compile(r *Request) (perspective.Plan, error) {
	plan, err := perspective.Compile(r.Query)
	if err == nil && plan.Gate != nil {
		plan.Gate.Cut = r.Cut
	}
	return plan, err
}

// plain is the plan of the plain cosine, which explanations use, or of the dot product
// with the query if that is how the request compares.
func plain(r *Request) (perspective.Plan, error) {
	return perspective.Compile(perspective.Query{Query: r.Query.Query, Method: "query_cosine", Score: r.Score})
}

// candidates ranks, and diversifies if asked to. If ranked is not nil, it is a second
// plan by which the hits are ranked, too.
func candidates(ix *index.Index, plan, ranked *perspective.Plan, r *Request) ([]index.Hit, *index.Beside, error) {
	if r.MMR == nil {
		return ix.SearchBeside(plan, ranked, r.K, r.Mask)
	}
	if err := r.checkMMR(); err != nil {
		return nil, nil, err
	}
	pool := r.MMRCandidates
	if pool == 0 {
		pool = rerank.DefaultCandidates
	}
	if r.K < 1 {
		pool = r.K // refused below, with the name that the caller used
	}
	found, beside, err := ix.SearchBeside(plan, ranked, max(pool, r.K), r.Mask)
	if err != nil || len(found) == 0 {
		return nil, beside, err
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
	return picked, beside, nil
}

func (r *Request) checkMMR() error {
	if lambda := *r.MMR; !(lambda >= 0 && lambda <= 1) {
		return errors.New("mmr: λ is " + strconv.FormatFloat(lambda, 'g', -1, 64) + ", must be between 0 and 1")
	}
	return nil
}
