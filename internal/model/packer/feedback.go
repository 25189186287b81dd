package packer

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/vantage-search/vantage/internal/wasm/kernel/dense"
	"github.com/vantage-search/vantage/internal/wasm/pack"
	"github.com/vantage-search/vantage/internal/wasm/shard"
)

// rounder rounds the rows of the matrices that have the same input, so that their
// outputs on sample texts change little. An error e of a row costs e·H·eᵀ, if H is
// the sum of x·xᵀ over the inputs x: the sum of the squares of the output's errors.
//
// Rounding goes from the first column to the last, and each column makes up for
// the errors of those before it, as in GPTQ (Frantar et al., 2022, "GPTQ: Accurate
// Post-Training Quantization for Generative Pre-trained Transformers"). With
// H = U·D·Uᵀ, U unit upper triangular, the cost is the sum over columns k of
// D[k] (e[k] + Σ_{j<k} e[j]·U[j,k])², so that column k is rounded from
// w[k] + Σ_{j<k} e[j]·U[j,k]: the same result without an inverse (Chee et al.,
// 2023, "QuIP: 2-Bit Quantization of Large Language Models With Guarantees",
// theorem 6). The scale of a group is the candidate of the row's ladder with which this
// costs least in the group. Then refine changes single values and scales, as long as that lowers
// the cost of the whole row.
type rounder struct {
	n int
	h []float64 // [n, n], symmetric
	u []float64 // [n, n], U transposed: row k has the factors of column k
	d []float64
}

// damping is what is added to the diagonal of H, as a share of its mean: inputs
// that the samples do not have may come up in other texts.
const damping = .01

// newRounder factorises a sum of x·xᵀ, which it keeps and adds the damping to.
func newRounder(h []float64, n int) (*rounder, error) {
	mean := 0.0
	for i := range n {
		mean += h[i*n+i] / float64(n)
	}
	if !(mean > 0) || math.IsInf(mean, 0) {
		return nil, errors.New("the sample texts give a layer no input that is a number other than 0")
	}
	for i := range n {
		h[i*n+i] += damping * mean
	}
	r := &rounder{n: n, h: h, u: make([]float64, n*n), d: make([]float64, n)}
	// The Cholesky factor of H with rows and columns in reverse is U·√D in reverse.
	reversed := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			reversed.SetSym(i, j, h[(n-1-i)*n+n-1-j])
		}
	}
	var factor mat.Cholesky
	if !factor.Factorize(reversed) {
		return nil, errors.New("the inputs of a layer on the sample texts cannot be factorised: give more or longer samples")
	}
	var lower mat.TriDense
	factor.LTo(&lower)
	for k := range n {
		root := lower.At(n-1-k, n-1-k)
		r.d[k] = root * root
		for j := range k {
			r.u[k*n+j] = lower.At(n-1-j, n-1-k) / root
		}
	}
	return r, nil
}

// round rounds the rows of a matrix [rows, n].
func (r *rounder) round(p *dense.Pool, w []float32) []row4 {
	rows := make([]row4, len(w)/r.n)
	p.Run(len(rows), func(i, _ int) { rows[i] = r.row(w[i*r.n:][:r.n]) })
	return rows
}

// row rounds one row.
func (r *rounder) row(w []float32) row4 {
	n := r.n
	out := newRow4(n)
	e := make([]float64, n) // w - rounded
	top := topGroup(w)
	l := ladderOf(float64(shard.F16ToF32(r.topScale(w, top))))
	for g := range out.scales {
		first, last := g*pack.Group, min(n, (g+1)*pack.Group)
		before := make([]float64, last-first) // w, with what makes up for the errors of columns before the group
		for k := first; k < last; k++ {
			before[k-first] = float64(w[k]) + dot(e[:first], r.u[k*n:])
		}
		best := math.Inf(1)
		try := make([]int8, last-first)
		off := make([]float64, last-first)
		most := largest(w[first:last])
		for _, v := range before {
			most = max(most, math.Abs(v))
		}
		list := append(l.candidates(most), l.candidates(largest(w[first:last]))...)
		if g == top {
			list = []uint16{l[pack.Steps]}
		}
		for _, bits := range list {
			scale, cost := float64(shard.F16ToF32(bits)), 0.0
			for k := first; k < last && cost < best; k++ {
				feedback := dot(off[:k-first], r.u[k*n+first:])
				value := nearest(before[k-first]+feedback, scale)
				try[k-first] = value
				off[k-first] = float64(w[k]) - scale*float64(value)
				miss := before[k-first] + feedback - scale*float64(value)
				cost += r.d[k] * miss * miss
			}
			if cost < best {
				best, out.scales[g] = cost, bits
				copy(out.values[first:last], try)
				copy(e[first:last], off)
			}
		}
	}
	r.refine(w, &out, &l, top)
	return out
}

// topGroup is the group with the largest weight of a row. Its scale is the greatest of the
// row and is chosen first, since a reader finds the ladder by it.
func topGroup(w []float32) (group int) {
	most := 0.0
	for first := 0; first < len(w); first += pack.Group {
		if v := largest(w[first:min(len(w), first+pack.Group)]); v > most {
			most, group = v, first/pack.Group
		}
	}
	return group
}

// topScale is the scale with which the top group costs least by itself.
func (r *rounder) topScale(w []float32, group int) (bits uint16) {
	first := group * pack.Group
	w = w[first:min(r.n, first+pack.Group)]
	best := math.Inf(1)
	off := make([]float64, len(w))
	for _, try := range candidates(largest(w)) {
		scale, cost := float64(shard.F16ToF32(try)), 0.0
		for k, v := range w {
			wanted := float64(v) + dot(off[:k], r.u[(first+k)*r.n+first:])
			value := scale * float64(nearest(wanted, scale))
			off[k] = float64(v) - value
			cost += r.d[first+k] * (wanted - value) * (wanted - value)
		}
		if cost < best {
			best, bits = cost, try
		}
	}
	return bits
}

// sweeps is how often refine goes over a row at most.
const sweeps = 4

// refine lowers the cost of a row by changing one value or one scale at a time. The scale of the top group stays.
func (r *rounder) refine(w []float32, out *row4, l *ladder, top int) {
	n := r.n
	e, gradient := make([]float64, n), make([]float64, n) // gradient: of half the cost, by e
	reset := func() {
		for i := range e {
			e[i] = float64(w[i]) - float64(shard.F16ToF32(out.scales[i/pack.Group]))*float64(out.values[i])
		}
		for i := range gradient {
			gradient[i] = dot(e, r.h[i*n:])
		}
	}
	reset()
	for range sweeps {
		moved := false
		for g := range out.scales {
			first, last := g*pack.Group, min(n, (g+1)*pack.Group)
			if g != top {
				moved = r.rescale(out, l, g, first, last, e, gradient) || moved
			}
			scale := float64(shard.F16ToF32(out.scales[g]))
			if scale == 0 {
				continue
			}
			for k := first; k < last; k++ {
				// A step of δ in the value takes s·δ from e[k], if s is the scale.
				step := math.Round(gradient[k] / (r.h[k*n+k] * scale))
				value := max(-pack.MaxQ4, min(pack.MaxQ4, float64(out.values[k])+step))
				by := scale * (value - float64(out.values[k]))
				if by == 0 || by*by*r.h[k*n+k] >= 2*by*gradient[k] {
					continue
				}
				out.values[k] = int8(value)
				e[k] -= by
				subtract(gradient, by, r.h[k*n:])
				moved = true
			}
		}
		if !moved {
			return
		}
	}
}

// rescale fits the scale of a group to its values.
func (r *rounder) rescale(out *row4, l *ladder, g, first, last int, e, gradient []float64) bool {
	n := r.n
	var slope, curve float64 // of the cost by the scale
	for i := first; i < last; i++ {
		q := float64(out.values[i])
		if q == 0 {
			continue
		}
		slope += q * gradient[i]
		for j := first; j < last; j++ {
			curve += q * r.h[i*n+j] * float64(out.values[j])
		}
	}
	if curve <= 0 {
		return false
	}
	old := float64(shard.F16ToF32(out.scales[g]))
	bits := l.near(old + slope/curve)
	scale := float64(shard.F16ToF32(bits))
	by := scale - old
	if bits == out.scales[g] || by*by*curve >= 2*by*slope || scale == 0 {
		return false
	}
	out.scales[g] = bits
	for i := first; i < last; i++ {
		if change := by * float64(out.values[i]); change != 0 {
			e[i] -= change
			subtract(gradient, change, r.h[i*n:])
		}
	}
	return true
}

func dot(a, b []float64) float64 {
	b = b[:len(a)]
	var s0, s1, s2, s3 float64
	for ; len(a) >= 4; a, b = a[4:], b[4:] {
		s0 += a[0] * b[0]
		s1 += a[1] * b[1]
		s2 += a[2] * b[2]
		s3 += a[3] * b[3]
	}
	for i, v := range a {
		s0 += v * b[i]
	}
	return s0 + s1 + s2 + s3
}

// subtract takes factor times row from dst.
func subtract(dst []float64, factor float64, row []float64) {
	row = row[:len(dst)]
	for i, v := range row {
		dst[i] -= factor * v
	}
}
