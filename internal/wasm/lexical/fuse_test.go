package lexical

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

func sameHits(t *testing.T, what string, got, want []Hit) {
	t.Helper()
	same := slices.EqualFunc(got, want, func(a, b Hit) bool {
		return a.Document == b.Document && math.Abs(a.Score-b.Score) <= 1e-15*(1+math.Abs(b.Score))
	})
	if !same {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

// The rankings are made by hand. Document 7 is in both; 4 and 9 are last in one each.
var (
	byWords  = []Hit{{3, 12}, {7, 6}, {4, 4}}
	byCosine = []Hit{{7, 0.5}, {2, 0.3}, {9, -0.1}}
)

func TestReciprocalRankByHand(t *testing.T) {
	for _, c := range []struct {
		k       float64
		weights []float64
		want    []Hit
	}{
		{60, nil, []Hit{{7, 1.0/62 + 1.0/61}, {3, 1.0 / 61}, {2, 1.0 / 62}, {4, 1.0 / 63}, {9, 1.0 / 63}}},
		{0, []float64{1, 2}, []Hit{{7, 0.5 + 2}, {2, 1}, {3, 1}, {9, 2.0 / 3}, {4, 1.0 / 3}}},
		{60, []float64{0, 1}, []Hit{{7, 1.0 / 61}, {2, 1.0 / 62}, {9, 1.0 / 63}, {3, 0}, {4, 0}}},
	} {
		got, err := ReciprocalRank(c.k, c.weights, byWords, byCosine)
		if err != nil {
			t.Fatal(err)
		}
		sameHits(t, "reciprocal rank", got, c.want)
	}
}

func TestWeightedSumByHand(t *testing.T) {
	deviation := math.Sqrt(((12-22.0/3)*(12-22.0/3) + (6-22.0/3)*(6-22.0/3) + (4-22.0/3)*(4-22.0/3)) / 3)
	z := func(score float64) float64 { return (score - 22.0/3) / deviation }
	for _, c := range []struct {
		name     string
		n        Normalization
		weights  []float64
		rankings [][]Hit
		want     []Hit
	}{
		{"min-max", MinMax, nil, [][]Hit{byWords, byCosine}, []Hit{{7, 0.25 + 1}, {3, 1}, {2, 0.4 / 0.6}, {4, 0}, {9, 0}}},
		{"min-max, weights", MinMax, []float64{0.2, 0.8}, [][]Hit{byWords, byCosine}, []Hit{{7, 0.05 + 0.8}, {2, 0.8 * (0.4 / 0.6)}, {3, 0.2}, {4, 0}, {9, 0}}},
		{"max", Max, nil, [][]Hit{byWords, byCosine}, []Hit{{7, 0.5 + 1}, {3, 1 - 0.2}, {2, 0.6 - 0}, {4, 4.0/12 - 0.2}, {9, -0.2}}},
		{"z-score", ZScore, nil, [][]Hit{byWords, {{3, 5}, {4, 5}}}, []Hit{{3, z(12)}, {7, z(6)}, {4, z(4)}}},
		{"none", None, nil, [][]Hit{byWords, byCosine}, []Hit{{3, 12 - 0.1}, {7, 6.5}, {4, 4 - 0.1}, {2, 0.3}, {9, -0.1}}},
		{"one of equal scores", MinMax, nil, [][]Hit{{{5, 2}, {1, 2}}}, []Hit{{1, 1}, {5, 1}}},
		{"zeros", Max, nil, [][]Hit{{{5, 0}, {1, 0}}}, []Hit{{1, 0}, {5, 0}}},
		{"all below 0", Max, nil, [][]Hit{{{5, -1}, {1, -4}}, {{2, 1}}}, []Hit{{2, 0}, {5, -0.25}, {1, -1}}},
		{"an empty one", ZScore, nil, [][]Hit{{}, byWords}, []Hit{{3, z(12)}, {7, z(6)}, {4, z(4)}}},
		{"none at all", None, nil, nil, nil},
	} {
		got, err := WeightedSum(c.n, c.weights, c.rankings...)
		if err != nil {
			t.Fatal(c.name, err)
		}
		sameHits(t, c.name, got, c.want)
	}
}

// TestLackingADocumentIsNoAdvantage checks two documents with equal scores in one
// ranking. If another ranking has one of them last and lacks the other, the first stays
// ahead.
func TestLackingADocumentIsNoAdvantage(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 10))
	for range 200 {
		ranking := make([]Hit, 2+random.IntN(10))
		for i := range ranking {
			ranking[i] = Hit{Document: uint32(i), Score: random.NormFloat64()}
		}
		last := slices.MaxFunc(ranking, func(a, b Hit) int {
			if better(a, b) {
				return -1
			}
			return 1
		})
		const lacking = 99
		for n := range Normalizations {
			fused, err := WeightedSum(Normalization(n), nil, ranking, []Hit{{last.Document, 1}, {lacking, 1}})
			if err != nil {
				t.Fatal(err)
			}
			at := func(document uint32) int {
				return slices.IndexFunc(fused, func(h Hit) bool { return h.Document == document })
			}
			if at(last.Document) > at(lacking) {
				t.Errorf("%s: a document that %v lacks is before its last: %v", Normalizations[n], ranking, fused)
			}
		}
	}
}

func TestFusionRefuses(t *testing.T) {
	for _, c := range []struct {
		n        Normalization
		weights  []float64
		rankings [][]Hit
		want     string
	}{
		{MinMax, []float64{1}, [][]Hit{byWords, byCosine}, "1 weights for 2 rankings"},
		{MinMax, []float64{1, -1}, [][]Hit{byWords, byCosine}, "a weight is -1"},
		{MinMax, []float64{1, math.NaN()}, [][]Hit{byWords, byCosine}, "a weight is NaN"},
		{MinMax, []float64{math.Inf(1), 0}, [][]Hit{byWords, byCosine}, "a weight is +Inf"}, // 0·∞ would be no number
		{MinMax, []float64{1, 1.1e100}, [][]Hit{byWords, byCosine}, "a weight is 1.1e+100"},
		{MinMax, nil, [][]Hit{byWords, {{4, 1}, {5, 0}, {4, 0}}}, "ranking 2 has document 4 twice"},
		{None, nil, [][]Hit{{{4, math.NaN()}}}, "gives document 4 the score NaN"},
		{ZScore, nil, [][]Hit{{{4, math.Inf(-1)}}}, "the score -Inf"},
		{Normalization(len(Normalizations)), nil, nil, "normalisation 4 is none"},
	} {
		if _, err := WeightedSum(c.n, c.weights, c.rankings...); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v", c, err)
		}
	}
	for _, k := range []float64{-1, math.NaN(), math.Inf(1)} {
		if _, err := ReciprocalRank(k, nil, byWords); err == nil {
			t.Errorf("k = %g is accepted", k)
		}
	}
	if _, err := ReciprocalRank(60, nil, []Hit{{1, 2}, {1, 1}}); err == nil {
		t.Error("a document twice is accepted")
	}
}

func TestParseNormalization(t *testing.T) {
	for n, name := range Normalizations {
		if got, err := ParseNormalization(name); err != nil || got != Normalization(n) {
			t.Errorf("%q is %d, %v", name, got, err)
		}
	}
	if _, err := ParseNormalization("minmax"); err == nil || !strings.Contains(err.Error(), "min-max, max, z-score and none") {
		t.Errorf("minmax: %v", err)
	}
}
