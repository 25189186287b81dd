package retrieve

import (
	"cmp"
	"context"
	"errors"

	"github.com/vantage-search/vantage/internal/model"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/perspective"
)

// Model is a model that an evaluation retrieves by: one encoder, or one for documents
// and one for queries. Encoders are opened only when they are needed.
type Model struct {
	Spec      Spec
	Keep      string // folder in which Open and Index keep vectors; empty: none
	Packs     bool   // Keep also keeps those of packs, which then have no angles
	Angles    bool   // Index also gives the documents their angles, if the model has any
	late      bool   // the evaluation ranks by MaxSim if the model gives tokens vectors
	documents *modelEncoder
	queries   *modelEncoder // nil if documents encodes queries, too
}

// Try opens and closes every encoder in turn. So a fault in the last one is found at
// once, not hours after the evaluation began. The first encoder stays open.
func Try(ctx context.Context, models []*Model) error {
	for i := len(models) - 1; i >= 0; i-- {
		m := models[i]
		if m.queries != nil {
			if err := m.queries.try(ctx, false, false); err != nil {
				return err
			}
		}
		if err := m.documents.try(ctx, i == 0, m.late); err != nil {
			return err
		}
		if err := m.check(); err != nil {
			return errors.Join(err, m.documents.drop())
		}
	}
	return nil
}

// check refuses options that do not suit the model, and pairs of encoders that do not belong
// together.
func (m *Model) check() error {
	d := m.documents
	switch {
	case m.RanksTokens() && (m.queries != nil || d.prefixes != nil):
		return fault.Errorf(fault.Query, "%s gives a vector for each token (ColBERT): leave query-model and prefixes out, or average them with pooling=mean", d.name)
	case m.RanksTokens() && m.Spec.Score != "" && m.Spec.Score != perspective.MaxSim:
		return fault.Errorf(fault.Query, "%s gives a vector for each token (ColBERT), which are compared by maxsim: leave the score out, or average them with pooling=mean", d.name)
	case m.RanksTokens():
		return nil
	case m.Spec.TokenBits != 0:
		return fault.Errorf(fault.Query, "%s ranks by one vector of each text: leave %s out", m.Spec.Given, TokenBitsOption)
	case m.queries == nil && d.info.Architecture == "dpr":
		return fault.Errorf(fault.Query, "%s is one of DPR's two encoders: also name the one for questions: %s %s,%s=MODEL", d.name, m.Spec.Flag, m.Spec.Given, QueryModelOption)
	case m.queries != nil && m.queries.info.Dim != d.info.Dim:
		return fault.Errorf(fault.Input, "%s gives %d dimensions, %s %d: they do not belong together", m.queries.name, m.queries.info.Dim, d.name, d.info.Dim)
	}
	_, err := m.Score()
	return err
}

// Score is how the model's vectors are compared: as asked, as the model says, or by
// their cosine. The model must have been open before.
func (m *Model) Score() (perspective.Score, error) {
	s, err := perspective.ParseScore(cmp.Or(string(m.Spec.Score), m.documents.info.Score))
	if err != nil {
		return "", fault.Errorf(fault.Query, "%s: similarity_fn_name: %w, by --score", m.documents.name, err)
	}
	if s == perspective.MaxSim {
		return "", fault.Errorf(fault.Query, "%s: %w", m.documents.name, perspective.ErrNoTokens)
	}
	return s, nil
}

// Instructed reports whether queries are texts with instructions, as in INSTRUCTOR. The
// model must have been open before.
func (m *Model) Instructed() bool {
	if m.queries != nil {
		return m.queries.info.Instructed
	}
	return m.documents.info.Instructed
}

// RanksTokens reports whether the model ranks by MaxSim. It must have been open before.
func (m *Model) RanksTokens() bool { return m.late && m.documents.tokens && m.Spec.Pooling == "" }

// Open opens the encoders of documents and queries, which may be the same. close closes
// both.
func (m *Model) Open(ctx context.Context) (documents, queries model.Encoder, close func() error, err error) {
	if documents, err = m.documents.open(ctx); err != nil {
		return nil, nil, nil, err
	}
	documents = m.documents.keep(m.Keep, m.Packs, documents)
	if m.queries == nil {
		return documents, documents, documents.Close, nil
	}
	if queries, err = m.queries.open(ctx); err != nil {
		return nil, nil, nil, errors.Join(err, documents.Close())
	}
	queries = m.queries.keep(m.Keep, m.Packs, queries)
	return documents, queries, func() error { return errors.Join(documents.Close(), queries.Close()) }, nil
}

// Index indexes documents by the model. Afterwards the encoder of queries is open, and
// the caller must close it. A separate encoder of documents is closed again. The index is
// a *Late if the model ranks by MaxSim, and otherwise a *Dense.
func (m *Model) Index(ctx context.Context, fill func(Index) error) (Index, model.Encoder, error) {
	encoder, err := m.documents.open(ctx)
	if err != nil {
		return nil, nil, err
	}
	if m.RanksTokens() {
		late := NewLate(encoder.(model.TokenEncoder), m.Spec.TokenBits)
		if err := fill(late); err != nil {
			return nil, nil, errors.Join(err, encoder.Close())
		}
		return late, encoder, nil
	}
	encoder = m.documents.keep(m.Keep, m.Packs, encoder)
	vectors, err := NewDense(encoder)
	if err == nil {
		vectors.angles = m.Angles
		vectors.score, err = m.Score()
	}
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
	encoder = m.queries.keep(m.Keep, m.Packs, encoder)
	if err := vectors.EncodeQueries(encoder); err != nil {
		return nil, nil, errors.Join(err, encoder.Close())
	}
	return vectors, encoder, nil
}

// OpenTokens opens a model that ranks by MaxSim. The caller must close it.
func (m *Model) OpenTokens(ctx context.Context) (model.TokenEncoder, error) {
	e, err := m.documents.open(ctx)
	if err != nil {
		return nil, err
	}
	return e.(model.TokenEncoder), nil
}
