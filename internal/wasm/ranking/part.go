package ranking

import (
	"errors"
	"strconv"

	"github.com/vantage-search/vantage/internal/wasm/index"
	"github.com/vantage-search/vantage/internal/wasm/rerank"
	"github.com/vantage-search/vantage/perspective"
)

// If a collection is divided into parts, an answer over all parts takes these steps: if the
// method has a gate, GateScores of each part and Cut of all scores; Search of each part
// without explanations, for K rows or as many as MMR chooses from; the best of all by score
// and row; with MMR, Diversify; Explain of each part; and for cosine ranks, the sum of Ahead
// over the parts.

// GateScores lists the first-stage scores of the rows of a part that the mask allows, in
// any order. There are none if the method has no gate.
func GateScores(ix *index.Index, r *Request) ([]float32, error) {
	plan, err := perspective.Compile(r.Query)
	if err != nil {
		return nil, err
	}
	return ix.GateScores(&plan, r.Mask)
}

// Cut is the score that a row must reach to pass the method's gate, from the
// GateScores of all parts, which it reorders.
func Cut(r *Request, scores []float32) (float64, error) {
	plan, err := perspective.Compile(r.Query)
	if err != nil {
		return 0, err
	}
	if plan.Gate == nil {
		return 0, errors.New("method " + strconv.Quote(r.Method) + " has no gate to cut at")
	}
	return perspective.Quantile(scores, plan.Gate.Quantile), nil
}

// Ahead counts, for each hit of any part, the rows of this part that the plain cosine
// ranks before it. A hit's cosine rank is one more than the sum over all parts.
func Ahead(ix *index.Index, r *Request, hits []Hit) ([]int, error) {
	plan, err := plain(r)
	if err != nil {
		return nil, err
	}
	return ix.Ahead(&plan, r.Mask, cosines(hits))
}

// Diversify chooses K of the best rows of all parts, best first, by maximal marginal
// relevance, as Search does in one index. records are those rows in the same order,
// from index.AppendRecord of their parts. Diversify returns indexes into the list.
func Diversify(ix *index.Index, r *Request, scores []float32, records []byte) ([]int, error) {
	if r.MMR == nil {
		return nil, errors.New("mmr: no λ is given")
	}
	if err := r.checkMMR(); err != nil {
		return nil, err
	}
	rows, err := ix.ReadRecords(records)
	if err != nil {
		return nil, err
	}
	if rows.Len() != len(scores) {
		return nil, errors.New("mmr: " + strconv.Itoa(rows.Len()) + " records for " + strconv.Itoa(len(scores)) + " rows")
	}
	return rerank.MMR(scores, rows.Similarity, *r.MMR, r.K), nil
}
