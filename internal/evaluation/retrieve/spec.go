package retrieve

import (
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/vantage-search/vantage/internal/model"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/internal/wasm/tokens"
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

// Options that may follow a model's name.
const (
	PoolingOption        = "pooling"
	QueryModelOption     = "query-model"
	ScoreOption          = "score"
	QueryPrefixOption    = "query-prefix"
	DocumentPrefixOption = "document-prefix"
	TokenBitsOption      = "token-bits"
)

// Options are the options that may follow a model's name.
func Options() []string {
	return []string{PoolingOption, QueryModelOption, ScoreOption, QueryPrefixOption, DocumentPrefixOption, TokenBitsOption}
}

// Completions are the options with their values, as far as those are known.
func Completions(poolings []string) (options []string) {
	values := map[string][]string{PoolingOption: poolings, ScoreOption: perspective.Scores(), TokenBitsOption: {"8", "4", "2"}}
	for _, name := range Options() {
		for _, value := range append(values[name], "")[:max(1, len(values[name]))] {
			options = append(options, name+"="+value)
		}
	}
	return options
}

// Spec is a model with its own options, in the form that --retriever and --reranker take:
// MODEL[,pooling=WAY][,query-model=MODEL][,score=cosine|dot][,query-prefix=TEXT][,document-prefix=TEXT]
// or, of a ColBERT, MODEL[,token-bits=8|4|2].
type Spec struct {
	Flag       string // that it was given with, for messages: --retriever, or another
	Given      string // as given by the user
	Name       string
	Pooling    model.Pooling     // empty means what --pooling or the model says
	QueryModel string            // empty means what --query-model says, or the same model
	Score      perspective.Score // empty means what --score or the model says

	TokenBits int // bits per component of a token's vector, as a collection stores it; 0: float32

	QueryPrefix, DocumentPrefix string // before every text; empty means the model's own prompts
}

// Same reports whether two specs name the same model with the same options.
func (s Spec) Same(other Spec) bool {
	s.Flag, s.Given, other.Flag, other.Given = "", "", "", ""
	return s == other
}

// ParseSpec splits a value of a flag into the model's name and its options. If there is a
// folder of exactly that name, the value has no options, even if it contains commas. Errors are
// of the kind fault.Query and name the flag.
func ParseSpec(flag, given string) (s Spec, err error) {
	s = Spec{Flag: flag, Given: given, Name: given}
	seen := map[string]bool{}
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
		if !slices.Contains(Options(), key) {
			return s, fault.Errorf(fault.Query, "%s %s: %q is not an option of a model: the options are %s", flag, given, key, strings.Join(Options(), ", "))
		}
		if value == "" {
			return s, fault.Errorf(fault.Query, "%s %s: %s is empty: give a value, or leave it out", flag, given, key)
		}
		if seen[key] {
			return s, fault.Errorf(fault.Query, "%s %s: %s is given twice", flag, given, key)
		}
		seen[key] = true
		switch key {
		case PoolingOption:
			s.Pooling, err = model.ParsePooling(value)
		case ScoreOption:
			s.Score, err = perspective.ParseScore(value)
		case QueryModelOption:
			s.QueryModel = value
		case TokenBitsOption:
			if s.TokenBits, err = strconv.Atoi(value); err != nil || tokens.CheckBits(s.TokenBits) != nil {
				err = fault.Errorf(fault.Query, "%s is %q, must be 8, 4 or 2", TokenBitsOption, value)
			}
		case QueryPrefixOption:
			s.QueryPrefix = value
		case DocumentPrefixOption:
			s.DocumentPrefix = value
		}
		if err != nil {
			return s, fault.Errorf(fault.Query, "%s %s: %w", flag, given, err)
		}
		s.Name = s.Name[:at]
	}
	if s.Name == "" {
		return s, fault.Errorf(fault.Query, "%s %q names no model", flag, given)
	}
	return s, nil
}

// Bare returns an error if options were given. It is for retrievers that have no model.
func (s *Spec) Bare() error {
	if s.Given != s.Name {
		return fault.Errorf(fault.Query, "%s %s: %s has no model: leave its options out", s.Flag, s.Given, s.Name)
	}
	return nil
}
