package retrieve

import (
	"os"
	"strings"

	"github.com/vantage-search/vantage/internal/model"
	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// Names of retrievers beside those of models.
const (
	BM25Name   = "bm25"
	OkapiName  = "okapi"
	HybridName = "hybrid"
)

// Options of a model that --retriever names.
const (
	PoolingOption    = "pooling"
	QueryModelOption = "query-model"
)

// Spec is a model as --retriever names it, with what holds for it alone:
// MODEL[,pooling=WAY][,query-model=MODEL].
type Spec struct {
	Given      string // as it was written
	Name       string
	Pooling    model.Pooling // "": as --pooling or the model says
	QueryModel string        // "": as --query-model says, or the same
}

// ParseSpec takes the options off a name. A folder that is there as it is
// written has none, whatever commas are in its name.
func ParseSpec(given string) (s Spec, err error) {
	s = Spec{Given: given, Name: given}
	for {
		at := strings.LastIndexByte(s.Name, ',')
		if at < 0 {
			break
		}
		if _, err := os.Stat(s.Name); err == nil {
			break
		}
		key, value, ok := strings.Cut(s.Name[at+1:], "=")
		if !ok {
			break
		}
		switch {
		case key != PoolingOption && key != QueryModelOption:
			return s, fault.Errorf(fault.Query, "--retriever %s: %q is no option of a model: there are %s=WAY and %s=MODEL", given, key, PoolingOption, QueryModelOption)
		case value == "":
			return s, fault.Errorf(fault.Query, "--retriever %s: %s is empty: give a value, or leave it out", given, key)
		case key == PoolingOption && s.Pooling != "", key == QueryModelOption && s.QueryModel != "":
			return s, fault.Errorf(fault.Query, "--retriever %s: %s is there twice", given, key)
		case key == QueryModelOption:
			s.QueryModel = value
		default:
			if s.Pooling, err = model.ParsePooling(value); err != nil {
				return s, fault.Errorf(fault.Query, "--retriever %s: %w", given, err)
			}
		}
		s.Name = s.Name[:at]
	}
	if s.Name == "" {
		return s, fault.Errorf(fault.Query, "--retriever %q names no model", given)
	}
	return s, nil
}

// Bare refuses options of what has no model to take them.
func (s *Spec) Bare() error {
	if s.Given != s.Name {
		return fault.Errorf(fault.Query, "--retriever %s: %s has no model: leave its options out", s.Given, s.Name)
	}
	return nil
}
