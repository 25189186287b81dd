package topk

import (
	"math/rand/v2"
	"slices"
	"sort"
	"testing"
)

// descending ranks greater numbers as better.
type descending []int

func (d descending) Len() int           { return len(d) }
func (d descending) Swap(i, j int)      { d[i], d[j] = d[j], d[i] }
func (d descending) Less(i, j int) bool { return d[i] > d[j] }

// The greatest numbers are kept, whether the heap is made at once or grows.
func TestKeepsTheBest(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		numbers := make([]int, 1+random.IntN(40))
		for i := range numbers {
			numbers[i] = random.IntN(30)
		}
		k := 1 + random.IntN(len(numbers))
		var grown descending
		for _, n := range numbers[:k] {
			grown = append(grown, n)
			Rise(&grown, len(grown)-1)
		}
		made := descending(slices.Clone(numbers[:k]))
		Init(&made)
		want := slices.Clone(numbers)
		sort.Sort(descending(want))
		for name, h := range map[string]descending{"grown": grown, "made": made} {
			for _, n := range numbers[k:] {
				if n > h[0] {
					h[0] = n
					Sink(&h, 0)
				}
			}
			if h[0] != slices.Min(h) {
				t.Fatalf("%s: the root of %v is not the worst", name, h)
			}
			sort.Sort(h)
			if !slices.Equal(h, want[:k]) {
				t.Fatalf("%s: the best %d of %v are %v", name, k, numbers, h)
			}
		}
	}
}
