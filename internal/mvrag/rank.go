package mvrag

import (
	"cmp"
	"math"
	"slices"
)

// rounding is more than the rounding error of a share's quotient, and far less than one
// document.
const rounding = 1e-9

// Share returns k_i, how many documents each view retrieves (Eq. 3 leaves it open):
// ⌈K·w_i/Σw⌉, so that the views retrieve at least K together. Weights are above 0.
func Share(views []View, k int) []int {
	sum := 0.0
	for _, v := range views {
		sum += v.Weight
	}
	shares := make([]int, len(views))
	for i, v := range views {
		shares[i] = max(1, int(math.Ceil(float64(k)*v.Weight/sum-rounding)))
	}
	return shares
}

// Hit is a document that a view retrieved, with its cosine.
type Hit struct {
	Document uint32
	Score    float64
}

// Found is a document of the merged ranking.
type Found struct {
	Document    uint32
	Rel         float64 // Similarity(d, C_i) · w_i (Eq. 4), the greatest over the views
	Perspective int     // of the view whose product is Rel; the first if there are several
}

// Merge merges the rankings of the views, each cut after its share of k, into one by Rel.
// Documents with the same Rel follow their numbers. It may return more than k documents,
// since shares are rounded up, or fewer, since views may share documents.
func Merge(views []View, rankings [][]Hit, k int) []Found {
	shares := Share(views, k)
	at := map[uint32]int{}
	var found []Found
	for i, v := range views {
		for _, h := range rankings[i][:min(shares[i], len(rankings[i]))] {
			f := Found{h.Document, h.Score * v.Weight, v.Perspective}
			j, there := at[h.Document]
			switch {
			case !there:
				at[h.Document] = len(found)
				found = append(found, f)
			case f.Rel > found[j].Rel:
				found[j] = f
			}
		}
	}
	slices.SortFunc(found, func(a, b Found) int {
		return cmp.Or(cmp.Compare(b.Rel, a.Rel), cmp.Compare(a.Document, b.Document))
	})
	return found
}
