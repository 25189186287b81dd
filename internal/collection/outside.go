package collection

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/vantage-search/vantage/internal/collection/manifest"
	"github.com/vantage-search/vantage/internal/collection/store"
	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/internal/wasm/shard"
)

// Outside is an encoder that the collection does not carry, such as a transformer.
// Readers need it to encode queries.
type Outside struct {
	Encoder encoder.Encoder
	Queries encoder.Encoder // encoder of the queries if it differs from Encoder, as with DPR's two encoders; or nil
	Journal string          // file that keeps encoded vectors until the collection is complete; "" means none
}

// outside is an open Outside.
type outside struct {
	Outside
	journal *journal // nil: if the run is interrupted, the next one encodes everything again
	o       *Options

	tokens *tokenSource // of an encoder that gives each token a vector; otherwise nil
}

func (e Outside) check() error {
	if e.Encoder == nil {
		return fault.New(fault.Input, "an encoder from outside is nil: set Outside.Encoder")
	}
	if err := checkInfo(e.Encoder.Info()); err != nil || e.Queries == nil {
		return err
	}
	if err := checkInfo(e.Queries.Info()); err != nil {
		return err
	}
	if q, d := e.Queries.Info(), e.Encoder.Info(); q.Dim != d.Dim {
		return fault.As(fault.Input, fmt.Errorf("the model of the queries, %s, gives %d dimensions, and that of the documents, %s, %d: they do not belong together", q.ID, q.Dim, d.ID, d.Dim))
	}
	return nil
}

// checkInfo refuses, before anything is encoded, an encoder that a manifest cannot name.
func checkInfo(i encoder.Info) error {
	switch {
	case i.ID == "" || len(i.ID) > manifest.MaxNameBytes:
		return fault.Errorf(fault.Input, "the encoder's id has %d bytes, must have 1 to %d: let its description name the model", len(i.ID), manifest.MaxNameBytes)
	case i.Dim < 1 || i.Dim > manifest.MaxDim:
		return fault.Errorf(fault.Input, "the encoder %s gives %d dimensions, must be 1 to %d", i.ID, i.Dim, manifest.MaxDim)
	}
	return nil
}

func (e Outside) open(_ context.Context, _ iter.Seq2[store.Document, error], o *Options) (_ rowSource, err error) {
	src := &outside{Outside: e, o: o}
	if e.Journal != "" {
		src.journal, err = openJournal(e.Journal, modelOf(e.Encoder), false)
	}
	return src, err
}

func (e *outside) describe(m *manifest.Manifest) {
	m.Model = modelOf(e.Encoder)
	m.Dim = m.Model.Dim
	if e.Queries != nil {
		queries := modelOf(e.Queries)
		m.QueryModel = &queries
	}
}

// modelOf is the description of an encoder in the manifest.
func modelOf(e encoder.Encoder) manifest.Model {
	info := e.Info()
	m := manifest.Model{ID: info.ID, Revision: info.Revision, Kind: manifest.KindExternal, Architecture: cmp.Or(info.Architecture, manifest.Unstated), Dim: info.Dim,
		Pooling: info.Pooling, Normalize: info.Normalize, MaxLength: info.MaxLength, Int8: info.Int8, BF16: info.BF16, Language: info.Language}
	for _, role := range []encoder.Role{encoder.Query, encoder.Document} {
		if text, _ := info.Prompt(role); text != "" {
			if m.Prompts == nil {
				m.Prompts = map[string]string{}
			}
			m.Prompts[string(role)] = text
		}
	}
	return m
}

// sameModel reports whether two descriptions mean an encoder with the same vectors.
func sameModel(a, b manifest.Model) bool {
	return a.ID == b.ID && a.Revision == b.Revision && a.Kind == b.Kind && a.Architecture == b.Architecture && a.Dim == b.Dim &&
		a.Pooling == b.Pooling && a.Normalize == b.Normalize && a.MaxLength == b.MaxLength && a.Int8 == b.Int8 && a.BF16 == b.BF16 && maps.Equal(a.Prompts, b.Prompts)
}

// otherPrompts says that a run has other prompts than the old collection.
func otherPrompts(old, now manifest.Model) string {
	return fmt.Sprintf("the old collection was made with %s, this run has %s", promptsOf(old), promptsOf(now))
}

// promptsOf names the prompts of a model.
func promptsOf(m manifest.Model) string {
	var named []string
	for _, role := range slices.Sorted(maps.Keys(m.Prompts)) {
		named = append(named, fmt.Sprintf("%q before texts of the role %s", m.Prompts[role], role))
	}
	if named == nil {
		return "no prompts"
	}
	return strings.Join(named, " and ")
}

func (e *outside) reuse(ctx context.Context, old *manifest.Manifest, dtype shard.DType) (ok bool, note string, err error) {
	note, err = e.mismatch(ctx, old, dtype)
	return note == "" && err == nil, note, err
}

// mismatch says why the encoder would give other rows than those of the old collection.
// It is "" if the rows would be the same.
func (e *outside) mismatch(ctx context.Context, old *manifest.Manifest, dtype shard.DType) (string, error) {
	now := modelOf(e.Encoder)
	switch {
	case old.Model.Kind != now.Kind || old.Model.Architecture == "" || old.Model.ID != now.ID:
		return again("the old collection was made with the encoder %s", old.Model.ID), nil
	case !maps.Equal(old.Model.Prompts, now.Prompts):
		return again("%s", otherPrompts(old.Model, now)), nil
	case !sameModel(old.Model, now):
		return again("the old collection was made with another version or other settings of the encoder (revision %s, now %s)", old.Model.Revision, now.Revision), nil
	case old.DType != string(dtype):
		return again("the old collection has %s rows, the new one has %s", old.DType, dtype), nil
	}
	texts := make([]string, len(old.Canaries))
	for i, c := range old.Canaries {
		texts[i] = c.Text
	}
	canaries, err := canariesOf(ctx, e.Encoder, texts, encoder.Document)
	if err != nil {
		return "", err
	}
	for i, c := range canaries {
		if !slices.Equal(c.Vector, old.Canaries[i].Vector) {
			return again("the encoder's vectors for the check texts of the old collection differ in some bits, for example because the processor is of another kind"), nil
		}
	}
	return "", nil
}

func (e *outside) picker() *canaryPicker { return &canaryPicker{first: true} }

func (e *outside) admit(int, bool) error { return nil }

func (e *outside) row(dst []float32, b *batch, n int) { copy(dst, b.vectors[n]) }

func (e *outside) collected(b *batch, r *Report) { b.count(r) } // prepare shows the progress, in finer steps

func (e *outside) complete(ctx context.Context, _ *stage, m *manifest.Manifest, chosen *canaryPicker) (err error) {
	if m.Canaries, err = canariesOf(ctx, e.Encoder, chosen.chosen(), encoder.Document); err != nil || e.Queries == nil {
		return err
	}
	m.QueryCanaries, err = canariesOf(ctx, e.Queries, chosen.chosen(), encoder.Query)
	return err
}

func (e *outside) close(stands bool) (notes []string) {
	if e.journal == nil {
		return nil
	}
	notes = e.journal.Notes
	if err := e.journal.finish(stands); err != nil {
		notes = append(notes, fmt.Sprintf("%s could not be closed or removed (%v): once the collection is complete, it is of no more use", e.Journal, err))
	}
	return notes
}

// encode implements maker.
func (e *outside) encode(ctx context.Context, texts []string) ([][]float32, error) {
	return vectorsOf(ctx, e.Encoder, texts)
}

// vectorsOf encodes texts as documents.
func vectorsOf(ctx context.Context, e encoder.Encoder, texts []string) ([][]float32, error) {
	made, err := canariesOf(ctx, e, texts, encoder.Document)
	vectors := make([][]float32, len(made))
	for i, c := range made {
		vectors[i] = c.Vector
	}
	return vectors, err
}
