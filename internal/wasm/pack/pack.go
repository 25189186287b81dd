package pack

import (
	"strconv"

	"github.com/vantage-search/vantage/internal/wasm/encode"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/internal/wasm/weights"
)

// Hash is SHA-256.
type Hash func(content []byte) [32]byte

// Pack is a pack that is read section by section, in any order, one at a time or
// side by side. A section's tensors are there once its reading has ended. Pack
// implements transformer.Weights8.
type Pack struct {
	Manifest *Manifest

	hash      Hash
	tokenizer *encode.WordPiece
	matrices  map[string]weights.Matrix8
	vectors   map[string][]float32
}

// Open begins to read a pack with its pack.json. hash may be nil if whoever
// fetches the payload files compares their hashes with the manifest's.
func Open(json []byte, hash Hash) (*Pack, error) {
	m, err := Parse(json)
	if err != nil {
		return nil, err
	}
	return &Pack{Manifest: m, hash: hash, matrices: map[string]weights.Matrix8{}, vectors: map[string][]float32{}}, nil
}

// Tokenizer of the model; nil before the vocabulary has been read.
func (p *Pack) Tokenizer() *encode.WordPiece { return p.tokenizer }

// Has reports whether there is a tensor in the sections that have been read. A
// matrix that was handed over is there no longer.
func (p *Pack) Has(name string) bool {
	_, matrix := p.matrices[name]
	_, vector := p.vectors[name]
	return matrix || vector
}

// Matrix implements transformer.Weights8: whoever asks for a matrix owns it, and
// the pack forgets it.
func (p *Pack) Matrix(name string, out, in int) (weights.Matrix8, error) {
	m, ok := p.matrices[name]
	switch {
	case !ok:
		return m, missing(name)
	case m.Out != out || m.In != in:
		return m, input("tensor " + quote(name) + " is " + shapeText([]int{m.Out, m.In}) + ", not " + shapeText([]int{out, in}))
	}
	delete(p.matrices, name)
	return m, nil
}

// Vector implements transformer.Weights8.
func (p *Pack) Vector(name string, n int) ([]float32, error) {
	v, ok := p.vectors[name]
	switch {
	case !ok:
		return nil, missing(name)
	case len(v) != n:
		return nil, input("tensor " + quote(name) + " has " + strconv.Itoa(len(v)) + " values, not " + strconv.Itoa(n))
	}
	return v, nil
}

func missing(name string) error {
	return fault.New(fault.Unavailable, "pack: tensor "+quote(name)+" is not there: read the section that it is in first, and ask for a matrix once")
}
