package trec

import (
	"math"
	"sort"
)

// accuracy is the share of pairs in the right order, over all pairs of a relevant and a
// non-relevant retrieved document. It is 1 if only relevant documents are retrieved. It is
// NaN if none is retrieved, because ir_measures leaves such queries out of the mean.
func accuracy(_ *scratch, j *Judged) float64 {
	relevant, others, wrong := 0, 0, 0
	for rank := range j.Grades {
		if j.IsRelevant(rank) {
			relevant++
			wrong += others
		} else {
			others++
		}
	}
	switch {
	case relevant == 0:
		return math.NaN()
	case others == 0:
		return 1
	}
	return 1 - float64(wrong)/(float64(others)*float64(relevant))
}

// compatibility is the measure of Clarke, Vtyurina and Smucker (TOIS 39, 2021): the rank-biased overlap (Webber, Moffat
// and Zobel, TOIS 28, 2010) of the ranking with the ideal one, Σ p^(d−1)·overlap(d)/d over Σ p^(d−1) for the depths d
// up to the longer's end. The ideal ranking has the documents with a positive grade by descending grade; documents of
// the same grade are in the order of the ranking. The normalised measure is divided by the overlap of the ideal ranking
// with itself, which is below 1 if the ideal ranking is the shorter one.
func compatibility(_ *scratch, j *Judged, m *Measure, out []float64) {
	p, normalize := m.params[0], m.params[1] != 0
	ideal := 0
	next := make(map[int32]int) // position in the ideal ranking of the next document of each grade
	for l := len(j.Levels) - 1; l >= 0 && j.Levels[l].Grade > 0; l-- {
		next[j.Levels[l].Grade] = ideal
		ideal += j.Levels[l].Count
	}
	var common []int // depth from which on each document is in both rankings
	for rank, grade := range j.Grades {
		if grade > 0 {
			common = append(common, max(rank, next[grade])+1)
			next[grade]++
		}
	}
	//lint:ignore S1032 sort.Ints is slices.Sort since Go 1.22: 10 KB of generic code in the core
	sort.Sort(sort.IntSlice(common))
	overlap, sum, best, weights, weight := 0, 0.0, 0.0, 0.0, 1.0
	for depth := 1; depth <= max(len(j.Grades), ideal); depth++ {
		for overlap < len(common) && common[overlap] <= depth {
			overlap++
		}
		sum += weight * float64(overlap) / float64(depth)
		best += weight * float64(min(depth, ideal)) / float64(depth)
		weights += weight
		weight *= p
	}
	if normalize {
		weights = best
	}
	if weights > 0 {
		out[0] = sum / weights
	}
}
