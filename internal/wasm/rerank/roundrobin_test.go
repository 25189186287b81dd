package rerank

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func TestRoundRobin(t *testing.T) {
	lists := [][]uint32{{1, 2, 3}, {1, 4}, {}, {5, 1, 6, 7}}
	for _, c := range []struct {
		k        int
		distinct bool
		want     []uint32
	}{
		{4, true, []uint32{1, 5, 2, 4}},
		{4, false, []uint32{1, 1, 5, 2}},
		{100, true, []uint32{1, 5, 2, 4, 3, 6, 7}},
		{100, false, []uint32{1, 1, 5, 2, 4, 1, 3, 6, 7}},
		{0, true, nil},
		{-1, false, nil},
	} {
		if got := RoundRobin(lists, c.k, c.distinct); !slices.Equal(got, c.want) {
			t.Errorf("k=%d, distinct=%t: %v, want %v", c.k, c.distinct, got, c.want)
		}
	}
	if got := RoundRobin(nil, 5, true); got != nil {
		t.Errorf("of nothing: %v", got)
	}
}

// The test follows the paper's words: put the n·k documents into a list, then take its
// top k unique documents.
func TestRoundRobinAgainstDescription(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 1))
	for range 300 {
		lists := make([][]uint32, rng.IntN(5))
		for i := range lists {
			for _, d := range rng.Perm(12)[:rng.IntN(9)] {
				lists[i] = append(lists[i], uint32(d))
			}
		}
		k := 1 + rng.IntN(10)
		type place struct {
			rank, list int
			document   uint32
		}
		var all []place
		for i, list := range lists {
			for rank, d := range list {
				all = append(all, place{rank, i, d})
			}
		}
		slices.SortFunc(all, func(a, b place) int {
			if a.rank != b.rank {
				return a.rank - b.rank
			}
			return a.list - b.list
		})
		var kept, unique []uint32
		for _, p := range all {
			kept = append(kept, p.document)
			if !slices.Contains(unique, p.document) {
				unique = append(unique, p.document)
			}
		}
		if got, want := RoundRobin(lists, k, true), unique[:min(k, len(unique))]; !slices.Equal(got, want) {
			t.Fatalf("%v, k=%d, distinct: %v, want %v", lists, k, got, want)
		}
		if got, want := RoundRobin(lists, k, false), kept[:min(k, len(kept))]; !slices.Equal(got, want) {
			t.Fatalf("%v, k=%d: %v, want %v", lists, k, got, want)
		}
	}
}
