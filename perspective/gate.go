package perspective

import (
	"math"
	"slices"
	"sort"
)

// GateQuantile is the re-ranking methods' quantile: the notebook's np.percentile(scores, 80).
const GateQuantile = 0.8

// Sunk is the score of the entries that a gate excludes, as in the notebook. Under the dot product it is SunkDot, because
// dot products may be lower than Sunk, but not lower than SunkDot.
const (
	Sunk    = -100.0
	SunkDot = -1e38
)

// Sunk is the score of the entries that the plan's gate excludes.
func (p *Plan) Sunk() float64 {
	if p.Dot {
		return SunkDot
	}
	return Sunk
}

// Gate makes the plan that it belongs to a second stage. The gate's own plan gives
// every row a gate score. Rows below the Quantile of all gate scores get Plan.Sunk; the
// other rows get their gate score plus the score of the plan.
type Gate struct {
	Plan     Plan
	Quantile float64 // in 0..1, see Quantile
	// Cut is that quantile if the caller knows it, as it must if the index has only a part
	// of the collection's rows. If it is nil, the quantile is computed over the rows of
	// the index that the filters allow.
	Cut *float64
}

// gated is re-ranking: the gate is cos(base, c), and the second stage adds cos(p, c), or
// dot products in place of both. A zero perspective adds 0.
func gated(o *operands, base []float64) Plan {
	plan := Plan{Vector: make([]float32, len(base)), Dot: o.score == Dot}
	if o.p != nil {
		plan = o.compare(o.p)
	}
	plan.Gate = &Gate{Plan: o.compare(base), Quantile: GateQuantile}
	return plan
}

// Quantile is the q-quantile of the values, 0 ≤ q ≤ 1, interpolated linearly at
// position q·(n−1) of the sorted list, as numpy does by default. It reorders the
// values, takes linear time on average, and is 0 without values. No value may be NaN.
func Quantile[F float32 | float64](values []F, q float64) float64 {
	if len(values) == 0 {
		return 0
	}
	position := float64(q * float64(len(values)-1))
	k := int(math.Floor(position))
	selectNth(values, k)
	low := float64(values[k])
	if k+1 == len(values) {
		return low
	}
	high := float64(slices.Min(values[k+1:]))
	return low + float64((position-float64(k))*(high-low))
}

// selectNth reorders the values so that values[k] is the value that sorting would put
// there, with no larger value before it and no smaller one after it. It is quickselect
// with a median-of-three pivot and three-way partitioning, which handles equal values
// well. A range that does not shrink quickly is sorted.
func selectNth[F float32 | float64](values []F, k int) {
	low, high := 0, len(values) // invariant: low ≤ k < high
	for range 64 {
		if high-low <= 16 {
			break
		}
		pivot := median(values[low], values[low+(high-low)/2], values[high-1])
		below, above := low, high // [low,below) < pivot, [below,i) = pivot, [above,high) > pivot
		for i := low; i < above; {
			switch v := values[i]; {
			case v < pivot:
				values[i], values[below] = values[below], v
				below++
				i++
			case v > pivot:
				above--
				values[i], values[above] = values[above], v
			default:
				i++
			}
		}
		switch {
		case k < below:
			high = below
		case k >= above:
			low = above
		default:
			return
		}
	}
	sort.Sort(ascending[F](values[low:high]))
}

// ascending implements sort.Interface, because every instance of the generic sorts
// costs the browser module 10 KB.
type ascending[F float32 | float64] []F

func (v ascending[F]) Len() int           { return len(v) }
func (v ascending[F]) Swap(i, j int)      { v[i], v[j] = v[j], v[i] }
func (v ascending[F]) Less(i, j int) bool { return v[i] < v[j] }

func median[F float32 | float64](a, b, c F) F { return max(min(a, b), min(max(a, b), c)) }
