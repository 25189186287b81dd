package retrieve

import (
	"cmp"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/vantage-search/vantage/internal/console"
	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/encoder/packmodel"
	"github.com/vantage-search/vantage/internal/model"
	"github.com/vantage-search/vantage/internal/model/named"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/internal/wasm/pack"
	"github.com/vantage-search/vantage/perspective"
	"github.com/vantage-search/vantage/sides"
)

// Model is a model that an evaluation retrieves by: one encoder, or one for documents
// and one for queries. Encoders are opened only when they are needed.
type Model struct {
	Spec      Spec
	Keep      string // folder in which Open keeps vectors; empty: none
	Packs     bool   // Keep also keeps those of packs, which then have no angles
	Angles    bool   // Index also gives the documents their angles, if the model has any
	late      bool   // the evaluation ranks by MaxSim if the model gives tokens vectors
	documents *modelEncoder
	queries   *modelEncoder // nil if documents encodes queries, too
}

// modelEncoder is an encoder that is opened when it is needed.
type modelEncoder struct {
	name    string // as given by the user
	model   named.Model
	options model.Options
	device  named.Device
	console *console.Console
	info    encoder.Info  // set when the encoder was first opened
	tokens  bool          // it can give each token a vector; set by try
	kept    model.Encoder // the open encoder that Try kept, or nil

	prefixes map[encoder.Role]string // nil: the model's own prompts

	pack func(context.Context) (model.Encoder, error) // opens a pack; nil for other models
}

// Encoding are the options by which the models of an evaluation encode.
type Encoding struct {
	Pooling    string            // pooling of transformers; empty means what each model says
	QueryModel string            // encoder of queries; allowed with a single transformer
	Score      perspective.Score // how vectors are compared; empty means what each model says
	Device     named.Device
	Int8       bool
	Keep       string // folder in which the vectors of transformers are kept; empty: they are not
	Late       bool   // a ColBERT without a pooling ranks by MaxSim; otherwise its vectors are averaged
	Console    *console.Console
}

// Find finds a model, and downloads it if necessary.
func (r *Encoding) Find(ctx context.Context, spec Spec) (*Model, error) {
	documents, err := r.encoder(ctx, spec.Name)
	if err != nil {
		return nil, err
	}
	return &Model{Spec: spec, Keep: r.Keep, documents: documents, late: r.Late}, nil
}

func (r *Encoding) encoder(ctx context.Context, name string) (*modelEncoder, error) {
	if err := r.Device.Check(); err != nil {
		return nil, err // refused before a model is downloaded
	}
	if name == BundledName {
		return &modelEncoder{name: name, console: r.Console, pack: func(ctx context.Context) (model.Encoder, error) { return packmodel.Open(ctx, sides.Files(), 0) }}, nil
	}
	if info, err := os.Stat(filepath.Join(name, pack.FileName)); err == nil && !info.IsDir() {
		return &modelEncoder{name: name, console: r.Console, pack: func(ctx context.Context) (model.Encoder, error) { return packmodel.OpenAnyFolder(ctx, name, 0) }}, nil
	}
	found, err := named.Find(ctx, name, r.Console)
	if err != nil {
		return nil, err
	}
	return &modelEncoder{name: name, model: found, options: model.Options{Int8: r.Int8 && !found.Static}, device: r.Device, console: r.Console}, nil
}

// Bind applies the flags and each model's own options to the models.
func (r *Encoding) Bind(ctx context.Context, models []*Model) error {
	var pooling model.Pooling
	if r.Pooling != "" {
		var err error
		if pooling, err = model.ParsePooling(r.Pooling); err != nil {
			return fault.As(fault.Query, err)
		}
	}
	var transformers []*Model
	for _, m := range models {
		m.Spec.Score = cmp.Or(m.Spec.Score, r.Score)
		if !m.documents.model.Static && m.documents.pack == nil {
			transformers = append(transformers, m)
			if m.Spec.Pooling == "" {
				m.Spec.Pooling = pooling
			}
			m.documents.prefixes = m.Spec.prefixes()
		} else if m.Spec.Pooling != "" || m.Spec.QueryModel != "" || m.Spec.prefixes() != nil {
			return fault.Errorf(fault.Query, "--retriever %s: pooling, query-model and prefixes need a transformer, and %s is a static model or a pack", m.Spec.Given, m.Spec.Name)
		}
	}
	switch {
	case len(models) == 0 && r.Score != "":
		return fault.Errorf(fault.Query, "--score says how the vectors of a model are compared, and no --retriever is one")
	case len(transformers) == 0 && (r.Pooling != "" || r.QueryModel != ""):
		return fault.Errorf(fault.Query, "--pooling and --query-model need a transformer, and no --retriever is one")
	case r.QueryModel == "":
	case len(transformers) > 1:
		return fault.Errorf(fault.Query, "--query-model belongs to one model, and there are %d: write --retriever %s,%s=%s for that one",
			len(transformers), transformers[0].Spec.Given, QueryModelOption, r.QueryModel)
	case transformers[0].Spec.QueryModel != "":
		return fault.Errorf(fault.Query, "%s has two query models, %s and %s: leave one out", transformers[0].Spec.Name, transformers[0].Spec.QueryModel, r.QueryModel)
	default:
		transformers[0].Spec.QueryModel = r.QueryModel
	}
	for _, m := range transformers {
		m.documents.options.Pooling = m.Spec.Pooling
		if m.Spec.QueryModel == "" {
			continue
		}
		var err error
		if m.queries, err = r.encoder(ctx, m.Spec.QueryModel); err != nil {
			return err
		}
		if !m.queries.model.Static {
			m.queries.options.Pooling, m.queries.prefixes = m.Spec.Pooling, m.Spec.prefixes()
		}
	}
	return nil
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

// check refuses pairs of encoders that do not belong together.
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
		return fault.Errorf(fault.Query, "%s is one of DPR's two encoders: also name the one for questions: --retriever %s,%s=MODEL", d.name, m.Spec.Given, QueryModelOption)
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

func (e *modelEncoder) try(ctx context.Context, keep, late bool) error {
	encoder, err := e.open(ctx)
	if err != nil {
		return err
	}
	inner := encoder
	if p, ok := encoder.(*prefixed); ok {
		inner = p.Encoder
	}
	if _, e.tokens = inner.(model.TokenEncoder); e.tokens && e.options.Pooling == "" && !late {
		e.console.Warnf("%s gives a vector for each token (ColBERT): they are averaged", e.info.ID)
	}
	e.options.Notice = func(string) {} // the warning is given once
	if e.kept = encoder; keep {
		return nil
	}
	return e.drop()
}

// drop closes the encoder that Try kept.
func (e *modelEncoder) drop() error {
	if e.kept == nil {
		return nil
	}
	err := e.kept.Close()
	e.kept = nil
	return err
}

// open opens an encoder. The caller must close it.
func (e *modelEncoder) open(ctx context.Context) (encoder model.Encoder, err error) {
	if encoder, e.kept = e.kept, nil; encoder != nil {
		return encoder, nil
	}
	if e.pack != nil {
		encoder, err = e.pack(ctx)
	} else {
		encoder, err = e.model.Open(ctx, e.options, e.device)
	}
	if err != nil {
		return nil, err
	}
	if e.prefixes != nil {
		encoder = &prefixed{encoder, e.prefixes}
	}
	e.info = encoder.Info()
	return encoder, nil
}

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

// Label is the model's name in tables: its id and the options that were given. The
// model must have been open before.
func (m *Model) Label() string {
	var asked []string
	if m.Spec.Pooling != "" {
		asked = append(asked, string(m.Spec.Pooling))
	}
	if m.Spec.Score != "" {
		asked = append(asked, string(m.Spec.Score))
	}
	if m.Spec.TokenBits != 0 {
		asked = append(asked, strconv.Itoa(m.Spec.TokenBits)+" bits")
	}
	if m.documents.options.Int8 {
		asked = append(asked, "int8")
	}
	if m.queries != nil {
		asked = append(asked, "queries: "+m.queries.info.ID)
	}
	return inBrackets(m.documents.info.ID, asked)
}

// About describes the model. The model must have been open before.
func (m *Model) About() string {
	var asked []string
	if m.Spec.Pooling != "" {
		asked = append(asked, string(m.Spec.Pooling)+" pooling")
	}
	if m.Spec.QueryPrefix != "" {
		asked = append(asked, "queries after "+strconv.Quote(m.Spec.QueryPrefix))
	}
	if m.Spec.DocumentPrefix != "" {
		asked = append(asked, "documents after "+strconv.Quote(m.Spec.DocumentPrefix))
	}
	if m.RanksTokens() {
		asked = append(asked, "by MaxSim")
	}
	if m.Spec.TokenBits != 0 {
		asked = append(asked, strconv.Itoa(m.Spec.TokenBits)+" bits a component")
	}
	if s, _ := m.Score(); s == perspective.Dot { // the cosine goes without saying
		asked = append(asked, "by dot product")
	}
	if m.queries != nil {
		asked = append(asked, "queries by "+Title(m.queries.info))
	}
	return inBrackets(Title(m.documents.info), asked)
}

// inBrackets appends details in brackets to a name.
func inBrackets(name string, more []string) string {
	if len(more) == 0 {
		return name
	}
	return name + " (" + strings.Join(more, ", ") + ")"
}

// Title is the model's name in reports.
func Title(info encoder.Info) string {
	title := info.ID + "@" + info.Revision
	if info.Int8 {
		title += ", weights of 8 bits"
	}
	return title
}
