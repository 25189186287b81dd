package berds

import (
	"context"
	"errors"

	"github.com/vantage-search/vantage/internal/evaluation/retrieve"
	"github.com/vantage-search/vantage/internal/model"
	"github.com/vantage-search/vantage/internal/model/named"
	"github.com/vantage-search/vantage/internal/progress"
	"github.com/vantage-search/vantage/internal/wasm/lexical"
	"github.com/vantage-search/vantage/perspective"
)

// retrieve runs the retrievers on the claims of data. e.found are their models.
func (e *Experiment) retrieve(ctx context.Context, data *Perspectrum, o Options) (_ *Evaluation, err error) {
	show := e.Encoding.Console.Progress()
	defer show.Stop()
	o.Progress = func(done, total int64) { show.Update(progress.Search, done, total) }
	fill := func(x retrieve.Index) error {
		return retrieve.Fill(ctx, x, data.Pool, func(done int) { show.Update(progress.Index, int64(done), int64(len(data.Pool))) })
	}
	encoded := func(encoder model.Encoder) (*retrieve.Dense, error) {
		vectors, err := retrieve.NewDense(encoder)
		if err != nil {
			return nil, err
		}
		return vectors, fill(vectors)
	}
	standard, err := named.Open(ctx, named.Builtin, model.Options{}, e.Encoding.Device, e.Encoding.Console)
	if err != nil {
		return nil, err
	}
	similarity, err := encoded(standard)
	if err != nil {
		return nil, err
	}
	o.Similarity = similarity.Similarity
	for i, name := range e.Retrievers {
		entry := Named{Name: name}
		switch {
		case name == retrieve.BM25Name:
			entry.Description = "BM25 of lower-cased Unicode words, Lucene's idf, k1 1.2, b 0.75"
			var words retrieve.Index
			if words, err = retrieve.NewBM25(lexical.DefaultParameters); err == nil {
				entry.Retriever, err = words, fill(words)
			}
		case name == retrieve.OkapiName:
			entry.Description = "BM25 as rank_bm25's Okapi, split at single spaces"
			words := retrieve.NewOkapi()
			entry.Retriever, err = words, fill(words)
		case e.found[i] == nil:
			entry.Retriever, entry.Description = similarity, "cosine of "+retrieve.Title(standard.Info())
		default:
			var encoder model.Encoder
			if entry.Retriever, encoder, err = e.found[i].Index(ctx, fill); err == nil {
				defer func() { err = errors.Join(err, encoder.Close()) }()
			}
			if err == nil {
				entry.Description, err = describe(e.found[i])
			}
		}
		if err != nil {
			return nil, err
		}
		o.Retrievers = append(o.Retrievers, entry)
	}
	var written runSet
	if e.RunOut != "" {
		o.Ranked = func(retriever, ranking string, c *Claim, documents []uint32) error {
			return written.add(data, retriever, ranking, c, documents)
		}
	}
	evaluation, err := Evaluate(ctx, data, o)
	if err != nil {
		return nil, err
	}
	show.End()
	return evaluation, written.write(e.RunOut, data, e.Encoding.Console)
}

// describe says what a model ranks by. About adds the dot product.
func describe(m *retrieve.Model) (string, error) {
	score, err := m.Score()
	if score == perspective.Dot {
		return "vectors of " + m.About(), err
	}
	return "cosine of " + m.About(), err
}

// models finds the models of the retrievers and tries to open them. The result has one
// entry per retriever: nil for retrievers by words, and for the built-in model, which
// retrieve opens in any case.
func (e *Experiment) models(ctx context.Context) ([]*retrieve.Model, error) {
	models := make([]*retrieve.Model, len(e.Retrievers))
	var all []*retrieve.Model
	for i, name := range e.Retrievers {
		spec, err := retrieve.ParseSpec("--retriever", name)
		if err != nil {
			return nil, err
		}
		if spec.Name == retrieve.BM25Name || spec.Name == retrieve.OkapiName || name == named.Builtin {
			if err := spec.Bare(); err != nil {
				return nil, err
			}
			continue
		}
		if models[i], err = e.Encoding.Find(ctx, spec); err != nil {
			return nil, err
		}
		all = append(all, models[i])
	}
	if err := e.Encoding.Bind(ctx, all); err != nil {
		return nil, err
	}
	return models, retrieve.Try(ctx, all)
}
