package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/vantage-search/vantage/model/retrieve"
	"github.com/vantage-search/vantage/wasm/search"
)

// Names of retrievers beside those of models.
const (
	bm25Name   = "bm25"
	okapiName  = "okapi"
	hybridName = "hybrid"
)

// beirRetriever is a retriever by its name.
type beirRetriever struct {
	name, about string
	retriever   retrieve.Retriever
}

// beirRetrievers are those of a call, and the indexes that they share.
type beirRetrievers struct {
	list    []beirRetriever
	indexes []retrieve.Index
	made    map[string]beirRetriever // indexes by name
}

func (e *evaluatingBEIR) newRetrievers(ctx context.Context) (*beirRetrievers, error) {
	all := &beirRetrievers{made: map[string]beirRetriever{}}
	for _, name := range e.retrievers {
		encoder, fused := strings.CutPrefix(name, hybridName+":")
		if name == hybridName {
			encoder, fused = builtin, true
		}
		if !fused {
			r, err := all.index(ctx, e, name)
			if err != nil {
				return nil, err
			}
			all.list = append(all.list, r)
			continue
		}
		if encoder == bm25Name || encoder == okapiName {
			return nil, usagef("%s: what is fused with bm25 is an encoder: %s or the folder of a model", name, builtin)
		}
		vectors, err := all.index(ctx, e, encoder)
		if err != nil {
			return nil, err
		}
		words, err := all.index(ctx, e, bm25Name)
		if err != nil {
			return nil, err
		}
		how := search.Hybrid{Fusion: e.fusion, Weight: &e.weight}
		all.list = append(all.list, beirRetriever{name, fmt.Sprintf("%s and %s fused by %s, words' weight %g", vectors.about, words.about, e.fusion, e.weight),
			retrieve.NewHybrid(vectors.retriever, words.retriever, how)})
	}
	return all, nil
}

// index makes an index once.
func (all *beirRetrievers) index(ctx context.Context, e *evaluatingBEIR, name string) (r beirRetriever, err error) {
	if r, made := all.made[name]; made {
		return r, nil
	}
	r.name = name
	var index retrieve.Index
	switch name {
	case bm25Name:
		r.about = fmt.Sprintf("BM25 with Lucene's idf (k1 %g, b %g)", e.parameters.K1, e.parameters.B)
		if index, err = retrieve.NewBM25(e.parameters); err != nil {
			return r, &usageError{err}
		}
	case okapiName:
		r.about = "BM25 as rank_bm25's Okapi, words split at single spaces"
		index = retrieve.NewOkapi()
	default:
		encoder, err := openRetriever(ctx, name, e.int8, e.device)
		if err != nil {
			return r, fmt.Errorf("retriever %q, which is none of bm25, okapi, static, hybrid, hybrid:FOLDER: %w", name, err)
		}
		r.about = titleOf(encoder.Info())
		if index, err = retrieve.NewDense(encoder); err != nil {
			return r, err
		}
	}
	r.retriever = index
	all.made[name] = r
	all.indexes = append(all.indexes, index)
	return r, nil
}
