package significance

import (
	"errors"
	"math"
	"math/bits"
	"sort"
)

// generator is SplitMix64 (Steele, Lea and Flood, OOPSLA 2014): small, and the same on every machine.
type generator uint64

func (g *generator) next() uint64 {
	*g += 0x9E3779B97F4A7C15
	z := uint64(*g)
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return z ^ z>>31
}

// below draws an integer from 0 to n−1 without bias (Lemire 2019).
func (g *generator) below(n int) int {
	for {
		high, low := bits.Mul64(g.next(), uint64(n))
		if low >= uint64(n) || low >= -uint64(n)%uint64(n) {
			return int(high)
		}
	}
}

// mostExact is the number of differing pairs up to which Randomization tries every
// assignment of signs.
const mostExact = 16

// Randomization is Fisher's randomisation test: the two-sided probability that the mean
// of a − b is at least as far from 0 as observed if, for each query, chance decides
// which value belongs to which system. It is exact for up to 16 pairs that differ. For
// more, it draws rounds (at least 1) assignments, and the observed one counts as one
// more.
func Randomization(a, b []float64, rounds int, seed uint64) (float64, error) {
	if len(a) != len(b) || len(a) < 2 {
		return 0, ErrPairs
	}
	if rounds < 1 {
		return 0, errors.New("at least one round is needed")
	}
	var differences []float64
	observed, size := 0.0, 0.0
	for i := range a {
		if d := a[i] - b[i]; d != 0 {
			differences = append(differences, d)
			observed += d
			size += math.Abs(d)
		}
	}
	// Sums that differ only by rounding count as equal.
	least := math.Abs(observed) - size*1e-12
	if len(differences) <= mostExact {
		all := 1 << len(differences)
		extreme := 0
		for signs := range uint64(all) {
			if math.Abs(signed(differences, func() uint64 { return signs })) >= least {
				extreme++
			}
		}
		return float64(extreme) / float64(all), nil
	}
	g := generator(seed)
	extreme := 1
	for range rounds {
		if math.Abs(signed(differences, g.next)) >= least {
			extreme++
		}
	}
	return float64(extreme) / float64(rounds+1), nil
}

// signed is the sum of the values, each with the sign that the next bit gives it.
func signed(values []float64, draw func() uint64) float64 {
	sum := 0.0
	word := uint64(0)
	for i, v := range values {
		if i%64 == 0 {
			word = draw()
		}
		if word&1 == 0 {
			sum += v
		} else {
			sum -= v
		}
		word >>= 1
	}
	return sum
}

// Interval is a confidence interval of a mean.
type Interval struct{ Low, High float64 }

// Bootstrap is the percentile interval of a mean (Efron and Tibshirani 1993, chapter
// 13) at a confidence such as 0.95: the middle part of the means of rounds samples
// drawn with replacement.
func Bootstrap(values []float64, confidence float64, rounds int, seed uint64) (Interval, error) {
	if len(values) == 0 || rounds < 1 || !(confidence > 0 && confidence < 1) {
		return Interval{}, errors.New("an interval needs values, at least one round, and a confidence between 0 and 1")
	}
	g := generator(seed)
	means := make([]float64, rounds)
	for i := range means {
		sum := 0.0
		for range values {
			sum += values[g.below(len(values))]
		}
		means[i] = sum / float64(len(values))
	}
	//lint:ignore S1032 sort.Float64s is slices.Sort since Go 1.22: 10 KB of generic code in the core
	sort.Sort(sort.Float64Slice(means))
	return Interval{quantile(means, (1-confidence)/2), quantile(means, (1+confidence)/2)}, nil
}

// quantile interpolates linearly between sorted values.
func quantile(sorted []float64, q float64) float64 {
	at := q * float64(len(sorted)-1)
	below := min(int(at), len(sorted)-1)
	above := min(below+1, len(sorted)-1)
	return sorted[below] + float64((at-float64(below))*(sorted[above]-sorted[below]))
}

// Holm corrects the p-values of several tests (Holm 1979). Each p-value is multiplied
// by the number of p-values that are at least as large, raised to the corrected values
// of smaller ones if necessary, and limited to 1. The probability of rejecting any true
// null hypothesis at α is then at most α.
func Holm(p []float64) []float64 {
	order := make([]int, len(p))
	for i := range order {
		order[i] = i
	}
	sort.Sort(ascending{p, order})
	corrected := make([]float64, len(p))
	least := 0.0
	for rank, i := range order {
		least = max(least, min(1, p[i]*float64(len(p)-rank)))
		corrected[i] = least
	}
	return corrected
}

// ascending sorts the indexes of probabilities, equal ones by index.
type ascending struct {
	p     []float64
	order []int
}

func (a ascending) Len() int      { return len(a.order) }
func (a ascending) Swap(i, j int) { a.order[i], a.order[j] = a.order[j], a.order[i] }
func (a ascending) Less(i, j int) bool {
	x, y := a.order[i], a.order[j]
	return a.p[x] < a.p[y] || a.p[x] == a.p[y] && x < y
}
