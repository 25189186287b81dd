package main

import (
	"os"
	"strings"

	"github.com/vantage-search/vantage/internal/model"
)

// Options of a model that --retriever names.
const (
	poolingOption    = "pooling"
	queryModelOption = "query-model"
)

// modelSpec is a model as --retriever names it, with what holds for it alone:
// MODEL[,pooling=WAY][,query-model=MODEL].
type modelSpec struct {
	given      string // as it was written
	name       string
	pooling    model.Pooling // "": as --pooling or the model says
	queryModel string        // "": as --query-model says, or the same
}

// parseModelSpec takes the options off a name. A folder that is there as it is
// written has none, whatever commas are in its name.
func parseModelSpec(given string) (s modelSpec, err error) {
	s = modelSpec{given: given, name: given}
	for {
		at := strings.LastIndexByte(s.name, ',')
		if at < 0 {
			break
		}
		if _, err := os.Stat(s.name); err == nil {
			break
		}
		key, value, ok := strings.Cut(s.name[at+1:], "=")
		if !ok {
			break
		}
		switch {
		case key != poolingOption && key != queryModelOption:
			return s, usagef("--retriever %s: %q is no option of a model: there are %s=WAY and %s=MODEL", given, key, poolingOption, queryModelOption)
		case value == "":
			return s, usagef("--retriever %s: %s is empty: give a value, or leave it out", given, key)
		case key == poolingOption && s.pooling != "", key == queryModelOption && s.queryModel != "":
			return s, usagef("--retriever %s: %s is there twice", given, key)
		case key == queryModelOption:
			s.queryModel = value
		default:
			if s.pooling, err = model.ParsePooling(value); err != nil {
				return s, usagef("--retriever %s: %w", given, err)
			}
		}
		s.name = s.name[:at]
	}
	if s.name == "" {
		return s, usagef("--retriever %q names no model", given)
	}
	return s, nil
}

// bare refuses options of what has no model to take them.
func (s *modelSpec) bare() error {
	if s.given != s.name {
		return usagef("--retriever %s: %s has no model: leave its options out", s.given, s.name)
	}
	return nil
}
