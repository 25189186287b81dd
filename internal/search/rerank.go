package search

import (
	"context"
	"errors"
	"fmt"

	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/wasm/shard"
)

// Rerank ranks the given texts. A hit's Index is the index of its text, and its ID is
// empty.
func (c *Collection) Rerank(ctx context.Context, q Query, texts []string) (*Result, error) {
	if err := q.setMethod(); err != nil {
		return nil, err
	}
	if q.Hybrid != nil || q.Method == MethodWords {
		return nil, errors.New("rerank: bare texts have no inverted index: leave hybrid and bm25 out")
	}
	if len(q.Filters) > 0 {
		return nil, &FilterError{"rerank: bare texts have no fields to filter by"}
	}
	if len(q.Contexts) > 0 || q.ContextLambda != nil {
		return nil, errors.New("rerank: contexts order the hits of a collection: leave them out")
	}
	if c.store != nil && c.store.Manifest().Tokens != nil {
		return nil, errRerankTokens
	}
	if err := q.checkRescore(nil); err != nil {
		return nil, err
	}
	in, err := c.pool.acquire(ctx)
	if err != nil {
		return nil, err
	}
	defer c.pool.release(in)
	if err := c.encodes(in, encoder.Document); err != nil {
		return nil, err
	}
	result, request, err := c.request(ctx, in, &q, false)
	if err != nil {
		return nil, err
	}
	ix, err := in.core.OpenIndex(in.encoder.Info().Dim, shard.F32, 0)
	if err != nil {
		return nil, err
	}
	defer ix.Close()
	if err := in.addTexts(ctx, ix, texts, len(request.Angles) > 0); err != nil {
		return nil, err
	}
	hits, err := ix.Search(request)
	if err != nil {
		return nil, err
	}
	for i, h := range hits {
		result.Hits = append(result.Hits, hit(i+1, h, "", "", texts[h.Row]))
	}
	if len(request.Angles) > 0 {
		if err := c.tellHits(ctx, in, ix, asked{&q, result, request}, hits); err != nil {
			return nil, err
		}
	}
	return result, nil
}

// addTexts encodes texts and adds them to an index, with their angles if asked to.
func (in *instance) addTexts(ctx context.Context, ix Index, texts []string, angles bool) error {
	for first, portion := range encoder.Portions(in.encoder, texts) {
		embeddings, err := encoder.Encode(ctx, in.encoder, portion, encoder.Options{Role: encoder.Document})
		if err != nil {
			return encoder.Among(first, err)
		}
		rows := make([]int, len(portion))
		for i, e := range embeddings {
			if rows[i], err = ix.Add(e.Vector); err != nil {
				return fmt.Errorf("text %d: %w", first+i, err)
			}
		}
		if !angles {
			continue
		}
		if err := in.addAngles(ctx, ix, portion, rows); err != nil {
			return fmt.Errorf("texts %d to %d: %w", first, first+len(portion)-1, err)
		}
	}
	return nil
}
