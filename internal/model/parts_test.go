package model

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// With any lengths and limits of texts, parts hold every text once and in order, each
// part has tokens, and no part is much longer than the others.
func TestParts(t *testing.T) {
	random := rand.New(rand.NewPCG(8, 8))
	divided, fewer := 0, 0
	for range 20000 {
		workers := 1 + random.IntN(8)
		lengths := make([]int, random.IntN(60))
		limit := 1 + random.IntN(200)
		longest, tokens := 1+random.IntN(4*limit), 0
		for i := range lengths {
			if random.IntN(4) > 0 { // the other texts have no tokens
				lengths[i] = min(limit, random.IntN(longest))
			}
			tokens += lengths[i]
		}
		list := parts(lengths, workers)
		if list == nil {
			continue
		}
		divided++
		if len(list)%workers != 0 {
			fewer++
		}
		if len(list) > max(workers, tokens/partTokens) || tokens < leastTokens*workers {
			t.Fatalf("%d parts of %d tokens for %d workers", len(list), tokens, workers)
		}
		text, at := 0, 0
		for _, p := range list {
			if p.first != text || p.from != at || p.to <= p.from {
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
	if divided < 2000 || fewer > divided/10 {
		t.Errorf("%d batches were divided, %d of them in fewer parts than workers could share evenly", divided, fewer)
	}
	for _, c := range []struct {
		lengths       []int
		workers, want int
	}{
		{[]int{32, 32}, 2, 2},
		{[]int{16, 16}, 2, 0},                          // few tokens
		{[]int{64}, 2, 0},                              // one text
		{[]int{500, 12, 12, 12}, 2, 0},                 // all would wait for the long text
		{slices.Repeat([]int{16}, 32), 2, 8},           // 64 tokens each
		{slices.Repeat([]int{512}, 4), 3, 0},           // 3 parts of 4 texts
		{slices.Repeat([]int{64}, 32), 1, 0},           // a single worker
		{append(make([]int, 9), 40, 40, 40, 40), 2, 2}, // texts without tokens
		{append(slices.Repeat([]int{40}, 4), make([]int, 9)...), 2, 2},
		{append(slices.Repeat([]int{128}, 7), 3), 2, 8}, // texts cut at 128 tokens, and a short text
		{append(slices.Repeat([]int{128}, 7), 3), 4, 8},
		{make([]int, 40), 2, 0}, // no tokens at all
	} {
		if got := len(parts(c.lengths, c.workers)); got != c.want {
			t.Errorf("%v, %d workers: %d parts, want %d", c.lengths, c.workers, got, c.want)
		}
	}
}
