package vantage

import (
	"github.com/vantage-search/vantage/internal/search"
	"github.com/vantage-search/vantage/internal/wasm/lexical"
	"github.com/vantage-search/vantage/perspective"
)

// DefaultK is how many hits a Query gets that does not say.
const DefaultK = search.DefaultK

// MethodWords is the method that ranks by BM25 of the words of the whole query
// alone. The collection needs an index of words (IndexOptions.Words), but neither
// vectors of the query nor an encoder.
const MethodWords = search.MethodWords

// Text is a text to be encoded, or the vector that the encoder would give it.
type Text struct {
	Text   string    // UTF-8
	Vector []float32 // of the collection's dimension, any norm; nil: Text is encoded
}

// Query asks for the documents nearest to a root, seen from a perspective.
type Query struct {
	// Query is the whole query, perspective included. A form such as "Find a claim
	// that opposes the argument: X" tells root and perspective by itself.
	Query Text
	// Root is what the query is about; nil: the form of the query tells it, if it
	// has one.
	Root *Text
	// Perspectives are the sides to see the root from, at most
	// perspective.MaxPerspectives. If there are none, the form of the query tells one
	// or, if a root is given, the difference of query and root is one.
	Perspectives []Text
	// Method is the name or an alias of one of Methods; "": pap+ if there is a
	// perspective, none (the plain cosine) otherwise.
	Method string
	// Lambda is the strength of the projection: 0 is the plain cosine, 1 the
	// paper's; at most perspective.MaxLambda on either side of 0. nil: 1.
	Lambda *float64
	// K is the number of hits wanted, at least 1; 0: DefaultK.
	K int
	// MMR diversifies the hits by maximal marginal relevance, whose λ it is: from 0
	// (novelty alone) to 1 (relevance alone). nil: they are not diversified.
	MMR *float64
	// Filters must all hold for a document to be a hit.
	Filters []Filter
	// Hybrid fuses the ranking with that of the query's words; nil: by vectors alone.
	Hybrid *Hybrid
	// CosineRank asks for Explanation.CosineRank of each hit. It is found over all
	// documents, so that it may cost as much as the rest of a search.
	CosineRank bool
}

// Filter is a condition on a metadata field: equal to one of Values, or a number
// between Low and High, both included. It has either Values or a bound. A document
// that lacks the field meets no condition on it.
type Filter struct {
	Field  string
	Values []string
	// Low and High bound a field of numbers; nil is open. An infinite bound is open,
	// too, on its own side; Low must not be above High, and neither may be NaN.
	Low, High *float64
}

// ParseFilter reads a condition as `vantage search --filter` takes it: field=value,
// field=a|b (one of), field=2000..2010 (either bound may be left out), field>=2000 or
// field<=2010. Its errors are of kind ErrQuery.
func ParseFilter(text string) (Filter, error) {
	f, err := search.ParseFilter(text)
	return Filter(f), err
}

// Hybrid asks for the ranking by vectors, whatever its method, fused with the one by
// BM25 of the words of the whole query. The collection needs an index of words
// (IndexOptions.Words).
type Hybrid struct {
	// Fusion is one of Fusions. "", which is "rrf", counts ranks alone; the others
	// normalise the scores of the two rankings so and sum them.
	Fusion string
	// Weight is that of the words, from 0 to 1; the vectors have the rest. nil: 0.5.
	Weight *float64
}

// Fusions are the names that Hybrid.Fusion may have. The result is the caller's to
// change.
func Fusions() []string { return lexical.Fusions() }

// Methods lists every method that a Query may name: those of package perspective, and
// MethodWords. The result is the caller's to change.
func Methods() []perspective.Method { return search.Methods() }

// LookupMethod finds one of Methods by name or alias; case does not matter. Its error
// is a *perspective.UnknownMethodError, which lists them, of kind ErrQuery.
func LookupMethod(name string) (perspective.Method, error) {
	m, err := search.LookupMethod(name)
	return m, err
}
