package model

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// Parts hold every text once and in order, as many for each worker, and none is
// much longer than the others.
func TestParts(t *testing.T) {
	random := rand.New(rand.NewPCG(8, 8))
	divided := 0
	for range 5000 {
		workers := 1 + random.IntN(8)
		lengths := make([]int, random.IntN(60))
		longest, tokens := 1+random.IntN(200), 0
		for i := range lengths {
			lengths[i] = random.IntN(longest)
			tokens += lengths[i]
		}
		list := parts(lengths, workers)
		if list == nil {
			continue
		}
		divided++
		if len(list)%workers != 0 || tokens < leastTokens*workers {
			t.Fatalf("%d parts of %d tokens for %d workers", len(list), tokens, workers)
		}
		text, at := 0, 0
		for _, p := range list {
			if p.first != text || p.from != at {
				t.Fatalf("%v: %v", lengths, list)
			}
			for ; text < p.last; text++ {
				at += lengths[text]
			}
			if at != p.to || (p.to-p.from)*len(list)*4 > tokens*5 {
				t.Fatalf("%v: %v", lengths, list)
			}
		}
		if text != len(lengths) || at != tokens {
			t.Fatalf("%v: %v", lengths, list)
		}
	}
	if divided < 500 {
		t.Errorf("%d batches were divided", divided)
	}
	for _, c := range []struct {
		lengths       []int
		workers, want int
	}{
		{[]int{32, 32}, 2, 2},
		{[]int{16, 16}, 2, 0},                          // few tokens
		{[]int{64}, 2, 0},                              // one text
		{[]int{500, 12, 12, 12}, 2, 0},                 // all would wait for the long one
		{slices.Repeat([]int{16}, 32), 2, 8},           // 64 tokens each
		{slices.Repeat([]int{512}, 4), 3, 0},           // 3 parts of 4 texts
		{slices.Repeat([]int{64}, 32), 1, 0},           // nobody to share with
		{append(make([]int, 9), 40, 40, 40, 40), 2, 2}, // texts without tokens
	} {
		if got := len(parts(c.lengths, c.workers)); got != c.want {
			t.Errorf("%v, %d workers: %d parts, want %d", c.lengths, c.workers, got, c.want)
		}
	}
}
