package sides

import (
	"context"
	"fmt"

	"github.com/vantage-search/vantage/internal/evaluation/compare"
	"github.com/vantage-search/vantage/internal/wasm/significance"
	"github.com/vantage-search/vantage/trec"
)

// Betas are the strengths with which the side counts when texts are ranked.
var Betas = []float64{0, .1, .2, .4, .8}

// Figures has the results on a data set. Comments name the functions that define them.
type Figures struct {
	Model     string `json:"model"`
	Dataset   string `json:"dataset"`
	Roots     int    `json:"roots"`
	Texts     int    `json:"texts"` // number of different texts
	For       int    `json:"for"`   // number of judgements
	Against   int    `json:"against"`
	Neither   int    `json:"neither"`
	Truncated int    `json:"truncated"` // texts longer than the model's limit

	// Ordered is the mean of the function Ordered over the roots that have pairs.
	Ordered         *float64  `json:"ordered"` // null if no root has pairs
	OrderedInterval *Interval `json:"ordered_interval"`
	// Accuracy is the share of texts with a side that RightSigns counts as right, over
	// the texts of all roots together.
	Accuracy float64 `json:"accuracy"`
	// CalibrationError is that of all texts: for, neither or against, or only for and
	// against if the data set has no text that is neither.
	CalibrationError float64     `json:"calibration_error"`
	Classes          int         `json:"classes"` // 3 or 2
	Calibration      Calibration `json:"calibration"`
	// Top is the share of questions that are answered right. A root has two questions, one
	// for each side, or one if it has texts on only one side. The answer is the text that
	// the function Top returns among all texts of the data set; it is right if it is on
	// that side of that root. Top has the means over the roots for each of Betas, and
	// compares them with the first. It is null if there are fewer than two roots with a question.
	Top *compare.Comparison `json:"top"`
	// OtherSide is null if no root has texts on both sides.
	OtherSide *OtherSides `json:"other_side"`
	// OnSubject is the share of judged texts whose cosine with the root is at least
	// Calibration.Subject.
	OnSubject float64 `json:"on_subject"`
}

// Interval is a bootstrap interval of 95 % over the roots.
type Interval struct {
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
	Roots int     `json:"roots"`
}

// measure computes the figures of a data set. It calls progress with the number of roots that
// are done.
func measure(ctx context.Context, s *Set, v *vectors, c Calibration, tests *compare.Tests, progress func(done, total int64)) (*Figures, error) {
	f := &Figures{Roots: len(s.Roots), Texts: len(s.Texts), For: s.count(For), Against: s.count(Against), Neither: s.count(Neither),
		Truncated: v.truncated, Classes: 2, Calibration: c}
	if f.Neither > 0 {
		f.Classes = 3
	}
	var ordered []float64
	var predictions []Prediction
	right, signs, near := 0, 0, 0
	top := trec.Values{Measure: "top hit right", Runs: make([][]float64, len(Betas))}
	cosines, scores := make([]float64, len(s.Texts)), make([]float64, len(s.Texts))
	for i := range s.Roots {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		root := &s.Roots[i]
		v.score(i, cosines, scores)
		var scored []Scored
		for _, l := range root.Labels {
			t := Scored{scores[l.Text], l.Side}
			scored = append(scored, t)
			if cosines[l.Text] >= c.Subject {
				near++
			}
			predictions = append(predictions, predict(c, t, f.Classes))
		}
		if share, ok := Ordered(scored); ok {
			ordered = append(ordered, share)
		}
		r, of := RightSigns(scored)
		right, signs = right+r, signs+of
		if of > 0 {
			top.Queries = append(top.Queries, fmt.Sprint(i+1))
			for b, beta := range Betas {
				top.Runs[b] = append(top.Runs[b], root.topRight(cosines, scores, beta))
			}
		}
		progress(int64(i+1), int64(len(s.Roots)))
	}
	f.OnSubject = float64(near) / float64(len(predictions))
	f.Accuracy = float64(right) / float64(signs) // a set has texts with a side
	f.CalibrationError = CalibrationError(predictions)
	if len(ordered) > 0 {
		mean, interval, err := significance.Mean(ordered, tests.Rounds, tests.Seed)
		if err != nil {
			return nil, err
		}
		f.Ordered, f.OrderedInterval = &mean, &Interval{interval.Low, interval.High, len(ordered)}
	}
	if len(top.Queries) > 1 { // a single root cannot be tested
		var names []string
		for _, beta := range Betas {
			names = append(names, fmt.Sprintf("β = %g", beta))
		}
		found, err := tests.CompareWithFirst(names, top, make(trec.Missing, len(Betas)))
		if err != nil {
			return nil, err
		}
		f.Top = &found
	}
	var err error
	f.OtherSide, err = otherSides(ctx, s, v, c.Subject)
	return f, err
}

// topRight returns the share of a root's questions, for and against, whose first text is right.
// The root must have texts on at least one side.
func (r *Root) topRight(cosines, scores []float64, beta float64) float64 {
	right, asked := 0, 0
	for _, side := range []Side{For, Against} {
		if r.count(side) == 0 {
			continue
		}
		asked++
		first := Top(cosines, scores, float64(side)*beta)
		for _, l := range r.Labels {
			if l.Text == first && l.Side == side {
				right++
			}
		}
	}
	return float64(right) / float64(asked)
}
