package packer

import (
	"github.com/vantage-search/vantage/internal/wasm/kernel/dense"
)

// moments are weighted sums over the inputs of a layer: x of the network that is
// being rounded, s of the source.
//
// A token's weight is one over the number of its text's tokens. So each text counts
// the same, as it does in a search: without that, long passages would decide, and
// vectors of short queries would be off by more.
type moments struct {
	n      int
	weight float64   // of all tokens
	xx     []float64 // [n, n], sum of x·xᵀ
	s, x   []float64 // [n]
}

func newMoments(n int) *moments {
	return &moments{n: n, xx: make([]float64, n*n), s: make([]float64, n), x: make([]float64, n)}
}

// add adds inputs [tokens, n] of texts of some lengths.
func (m *moments) add(p *dense.Pool, lengths []int, s, x []float32) {
	tokens := len(x) / m.n
	plain, weighted := make([]float32, len(x)), make([]float32, len(x)) // [n, tokens]
	token := 0
	for _, length := range lengths {
		weight := 1 / float64(length)
		m.weight++
		for range length {
			for i := range m.n {
				v := x[token*m.n+i]
				plain[i*tokens+token], weighted[i*tokens+token] = v, float32(weight)*v
				m.x[i] += weight * float64(v)
				m.s[i] += weight * float64(s[token*m.n+i])
			}
			token++
		}
	}
	product := make([]float32, m.n*m.n)
	dense.NewLinear(weighted, nil, m.n, tokens).Apply(p, product, m.n, plain, tokens, m.n, dense.None)
	for i, v := range product {
		m.xx[i] += float64(v)
	}
}
