package trec

import (
	"errors"
	"strconv"
	"strings"
)

// settings are what stood in the brackets of an ir_measures name.
type settings struct {
	rel         int32
	judgedOnly  bool
	exponential bool // dcg='exp-log2'
	relative    bool
	params      [2]float64 // of the measure
	given       [2]bool    // which of them
}

// apply replaces the parameters that were given.
func (s *settings) apply(defaults []float64) []float64 {
	params := append([]float64{}, defaults...)
	for i := range params {
		if s.given[i] {
			params[i] = s.params[i]
		}
	}
	return params
}

func parseSettings(entry *irName, list string) (s settings, err error) {
	for _, part := range strings.Split(list, ",") {
		key, value, ok := strings.Cut(part, "=")
		known := false
		for _, k := range strings.Split(entry.keys, ", ") {
			known = known || k == key
		}
		if !ok || !known {
			if entry.keys == "" {
				return s, errors.New(entry.name + " takes nothing in brackets")
			}
			return s, errors.New(quote([]byte(part)) + " in the brackets: " + entry.name + " takes " + entry.keys + ", as in rel=2 or p=0.8")
		}
		if err := s.set(entry, key, value); err != nil {
			return s, err
		}
	}
	return s, nil
}

func (s *settings) set(entry *irName, key, value string) (err error) {
	switch key {
	case "rel":
		n, err := strconv.ParseInt(value, 10, 32)
		if err != nil || n < 1 {
			return errors.New("rel is the least grade that is relevant, a whole number from 1 on, not " + quote([]byte(value)))
		}
		s.rel = int32(n)
	case "judged_only":
		s.judgedOnly, err = parseTruth(key, value)
	case "relative":
		s.relative, err = parseTruth(key, value)
	case "dcg":
		switch value {
		case "'log2'", `"log2"`, "log2":
		case "'exp-log2'", `"exp-log2"`, "exp-log2":
			s.exponential = true
		default:
			return errors.New("dcg is 'log2' or 'exp-log2', not " + quote([]byte(value)))
		}
	default: // p, alpha, beta
		x, problem := strconv.ParseFloat(value, 64)
		most := 1.0
		place := 0
		switch {
		case key == "beta" && entry.name == "SetF":
			most = 1e9
		case key == "beta":
			place = 1
		}
		if problem != nil || !(x >= 0 && x <= most) {
			return errors.New(key + " is a number from 0 to " + strconv.FormatFloat(most, 'g', -1, 64) + ", not " + quote([]byte(value)))
		}
		s.params[place], s.given[place] = x, true
	}
	return err
}

func parseTruth(key, value string) (bool, error) {
	if value != "True" && value != "False" {
		return false, errors.New(key + " is True or False, not " + quote([]byte(value)))
	}
	return value == "True", nil
}
