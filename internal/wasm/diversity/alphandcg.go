package diversity

import "math"

// AlphaNDCG is α-nDCG@k. A document's gain is the sum over its perspectives of (1−α)^n,
// with n the number of documents above that contain the perspective. Gains are
// discounted by log2(1 + rank). The best ranking is built greedily from pool, as the
// authors do because the exact problem is NP-complete. pool has the perspectives of
// each judged document, retrieved or not. Of documents with the same gain, the earlier
// one in the pool is taken. AlphaNDCG is 0 if the pool contains no perspective.
//
// α, between 0 and 1, is the probability that a document really has a perspective that
// it is judged to contain; the authors and TREC take 0.5.
func AlphaNDCG(contained, pool [][]int, m, k int, alpha float64) float64 {
	best := cumulatedGain(greedy(pool, m, k, alpha), m, k, alpha, logarithmic)
	return over(cumulatedGain(contained, m, k, alpha, logarithmic), best)
}

// cumulatedGain is the discounted gain of the first k documents.
func cumulatedGain(contained [][]int, m, k int, alpha float64, d discount) float64 {
	left := ones(m)
	sum := 0.0
	for rank, perspectives := range contained[:clip(k, len(contained))] {
		sum += float64(take(left, perspectives, alpha) * d(rank))
	}
	return sum
}

// greedy ranks k documents of the pool, each time the one with the largest gain.
func greedy(pool [][]int, m, k int, alpha float64) [][]int {
	left := ones(m)
	used := make([]bool, len(pool))
	var ranking [][]int
	for len(ranking) < clip(k, len(pool)) {
		best, most := -1, math.Inf(-1)
		for i, perspectives := range pool {
			if used[i] {
				continue
			}
			if g := worth(left, perspectives); g > most {
				best, most = i, g
			}
		}
		used[best] = true
		take(left, pool[best], alpha)
		ranking = append(ranking, pool[best])
	}
	return ranking
}

// worth is the gain of a document. left[p] is the gain of perspective p.
func worth(left []float64, perspectives []int) float64 {
	sum := 0.0
	for _, p := range perspectives {
		sum += left[p]
	}
	return sum
}

// take returns worth, and reduces the gains of the document's perspectives.
func take(left []float64, perspectives []int, alpha float64) float64 {
	gain := worth(left, perspectives)
	for _, p := range perspectives {
		left[p] *= 1 - alpha
	}
	return gain
}

func ones(n int) []float64 {
	values := make([]float64, n)
	for i := range values {
		values[i] = 1
	}
	return values
}
