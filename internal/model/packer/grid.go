package packer

import (
	"math"

	"github.com/vantage-search/vantage/internal/wasm/pack"
	"github.com/vantage-search/vantage/internal/wasm/pack/packfile"
	"github.com/vantage-search/vantage/internal/wasm/shard"
)

// row4 is a row on the grid of pack.Q4.
type row4 struct {
	values []int8
	scales []uint16 // half floats, one for each group
}

func newRow4(n int) row4 {
	return row4{make([]int8, n), make([]uint16, (n+pack.Group-1)/pack.Group)}
}

// nearest is the value of the grid that is nearest to w.
func nearest(w, scale float64) int8 {
	if scale == 0 {
		return 0
	}
	return int8(max(-pack.MaxQ4, min(pack.MaxQ4, math.RoundToEven(w/scale))))
}

// half rounds to a half float that is finite.
func half(v float64) (bits uint16, value float64) {
	bits = shard.F32ToF16(float32(min(v, 65504)))
	return bits, float64(shard.F16ToF32(bits))
}

// roundPlain is plain rounding: the scale of a group is its largest magnitude / 7.
func roundPlain(w []float32) row4 {
	r := newRow4(len(w))
	for g := range r.scales {
		group := w[g*pack.Group : min(len(w), (g+1)*pack.Group)]
		bits, scale := half(largest(group) / pack.MaxQ4)
		r.scales[g] = bits
		for i, v := range group {
			r.values[g*pack.Group+i] = nearest(float64(v), scale)
		}
	}
	return r
}

// roundSearched looks for the scale of each group that leaves the least squares of
// errors. It finds a group that is on the grid already: its own scale is among the
// candidates, wherever half floats have moved the largest magnitude.
func roundSearched(w []float32) row4 {
	r := newRow4(len(w))
	for g := range r.scales {
		group := w[g*pack.Group : min(len(w), (g+1)*pack.Group)]
		best := math.Inf(1)
		for _, bits := range candidates(largest(group)) {
			scale := float64(shard.F16ToF32(bits))
			sum := 0.0
			for _, v := range group {
				e := float64(v) - scale*float64(nearest(float64(v), scale))
				sum += e * e
			}
			if sum < best {
				best, r.scales[g] = sum, bits
			}
		}
		scale := float64(shard.F16ToF32(r.scales[g]))
		for i, v := range group {
			r.values[g*pack.Group+i] = nearest(float64(v), scale)
		}
	}
	return r
}

// Candidates for the scale of a group go from its largest magnitude / 7, and the
// half floats beside that, down to where the largest values are cut.
const (
	leastScale = .55 // of the plain one
	scaleSteps = 18
)

func candidates(most float64) (list []uint16) {
	plain, _ := half(most / pack.MaxQ4)
	for near := -2; near <= 2; near++ {
		if bits := int(plain) + near; bits >= 0 && bits < 0x7c00 {
			list = append(list, uint16(bits))
		}
	}
	for i := range scaleSteps {
		bits, _ := half(most / pack.MaxQ4 * (leastScale + (1.02-leastScale)*float64(i)/scaleSteps))
		list = append(list, bits)
	}
	return list
}

func largest(w []float32) (most float64) {
	for _, v := range w {
		most = max(most, math.Abs(float64(v)))
	}
	return most
}

// matrix stores rows.
func matrix(rows []row4) packfile.Tensor {
	t := packfile.Tensor{Encoding: pack.Q4}
	for _, r := range rows {
		t.Payload = packfile.AppendQ4(t.Payload, r.values, r.scales)
	}
	return t
}

// put writes the values of a row.
func (r *row4) put(dst []float32) {
	for i, v := range r.values {
		dst[i] = float32(v) * shard.F16ToF32(r.scales[i/pack.Group])
	}
}
