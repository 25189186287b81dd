package main

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"

	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/model"
	"github.com/vantage-search/vantage/internal/search"
	"github.com/vantage-search/vantage/internal/wasm/tokens"
	"github.com/vantage-search/vantage/perspective"
)

// rescore answers all queries as a search with vantage.Query.Rescore does: it encodes the n best documents again and
// ranks them by these vectors. The time includes encoding.
func (b *bench) rescore(ctx context.Context, ix *tokens.Index, r *row, n int) (err error) {
	e, err := model.Open(ctx, b.folder, model.Options{Int8: true})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, e.Close()) }()
	late := encoder.Late{TokenEncoder: e.(model.TokenEncoder)}
	found := make([][]int, len(b.asked))
	squares, scored := 0.0, 0
	start := processor()
	for i, q := range b.asked {
		hits, err := ix.Search(&tokens.Request{TokenQuery: perspective.TokenQuery{Vectors: q}, K: n})
		if err != nil {
			return err
		}
		texts := make([]string, len(hits))
		for j, h := range hits {
			texts[j] = b.passageTexts[h.Document]
		}
		again, err := late.EncodeTokens(ctx, texts, encoder.Document)
		if err != nil {
			return err
		}
		for j := range hits {
			hits[j].Score = float32(search.MaxSim(q, again[j].Vectors, b.dim))
		}
		slices.SortFunc(hits, func(x, y tokens.Hit) int {
			return cmp.Or(cmp.Compare(y.Score, x.Score), cmp.Compare(x.Document, y.Document))
		})
		for _, h := range hits[:k] {
			found[i] = append(found[i], int(h.Document))
			if at := slices.Index(b.exact[i], int(h.Document)); at >= 0 {
				off := float64(h.Score) - b.scores[i][at]
				squares, scored = squares+off*off, scored+1
			}
		}
	}
	r.take((processor() - start).Seconds() * 1000 / float64(len(b.asked)))
	r.off = math.Sqrt(squares / float64(max(scored, 1)))
	r.recall, r.same = b.recall(found)
	return nil
}
