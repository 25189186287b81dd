package dense

import "math"

// LayerNorm is (v - mean)/sqrt(variance + Epsilon)·Gamma + Beta over a row's
// components, v being x or x plus a residual.
type LayerNorm struct {
	Gamma, Beta []float32
	Epsilon     float32
}

// Apply normalises rows of len(Gamma) components. In to, x and residual, rows lie ld
// apart; residual may be nil, and to may be x.
func (n *LayerNorm) Apply(p *Pool, to, x, residual []float32, ld, rows int) {
	width := len(n.Gamma)
	p.Split(rows, 16, func(first, last int) {
		for i := first; i < last; i++ {
			var r []float32
			if residual != nil {
				r = residual[i*ld : i*ld+width]
			}
			layerNorm(to[i*ld:i*ld+width], x[i*ld:i*ld+width], r, n.Gamma, n.Beta, n.Epsilon)
		}
	})
}

// RMSNorm is x/sqrt(mean of x² + Epsilon)·Gamma (T5's layer norm).
type RMSNorm struct {
	Gamma   []float32
	Epsilon float32
}

// Apply normalises rows of len(Gamma) components into to, which may be x.
func (n *RMSNorm) Apply(p *Pool, to, x []float32, ld, rows int) {
	width := len(n.Gamma)
	p.Split(rows, 16, func(first, last int) {
		for i := first; i < last; i++ {
			row := x[i*ld : i*ld+width]
			var squares float32
			for _, v := range row {
				squares += v * v
			}
			inverse := 1 / float32(math.Sqrt(float64(squares/float32(width)+n.Epsilon)))
			for j, v := range row {
				to[i*ld+j] = v * inverse * n.Gamma[j]
			}
		}
	})
}

// Add adds rows of another array to x.
func Add(p *Pool, x, other []float32, width, rows int) {
	p.Split(rows, 64, func(first, last int) {
		x, other := x[first*width:last*width], other[first*width:last*width]
		for i, v := range other {
			x[i] += v
		}
	})
}
