// Package packmodel opens packs (internal/wasm/pack) as encoders that run in this process. Their
// vectors have the same bits as in a page: the tokenizer and the forward pass are the
// same.
package packmodel

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"runtime"
	"sync"

	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/encoder/packencoder"
	"github.com/vantage-search/vantage/internal/wasm/encode"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/internal/wasm/kernel/dense"
	"github.com/vantage-search/vantage/internal/wasm/pack"
	"github.com/vantage-search/vantage/internal/wasm/packed"
	"github.com/vantage-search/vantage/internal/wasm/transformer"
	"github.com/vantage-search/vantage/perspective"
)

// Encoder is the model of a pack. It may be used by several goroutines, which take
// turns: each text is computed by all workers.
type Encoder struct {
	files fs.FS
	json  []byte // pack.json
	pack  *pack.Pack
	model *transformer.Quantized
	about encoder.Info

	beside fs.FS    // files of reader
	reader *Encoder // of a pack that reads queries for this one; nil: it reads them itself, if it can

	turn    sync.Mutex
	pool    *dense.Pool
	scratch *transformer.QuantizedScratch
}

var (
	_ packencoder.Encoder = (*Encoder)(nil)
	_ encoder.QueryReader = (*Encoder)(nil)
)

// passTokens is how many tokens go through the layers together. Their states take
// about 2 kB for each component of a vector.
const passTokens = 512

func newEncoder(p *pack.Pack, threads int) (*Encoder, error) {
	m := p.Manifest
	if m.Kind != pack.Encoder {
		return nil, fault.Errorf(fault.Unsupported, "the pack is a %s, not an encoder: give the pack of an encoder", m.Kind)
	}
	c := packed.Config(m)
	model, err := transformer.NewQuantized(c, p)
	if err != nil {
		return nil, err
	}
	if c.Branch.Layers > 0 {
		if err := model.AddBranch(p); err != nil {
			return nil, err
		}
	}
	if err := packed.CheckReader(m); err != nil {
		return nil, err
	}
	if c.Reader.Width > 0 {
		if err := model.AddReader(p); err != nil {
			return nil, err
		}
	}
	if threads == 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	e := &Encoder{pack: p, model: model, about: packencoder.Info(m), pool: dense.NewPool(threads)}
	e.scratch = model.NewScratch(e.pool, passTokens)
	// A vantage.Encoder has no Close. In programs that use one, the workers end when it is garbage collected.
	runtime.AddCleanup(e, (*dense.Pool).Close, e.pool)
	return e, nil
}

// JSON implements packencoder.Encoder.
func (e *Encoder) JSON() []byte { return e.json }

// File implements packencoder.Encoder.
func (e *Encoder) File(f pack.File) ([]byte, error) {
	content, err := read(e.files, f.Path)
	if sum := sha256.Sum256(content); err == nil && hex.EncodeToString(sum[:]) != f.SHA256 {
		err = fault.Errorf(fault.Integrity, "%s has changed since the pack was opened: copy the pack again", f.Path)
	}
	return content, err
}

// Info implements encoder.Encoder.
func (e *Encoder) Info() encoder.Info { return e.about }

// Manifest implements packencoder.Encoder.
func (e *Encoder) Manifest() *pack.Manifest { return e.pack.Manifest }

// BranchDim implements packencoder.Encoder.
func (e *Encoder) BranchDim() int {
	if b := e.pack.Manifest.Config.Branch; b != nil {
		return b.Dimension
	}
	return 0
}

// Close ends the workers. The encoder must not be used afterwards.
func (e *Encoder) Close() error {
	e.turn.Lock()
	defer e.turn.Unlock()
	e.pool.Close()
	if e.reader != nil {
		return e.reader.Close()
	}
	return nil
}

// Encode implements encoder.Encoder, by the vectors of the trunk.
func (e *Encoder) Encode(ctx context.Context, texts []string, o encoder.Options) ([]encoder.Embedding, error) {
	found, err := e.EncodeParts(ctx, texts, o, encoder.Trunk)
	if err != nil {
		return nil, err
	}
	out := make([]encoder.Embedding, len(texts))
	for i, v := range found {
		out[i] = encoder.Embedding{Vector: v.Trunk, Tokens: v.Tokens, Truncated: v.Truncated}
	}
	return out, nil
}

// EncodeParts implements packencoder.Encoder.
func (e *Encoder) EncodeParts(ctx context.Context, texts []string, o encoder.Options, parts encoder.Parts) ([]encoder.PartVectors, error) {
	if parts&encoder.Branch != 0 && e.BranchDim() == 0 {
		return nil, fault.Errorf(fault.Unsupported, "the pack %s has no branch: make one with vantage model pack --branch", e.about.ID)
	}
	before, err := e.about.Before(len(texts), o)
	if err != nil {
		return nil, err
	}
	out := make([]encoder.PartVectors, len(texts))
	for first := 0; first < len(texts); {
		var b transformer.Batch
		last := first
		for ; last < len(texts) && len(b.IDs) < passTokens; last++ {
			ids, truncated := e.tokens(before(last) + texts[last])
			b.IDs, b.Lengths = append(b.IDs, ids...), append(b.Lengths, len(ids))
			out[last] = encoder.PartVectors{Tokens: len(ids), Truncated: truncated}
		}
		if err := e.encode(ctx, out[first:last], &b, parts); err != nil {
			return nil, err
		}
		first = last
	}
	return out, nil
}

// tokens returns the ids that the model takes.
func (e *Encoder) tokens(text string) (ids []uint32, truncated bool) {
	tokenizer := e.pack.Tokenizer()
	return tokenizer.Frame(tokenizer.Encode(nil, text), e.about.MaxLength)
}

// AngleDim implements encoder.AngleEncoder.
func (e *Encoder) AngleDim() int { return e.BranchDim() }

// EncodeAngles implements encoder.AngleEncoder, by the vectors of the branch.
func (e *Encoder) EncodeAngles(ctx context.Context, texts []string, o encoder.Options) ([][]float32, error) {
	found, err := e.EncodeParts(ctx, texts, o, encoder.Branch)
	if err != nil {
		return nil, err
	}
	out := make([][]float32, len(texts))
	for i, v := range found {
		out[i] = v.Branch
	}
	return out, nil
}

// Tables implements encoder.AngleEncoder.
func (e *Encoder) Tables() (numbers map[string][]float64, texts map[string][]string) {
	return e.pack.Manifest.Numbers, e.pack.Manifest.Texts
}

// Reader implements packencoder.Encoder.
func (e *Encoder) Reader() fs.FS { return e.beside }

// Read implements encoder.QueryReader, by the grammar alone if there is no reader.
func (e *Encoder) Read(query string) (perspective.Reading, error) {
	if e.reader != nil {
		return e.reader.Read(query)
	}
	e.turn.Lock()
	defer e.turn.Unlock()
	return packed.Read(e.pack, e.model, e.scratch, query)
}

// Tokenizer implements packencoder.Encoder.
func (e *Encoder) Tokenizer() *encode.WordPiece { return e.pack.Tokenizer() }

// encode computes one batch.
func (e *Encoder) encode(ctx context.Context, out []encoder.PartVectors, b *transformer.Batch, parts encoder.Parts) error {
	room := func(part encoder.Parts, dim int) []float32 {
		if parts&part == 0 {
			return nil
		}
		return make([]float32, len(out)*dim)
	}
	dim, branchDim := e.about.Dim, e.BranchDim()
	trunk, branch := room(encoder.Trunk, dim), room(encoder.Branch, branchDim)
	e.turn.Lock()
	defer e.turn.Unlock()
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := e.model.Encode(trunk, branch, b, e.scratch); err != nil {
		return err
	}
	for i := range out {
		if trunk != nil {
			out[i].Trunk = trunk[i*dim : (i+1)*dim : (i+1)*dim]
		}
		if branch != nil {
			out[i].Branch = branch[i*branchDim : (i+1)*branchDim : (i+1)*branchDim]
		}
	}
	return nil
}
