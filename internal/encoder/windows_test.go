package encoder

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func TestWindows(t *testing.T) {
	for _, c := range []struct {
		sizes []int
		room  int
		want  [][2]int
	}{
		{nil, 4, [][2]int{{0, 0}}},
		{[]int{1, 1, 1}, 3, [][2]int{{0, 3}}},
		{[]int{1, 1, 1, 1, 1, 1, 1}, 4, [][2]int{{0, 4}, {2, 6}, {4, 7}}},
		{[]int{9}, 4, [][2]int{{0, 1}}},
		{[]int{9, 1, 9}, 4, [][2]int{{0, 1}, {1, 2}, {2, 3}}},
		{[]int{1, 1, 1, 1, 100}, 4, [][2]int{{0, 4}, {4, 5}}},
		{[]int{3, 1, 1, 3}, 4, [][2]int{{0, 2}, {1, 3}, {2, 4}}},
	} {
		if got := Windows(c.sizes, c.room); !slices.Equal(got, c.want) {
			t.Errorf("%v in %d: %v, want %v", c.sizes, c.room, got, c.want)
		}
	}
}

// Windows cover all units in order, and fit unless a single unit does not.
func TestWindowsCover(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		sizes := make([]int, rng.IntN(40))
		for i := range sizes {
			sizes[i] = rng.IntN(8)
		}
		room := 1 + rng.IntN(12)
		end, start := 0, -1
		for _, w := range Windows(sizes, room) {
			held := 0
			for _, n := range sizes[w[0]:w[1]] {
				held += n
			}
			if w[0] <= start || w[0] > end || w[1] <= end && len(sizes) > 0 || held > room && w[1] > w[0]+1 {
				t.Fatalf("%v in %d: window %v after [%d, %d)", sizes, room, w, start, end)
			}
			start, end = w[0], w[1]
		}
		if end != len(sizes) {
			t.Fatalf("%v in %d: up to %d", sizes, room, end)
		}
	}
}
