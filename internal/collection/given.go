package collection

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"iter"
	"maps"
	"math"

	"github.com/vantage-search/vantage/internal/collection/manifest"
	"github.com/vantage-search/vantage/internal/collection/store"
	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/internal/wasm/shard"
)

// Given are rows that were made elsewhere, one per document in the order of the corpus.
type Given struct {
	Model manifest.Model // without Maker: ID and other known facts about the encoder; Kind and Dim are filled in, Revision if empty
	Dim   int
	Data  []float32 // [documents, Dim]

	// Maker is the model that made the rows, which is checked. It also encodes the
	// queries: the collection carries it if it is a Carried (without IDF), and names it
	// if it is an Outside. If it is nil, queries must come as vectors.
	Maker Source
}

// given is an open Given.
type given struct {
	*Given
	maker maker // nil if there is none
	o     *Options
}

func (g Given) rows() int { return len(g.Data) / g.Dim }

func (g Given) check() error {
	if g.Dim < 1 || g.Dim > manifest.MaxDim || len(g.Data)%g.Dim != 0 {
		return &VectorsError{Problem: fmt.Sprintf("%d numbers are not rows of %d, and rows have 1 to %d", len(g.Data), g.Dim, manifest.MaxDim)}
	}
	switch m := g.Maker.(type) {
	case nil:
		return nil
	case Carried:
		if m.IDF {
			return fault.New(fault.Input, "IDF weights the tokens of a static encoder: it cannot be applied to given vectors")
		}
	case Outside:
		if m.Journal != "" {
			return fault.New(fault.Input, "a journal keeps what is encoded: given vectors are encoded already")
		}
	default:
		return fault.As(fault.Input, fmt.Errorf("given vectors made by a %T: set Given.Maker to a Carried, an Outside or nil", m))
	}
	return g.Maker.check()
}

func (g Given) open(ctx context.Context, docs iter.Seq2[store.Document, error], o *Options) (rowSource, error) {
	src := &given{Given: &g, o: o}
	if g.Maker == nil {
		return src, nil
	}
	opened, err := g.Maker.open(ctx, docs, o)
	if err != nil {
		return nil, err
	}
	src.maker = opened.(maker) // see check
	var m manifest.Manifest
	if src.maker.describe(&m); m.Dim != g.Dim {
		return nil, &VectorsError{
			Problem: fmt.Sprintf("rows of %d numbers, but the model %s has %d dimensions", g.Dim, m.Model.ID, m.Dim),
			Remedy:  "give the model that made them, or no model",
		}
	}
	return src, nil
}

func (g *given) describe(m *manifest.Manifest) {
	if g.maker != nil {
		g.maker.describe(m)
		m.Model.Kind = manifest.KindExternal
		m.Model.Architecture = "" // the rows need not equal the model's to the bit
		return
	}
	m.Dim = g.Dim
	m.Model = g.Model
	m.Model.Kind, m.Model.Dim = manifest.KindExternal, m.Dim
	if m.Model.ID == "" {
		m.Model.ID = manifest.KindExternal
	}
	if m.Model.Revision == "" {
		m.Model.Revision = revisionOf(g.Data)
	}
}

// reuse takes no rows of the old collection, because that would save nothing.
func (g *given) reuse(_ context.Context, old *manifest.Manifest, _ shard.DType) (ok bool, note string, err error) {
	var now manifest.Manifest
	if g.describe(&now); old.Model.ID == now.Model.ID && !maps.Equal(old.Model.Prompts, now.Model.Prompts) {
		note = otherPrompts(old.Model, now.Model)
	}
	return false, note, nil
}

// picker chooses documents from the whole corpus, so that rows in a wrong order are
// found.
func (g *given) picker() *canaryPicker {
	n := g.rows()
	return &canaryPicker{slots: []int{0, n / 4, n / 2, 3 * n / 4}}
}

func (g *given) admit(documents int, all bool) error {
	switch {
	case documents > g.rows():
		return &VectorsError{Problem: fmt.Sprintf("%d rows, but the corpus has more documents", g.rows())}
	case all && documents < g.rows():
		return &VectorsError{Problem: fmt.Sprintf("%d rows for %d documents", g.rows(), documents)}
	}
	return nil
}

func (g *given) prepare(_ context.Context, b *batch) error {
	for _, at := range b.todo {
		if found := encoder.NonFinite(g.Data[(b.first+at)*g.Dim:][:g.Dim]); found != "" {
			return &DocumentError{Index: b.first + at, ID: b.docs[at].ID, Problem: "the vector given for it has " + found + ": all its numbers must be finite"}
		}
	}
	return nil
}

func (g *given) row(dst []float32, b *batch, n int) { copy(dst, g.Data[(b.first+b.todo[n])*g.Dim:]) }

func (g *given) collected(_ *batch, r *Report) {
	g.o.progress(StageEncode, int64(r.Documents), int64(g.rows()))
}

func (g *given) complete(ctx context.Context, s *stage, m *manifest.Manifest, chosen *canaryPicker) error {
	m.Canaries = chosen.given(g.Given)
	if g.maker == nil {
		return nil
	}
	if err := agree(ctx, g.maker, m.Model.ID, m.Canaries); err != nil {
		return err
	}
	return g.maker.complete(ctx, s, m, chosen)
}

func (g *given) close(bool) []string { return nil }

// revisionOf is the revision of given vectors: the first 16 hexadecimal digits of the
// SHA-256 over the rows as little-endian float32.
func revisionOf(data []float32) string {
	h := sha256.New()
	var b [4096]byte
	for len(data) > 0 {
		n := min(len(data), len(b)/4)
		for i, v := range data[:n] {
			binary.LittleEndian.PutUint32(b[4*i:], math.Float32bits(v))
		}
		h.Write(b[:4*n])
		data = data[n:]
	}
	return hex.EncodeToString(h.Sum(nil))[:16]
}
