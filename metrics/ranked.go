package metrics

// This file has the measures of a ranking against its set of gold entries, as the
// papers define them. Rankings and gold have no duplicates. A ranking with fewer than k
// entries counts as if entries that are not gold followed.

// hits counts the gold entries among the first k.
func hits[I Index](ranking, gold []I, k int) int {
	n := 0
	relevant := set(gold)
	for _, index := range ranking[:max(0, min(k, len(ranking)))] {
		if relevant[index] {
			n++
		}
	}
	return n
}

func set[I Index](indexes []I) map[I]bool {
	s := make(map[I]bool, len(indexes))
	for _, index := range indexes {
		s[index] = true
	}
	return s
}

// Precision is the share of the first k that are gold; 0 for k ≤ 0.
func Precision[I Index](ranking, gold []I, k int) float64 {
	if k <= 0 {
		return 0
	}
	return float64(hits(ranking, gold, k)) / float64(k)
}

// GoldRecall is the share of the gold entries that are among the first k. This is the
// usual definition of recall, whereas Recall is the share of queries with at least one.
// It is 0 without gold.
func GoldRecall[I Index](ranking, gold []I, k int) float64 {
	if len(gold) == 0 {
		return 0
	}
	return float64(hits(ranking, gold, k)) / float64(len(gold))
}

// F1 is the harmonic mean of Precision and GoldRecall at k.
func F1[I Index](ranking, gold []I, k int) float64 {
	if k <= 0 || len(gold) == 0 {
		return 0
	}
	return 2 * float64(hits(ranking, gold, k)) / float64(k+len(gold))
}

// AveragePrecision is AP@k: the sum of the precisions at the ranks up to k that hold
// gold, divided by min(k, number of gold entries). It is 1 for the best ranking.
// (trec_eval's map_cut divides by the number of gold entries.)
func AveragePrecision[I Index](ranking, gold []I, k int) float64 {
	if k <= 0 || len(gold) == 0 {
		return 0
	}
	relevant := set(gold)
	found, sum := 0, 0.0
	for rank, index := range ranking[:min(k, len(ranking))] {
		if relevant[index] {
			found++
			sum += float64(found) / float64(rank+1)
		}
	}
	return sum / float64(min(k, len(gold)))
}
