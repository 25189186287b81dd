package search

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/vantage-search/vantage/internal/collection/manifest"
	"github.com/vantage-search/vantage/internal/collection/store"
	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/internal/wasm/tokens"
	"github.com/vantage-search/vantage/perspective"
)

// MaxRescore bounds Query.Rescore, because a transformer needs some milliseconds for each document.
const MaxRescore = 256

// checkRescore refuses to encode documents again if that does not order the hits. t is nil if
// the collection has no token vectors, or if there is no collection.
func (q *Query) checkRescore(t *manifest.Tokens) error {
	switch {
	case q.Rescore == 0:
		return nil
	case q.Rescore < 0 || q.Rescore > MaxRescore:
		return fault.Errorf(fault.Query, "rescore is %d, must be from 1 to %d: so many documents are encoded again", q.Rescore, MaxRescore)
	case t == nil:
		return fault.New(fault.Query, "rescore: it is for collections of token vectors (maxsim), which are stored rounded: leave it out")
	case q.K > MaxRescore:
		return fault.Errorf(fault.Query, "rescore: k is %d, must be at most %d, because every hit is encoded again", q.K, MaxRescore)
	case q.Method == MethodWords || q.Hybrid != nil:
		return fault.New(fault.Query, "rescore: it orders hits by maxsim alone: leave it or the words out")
	}
	return nil
}

// rescore encodes the documents of found again, and orders both by the documents' own token
// vectors, which are not rounded as the stored ones are. query [n, dim] is what they are compared
// with. Documents that a gate sank keep their score, and so do those without token vectors.
func (c *Collection) rescore(ctx context.Context, in *instance, query []float32, found []tokens.Hit, documents []store.Document) ([]tokens.Hit, []store.Document, error) {
	late, ok := in.encoder.(encoder.Late)
	if !ok {
		return nil, nil, in.noEncoder()
	}
	texts := make([]string, len(documents))
	for i := range documents {
		texts[i] = documents[i].EncodedText()
	}
	found = slices.Clone(found)
	dim := c.store.Manifest().Dim
	for first, portion := range encoder.Portions(late, texts) {
		made, err := late.EncodeTokens(ctx, portion, encoder.Document)
		if err != nil {
			return nil, nil, encoder.Among(first, err)
		}
		for i, v := range made {
			h := &found[first+i]
			if v.Rows == 0 || h.Score == perspective.SunkDot {
				continue
			}
			h.Score = float32(MaxSim(query, v.Vectors, dim))
			if s := float64(h.Score); math.IsNaN(s) || math.IsInf(s, 0) {
				return nil, nil, fault.Errorf(fault.Input, "rescore: the encoder %s gave document %q vectors that are too large: they must have length 1", late.Info().ID, documents[first+i].ID)
			}
		}
	}
	order := make([]int, len(found))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(found[b].Score, found[a].Score), cmp.Compare(found[a].Document, found[b].Document))
	})
	hits, read := make([]tokens.Hit, len(found)), make([]store.Document, len(found))
	for i, at := range order {
		hits[i], read[i] = found[at], documents[at]
	}
	return hits, read, nil
}

// MaxSim is the sum over the vectors of query of the greatest inner product with a vector of
// document (Khattab and Zaharia 2020, "ColBERT", equation 3). Both hold vectors of dim components one
// after the other; document has at least one. It is computed in float64 in the order written, and not
// by rerank.MaxSim, whose bits are those of the kernel: a page computes it in JavaScript. The result
// may be NaN or infinite if a number is.
func MaxSim(query, document []float32, dim int) (sum float64) {
	for i := 0; i < len(query); i += dim {
		best := math.Inf(-1)
		for j := 0; j < len(document); j += dim {
			dot := 0.0
			for k := range dim {
				dot += float64(query[i+k]) * float64(document[j+k])
			}
			best = max(best, dot)
		}
		sum += best
	}
	return sum
}
