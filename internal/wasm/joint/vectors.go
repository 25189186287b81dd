package joint

import (
	"strconv"

	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/internal/wasm/index"
	"github.com/vantage-search/vantage/internal/wasm/shard"
	"github.com/vantage-search/vantage/perspective"
)

// Joint is PCAS over the rows of an index (§4.2): it finds the k best documents for the
// question's vector, and ranks each with the context that fits it best. Vectors have the
// dimension of the index. If a context's vector is zero, its fit is 0 for every document.
func Joint(ix *index.Index, question []float32, contexts [][]float32, k int, lambda float64) ([]Pair, error) {
	if err := CheckLambda(lambda); err != nil {
		return nil, err
	}
	candidates, err := Candidates(ix, question, contexts, k)
	if err != nil {
		return nil, err
	}
	return Rank(candidates, lambda), nil
}

// Candidates returns the k best documents for the question, best first, with the fits of
// the contexts.
func Candidates(ix *index.Index, question []float32, contexts [][]float32, k int) ([]Candidate, error) {
	if k < 1 {
		return nil, fault.New(fault.Query, "contexts: K is "+strconv.Itoa(k)+", must be at least 1: it is the number of documents that the question finds")
	}
	if err := CheckCount(len(contexts)); err != nil {
		return nil, err
	}
	plan, err := cosine(question)
	if err != nil {
		return nil, err
	}
	hits, err := ix.Search(&plan, k, nil)
	if err != nil {
		return nil, err
	}
	candidates := make([]Candidate, len(hits))
	rows := make([]int, len(hits))
	for i, h := range hits {
		candidates[i] = Candidate{Document: h.Document, Relevance: h.Score, Fits: make([]float32, len(contexts))}
		rows[i] = h.Row
	}
	for c, vector := range contexts {
		if Zero(vector) {
			continue
		}
		plan, err := cosine(vector)
		if err != nil {
			return nil, err
		}
		found, err := ix.Explain(&plan, &plan, nil, rows)
		if err != nil {
			return nil, err
		}
		for i := range found {
			candidates[i].Fits[c] = found[i].Cosine
		}
	}
	return candidates, nil
}

// ByQuestion is the first step of B3: it returns the index of the context that is nearest
// to the question, by score_cq(c, q). The second step ranks documents by the question joined
// with that context.
func ByQuestion(question []float32, contexts [][]float32) (int, error) {
	if err := CheckCount(len(contexts)); err != nil {
		return 0, err
	}
	plan, err := cosine(question)
	if err != nil {
		return 0, err
	}
	var flat []float32
	for _, vector := range contexts {
		flat = append(flat, vector...)
	}
	ix, err := index.FromVectors(shard.F32, len(question), flat)
	if err != nil {
		return 0, err
	}
	hits, err := ix.Search(&plan, 1, nil)
	if err != nil {
		return 0, err
	}
	return hits[0].Row, nil
}

// Zero reports whether all components are 0, so that the vector has no direction. A static
// encoder gives such a vector to a text of which it knows no word.
func Zero(vector []float32) bool {
	for _, v := range vector {
		if v != 0 {
			return false
		}
	}
	return true
}

func cosine(vector []float32) (perspective.Plan, error) {
	return perspective.Compile(perspective.Query{Query: vector, Method: "query_cosine"})
}
