package collection

import (
	"context"
	"fmt"
	"iter"
	"slices"

	"github.com/vantage-search/vantage/internal/collection/manifest"
	"github.com/vantage-search/vantage/internal/collection/store"
	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/encoder/packencoder"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/internal/wasm/pack"
	"github.com/vantage-search/vantage/internal/wasm/pack/packfile"
	"github.com/vantage-search/vantage/internal/wasm/shard"
)

// Pack is the encoder of a pack, which encodes the documents. The collection carries it
// for the queries. If the pack has a branch, each document also gets an angle.
type Pack struct {
	Model   packencoder.Encoder
	Journal string // as of Outside
}

func (p Pack) check() error {
	if p.Model == nil {
		return fault.New(fault.Input, "an encoder without a pack: set Pack.Model")
	}
	return nil
}

func (p Pack) open(_ context.Context, _ iter.Seq2[store.Document, error], o *Options) (_ rowSource, err error) {
	src := &packed{outside: outside{Outside: Outside{Encoder: both{p.Model}}, o: o}, model: p.Model}
	if p.Journal != "" {
		src.journal, err = openJournal(p.Journal, modelOf(src.Encoder), false)
	}
	return src, err
}

// both returns for a text the vectors of a pack's trunk and branch, one after the other. It runs
// the layers that they share once.
type both struct{ packencoder.Encoder }

func (b both) Info() encoder.Info {
	info := b.Encoder.Info()
	info.Dim += b.BranchDim()
	return info
}

func (b both) Encode(ctx context.Context, texts []string, o encoder.Options) ([]encoder.Embedding, error) {
	parts := encoder.Trunk
	if b.BranchDim() > 0 {
		parts |= encoder.Branch
	}
	found, err := b.EncodeParts(ctx, texts, o, parts)
	out := make([]encoder.Embedding, len(found))
	for i, v := range found {
		out[i] = encoder.Embedding{Vector: slices.Concat(v.Trunk, v.Branch), Tokens: v.Tokens, Truncated: v.Truncated}
	}
	return out, err
}

// packed is an open Pack. It encodes like an outside encoder whose vectors contain both parts.
type packed struct {
	outside
	model packencoder.Encoder
}

func (p *packed) describe(m *manifest.Manifest) {
	m.Model = carriedModel(p.model)
	m.Dim = m.Model.Dim
	if dim := p.model.BranchDim(); dim > 0 {
		m.Angles = &manifest.Angles{Dim: dim}
	}
}

// carriedModel describes the encoder of a pack that the collection carries.
func carriedModel(model packencoder.Encoder) manifest.Model {
	m := modelOf(model)
	m.Kind = manifest.KindPack
	// Its vectors have the same bits everywhere, so readers need not allow for rounding.
	m.Int8 = false
	return m
}

func (p *packed) reuse(ctx context.Context, old *manifest.Manifest, dtype shard.DType) (ok bool, note string, err error) {
	note, err = p.mismatch(ctx, old, dtype)
	return note == "" && err == nil, note, err
}

// mismatch says why the pack would give other rows than the old collection has. It is "" if the
// rows would be the same.
func (p *packed) mismatch(ctx context.Context, old *manifest.Manifest, dtype shard.DType) (string, error) {
	var now manifest.Manifest
	p.describe(&now)
	switch {
	case old.Model.Kind != manifest.KindPack || old.Model.ID != now.Model.ID:
		return again("the old collection was made with the encoder %s", old.Model.ID), nil
	case old.Encoder.Pack.SHA256 != digest(p.model.JSON()) || !sameModel(old.Model, now.Model) || !sameAngles(old.Angles, now.Angles):
		return again("the old collection was made with another version of the encoder (%s, now %s)", old.Model.Revision, now.Model.Revision), nil
	case old.DType != string(dtype):
		return again("the old collection has %s rows, the new one has %s", old.DType, dtype), nil
	}
	texts := make([]string, len(old.Canaries))
	for i, c := range old.Canaries {
		texts[i] = c.Text
	}
	canaries, err := canariesOf(ctx, p.model, texts, encoder.Document)
	if err != nil {
		return "", err
	}
	for i, c := range canaries {
		if !slices.Equal(c.Vector, old.Canaries[i].Vector) {
			return again("the encoder does not give the vectors that the old collection records for its check texts"), nil
		}
	}
	return "", nil
}

func sameAngles(a, b *manifest.Angles) bool {
	return a == nil && b == nil || a != nil && b != nil && a.Dim == b.Dim
}

func (p *packed) row(dst []float32, b *batch, n int) {
	p.outside.row(dst, b, n)
	countUnknown(p.model, b, n)
}

// countUnknown counts a document of which a pack's vocabulary knows few words.
func countUnknown(model packencoder.Encoder, b *batch, n int) {
	if model.Tokenizer().Coverage(cutRunes(b.docs[b.todo[n]].EncodedText(), coverageBytes)).MostlyUnknown() {
		b.unknown++
	}
}

// encode implements maker, without the angles.
func (p *packed) encode(ctx context.Context, texts []string) ([][]float32, error) {
	return vectorsOf(ctx, p.model, texts)
}

func (p *packed) complete(ctx context.Context, s *stage, m *manifest.Manifest, chosen *canaryPicker) (err error) {
	if m.Canaries, err = canariesOf(ctx, p.model, chosen.chosen(), encoder.Document); err != nil {
		return err
	}
	m.Encoder, err = addPack(s, p.model)
	return err
}

func addPack(s *stage, model packencoder.Encoder) (*manifest.Encoder, error) {
	p, err := addPackFiles(s, model.JSON(), model.Manifest(), model.File)
	return &manifest.Encoder{PackFiles: p}, err
}

// addPackFiles adds a pack's files unchanged, so that the bytes on a host have the hashes that
// the files' names say.
func addPackFiles(s *stage, json []byte, m *pack.Manifest, read func(pack.File) ([]byte, error)) (p manifest.PackFiles, err error) {
	if p.Pack, err = s.addPlain(fmt.Sprintf("%s/%s.json", encoderDir, digest(json)[:16]), json); err != nil {
		return p, err
	}
	for _, f := range packfile.Payload(m) {
		content, err := read(f)
		if err != nil {
			return p, err
		}
		added, err := s.addPlain(p.Payload(f.Path), content)
		if err != nil {
			return p, err
		}
		p.Files = append(p.Files, added)
	}
	return p, nil
}
