package mvrag

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"
)

// Shares are those of exact arithmetic on weights as a model writes them, with two decimals.
func TestShare(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		k, n := 1+random.IntN(300), 1+random.IntN(8)
		views, hundredths, sum := make([]View, n), make([]int64, n), int64(0)
		for i := range views {
			hundredths[i] = int64(1 + random.IntN(100))
			views[i].Weight = float64(hundredths[i]) / 100
			sum += hundredths[i]
		}
		total := 0
		for i, got := range Share(views, k) {
			exact := big.NewRat(int64(k)*hundredths[i], sum)
			want := new(big.Int).Div(exact.Num(), exact.Denom()).Int64()
			if !exact.IsInt() {
				want++
			}
			if int64(got) != want {
				t.Fatalf("K %d, weights %v of %d: %d, want %d", k, hundredths, sum, got, want)
			}
			total += got
		}
		if total < k || total >= k+n {
			t.Fatalf("K %d: %d in all", k, total)
		}
	}
	if got := Share([]View{{Weight: 1}, {Weight: 1e-15}}, 10); !slices.Equal(got, []int{10, 1}) {
		t.Errorf("%v", got)
	}
}

// naiveMerge goes through all documents: Rel is the greatest of the products over the views
// that rank the document within their share; then it takes the best one by one.
func naiveMerge(views []View, rankings [][]Hit, shares []int, documents int) []Found {
	var out []Found
	taken := map[uint32]bool{}
	for {
		best, any := Found{Rel: math.Inf(-1)}, false
		for d := range uint32(documents) {
			if taken[d] {
				continue
			}
			for i := range views {
				for place := range shares[i] {
					if place >= len(rankings[i]) || rankings[i][place].Document != d {
						continue
					}
					if rel := rankings[i][place].Score * views[i].Weight; rel > best.Rel {
						best, any = Found{d, rel, views[i].Perspective}, true
					}
				}
			}
		}
		if !any {
			return out
		}
		taken[best.Document] = true
		out = append(out, best)
	}
}

func TestMerge(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	shared, tied := 0, 0
	for range 3_000 {
		const documents = 25
		n, k := 1+random.IntN(4), 1+random.IntN(20)
		views, rankings := make([]View, n), make([][]Hit, n)
		for i := range views {
			views[i] = View{i, []float64{0.5, 0.6, 0.75, 1}[random.IntN(4)], ""}
			for d := range uint32(documents) {
				if random.IntN(3) > 0 {
					// Few different scores, below 0 too, so that there are ties.
					rankings[i] = append(rankings[i], Hit{d, float64(random.IntN(9)-4) / 4})
				}
			}
			slices.SortStableFunc(rankings[i], func(a, b Hit) int { return int(math.Copysign(1, b.Score-a.Score)) * boolInt(a.Score != b.Score) })
		}
		got, want := Merge(views, rankings, k), naiveMerge(views, rankings, Share(views, k), documents)
		if !slices.Equal(got, want) {
			t.Fatalf("K %d, %+v:\n%+v\n%+v", k, views, got, want)
		}
		total := 0
		for i, s := range Share(views, k) {
			total += min(s, len(rankings[i]))
		}
		if len(got) < total {
			shared++
		}
		for i := 1; i < len(got); i++ {
			if got[i].Rel == got[i-1].Rel {
				tied++
			}
		}
	}
	if shared < 100 || tied < 100 {
		t.Errorf("only %d rankings share documents, and %d documents are tied", shared, tied)
	}
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}
