package beir

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/vantage-search/vantage/internal/evaluation/retrieve"
	"github.com/vantage-search/vantage/internal/model"
	"github.com/vantage-search/vantage/internal/progress"
	"github.com/vantage-search/vantage/internal/search"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/perspective"
	"github.com/vantage-search/vantage/trec"
)

// retriever ranks by words, by a model's vectors, or by both.
type retriever struct {
	name  string
	words *wordIndex      // nil if it ranks by vectors alone
	model *retrieve.Model // nil if it ranks by words alone

	method string // by which it ranks with the model; empty: by the query alone
}

// wordIndex is an index for BM25.
type wordIndex struct {
	about string
	index retrieve.Index
}

// retrievers are the retrievers of one experiment, with the indexes and models that
// they share.
type retrievers struct {
	list   []retriever
	words  map[string]*wordIndex // by name
	models []*retrieve.Model
}

// parse reads the name of a retriever: the model or the ranking by words, the method that it ranks
// by, and whether it is a hybrid.
func parse(given string) (spec retrieve.Spec, method string, fused bool, err error) {
	modelName, fused := strings.CutPrefix(given, retrieve.HybridName+":")
	method, modelName = retrieve.ParseMethod(modelName)
	if spec, err = retrieve.ParseSpec("--retriever", modelName); err == nil && spec.Name == retrieve.HybridName {
		spec.Name, fused = model.Builtin, true
	}
	return spec, method, fused, err
}

// Takes says whether a retriever ranks by Parameters and by Hybrid. auto joins words by its own
// table. Errors in the name count as neither; Evaluate reports them.
func Takes(given string) (parameters, hybrid bool) {
	spec, method, fused, err := parse(given)
	if err != nil {
		return false, false
	}
	return fused || spec.Name == retrieve.BM25Name || method == perspective.Auto, fused
}

// newRetrievers resolves the given names to retrievers. It opens no model.
func (e *Experiment) newRetrievers(ctx context.Context) (*retrievers, error) {
	all := &retrievers{words: map[string]*wordIndex{}}
	e.Encoding.Late = true
	for _, given := range e.Retrievers {
		spec, method, fused, err := parse(given)
		if err != nil {
			return nil, err
		}
		r := retriever{name: given, method: method}
		byWords := spec.Name == retrieve.BM25Name || spec.Name == retrieve.OkapiName
		if byWords {
			err = spec.Bare()
		}
		switch {
		case err != nil:
		case byWords && fused:
			err = fault.Errorf(fault.Query, "%s: hybrid needs an encoder: name %s or the folder of a model", given, model.Builtin)
		case fused && method == perspective.Auto:
			err = fault.Errorf(fault.Query, "%s: auto chooses itself whether words join in: leave hybrid or auto out", given)
		case byWords:
			r.words, err = all.index(e, spec.Name)
		default:
			if r.model, err = all.find(ctx, e, spec); err == nil && fused {
				r.words, err = all.index(e, retrieve.BM25Name)
			}
			if err == nil && method != "" {
				r.model.Angles = true
			}
			if err == nil && method == perspective.Auto {
				r.words, err = all.index(e, retrieve.BM25Name)
			}
		}
		if err != nil {
			return nil, err
		}
		all.list = append(all.list, r)
	}
	return all, e.Encoding.Bind(ctx, all.models)
}

// try opens each model once, and refuses a method that its model cannot rank by.
func (all *retrievers) try(ctx context.Context) error {
	if err := retrieve.Try(ctx, all.models); err != nil {
		return err
	}
	for _, r := range all.list {
		if r.method != "" && r.model.RanksTokens() {
			return fault.Errorf(fault.Query, "--retriever %s: a ColBERT ranks by MaxSim of the whole query: leave the method out", r.name)
		}
	}
	return nil
}

// index makes each index of words only once.
func (all *retrievers) index(e *Experiment, name string) (*wordIndex, error) {
	if made := all.words[name]; made != nil {
		return made, nil
	}
	w := &wordIndex{about: "BM25 as rank_bm25's Okapi, words split at single spaces", index: retrieve.NewOkapi()}
	if name == retrieve.BM25Name {
		index, err := retrieve.NewBM25(e.Parameters)
		if err != nil {
			return nil, fault.As(fault.Query, err)
		}
		w.about, w.index = fmt.Sprintf("BM25 with Lucene's idf (k1 %g, b %g)", e.Parameters.K1, e.Parameters.B), index
	}
	all.words[name] = w
	return w, nil
}

// find finds each model only once, because hybrid:MODEL and MODEL share it.
func (all *retrievers) find(ctx context.Context, e *Experiment, spec retrieve.Spec) (*retrieve.Model, error) {
	for _, m := range all.models {
		if m.Spec.Same(spec) {
			return m, nil
		}
	}
	m, err := e.Encoding.Find(ctx, spec)
	if err != nil {
		return nil, fmt.Errorf("retriever %q is none of bm25, okapi, static, hybrid, hybrid:MODEL, auto, METHOD:MODEL: %w", spec.Given, err)
	}
	all.models = append(all.models, m)
	return m, nil
}

// retrieve indexes the documents and ranks them for all queries. It takes one model
// after the other, so that only one encoder and its vectors are in memory at a time. It
// calls done with the ranking of each retriever.
func (all *retrievers) retrieve(ctx context.Context, e *Experiment, set *Set, done func(i int, about string, run *trec.Run) error) error {
	show := e.Encoding.Console.Progress()
	defer show.Stop()
	if show != nil {
		show.Input = set.Progress
	}
	var indexes []retrieve.Index // indexes of words, which the first reading of the corpus fills
	for _, w := range all.words {
		indexes = append(indexes, w.index)
	}
	read := func(vectors ...retrieve.Index) error {
		err := set.Index(ctx, append(indexes, vectors...), func(done int64) { show.Update(progress.Index, done, 0) })
		if err != nil {
			return blameInput(ctx, err)
		}
		indexes = nil
		show.End()
		return nil
	}
	rank := func(i int, r retrieve.Retriever, about string) error {
		name := all.list[i].name
		run, _, err := set.Retrieve(ctx, r, name, e.Depth, func(done int64) { show.Update(progress.Search, done, int64(len(set.Queries))) })
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		show.End()
		return done(i, about, run)
	}
	if len(all.models) == 0 {
		if err := read(); err != nil {
			return err
		}
	}
	for _, m := range all.models {
		vectors, encoder, err := m.Index(ctx, func(vectors retrieve.Index) error { return read(vectors) })
		if err != nil {
			return err
		}
		err = all.rankBy(m, vectors, e.Hybrid, rank)
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

// rankBy ranks with all retrievers that use a model, alone or fused with words.
func (all *retrievers) rankBy(m *retrieve.Model, vectors retrieve.Index, how search.Hybrid, rank func(i int, r retrieve.Retriever, about string) error) error {
	for i, r := range all.list {
		if r.model != m {
			continue
		}
		ranker, about := retrieve.Retriever(vectors), m.About()
		dense, _ := vectors.(*retrieve.Dense) // nil for a model that ranks by MaxSim, for which try has refused every method
		switch {
		case r.method == perspective.Auto:
			ranker, about = dense.By(r.method, r.words.index), r.method+" by "+about
		case r.method != "":
			ranker, about = dense.By(r.method, nil), r.method+" by "+about
		}
		if r.words != nil && r.method != perspective.Auto {
			ranker = retrieve.NewHybrid(ranker, r.words.index, how)
			about = fmt.Sprintf("%s and %s fused by %s, words' weight %g", about, r.words.about, cmp.Or(how.Fusion, search.ReciprocalRank), how.WordsWeight())
		}
		if err := rank(i, ranker, about); err != nil {
			return err
		}
	}
	return nil
}
