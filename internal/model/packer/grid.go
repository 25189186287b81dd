package packer

import (
	"math"
	"slices"

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

// roundSearched looks for the scale of each group that leaves the least sum of squared
// errors. A group that is on the grid already, and has a value of 7 or -7, stays as it is:
// its own scale is among the candidates, even if rounding to half floats has moved the
// largest magnitude.
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
// half floats next to that, down to scales at which the largest values are clipped.
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

// ladder has the scales that the groups of a row may have. Entry m is the greatest scale
// times m / pack.Steps. In memory, the values of a group with this scale are its values of 4
// bits times m, and some kernels multiply them faster (kernel/binary/simd/grouped.h). Entry
// 0 is 0, and so is each entry that no half float comes near enough to.
type ladder [pack.Steps + 1]uint16

// ladderOf a row whose greatest scale is given.
func ladderOf(greatest float64) (l ladder) {
	unit := greatest / pack.Steps
	for m := 1; m < len(l); m++ {
		bits, scale := half(unit * float64(m))
		if math.Abs(scale-unit*float64(m))*pack.MaxQ4 < .4*unit {
			l[m] = bits
		}
	}
	l[pack.Steps], _ = half(greatest)
	return l
}

// near returns the scale of the ladder that is nearest to the given scale.
func (l *ladder) near(scale float64) uint16 {
	best, off := uint16(0), math.Inf(1)
	for _, bits := range l {
		if d := math.Abs(float64(shard.F16ToF32(bits)) - scale); d < off {
			best, off = bits, d
		}
	}
	return best
}

// candidates are the scales of the ladder to try for a group, in about the range of those of the function candidates.
func (l *ladder) candidates(most float64) []uint16 {
	list := []uint16{l.near(most / pack.MaxQ4)}
	for _, bits := range l {
		scale := float64(shard.F16ToF32(bits)) * pack.MaxQ4
		if bits != list[0] && scale > leastScale*most && scale < 1.05*most {
			list = append(list, bits)
		}
	}
	return list
}

// ladderSteps is how many steps of a thousandth the greatest scale may move to either side.
const ladderSteps = 30

// snap moves the scales of a row to a ladder, and keeps its values of 4 bits: a branch that
// was trained with this row notices little of that. The ladder is the one with the least sum
// of squared errors.
func (r row4) snap() row4 {
	squares := make([]float64, len(r.scales))
	greatest := 0.0
	for g, bits := range r.scales {
		greatest = max(greatest, float64(shard.F16ToF32(bits)))
		for _, v := range r.values[g*pack.Group : min(len(r.values), (g+1)*pack.Group)] {
			squares[g] += float64(v) * float64(v)
		}
	}
	best := math.Inf(1)
	scales := make([]uint16, len(r.scales))
	for step := -ladderSteps; step <= ladderSteps; step++ {
		_, top := half(greatest * (1 + float64(step)/1000))
		l, sum := ladderOf(top), 0.0
		try := make([]uint16, len(r.scales))
		for g, bits := range r.scales {
			scale := float64(shard.F16ToF32(bits))
			try[g] = l.near(scale)
			off := float64(shard.F16ToF32(try[g])) - scale
			sum += off * off * squares[g]
		}
		if sum < best && slices.Contains(try, l[pack.Steps]) {
			best, scales = sum, try
		}
	}
	return row4{r.values, scales}
}

// roundKept is roundSearched, but keeps rows that training has rounded.
func roundKept(w []float32) row4 {
	if r, ok := onLadder(w); ok {
		return r
	}
	return roundSearched(w)
}

// offLadder is how far a value may be from a multiple of its group's scale, in scales. Half floats are off by 7 / 2048 at most.
const offLadder = .01

// onLadder returns the row of which w are the values, if its scales are on a ladder: training has rounded it as
// internal/recipes/reader does. A scale is not always the group's largest magnitude / 7, because the group may have no
// value of 7. That of the greatest scale has one.
func onLadder(w []float32) (row4, bool) {
	r := newRow4(len(w))
	greatest := largest(w) / pack.MaxQ4
	l := ladderOf(greatest)
	for g := range r.scales {
		group := w[g*pack.Group : min(len(w), (g+1)*pack.Group)]
		best := offLadder
		for m := len(l) - 1; m > 0; m-- {
			scale := greatest / pack.Steps * float64(m)
			if off := offMultiples(group, scale); off < best {
				best, r.scales[g] = off, l[m]
				for i, v := range group {
					r.values[g*pack.Group+i] = nearest(float64(v), scale)
				}
			}
		}
		if best == offLadder || r.scales[g] == 0 {
			return row4{}, false
		}
	}
	return r, true
}

// offMultiples is how far the values of a group are at most from a multiple of a scale, in scales.
func offMultiples(group []float32, scale float64) (off float64) {
	if largest(group) > (pack.MaxQ4+.5)*scale {
		return math.Inf(1)
	}
	for _, v := range group {
		off = max(off, math.Abs(float64(v)/scale-float64(nearest(float64(v), scale))))
	}
	return off
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
