package retrieve

import (
	"os"
	"strings"

	"github.com/vantage-search/vantage/internal/model"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/perspective"
)

// Names of retrievers that are not models.
const (
	BM25Name   = "bm25"
	OkapiName  = "okapi"
	HybridName = "hybrid"
)

// BundledName is the name of the bundled pack, package sides.
const BundledName = "sides"

// Options that may follow a model's name in --retriever.
const (
	PoolingOption    = "pooling"
	QueryModelOption = "query-model"
	ScoreOption      = "score"
)

// Spec is a model with its own options, in the form that --retriever takes:
// MODEL[,pooling=WAY][,query-model=MODEL][,score=cosine|dot].
type Spec struct {
	Given      string // as given by the user
	Name       string
	Pooling    model.Pooling     // empty means what --pooling or the model says
	QueryModel string            // empty means what --query-model says, or the same model
	Score      perspective.Score // empty means what --score or the model says
}

// ParseSpec splits a name from its options. If a folder with exactly the given name
// exists, it has no options, even if its name contains commas.
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
		case key != PoolingOption && key != QueryModelOption && key != ScoreOption:
			return s, fault.Errorf(fault.Query, "--retriever %s: %q is not an option of a model: the options are %s=WAY, %s=MODEL and %s=%s", given, key,
				PoolingOption, QueryModelOption, ScoreOption, strings.Join(perspective.Scores(), "|"))
		case value == "":
			return s, fault.Errorf(fault.Query, "--retriever %s: %s is empty: give a value, or leave it out", given, key)
		case key == PoolingOption && s.Pooling != "", key == QueryModelOption && s.QueryModel != "", key == ScoreOption && s.Score != "":
			return s, fault.Errorf(fault.Query, "--retriever %s: %s is given twice", given, key)
		case key == QueryModelOption:
			s.QueryModel = value
		case key == ScoreOption:
			if s.Score, err = perspective.ParseScore(value); err != nil {
				return s, fault.Errorf(fault.Query, "--retriever %s: %w", given, err)
			}
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

// Bare refuses options of a retriever that has no model.
func (s *Spec) Bare() error {
	if s.Given != s.Name {
		return fault.Errorf(fault.Query, "--retriever %s: %s has no model: leave its options out", s.Given, s.Name)
	}
	return nil
}
