package trec

import (
	"errors"
	"sort"
	"strconv"
	"strings"
)

// syntax is the form of a measure's parameters, which follow the name and a dot.
type syntax int

const (
	plain        syntax = iota
	cutoffs             // P.5,10: positive integers, one value for each
	shares              // iprec_at_recall.0,.5: numbers, one value for each
	coefficients        // utility.1,-1,0,0: numbers, one value
	gradeGains          // ndcg.1=3.5,2=9: gains of grades, one value
)

// maxParams is the most parameters of a measure.
const maxParams = 1000

// ParseMeasures reads measures in the syntax of trec_eval's -m: a name ("map"), a name with parameters ("P.5,10",
// "ndcg.1=3.5,2=9.0"), or a nickname ("official", "set", "all_trec"). The result has each of these once, in
// trec_eval's order; if one is named several times, its first parameters hold. Names of ir_measures ("nDCG@10",
// "P(rel=2)@5", "RBP(p=0.8)@10", "alpha_nDCG@10"; F1@5 is ours) follow in the given order. An empty list means
// all_trec. The error for an unknown name lists the known names.
func ParseMeasures(asked []string) ([]*Measure, error) {
	if len(asked) == 0 {
		asked = []string{"all_trec"}
	}
	wanted := make([]bool, len(kinds))
	params := make([]string, len(kinds))
	var more []*Measure
	for _, a := range asked {
		name, p, has := strings.Cut(a, ".")
		if named(a) == nil {
			m, err := parseNamed(a)
			if err != nil {
				return nil, err
			}
			if m != nil {
				more = append(more, m)
				continue
			}
		}
		names := named(name)
		if names == nil {
			return nil, unknown(a)
		}
		if has && p == "" {
			return nil, measureError(a, "the parameters after the dot are missing")
		}
		for _, n := range names {
			wanted[kindOf(n)] = true
		}
		if k := kindOf(name); has && k >= 0 && params[k] == "" {
			params[k] = p
		}
	}
	var measures []*Measure
	for i, k := range kinds {
		if !wanted[i] {
			continue
		}
		m := &Measure{kind: k}
		if err := m.configure(params[i]); err != nil {
			return nil, measureError(k.name+"."+params[i], err.Error())
		}
		measures = append(measures, m)
	}
	return append(measures, more...), nil
}

// kindOf is the index in kinds of the measure with a name, or -1.
//
//go:noinline
func kindOf(name string) int {
	for i, k := range kinds {
		if k.name == name {
			return i
		}
	}
	return -1
}

// named are the measures that a name or nickname means.
//
//go:noinline
func named(name string) []string {
	switch name {
	case "official":
		return official
	case "set":
		return sets
	}
	var names []string
	for _, k := range kinds {
		if k.name == name || name == "all_trec" {
			names = append(names, k.name)
		}
	}
	return names
}

// measureError is not inlined, so that the browser module stays small.
//
//go:noinline
func measureError(asked, problem string) error {
	return errors.New("measure " + quote([]byte(asked)) + ": " + problem)
}

// configure parses the parameters ("" means the defaults) and names the values.
func (m *Measure) configure(text string) (err error) {
	m.params = m.kind.defaults
	if text != "" {
		switch m.kind.syntax {
		case plain: // trec_eval accepts and ignores parameters
		case cutoffs:
			m.params, err = parseNumbers(text, parseCutoff)
		case shares, coefficients:
			m.params, err = parseNumbers(text, parseCoefficient)
		case gradeGains:
			m.gains, err = parseGains(text)
		}
		if err != nil {
			return err
		}
		if m.kind.name == "utility" && len(m.params) != 4 {
			return errors.New("utility takes four coefficients, not " + strconv.Itoa(len(m.params)))
		}
	}
	m.names = []string{m.kind.name}
	switch {
	case m.kind.syntax == cutoffs || m.kind.syntax == shares:
		if text != "" {
			m.params, err = ascending(m.params)
		}
		m.names = m.names[:0]
		for _, p := range m.params {
			decimals := 0
			if m.kind.syntax == shares {
				decimals = 2
			}
			m.names = append(m.names, m.kind.name+"_"+strconv.FormatFloat(p, 'f', decimals, 64))
		}
	case text != "" && m.kind.syntax != plain:
		m.names[0] += "_" + text
	}
	return err
}

func parseNumbers(text string, parse func(string) (float64, error)) ([]float64, error) {
	var numbers []float64
	err := eachParam(text, func(part string) error {
		x, err := parse(part)
		numbers = append(numbers, x)
		return err
	})
	return numbers, err
}

// eachParam calls its argument with each parameter in order, up to the first error.
func eachParam(text string, take func(part string) error) error {
	if strings.Count(text, ",") >= maxParams {
		return errors.New("more than " + strconv.Itoa(maxParams) + " parameters")
	}
	for more := true; more; {
		var part string
		part, text, more = strings.Cut(text, ",")
		if err := take(part); err != nil {
			return err
		}
	}
	return nil
}

func parseCutoff(text string) (float64, error) {
	n, err := strconv.ParseInt(text, 10, 32)
	if err != nil || n <= 0 {
		return 0, errors.New("the cutoff " + quote([]byte(text)) + " is not a positive integer")
	}
	return float64(n), nil
}

func parseCoefficient(text string) (float64, error) {
	const most = 1e9 // greater ones would overflow a number of documents
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || !(x >= -most && x <= most) {
		return 0, errors.New(quote([]byte(text)) + " is not a number of at most 1e9")
	}
	return x, nil
}

func parseGains(text string) ([]gain, error) {
	var gains []gain
	err := eachParam(text, func(part string) error {
		grade, value, ok := strings.Cut(part, "=")
		if !ok {
			return errors.New(quote([]byte(part)) + " is not of the form grade=gain")
		}
		g, err := strconv.ParseInt(grade, 10, 32)
		if err != nil || g < 0 {
			return errors.New("the grade " + quote([]byte(grade)) + " is not an integer from 0 on")
		}
		for _, before := range gains {
			if before.grade == int32(g) {
				return errors.New("grade " + grade + " has two gains")
			}
		}
		x, err := parseCoefficient(value)
		gains = append(gains, gain{grade: int32(g), value: x})
		return err
	})
	return gains, err
}

// ascending sorts cutoffs and refuses duplicates.
func ascending(cutoffs []float64) ([]float64, error) {
	//lint:ignore S1032 sort.Float64s is slices.Sort since Go 1.22: 10 KB of generic code in the core
	sort.Sort(sort.Float64Slice(cutoffs))
	for i := 1; i < len(cutoffs); i++ {
		if cutoffs[i] == cutoffs[i-1] {
			return nil, errors.New("the cutoff " + strconv.FormatFloat(cutoffs[i], 'g', -1, 64) + " is there twice")
		}
	}
	return cutoffs, nil
}
