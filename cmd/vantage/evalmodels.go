package main

import (
	"context"
	"errors"
	"strings"

	"github.com/vantage-search/vantage/internal/evaluation/retrieve"
	"github.com/vantage-search/vantage/internal/model"
)

// evalModel is a model that an evaluation retrieves by: an encoder, or one of the
// documents and one of the queries. None is open before its turn comes.
type evalModel struct {
	spec      modelSpec
	documents *evalEncoder
	queries   *evalEncoder // nil: the same
}

// evalEncoder is an encoder that is opened when it is needed.
type evalEncoder struct {
	name    string // as it was written
	place   modelPlace
	options model.Options
	device  deviceFlags
	info    model.Info    // once it was open
	kept    model.Encoder // open already
}

// find finds a model, and fetches it unless it is there.
func (r *retrieverFlags) find(ctx context.Context, spec modelSpec) (*evalModel, error) {
	documents, err := r.encoder(ctx, spec.name)
	if err != nil {
		return nil, err
	}
	return &evalModel{spec: spec, documents: documents}, nil
}

func (r *retrieverFlags) encoder(ctx context.Context, name string) (*evalEncoder, error) {
	if err := r.device.check(); err != nil {
		return nil, err // before a model is fetched
	}
	place, err := findModel(ctx, name)
	if err != nil {
		return nil, err
	}
	return &evalEncoder{name: name, place: place, options: model.Options{Int8: r.int8 && !place.static}, device: r.device}, nil
}

// bind gives each model what the flags and its own options say.
func (r *retrieverFlags) bind(ctx context.Context, models []*evalModel) error {
	var pooling model.Pooling
	if r.pooling != "" {
		var err error
		if pooling, err = model.ParsePooling(r.pooling); err != nil {
			return &usageError{err}
		}
	}
	var transformers []*evalModel
	for _, m := range models {
		if !m.documents.place.static {
			transformers = append(transformers, m)
			if m.spec.pooling == "" {
				m.spec.pooling = pooling
			}
		} else if m.spec.pooling != "" || m.spec.queryModel != "" {
			return usagef("--retriever %s: pooling and query-model are for transformers: %s is a static model", m.spec.given, m.spec.name)
		}
	}
	switch {
	case len(transformers) == 0 && (r.pooling != "" || r.queryModel != ""):
		return usagef("--pooling and --query-model are for transformers, and no --retriever is one")
	case r.queryModel == "":
	case len(transformers) > 1:
		return usagef("--query-model belongs to one model, and there are %d: write --retriever %s,%s=%s for the one that is meant",
			len(transformers), transformers[0].spec.given, queryModelOption, r.queryModel)
	case transformers[0].spec.queryModel != "":
		return usagef("two query models for %s, %s and %s: leave one out", transformers[0].spec.name, transformers[0].spec.queryModel, r.queryModel)
	default:
		transformers[0].spec.queryModel = r.queryModel
	}
	for _, m := range transformers {
		m.documents.options.Pooling = m.spec.pooling
		if m.spec.queryModel == "" {
			continue
		}
		var err error
		if m.queries, err = r.encoder(ctx, m.spec.queryModel); err != nil {
			return err
		}
		if !m.queries.place.static {
			m.queries.options.Pooling = m.spec.pooling
		}
	}
	return nil
}

// try opens every encoder for a moment, one after the other, so that what is wrong
// with the last is not found hours after the first has begun. The first is kept.
func try(ctx context.Context, models []*evalModel) error {
	for i := len(models) - 1; i >= 0; i-- {
		m := models[i]
		if m.queries != nil {
			if err := m.queries.try(ctx, false); err != nil {
				return err
			}
		}
		if err := m.documents.try(ctx, i == 0); err != nil {
			return err
		}
		if err := m.check(); err != nil {
			return errors.Join(err, m.documents.drop())
		}
	}
	return nil
}

// check refuses encoders that do not belong together.
func (m *evalModel) check() error {
	d := m.documents
	switch {
	case m.queries == nil && d.info.Architecture == "dpr":
		return usagef("%s is one of DPR's two encoders: name the one of the questions, too: --retriever %s,%s=MODEL", d.name, m.spec.given, queryModelOption)
	case m.queries != nil && m.queries.info.Dim != d.info.Dim:
		return inputf("%s gives %d dimensions, %s %d: they do not belong together", m.queries.name, m.queries.info.Dim, d.name, d.info.Dim)
	}
	return nil
}

func (e *evalEncoder) try(ctx context.Context, keep bool) error {
	encoder, err := e.open(ctx)
	if err != nil {
		return err
	}
	if _, tokens := encoder.(model.TokenEncoder); tokens && e.options.Pooling == "" {
		warn(stderr, "%s gives a vector for each token (ColBERT): they are averaged", e.info.ID)
	}
	e.options.Notice = func(string) {} // it has been told
	if e.kept = encoder; keep {
		return nil
	}
	return e.drop()
}

// drop closes an encoder that was kept and is not needed.
func (e *evalEncoder) drop() error {
	if e.kept == nil {
		return nil
	}
	err := e.kept.Close()
	e.kept = nil
	return err
}

// open opens an encoder, which its caller closes.
func (e *evalEncoder) open(ctx context.Context) (encoder model.Encoder, err error) {
	if encoder, e.kept = e.kept, nil; encoder != nil {
		return encoder, nil
	}
	if encoder, err = e.place.open(ctx, e.options, e.device); err != nil {
		return nil, err
	}
	e.info = encoder.Info()
	return encoder, nil
}

// open opens the encoders of documents and queries, which may be one. close closes
// them.
func (m *evalModel) open(ctx context.Context) (documents, queries model.Encoder, close func() error, err error) {
	if documents, err = m.documents.open(ctx); err != nil {
		return nil, nil, nil, err
	}
	if m.queries == nil {
		return documents, documents, documents.Close, nil
	}
	if queries, err = m.queries.open(ctx); err != nil {
		return nil, nil, nil, errors.Join(err, documents.Close())
	}
	return documents, queries, func() error { return errors.Join(documents.Close(), queries.Close()) }, nil
}

// index indexes documents by the model. The encoder of the queries is open then,
// which the caller closes, and that of the documents closed unless it is the same.
func (m *evalModel) index(ctx context.Context, fill func(retrieve.Index) error) (*retrieve.Dense, model.Encoder, error) {
	encoder, err := m.documents.open(ctx)
	if err != nil {
		return nil, nil, err
	}
	vectors, err := retrieve.NewDense(encoder)
	if err == nil {
		err = fill(vectors)
	}
	if err != nil {
		return nil, nil, errors.Join(err, encoder.Close())
	}
	if m.queries == nil {
		return vectors, encoder, nil
	}
	if err := encoder.Close(); err != nil {
		return nil, nil, err
	}
	if encoder, err = m.queries.open(ctx); err != nil {
		return nil, nil, err
	}
	if err := vectors.EncodeQueries(encoder); err != nil {
		return nil, nil, errors.Join(err, encoder.Close())
	}
	return vectors, encoder, nil
}

// label names the model in tables by its id and what was asked of it. It was open
// before.
func (m *evalModel) label() string {
	var asked []string
	if m.spec.pooling != "" {
		asked = append(asked, string(m.spec.pooling))
	}
	if m.documents.options.Int8 {
		asked = append(asked, "int8")
	}
	if m.queries != nil {
		asked = append(asked, "queries: "+m.queries.info.ID)
	}
	return inBrackets(m.documents.info.ID, asked)
}

// about tells what the model is. It was open before.
func (m *evalModel) about() string {
	var asked []string
	if m.spec.pooling != "" {
		asked = append(asked, string(m.spec.pooling)+" pooling")
	}
	if m.queries != nil {
		asked = append(asked, "queries by "+titleOf(m.queries.info))
	}
	return inBrackets(titleOf(m.documents.info), asked)
}

// inBrackets puts what is more to tell behind a name.
func inBrackets(name string, more []string) string {
	if len(more) == 0 {
		return name
	}
	return name + " (" + strings.Join(more, ", ") + ")"
}
