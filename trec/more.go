package trec

import (
	"errors"
	"math"
	"strconv"
	"strings"
)

// This file names the measures that ir_measures takes from cwl_eval (cwl.go), and two that
// it computes itself, Compat and Accuracy (pairs.go). It also has the gains setting of
// nDCG, which replaces grades by others.

const (
	scaleKeys = "min_rel (a grade; 0 unless given), max_rel (a greater grade, always needed)"
	goalKey   = "T (0 to 1e9), "
)

// scaleNames are the measures' names in ir_measures.
var scaleNames = []irName{
	{name: "Accuracy", whole: "Accuracy", at: "Accuracy", cut: true, keys: relKey},
	{name: "BPM", at: "BPM", cut: true, keys: goalKey + scaleKeys},
	{name: "Compat", whole: "Compat", keys: "p (0 to 1), normalize (True or False)"},
	{name: "INSQ", whole: "INSQ", keys: goalKey + scaleKeys}, {name: "INST", whole: "INST", keys: "T (0.5 to 1e9), " + scaleKeys},
	{name: "NERR8", at: "NERR8", cut: true, keys: scaleKeys}, {name: "NERR9", at: "NERR9", cut: true, keys: scaleKeys},
	{name: "NERR10", whole: "NERR10", keys: "p (0 to 1), " + scaleKeys}, {name: "NERR11", whole: "NERR11", keys: goalKey + scaleKeys},
	{name: "SDCG", at: "SDCG", cut: true, keys: "dcg ('log2'), " + scaleKeys},
}

// scaleKinds are the kinds of the measures.
var scaleKinds = []*kind{
	{name: "Accuracy", value: accuracy, average: defined},
	{name: "BPM", scale: true, defaults: scaled(1), compute: cwl(untilSatisfied)},
	{name: "Compat", defaults: []float64{.95, 1}, compute: compatibility},
	{name: "INSQ", scale: true, defaults: scaled(1), compute: cwl(patient)},
	{name: "INST", scale: true, defaults: scaled(1), compute: cwl(adaptive)},
	{name: "NERR8", scale: true, defaults: scaled(0), compute: cwl(cascade)},
	{name: "NERR9", scale: true, defaults: scaled(0), compute: cwl(discountedCascade)},
	{name: "NERR10", scale: true, defaults: scaled(.9), compute: cwl(rankBiasedCascade)},
	{name: "NERR11", scale: true, defaults: scaled(1), compute: cwl(patientCascade)},
	{name: "SDCG", scale: true, defaults: scaled(0), compute: cwl(logarithmic)},
}

// scaled are the default parameters of a measure on a scale of grades: its own
// parameter, the least grade, and the greatest grade, which has no default.
func scaled(own float64) []float64 { return []float64{own, 0, math.NaN()} }

// checkSettings refuses invalid scales of grades, and settings that do not go together.
func (m *Measure) checkSettings(s *settings) error {
	switch {
	case m.kind.sided && s.side == "":
		return errors.New("side is needed, a subtopic of the judgements, as in " + m.kind.name + "(side=support)@5")
	case m.regraded != nil && s.exponential:
		return errors.New("gains goes with dcg='log2'")
	case !m.kind.scale:
		return nil
	case math.IsNaN(m.params[2]):
		return errors.New("max_rel is needed, the grade that is worth most, as in " + m.kind.name + "(max_rel=3)")
	case m.params[2] <= m.params[1]:
		return errors.New("max_rel has to be above min_rel")
	case m.kind.name == "INST" && m.params[0] < .5:
		return errors.New("its T has to be at least 0.5")
	}
	return nil
}

// regrade parses and removes gains={grade:grade,…} from the settings of nDCG.
func (m *Measure) regrade(entry *irName, list string) (rest string, err error) {
	before, after, found := strings.Cut(list, "gains={")
	if !found || entry.at != "ndcg_cut" || before != "" && !strings.HasSuffix(before, ",") {
		return list, nil
	}
	pairs, after, closed := strings.Cut(after, "}")
	if !closed {
		return "", errors.New("the brace of gains is not closed")
	}
	m.regraded = make(map[int32]int32)
	err = eachParam(pairs, func(pair string) error {
		from, to, _ := strings.Cut(pair, ":")
		grade, err := strconv.ParseInt(from, 10, 32)
		gain, err2 := strconv.ParseInt(to, 10, 32)
		if _, twice := m.regraded[int32(grade)]; err != nil || err2 != nil || grade < 0 || gain < 0 || twice {
			return errors.New(quote([]byte(pair)) + " in gains, where grade:gain is expected, both integers from 0 on, each grade once")
		}
		m.regraded[int32(grade)] = int32(gain)
		return nil
	})
	return strings.Trim(before+after, ","), err
}

// regrade replaces the grades of judged documents by others.
func (j *Judged) regrade(to map[int32]int32) {
	if to == nil {
		return
	}
	count := make(map[int32]int)
	for i, grade := range j.Grades {
		if g, other := to[grade]; other && grade >= 0 {
			j.Grades[i] = g
		}
	}
	for _, l := range j.Levels {
		if g, other := to[l.Grade]; other {
			l.Grade = g
		}
		count[l.Grade] += l.Count
	}
	j.Levels = sortedLevels(count)
}
