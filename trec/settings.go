package trec

import (
	"errors"
	"math"
	"strconv"
	"strings"
)

// settings are the settings in the brackets of an ir_measures name.
type settings struct {
	rel         int32
	judgedOnly  bool
	exponential bool // dcg='exp-log2'
	relative    bool
	params      [3]float64 // parameters of the measure
	given       [3]bool    // which parameters were given
	side        string
}

// apply sets the parameters that were given.
func (s *settings) apply(defaults []float64) []float64 {
	params := append([]float64{}, defaults...)
	for i := range params {
		if s.given[i] {
			params[i] = s.params[i]
		}
	}
	return params
}

// parseSettings parses key=value pairs, and refuses keys that the measure does not
// take.
//
//go:noinline
func parseSettings(entry *irName, list string) (s settings, err error) {
	for more := true; more; {
		var part string
		part, list, more = strings.Cut(list, ",")
		key, value, _ := strings.Cut(part, "=")
		// A key is a word before a bracket: commas also divide what the brackets say.
		good := strings.Contains(", "+entry.keys, ", "+key+" (") && s.set(entry, key, value)
		switch {
		case strings.Contains(","+list, ","+key+"="):
			return s, errors.New(key + " is there twice")
		case !good && entry.keys == "":
			return s, errors.New(entry.name + " takes nothing in brackets")
		case !good:
			return s, errors.New(quote([]byte(part)) + " in the brackets, where " + entry.name + " takes " + entry.keys)
		}
	}
	return s, nil
}

// set sets a key and reports whether the value is valid for it.
//
//go:noinline
func (s *settings) set(entry *irName, key, value string) bool {
	switch key {
	case "rel":
		n, err := strconv.ParseInt(value, 10, 32)
		s.rel = int32(n)
		return err == nil && n >= 1
	case "judged_only":
		s.judgedOnly = value == "True"
		return s.judgedOnly || value == "False"
	case "relative":
		s.relative = value == "True"
		return s.relative || value == "False"
	case "dcg":
		if n := len(value); n > 2 && value[0] == value[n-1] && (value[0] == '\'' || value[0] == '"') {
			value = value[1 : n-1]
		}
		s.exponential = value == "exp-log2" && entry.name != "SDCG"
		return s.exponential || value == "log2"
	case "side":
		s.side = value
		return value != ""
	case "normalize":
		x := 0.0
		if value == "True" {
			x = 1
		}
		return s.number(1, x, 1) && (x == 1 || value == "False")
	case "min_rel", "max_rel":
		x, err := strconv.ParseInt(value, 10, 32)
		place := 1
		if key == "max_rel" {
			place = 2
		}
		return s.number(place, float64(x), math.MaxInt32) && err == nil
	}
	// p, T, alpha, beta
	place, most := 0, 1.0
	switch {
	case key == "T", key == "beta" && entry.name == "SetF":
		most = 1e9
	case key == "beta":
		place = 1
	}
	x, err := strconv.ParseFloat(value, 64)
	return s.number(place, x, most) && err == nil
}

// number sets a parameter and reports whether it is from 0 to most.
func (s *settings) number(place int, x, most float64) bool {
	s.params[place], s.given[place] = x, true
	return x >= 0 && x <= most
}
