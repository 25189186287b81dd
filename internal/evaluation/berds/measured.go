package berds

import (
	"math"
	"slices"
)

// Detection is the result of a detector (paper, Table 7).
type Detection struct {
	Positive float64 `json:"positive"` // share of rows that it calls positive
	Accuracy float64 `json:"accuracy"`
	F1       float64 `json:"f1"`
}

// DetectorResult are a detector's results on a test of perspective detection.
type DetectorResult struct {
	DetectorInfo
	// MostProbable is the result of taking the most probable answer; nil if the detector
	// has no classes to choose from.
	MostProbable *Detection `json:"most_probable,omitempty"`
	// LeftOut is the result of thresholds by leave-one-question-out: on the rows of each
	// question, the threshold with the highest F1 on the rows of all other questions.
	// nil for answers without scores.
	LeftOut *Detection `json:"leave_one_question_out,omitempty"`
	// Threshold has the highest F1 on all rows: for questions beyond this test. nil if
	// no row is positive, and for answers without scores.
	Threshold *float64 `json:"threshold"`
	// Given is the result of the threshold that was asked for; nil if none was.
	Given *Detection `json:"given,omitempty"`
	// Refused are replies of a chat model that could not be used; they count as no.
	Refused int `json:"refused,omitempty"`
}

// measured are the results of verdicts on the rows of a test. asked is a threshold that
// was asked for, or nil.
func measured(info *DetectorInfo, judgements []Judgement, verdicts []verdict, asked *float64) *DetectorResult {
	out := &DetectorResult{DetectorInfo: *info, Refused: refusedBy(info, verdicts)}
	of := func(says func(i int) bool) Detection {
		var c counts
		for i, j := range judgements {
			c.add(says(i), j.Contains)
		}
		return c.detection()
	}
	if info.Decides {
		d := of(func(i int) bool { return contains(verdicts[i], nil) })
		out.MostProbable = &d
	}
	if info.ByPrompt {
		return out
	}
	if asked != nil {
		d := of(func(i int) bool { return contains(verdicts[i], asked) })
		out.Given = &d
	}
	thresholds := map[string]float64{}
	for _, j := range judgements {
		if _, known := thresholds[j.Question]; !known {
			thresholds[j.Question] = bestThreshold(judgements, verdicts, j.Question)
		}
	}
	leftOut := of(func(i int) bool {
		t := thresholds[judgements[i].Question]
		return contains(verdicts[i], &t)
	})
	out.LeftOut = &leftOut
	if t := bestThreshold(judgements, verdicts, ""); !math.IsInf(t, 0) {
		out.Threshold = &t
	}
	return out
}

// bestThreshold is the threshold with the highest F1 on all rows except those of the question
// without; of several, it is the highest. It is +Inf if no threshold has an F1 above 0. Only
// the scores themselves are tried, because nothing changes between two of them.
func bestThreshold(judgements []Judgement, verdicts []verdict, without string) float64 {
	var rows []int
	contained := 0
	for i, j := range judgements {
		if j.Question == without {
			continue
		}
		rows = append(rows, i)
		if j.Contains {
			contained++
		}
	}
	slices.SortStableFunc(rows, func(a, b int) int {
		switch x, y := verdicts[a].score, verdicts[b].score; {
		case x > y:
			return -1
		case x < y:
			return 1
		}
		return 0
	})
	best, highest := math.Inf(1), 0.0
	hits := 0
	for n, i := range rows {
		if judgements[i].Contains {
			hits++
		}
		if n+1 < len(rows) && verdicts[rows[n+1]].score == verdicts[i].score {
			continue // all rows of one score are positive together
		}
		if f1 := ratio(2*hits, n+1+contained); f1 > highest {
			best, highest = float64(verdicts[i].score), f1
		}
	}
	return best
}

// DetectionOnPerspectrum is detection on Perspectrum's test claims. Each document that
// people judged for a claim is two rows: whether it supports the claim, and whether it
// opposes it. The right answer to exactly one of the two is yes.
type DetectionOnPerspectrum struct {
	Claims   int              `json:"claims"` // that have documents
	Rows     int              `json:"rows"`   // documents of claims, each of them twice
	Random   Detection        `json:"random"` // expected of guessing
	Detector Detection        `json:"detector"`
	Also     []NamedDetection `json:"also,omitempty"` // of the other detectors that were asked for
	// Refused are replies of the chat model that could not be used; they count as neither.
	Refused int `json:"refused,omitempty"`

	name string
}

// NamedDetection is the result of a detector with its name.
type NamedDetection struct {
	Name string `json:"name"`
	Detection
}

// counts are those of a detector's answers.
type counts struct{ rows, positive, hits, right, contained int }

func (c *counts) add(said, contains bool) {
	c.rows++
	if said {
		c.positive++
	}
	if contains {
		c.contained++
	}
	if said && contains {
		c.hits++
	}
	if said == contains {
		c.right++
	}
}

// detection has the F1 of the positive class, 2·hits/(positive + contained).
func (c *counts) detection() Detection {
	return Detection{Positive: ratio(c.positive, c.rows), Accuracy: ratio(c.right, c.rows), F1: ratio(2*c.hits, c.positive+c.contained)}
}
