package diversity

import "github.com/vantage-search/vantage/internal/wasm/logs"

// This file has the measures of ndeval, the program of TREC's Web tracks, except α-nDCG and
// subtopic recall (Covered / m). They treat a perspective as a subtopic (an intent). m is the
// number of subtopics that some judged document contains; if it is 0, the measures are 0.

// discount is the weight of a gain at a rank, counted from 0.
type discount func(rank int) float64

func logarithmic(rank int) float64 { return 1 / logs.Log2(float64(rank+2)) }
func reciprocal(rank int) float64  { return 1 / float64(rank+1) }

// conceivable is the discounted gain of k documents that each contain all m
// perspectives.
func conceivable(m, k int, alpha float64, d discount) float64 {
	gain, sum := float64(m), 0.0
	for rank := range max(0, k) {
		sum += float64(gain * d(rank))
		if gain *= 1 - alpha; gain == 0 {
			break
		}
	}
	return sum
}

// over is a / b, and 0 if b is 0.
func over(a, b float64) float64 {
	if b == 0 {
		return 0
	}
	return a / b
}

// AlphaDCG is α-DCG@k divided by that of a ranking whose documents each contain all
// perspectives. Unlike α-nDCG, it needs no pool.
func AlphaDCG(contained [][]int, m, k int, alpha float64) float64 {
	return over(cumulatedGain(contained, m, k, alpha, logarithmic), conceivable(m, k, alpha, logarithmic))
}

// intentAlpha is the α of ERR-IA: a document satisfies half of the readers whose intent
// it contains.
const intentAlpha = .5

// ERRIA is the intent-aware expected reciprocal rank ERR-IA@k (Chapelle et al., CIKM
// 2009; equally probable intents, binary judgements), divided by that of a ranking
// whose documents each contain all perspectives.
func ERRIA(contained [][]int, m, k int) float64 {
	return over(cumulatedGain(contained, m, k, intentAlpha, reciprocal), conceivable(m, k, intentAlpha, reciprocal))
}

// NormalizedERRIA is nERR-IA@k: ERR-IA@k divided by that of the best ranking of the
// pool, built as in AlphaNDCG.
func NormalizedERRIA(contained, pool [][]int, m, k int) float64 {
	return over(cumulatedGain(contained, m, k, intentAlpha, reciprocal),
		bestGain(pool, m, k, intentAlpha, reciprocal))
}

// rankBiased discounts by beta, the probability that a reader continues from one
// document to the next.
func rankBiased(beta float64) discount {
	powers := []float64{1}
	return func(rank int) float64 {
		for len(powers) <= rank {
			powers = append(powers, powers[len(powers)-1]*beta)
		}
		return powers[rank]
	}
}

// NRBP is novelty- and rank-biased precision (Clarke, Kolla and Vechtomova, ICTIR 2009)
// divided by that of an endless ranking whose documents each contain all perspectives.
// alpha and beta are between 0 and 1.
func NRBP(contained [][]int, m int, alpha, beta float64) float64 {
	sum := cumulatedGain(contained, m, len(contained), alpha, rankBiased(beta))
	return over(sum*(1-float64((1-alpha)*beta)), float64(m))
}

// NormalizedNRBP is nNRBP: NRBP divided by that of the best ranking of the pool, built
// as in AlphaNDCG.
func NormalizedNRBP(contained, pool [][]int, m int, alpha, beta float64) float64 {
	d := rankBiased(beta)
	return over(cumulatedGain(contained, m, len(contained), alpha, d),
		bestGain(pool, m, len(pool), alpha, d))
}

// PrecisionIA is the mean over the perspectives of Precision@k. A shorter ranking
// counts as if documents without perspectives followed.
func PrecisionIA(contained [][]int, m, k int) float64 {
	hits := 0
	for _, perspectives := range contained[:clip(k, len(contained))] {
		hits += len(perspectives)
	}
	return over(float64(hits), float64(k)*float64(m))
}

// AveragePrecisionIA is the mean over the perspectives of the average precision;
// relevant is the number of judged documents that contain each perspective, at least 1.
func AveragePrecisionIA(contained [][]int, relevant []int) float64 {
	hits, sums := make([]int, len(relevant)), make([]float64, len(relevant))
	for rank, perspectives := range contained {
		for _, p := range perspectives {
			hits[p]++
			sums[p] += float64(hits[p]) / float64(rank+1)
		}
	}
	sum := 0.0
	for p := range sums {
		sum += sums[p] / float64(relevant[p])
	}
	return over(sum, float64(len(relevant)))
}
