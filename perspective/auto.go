package perspective

import (
	"cmp"
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Auto is the name of the default ranking. It is not a method itself: it takes the method
// that a table has for the query's kind of perspective. See DefaultChoices.
const Auto = "auto"

// AutoTable is the name of the table of texts in which an encoder can bring choices of its own,
// one a line: see ParseChoices.
const AutoTable = "auto"

// Choice is the method that Auto takes for perspectives of a kind.
type Choice struct {
	Kind     Kind    `json:"kind"`
	Method   string  `json:"method"`   // a name or an alias of Methods
	Strength float64 `json:"strength"` // λ of a method that has one, β or γ of a method with angles, otherwise 0
	Hybrid   bool    `json:"hybrid"`   // whether the method's ranking is fused with BM25 of the query's words
	Weight   float64 `json:"weight"`   // of the words in the fusion, above 0 and at most 1; 0 without Hybrid
}

// HybridFusion is how the two rankings of a Choice with Hybrid are fused: the scores of
// each are spread from 0 to 1 and then summed with their weights. It is one of the fusions
// of vantage.Hybrid.
const HybridFusion = "min-max"

// HybridWeight is the Weight of a Choice with Hybrid if its line names none.
const HybridWeight = 0.3

// Words in a line of a table that are neither a method nor a strength.
const (
	noPerspective = "none"   // the kind KindNone
	withWords     = "hybrid" // Choice.Hybrid
)

// String returns the choice as a line that ParseChoices reads, such as "stance contrast 0.4
// hybrid".
func (c Choice) String() string {
	line := cmp.Or(string(c.Kind), noPerspective) + " " + c.Method
	if m, err := find(c.Method); err == nil && (m.Lambda || m.Angles > 0) {
		line += " " + strconv.FormatFloat(c.Strength, 'g', -1, 64)
	}
	if c.Hybrid {
		line += " " + withWords
		if c.Weight != HybridWeight {
			line += " " + strconv.FormatFloat(c.Weight, 'g', -1, 64)
		}
	}
	return line
}

// Lambda is the strength of the projection: 1 for methods that ignore it.
func (c Choice) Lambda() float64 {
	if m, err := find(c.Method); err == nil && m.Lambda {
		return c.Strength
	}
	return 1
}

// Choices are the table of Auto. If a kind has several, the first one whose method can answer
// the query is taken.
type Choices []Choice

// DefaultChoices returns the table for encoders that bring none. `vantage bench methods` made
// it with the bundled pack from development data (docs/accuracy.md). Some choices are
// significantly better than the plain cosine: contrast for stances; the cosine with words for
// queries without a perspective; and the cosine of the root with words for analogies, and for
// what the root itself supports or opposes. For the other kinds there were not enough data to
// prefer a method. They get the safest one, the sum of root, query and perspective. Political
// leanings are an exception: the encoder does not tell them apart, so PAP+ takes their wording
// out of the query.
func DefaultChoices() Choices {
	out := Choices{
		{Kind: KindNone, Method: "none", Hybrid: true, Weight: HybridWeight},
		{Kind: KindStance, Method: "contrast", Strength: 0.4},
		{Kind: KindLeaning, Method: "pap+", Strength: 1},
		{Kind: KindAnalogy, Method: "root", Hybrid: true, Weight: 0.6},
		{Kind: KindConverse, Method: "root", Hybrid: true, Weight: HybridWeight},
	}
	for _, kind := range []Kind{KindStance, KindTime, KindTopic, KindPlace, KindEvidence, KindAudience, KindFree} {
		out = append(out, Choice{Kind: kind, Method: "tri-sum"})
	}
	return out
}

// maxChoices bounds the lines of a table, which comes from outside.
const maxChoices = 64

// ParseChoices reads a table, one line for a choice: the kind, the method, its strength if
// it has one, and "hybrid" if its ranking is fused with BM25, with the weight of the words
// if that is not HybridWeight: "place pap -0.5 hybrid 0.6". The kind of queries without a
// perspective is "none". Errors name the line.
func ParseChoices(lines []string) (Choices, error) {
	if len(lines) > maxChoices {
		return nil, errors.New("table " + AutoTable + ": " + strconv.Itoa(len(lines)) + " lines, must be at most " + strconv.Itoa(maxChoices))
	}
	var out Choices
	for _, line := range lines {
		c, problem := parseChoice(strings.Fields(line))
		if problem != "" {
			return nil, errors.New("table " + AutoTable + ": " + strconv.Quote(line[:min(len(line), 80)]) + ": " + problem)
		}
		out = append(out, c)
	}
	return out, nil
}

func parseChoice(words []string) (c Choice, problem string) {
	if at := slices.Index(words, withWords); at >= 2 {
		c.Hybrid, c.Weight = true, HybridWeight
		if weight := words[at+1:]; len(weight) > 0 {
			var err error
			if c.Weight, err = strconv.ParseFloat(weight[0], 64); err != nil || !(c.Weight > 0 && c.Weight <= 1) || len(weight) > 1 {
				return c, "after " + withWords + " is the weight of the words, above 0 and at most 1"
			}
		}
		words = words[:at]
	}
	if len(words) < 2 || len(words) > 3 {
		return c, "a line is a kind, a method, a strength, and " + withWords + " with a weight"
	}
	known := words[0] == noPerspective
	for _, kind := range Kinds()[1:] {
		if string(kind) == words[0] {
			c.Kind, known = kind, true
		}
	}
	m, err := find(words[1])
	strong := err == nil && (m.Lambda || m.Angles > 0)
	switch {
	case !known:
		return c, "unknown kind of perspective"
	case err != nil:
		return c, "unknown method"
	case strong != (len(words) == 3):
		return c, "a strength goes with a method that has one, and must then be given"
	}
	c.Method = m.Short()
	if strong {
		if c.Strength, err = strconv.ParseFloat(words[2], 64); err != nil || !(math.Abs(c.Strength) <= MaxLambda) {
			return c, "the strength must be a number from -10 to 10"
		}
	}
	return c, ""
}

// Choose returns the first choice for a kind whose method can answer the query. If there is
// none, it returns the plain cosine, which needs the least. words says whether the collection
// can be ranked by BM25. If it cannot, the method ranks alone. can is given methods without Summary and Formula.
func (t Choices) Choose(kind Kind, words bool, can func(Method) bool) Choice {
	for _, c := range t {
		if c.Kind != kind {
			continue
		}
		if m, err := find(c.Method); err == nil && can(*m) {
			if !words {
				c.Hybrid, c.Weight = false, 0
			}
			return c
		}
	}
	return Choice{Kind: kind, Method: "none"}
}
