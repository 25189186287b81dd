package metrics

import "slices"

// Index is a corpus index.
type Index interface {
	~int | ~int32 | ~int64 | ~uint32
}

// FirstRank is the rank of the first gold entry in a ranking, counted from 1, and 0 if the ranking has none.
func FirstRank[I Index](ranking, gold []I) int {
	return 1 + slices.IndexFunc(ranking, func(index I) bool { return slices.Contains(gold, index) })
}

// Success is success(φ, p, q, C, k) of the paper's Eq. 1: whether any gold entry of the
// query is among the first k of the ranking. It is false for k ≤ 0.
func Success[I Index](ranking, gold []I, k int) bool {
	return FirstRank(ranking[:max(0, min(k, len(ranking)))], gold) > 0
}

// Judgement is the result of one query.
type Judgement struct {
	Root        string // text of its root query
	Perspective string // text of its perspective
	Label       string // kind of its perspective, such as "support" or "undermine"
	Rank        int    // rank of its first gold entry, from 1; 0 if none was retrieved. See FirstRank
}

// success is 1 or 0.
func (j *Judgement) success(k int) float64 {
	if j.Rank >= 1 && j.Rank <= k {
		return 1
	}
	return 0
}
