package packer

import (
	"math"
	"slices"

	"github.com/vantage-search/vantage/internal/wasm/kernel/dense"
)

// moments are sums over the inputs of a layer: x of the network that is being
// rounded, and s of the source, whose outputs are to be kept.
type moments struct {
	n      int
	weight float64
	xx     []float64 // [n, n], sum of x·xᵀ
	sx     []float64 // [n, n], sum of s·xᵀ
	s, x   []float64 // [n]
}

func newMoments(n int) *moments {
	return &moments{n: n, xx: make([]float64, n*n), sx: make([]float64, n*n), s: make([]float64, n), x: make([]float64, n)}
}

// add adds inputs [tokens, n].
func (m *moments) add(p *dense.Pool, lengths []int, s, x []float32) {
	tokens := len(x) / m.n
	weights := make([]float64, 0, tokens)
	for _, l := range lengths {
		for range l {
			weights = append(weights, math.Pow(float64(l), -weightPower))
		}
	}
	st, xt := transposed(s, m.n), transposed(x, m.n)
	wx := slices.Clone(xt)
	for i := range m.n {
		for t, w := range weights {
			wx[i*tokens+t] *= float32(w)
		}
	}
	by := dense.NewLinear(wx, nil, m.n, tokens)
	product := make([]float32, m.n*m.n)
	for _, side := range []struct {
		sum  []float64
		rows []float32
	}{{m.xx, xt}, {m.sx, st}} {
		by.Apply(p, product, m.n, side.rows, tokens, m.n, dense.None)
		for i, v := range product {
			side.sum[i] += float64(v)
		}
	}
	for i := range m.n {
		for t := range tokens {
			m.s[i] += weights[t] * float64(st[i*tokens+t])
			m.x[i] += weights[t] * float64(xt[i*tokens+t])
		}
	}
	for _, w := range weights {
		m.weight += w
	}
}

func transposed(x []float32, n int) []float32 {
	rows := len(x) / n
	t := make([]float32, len(x))
	for i := range rows {
		for j, v := range x[i*n:][:n] {
			t[j*rows+i] = v
		}
	}
	return t
}
