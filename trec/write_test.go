package trec

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sort"
	"strings"
	"testing"
)

// With any scores, a ranking is read back in the same order. Scores that differ in 32 bits
// are only rounded.
func TestRankingComesBack(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for round := range 300 {
		scores := make([]float64, 1+random.IntN(60))
		for i := range scores {
			switch round % 5 {
			case 0: // many ties
				scores[i] = float64(random.IntN(4))
			case 1: // differences below 32-bit precision
				scores[i] = 1 + 1e-12*random.NormFloat64()
			case 2: // all scores 0
			case 3: // any magnitude, even beyond 32 bits
				scores[i] = random.NormFloat64() * math.Pow(10, float64(random.IntN(85)-50))
			case 4:
				scores[i] = random.NormFloat64()
			}
		}
		sort.Sort(sort.Reverse(sort.Float64Slice(scores)))
		documents := make([]string, len(scores))
		for i, n := range random.Perm(len(scores)) {
			documents[i] = fmt.Sprint("d", n)
		}
		written, err := Descending(scores)
		if err != nil {
			t.Fatal(err)
		}
		text := string(AppendRanking(nil, "q", documents, written, "tag"))
		run, err := ReadRun(strings.NewReader(text), "run")
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		back, values, err := run.Ranking("q")
		if err != nil || !slices.Equal(back, documents) || !slices.Equal(values, written) {
			t.Fatalf("round %d: %q %v came back as %q %v (%v)", round, documents, written, back, values, err)
		}
		for i, s := range scores {
			clear := i == 0 || float32(scores[i-1]) > float32(s)
			if round%5 == 4 && clear && written[i] != float32(s) {
				t.Errorf("score %v was written as %v", s, written[i])
			}
		}
	}
}

func TestDescending(t *testing.T) {
	below := func(x float32) float32 { return math.Nextafter32(x, float32(math.Inf(-1))) }
	got, err := Descending([]float64{2, 1, 1, 1, 0, 0})
	want := []float32{2, 1, below(1), below(below(1)), 0, below(0)}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%v (%v), want %v", got, err, want)
	}
	for _, scores := range [][]float64{{1, 2}, {math.NaN()}, {-math.MaxFloat32, -math.MaxFloat32}, {1, math.NaN()}} {
		if got, err := Descending(scores); err == nil {
			t.Errorf("%v became %v", scores, got)
		}
	}
	if text := string(AppendRanking(nil, "q", []string{"a", "b", "c"}, []float32{12.5, 0.001, -1e-45}, "r")); text !=
		"q Q0 a 1 12.5 r\nq Q0 b 2 0.001 r\nq Q0 c 3 -1e-45 r\n" {
		t.Errorf("written as\n%s", text)
	}
}
