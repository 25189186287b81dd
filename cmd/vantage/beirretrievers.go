package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/vantage-search/vantage/internal/evaluation/beir"
	"github.com/vantage-search/vantage/internal/evaluation/retrieve"
	"github.com/vantage-search/vantage/internal/search"
	"github.com/vantage-search/vantage/trec"
)

// Names of retrievers beside those of models.
const (
	bm25Name   = "bm25"
	okapiName  = "okapi"
	hybridName = "hybrid"
)

// beirRetriever ranks by words, by a model's vectors, or by both.
type beirRetriever struct {
	name  string
	words *wordIndex // nil: by vectors alone
	model *evalModel // nil: by words alone
}

// wordIndex is an index of words.
type wordIndex struct {
	about string
	index retrieve.Index
}

// beirRetrievers are those of a call, with the indexes and models that they share.
type beirRetrievers struct {
	list   []beirRetriever
	words  map[string]*wordIndex // by name
	models []*evalModel
}

// newRetrievers finds the retrievers that are named. No model is open yet.
func (e *evaluatingBEIR) newRetrievers(ctx context.Context) (*beirRetrievers, error) {
	all := &beirRetrievers{words: map[string]*wordIndex{}}
	for _, given := range e.retrievers {
		named, fused := strings.CutPrefix(given, hybridName+":")
		spec, err := parseModelSpec(named)
		if err != nil {
			return nil, err
		}
		if spec.name == hybridName {
			spec.name, fused = builtinName, true
		}
		r := beirRetriever{name: given}
		byWords := spec.name == bm25Name || spec.name == okapiName
		if byWords {
			err = spec.bare()
		}
		switch {
		case err != nil:
		case byWords && fused:
			err = usagef("%s: what is fused with bm25 is an encoder: %s or the folder of a model", given, builtinName)
		case byWords:
			r.words, err = all.index(e, spec.name)
		default:
			if r.model, err = all.find(ctx, e, spec); err == nil && fused {
				r.words, err = all.index(e, bm25Name)
			}
		}
		if err != nil {
			return nil, err
		}
		all.list = append(all.list, r)
	}
	return all, e.bind(ctx, all.models)
}

// index makes an index of words once.
func (all *beirRetrievers) index(e *evaluatingBEIR, name string) (*wordIndex, error) {
	if made := all.words[name]; made != nil {
		return made, nil
	}
	w := &wordIndex{about: "BM25 as rank_bm25's Okapi, words split at single spaces", index: retrieve.NewOkapi()}
	if name == bm25Name {
		index, err := retrieve.NewBM25(e.parameters)
		if err != nil {
			return nil, &usageError{err}
		}
		w.about, w.index = fmt.Sprintf("BM25 with Lucene's idf (k1 %g, b %g)", e.parameters.K1, e.parameters.B), index
	}
	all.words[name] = w
	return w, nil
}

// find finds a model once: alone and fused, it is the same.
func (all *beirRetrievers) find(ctx context.Context, e *evaluatingBEIR, spec modelSpec) (*evalModel, error) {
	for _, m := range all.models {
		if m.spec.name == spec.name && m.spec.pooling == spec.pooling && m.spec.queryModel == spec.queryModel {
			return m, nil
		}
	}
	m, err := e.find(ctx, spec)
	if err != nil {
		return nil, fmt.Errorf("retriever %q, which is none of bm25, okapi, static, hybrid, hybrid:MODEL: %w", spec.given, err)
	}
	all.models = append(all.models, m)
	return m, nil
}

// retrieve indexes the documents and ranks them for all queries, model by model, so
// that one encoder and its vectors are in memory at a time. done is given what each
// retriever ranked.
func (all *beirRetrievers) retrieve(ctx context.Context, e *evaluatingBEIR, set *beir.Set, done func(i int, about string, run *trec.Run) error) error {
	show := newProgress()
	defer show.stop()
	show.input = set.Progress
	var indexes []retrieve.Index // of words, in the first reading
	for _, w := range all.words {
		indexes = append(indexes, w.index)
	}
	read := func(vectors ...retrieve.Index) error {
		err := set.Index(ctx, append(indexes, vectors...), func(done int64) { show.update("index", done, 0) })
		if err != nil {
			return blameInput(ctx, err)
		}
		indexes = nil
		show.end()
		return nil
	}
	rank := func(i int, r retrieve.Retriever, about string) error {
		name := all.list[i].name
		run, _, err := set.Retrieve(ctx, r, name, e.k, func(done int64) { show.update("search", done, int64(len(set.Queries))) })
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		show.end()
		return done(i, about, run)
	}
	if len(all.models) == 0 {
		if err := read(); err != nil {
			return err
		}
	}
	for _, m := range all.models {
		vectors, encoder, err := m.index(ctx, func(vectors retrieve.Index) error { return read(vectors) })
		if err != nil {
			return err
		}
		err = all.rankBy(m, vectors, search.Hybrid{Fusion: e.fusion, Weight: &e.weight}, rank)
		if err = errors.Join(err, encoder.Close()); err != nil {
			return err
		}
	}
	for i, r := range all.list {
		if r.model == nil {
			if err := rank(i, r.words.index, r.words.about); err != nil {
				return err
			}
		}
	}
	return nil
}

// rankBy has the retrievers rank that go by a model, alone or fused with words.
func (all *beirRetrievers) rankBy(m *evalModel, vectors retrieve.Retriever, how search.Hybrid, rank func(i int, r retrieve.Retriever, about string) error) error {
	for i, r := range all.list {
		if r.model != m {
			continue
		}
		ranker, about := vectors, m.about()
		if r.words != nil {
			ranker = retrieve.NewHybrid(vectors, r.words.index, how)
			about = fmt.Sprintf("%s and %s fused by %s, words' weight %g", about, r.words.about, how.Fusion, *how.Weight)
		}
		if err := rank(i, ranker, about); err != nil {
			return err
		}
	}
	return nil
}
