// Package packed turns texts into vectors with a model from a pack: WordPiece, then
// the quantized forward pass.
//
// The core links this package, so it follows the rules of tests/core.
package packed

import (
	"github.com/vantage-search/vantage/internal/wasm/encode"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/internal/wasm/kernel/dense"
	"github.com/vantage-search/vantage/internal/wasm/pack"
	"github.com/vantage-search/vantage/internal/wasm/transformer"
)

// Encoder is a model whose pack is read file by file, so that it may not be complete
// yet. It encodes one text at a time.
type Encoder struct {
	pack    *pack.Pack
	pool    *dense.Pool
	reading string // section that is being read; "" for none
	decoder *pack.Decoder
	read    map[string]bool // sections that were read as a whole

	model   *transformer.Quantized
	scratch *transformer.QuantizedScratch
	ids     []uint32
}

// Open begins to read a pack with its pack.json. hash may be nil if whoever fetches
// the files compares their hashes. The pool divides the work on a text among its workers.
func Open(manifest []byte, hash pack.Hash, pool *dense.Pool) (*Encoder, error) {
	p, err := pack.Open(manifest, hash)
	if err != nil {
		return nil, err
	}
	if p.Manifest.Kind != pack.Encoder {
		return nil, fault.New(fault.Unsupported, "pack: it is a "+p.Manifest.Kind+", not an encoder")
	}
	c := Config(p.Manifest)
	if err := c.Check(); err != nil {
		return nil, err
	}
	if err := CheckReader(p.Manifest); err != nil {
		return nil, err
	}
	return &Encoder{pack: p, pool: pool, read: map[string]bool{}}, nil
}

// Manifest of the pack.
func (e *Encoder) Manifest() *pack.Manifest { return e.pack.Manifest }

// File reads the next file of a section, and does not keep content. After the last file
// of the vocabulary and of the trunk, whichever comes later, the model can encode;
// after those of the branch and of the reader, it has them. After an error, and if a file of another
// section comes between its files, a section must be read again from its first file.
func (e *Encoder) File(section string, content []byte) error {
	if e.read[section] {
		return fault.New(fault.Input, "pack: section "+section+" has been read")
	}
	if e.reading != section {
		d, err := e.pack.Read(section)
		if err != nil {
			return err
		}
		e.reading, e.decoder = section, d
	}
	err := e.decoder.File(content)
	if err == nil && !e.decoder.Whole() {
		return nil
	}
	if err == nil {
		err = e.decoder.Close()
	}
	e.reading, e.decoder = "", nil
	if err != nil {
		return err
	}
	e.read[section] = true
	return e.build()
}

// build makes the model of what has been read.
func (e *Encoder) build() (err error) {
	if e.model == nil && e.read[pack.Vocabulary] && e.read[pack.Trunk] {
		if e.model, err = transformer.NewQuantized(Config(e.pack.Manifest), e.pack); err != nil {
			e.model, e.read[pack.Trunk] = nil, false
			return err
		}
		e.scratch = e.model.NewScratch(e.pool, 0)
	}
	if e.model != nil && e.read[pack.BranchSection] && !e.model.HasBranch() {
		if err = e.model.AddBranch(e.pack); err != nil {
			e.read[pack.BranchSection] = false
		}
	}
	if err == nil && e.model != nil && e.read[pack.ReaderSection] && !e.model.HasReader() {
		if err = e.model.AddReader(e.pack); err != nil {
			e.read[pack.ReaderSection] = false
		}
	}
	return err
}

// Dim is the number of components of a vector (of a token's vector, if the pack gives one for
// each token), and of the branch's vector; 0 if there is no branch.
func (e *Encoder) Dim() (vector, branch int) {
	if b := e.pack.Manifest.Config.Branch; b != nil {
		branch = b.Dimension
	}
	return e.pack.Manifest.Config.Dimension(), branch
}

// Encode writes a text's vector, and the vector of the branch. Either slice may be nil, and
// that vector is not computed then. Special tokens do not count in the result's Tokens.
func (e *Encoder) Encode(vector, branch []float32, text string) (encode.Info, error) {
	if e.pack.Manifest.Config.Tokens != nil {
		return encode.Info{}, errWhole
	}
	if e.model == nil {
		return encode.Info{}, errNotRead
	}
	tokenizer := e.pack.Tokenizer()
	e.ids = tokenizer.Encode(e.ids[:0], text)
	info := encode.Info{Tokens: len(e.ids)}
	for _, id := range e.ids {
		if id == tokenizer.UnknownID() {
			info.Unknown++
		}
	}
	ids, truncated := tokenizer.Frame(e.ids, e.model.Config().MaxTokens())
	info.Truncated = truncated
	return info, e.model.Encode(vector, branch, &transformer.Batch{IDs: ids, Lengths: []int{len(ids)}}, e.scratch)
}
