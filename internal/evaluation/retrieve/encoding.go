package retrieve

import (
	"cmp"
	"context"
	"os"
	"path/filepath"

	"github.com/vantage-search/vantage/internal/console"
	"github.com/vantage-search/vantage/internal/encoder/packmodel"
	"github.com/vantage-search/vantage/internal/model"
	"github.com/vantage-search/vantage/internal/model/named"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/internal/wasm/pack"
	"github.com/vantage-search/vantage/perspective"
	"github.com/vantage-search/vantage/sides"
)

// Encoding are the options by which the models of an evaluation encode.
type Encoding struct {
	Pooling    string            // pooling of transformers; empty means what each model says
	QueryModel string            // encoder of queries; allowed with a single transformer
	Score      perspective.Score // how vectors are compared; empty means what each model says
	Device     named.Device
	Int8       bool
	Keep       string // folder for vectors of transformers and, with Model.Packs, of packs; empty: none are kept
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
			return fault.Errorf(fault.Query, "%s %s: pooling, query-model and prefixes need a transformer, and %s is a static model or a pack", m.Spec.Flag, m.Spec.Given, m.Spec.Name)
		}
	}
	switch {
	case len(models) == 0 && r.Score != "":
		return fault.Errorf(fault.Query, "--score says how the vectors of a model are compared, and none is given")
	case len(transformers) == 0 && (r.Pooling != "" || r.QueryModel != ""):
		return fault.Errorf(fault.Query, "--pooling and --query-model need a transformer, and none is given")
	case r.QueryModel == "":
	case len(transformers) > 1:
		return fault.Errorf(fault.Query, "--query-model belongs to one model, and there are %d: write %s %s,%s=%s for that one",
			len(transformers), transformers[0].Spec.Flag, transformers[0].Spec.Given, QueryModelOption, r.QueryModel)
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
