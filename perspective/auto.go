package perspective

import (
	"errors"
	"math"
	"strconv"
	"strings"
)

// Auto is the name of the default ranking, which is no method: it takes for each kind of
// perspective the method that measurement chose.
const Auto = "auto"

// AutoTable is the name of the table of texts by which an encoder brings its own
// choices, one line each: see ParseChoices.
const AutoTable = "auto"

// Choice is the method that Auto takes for perspectives of a kind.
type Choice struct {
	Kind     Kind    `json:"kind"`
	Method   string  `json:"method"`   // a name or an alias of Methods
	Strength float64 `json:"strength"` // λ of a method that has one, β or γ of a method with angles, otherwise 0
}

// String is the choice as ParseChoices reads it, such as "stance contrast 0.4".
func (c Choice) String() string {
	line := string(c.Kind) + " " + c.Method
	if m, err := find(c.Method); err == nil && (m.Lambda || m.Angles > 0) {
		line += " " + strconv.FormatFloat(c.Strength, 'g', -1, 64)
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

// Choices are the table of Auto. A kind may have several, of which the first that a
// query can be answered by is taken.
type Choices []Choice

// DefaultChoices is the table for encoders that bring none. `vantage bench methods` made
// it with the bundled pack from Perspectrum's dev claims and half of the bundled topics:
// for stances, contrast is significantly better than the plain cosine. The sum of root,
// query and perspective is the safest of the others: for no other kind were there enough
// data to prefer a method to it.
func DefaultChoices() Choices {
	out := Choices{{KindStance, "contrast", 0.2}}
	for _, kind := range Kinds()[1:] {
		out = append(out, Choice{Kind: kind, Method: "tri-sum"})
	}
	return out
}

// maxChoices bounds the lines of a table, which comes from outside.
const maxChoices = 64

// ParseChoices reads a table, one line for a choice: the kind, the method and, if the
// method has one, its strength: "place pap -0.5". Errors name the line.
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
	if len(words) < 2 || len(words) > 3 {
		return c, "a line is a kind, a method and a strength"
	}
	for _, kind := range Kinds() {
		if kind != KindNone && string(kind) == words[0] {
			c.Kind = kind
		}
	}
	m, err := find(words[1])
	strong := err == nil && (m.Lambda || m.Angles > 0)
	switch {
	case c.Kind == KindNone:
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

// Choose returns the first choice for a kind that can answer a query, and otherwise the
// plain cosine, which needs the least.
func (t Choices) Choose(kind Kind, can func(Method) bool) Choice {
	for _, c := range t {
		if c.Kind != kind {
			continue
		}
		if m, err := Lookup(c.Method); err == nil && can(m) {
			return c
		}
	}
	return Choice{Kind: kind, Method: "none"}
}
