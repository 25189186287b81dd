// Package rerank reorders and merges the results of searches.
package rerank

// DefaultCandidates is the number of best rows that MMR chooses from (BERDS: Chen and
// Choi, 2024, §5).
const DefaultCandidates = 100

// MMR chooses k of a ranked list by maximal marginal relevance with the conventions of
// BERDS (§5): the first is rank 1, and then repeatedly the candidate that
// maximises
//
//	λ·relevance − (1−λ)·max similarity to those chosen
//
// Here, relevance is the score divided by the list's best score, or scaled to 0..1
// between the list's worst and best score if the best is not positive. The earlier
// candidate wins ties.
//
// scores are in ranked order, best first; similarity(i, j) compares candidates by their
// index in the list. The result has indexes into the list. λ = 1 keeps the order, λ = 0
// considers only novelty. MMR calls similarity at most k·len(scores) times.
func MMR(scores []float32, similarity func(i, j int) float32, lambda float64, k int) []int {
	n := len(scores)
	k = min(k, n)
	if k < 1 {
		return nil
	}
	relevance := scale(scores)
	closest := make([]float64, n) // highest similarity to any chosen
	taken := make([]bool, n)
	chosen := make([]int, 1, k) // rank 1 first
	taken[0] = true
	for len(chosen) < k {
		last := chosen[len(chosen)-1]
		best, bestValue := -1, 0.0
		for i := range n {
			if taken[i] {
				continue
			}
			s := float64(similarity(i, last))
			if len(chosen) == 1 || s > closest[i] {
				closest[i] = s
			}
			value := float64(lambda*relevance[i]) - float64((1-lambda)*closest[i])
			if best < 0 || value > bestValue {
				best, bestValue = i, value
			}
		}
		taken[best] = true
		chosen = append(chosen, best)
	}
	return chosen
}

// scale brings the scores of a list, best first, to a common range.
func scale(scores []float32) []float64 {
	out := make([]float64, len(scores))
	best, worst := float64(scores[0]), float64(scores[len(scores)-1])
	for i, s := range scores {
		switch {
		case best > 0:
			out[i] = float64(s) / best
		case best > worst:
			out[i] = (float64(s) - worst) / (best - worst)
		default:
			out[i] = 1
		}
	}
	return out
}
