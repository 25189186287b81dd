// Package stance turns scores into sides: whether a text is for a root, against it, or
// on neither side, and how probably. All code that tells sides (says which side a text is
// on) uses this one definition, and it gives the same bits on every machine.
package stance

import (
	"strconv"

	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/internal/wasm/logs"
)

// Side of a text towards a root.
type Side int8

// The sides.
const (
	Against Side = iota - 1
	Neither
	For
)

// String is the side's name: "for", "against" or "neither".
func (s Side) String() string {
	switch s {
	case For:
		return "for"
	case Against:
		return "against"
	}
	return "neither"
}

// The names of the tables of numbers in a pack that hold the constants of a Calibration.
const (
	Table        = "calibration" // Calibration.TwoWidth, Width and Level, in this order
	SubjectTable = "subject"     // Calibration.Subject alone
)

// Calibration has the constants by which scores become probabilities. A score is (u − v)·a,
// where u and v are the angles of two queries, one for texts that support the root and one for
// texts that oppose it, and a is the angle of a text, all of unit length.
type Calibration struct {
	Width    float64 `json:"width"`     // of the sigmoids of three classes
	Level    float64 `json:"level"`     // score at which the first sigmoid is one half
	TwoWidth float64 `json:"two_width"` // of the sigmoid of two classes
	Subject  float64 `json:"subject"`   // least cosine of root and text at which the text is on the subject
}

// Standard constants are those that were fitted for the angle branch of Vantage's own
// model, on Perspectrum's development split and on texts written for this project. The cosine
// with a development claim is at least Subject for 76 % of the texts that people judged to be
// for or against it, and for 2 % of the texts of other claims. (With .124 it would be 99 % and
// 45 %, so that most of what a page counts would be on another subject.)
var Standard = Calibration{Width: .175, Level: .14, TwoWidth: .255, Subject: .4}

// Of returns the constants in a pack's tables of numbers, or those of Standard in place of
// a table that is missing.
func Of(numbers map[string][]float64) (Calibration, error) {
	c := Standard
	if n, ok := numbers[Table]; ok {
		if len(n) != 3 {
			return Calibration{}, errTable(n)
		}
		c.TwoWidth, c.Width, c.Level = n[0], n[1], n[2]
	}
	if n, ok := numbers[SubjectTable]; ok {
		if len(n) != 1 {
			return Calibration{}, errSubject(n...)
		}
		c.Subject = n[0]
	}
	return c, c.Check()
}

// Check refuses constants that give no valid probabilities.
func (c Calibration) Check() error {
	switch {
	case !(c.TwoWidth > 0 && c.TwoWidth <= most && c.Width > 0 && c.Width <= most && c.Level >= 0 && c.Level <= most):
		return errTable([]float64{c.TwoWidth, c.Width, c.Level})
	case !(c.Subject >= -1 && c.Subject <= 1):
		return errSubject(c.Subject)
	}
	return nil
}

// OnSubject says whether a text with this cosine to the root is on the subject.
func (c Calibration) OnSubject(cosine float32) bool { return float64(cosine) >= c.Subject }

// most bounds the constants. A score is at most 2.
const most = 1e6

func errTable(n []float64) error {
	return fault.New(fault.Input, "the pack's table \""+Table+"\" is "+list(n)+": it must be the width of two classes and that of three, both above 0, and the level of three, from 0 on, none above 1e6")
}

func errSubject(n ...float64) error {
	return fault.New(fault.Input, "the pack's table \""+SubjectTable+"\" is "+list(n)+": it must be one cosine, from -1 to 1")
}

func list(n []float64) string {
	text := "["
	for i, v := range n[:min(len(n), 8)] {
		if i > 0 {
			text += " "
		}
		text += strconv.FormatFloat(v, 'g', -1, 64)
	}
	return text + "]"
}

// String lists the constants of the probabilities.
func (c Calibration) String() string {
	g := func(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
	return "three classes: width " + g(c.Width) + ", level " + g(c.Level) + "; two classes: width " + g(c.TwoWidth)
}

// sigmoid is 1/(1 + e^−x), and 0 or 1 if x is beyond ±700.
func sigmoid(x float64) float64 {
	switch {
	case x < -700:
		return 0
	case x > 700:
		return 1
	}
	return 1 / (1 + logs.Exp(-x))
}

// leastNeither is the least probability of neither side before the three are scaled to
// add up to 1.
const leastNeither = 1e-4

// Three are the probabilities that a text with a score is for the root, on neither side,
// and against it: sigmoid((score − Level)/Width), the rest, and
// sigmoid((−score − Level)/Width).
func (c Calibration) Three(score float64) (pro, neither, con float64) {
	pro, con = sigmoid((score-c.Level)/c.Width), sigmoid((-score-c.Level)/c.Width)
	both := pro + con
	neither = max(leastNeither, 1-both)
	sum := both + neither
	return pro / sum, neither / sum, con / sum
}

// Two is the probability that a text with a score is for the root, if it has a side:
// sigmoid(score/TwoWidth).
func (c Calibration) Two(score float64) float64 { return sigmoid(score / c.TwoWidth) }

// Threshold is the least score above 0 at which For is the most probable of three sides, and
// minus it is the greatest at which Against is. It is 0 if every score above 0 is For.
//
// With x = score/Width and l = Level/Width, Neither is at most as probable as For if
// sigmoid(x + l) ≤ 2·sigmoid(x − l), which is x ≥ ln(e^l − 2e^−l).
func (c Calibration) Threshold() float64 {
	l := c.Level / c.Width
	if l > 300 {
		return c.Level // the variable rest would be 1, and its logarithm 0
	}
	rest := 1 - 2*logs.Exp(-2*l)
	if rest <= 0 {
		return 0
	}
	return max(0, c.Level+float64(c.Width*logs.Log(rest)))
}

// Side is the most probable of three sides for a score; threshold is what Threshold returns. A
// text with the score 0 is on neither side.
func (c Calibration) Side(score, threshold float64) Side {
	switch {
	case score > 0 && score >= threshold:
		return For
	case score < 0 && -score >= threshold:
		return Against
	}
	return Neither
}
