package berds

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// f1 and accuracy by their definitions.
func scored(judgements []Judgement, says func(i int) bool) Detection {
	var tp, fp, fn, tn, yes float64
	for i, j := range judgements {
		switch said := says(i); {
		case said && j.Contains:
			tp++
		case said:
			fp++
		case j.Contains:
			fn++
		default:
			tn++
		}
		if says(i) {
			yes++
		}
	}
	d := Detection{Positive: yes / float64(len(judgements)), Accuracy: (tp + tn) / float64(len(judgements))}
	if precision, recall := tp/(tp+fp), tp/(tp+fn); tp > 0 {
		d.F1 = 2 * precision * recall / (precision + recall)
	}
	return d
}

func near(a, b Detection) bool {
	return math.Abs(a.Positive-b.Positive)+math.Abs(a.Accuracy-b.Accuracy)+math.Abs(a.F1-b.F1) < 1e-12
}

// Thresholds by leave-one-question-out, beside a search of every threshold for every
// question by the definitions.
func TestMeasured(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for round := range 300 {
		var judgements []Judgement
		var verdicts []verdict
		for i := range 5 + rng.IntN(30) {
			contains := rng.IntN(4) == 0
			if round%50 == 0 {
				contains = false // no positive row at all
			}
			judgements = append(judgements, Judgement{Question: fmt.Sprint(i % 5), Contains: contains})
			score := float32(rng.IntN(6)) / 5 // scores tie
			verdicts = append(verdicts, verdict{score, rng.IntN(2) == 0, rng.IntN(2) == 0})
		}
		best := func(without string) float64 {
			at, highest := math.Inf(1), 0.0
			for level := 5; level >= 0; level-- { // from the highest down, which wins ties
				threshold := float64(float32(level) / 5)
				var rest []Judgement
				var scores []float32
				for i, j := range judgements {
					if j.Question != without {
						rest, scores = append(rest, j), append(scores, verdicts[i].score)
					}
				}
				if d := scored(rest, func(i int) bool { return float64(scores[i]) >= threshold }); d.F1 > highest+1e-12 {
					at, highest = threshold, d.F1
				}
			}
			return at
		}
		asked := .4
		got := measured(&DetectorInfo{Decides: true}, judgements, verdicts, &asked)
		if want := scored(judgements, func(i int) bool { return float64(verdicts[i].score) >= best(judgements[i].Question) }); !near(*got.LeftOut, want) {
			t.Fatalf("left out: %+v, want %+v", got.LeftOut, want)
		}
		if want := scored(judgements, func(i int) bool { return verdicts[i].supports }); !near(*got.MostProbable, want) {
			t.Errorf("most probable: %+v, want %+v", got.MostProbable, want)
		}
		if want := scored(judgements, func(i int) bool { return verdicts[i].score >= .4 }); !near(*got.Given, want) {
			t.Errorf("given: %+v, want %+v", got.Given, want)
		}
		switch want := best("none of them"); {
		case math.IsInf(want, 1) != (got.Threshold == nil):
			t.Errorf("threshold %v, want %v", got.Threshold, want)
		case got.Threshold != nil && *got.Threshold != want:
			t.Errorf("threshold %v, want %v", *got.Threshold, want)
		}
		if d := measured(&DetectorInfo{}, judgements, verdicts, nil); d.MostProbable != nil || d.Given != nil {
			t.Errorf("a detector without classes: %+v", d)
		}
	}
}
