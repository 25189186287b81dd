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
	return over(cumulatedGain(contained, m, k, alpha, logarithmic), bestGain(pool, m, k, alpha, logarithmic))
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

// bestGain is the discounted gain of the first k documents of the pool's best ranking, which takes each time the one
// with the largest gain. A document's gain only falls as others are taken, so it is computed only if it was above the
// best so far when it was last computed.
func bestGain(pool [][]int, m, k int, alpha float64, d discount) float64 {
	left := ones(m)
	last := make([]float64, len(pool)) // each document's gain when it was last computed, -1 if it is taken
	for i := range last {
		last[i] = math.Inf(1)
	}
	sum, before := 0.0, math.Inf(1)
	for rank := range clip(k, len(pool)) {
		for last[0] < 0 {
			pool, last = pool[1:], last[1:]
		}
		best, most := 0, -1.0
		for i, gain := range last {
			if gain <= most {
				continue
			}
			if last[i] = worth(left, pool[i]); last[i] > most {
				if best, most = i, last[i]; most == before {
					break // none has more
				}
			}
		}
		take(left, pool[best], alpha)
		last[best], before = -1, most
		gain := float64(most * d(rank))
		if sum += gain; sum+2*gain == sum {
			break // nor do later gains change the sum; twice, because a discount's rounding may raise them a bit
		}
	}
	return sum
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
