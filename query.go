package vantage

import (
	"github.com/vantage-search/vantage/internal/search"
	"github.com/vantage-search/vantage/perspective"
)

// MethodWords is the method that ranks only by BM25 over the words of the whole
// query. The collection needs an index of words (IndexOptions.Words), but neither
// vectors of the query nor an encoder.
const MethodWords = "bm25"

// MethodAuto is the default ranking: the method and the strength that measurement chose
// for the kind of perspective that a query has, or for queries without one
// (perspective.KindOf), and for some kinds a fusion with the ranking by words, if the
// collection has an index of words, the query has a text, and there is no MMR. Result.Kind,
// Method, Lambda, Strength and Hybrid say what was chosen. In a collection with vectors of
// tokens (MaxSim) it is always the method none, which compares the whole query, without words.
const MethodAuto = search.MethodAuto

// Text is a text to be encoded, or the vector that the encoder would give it.
type Text struct {
	Text string // UTF-8
	// Vector is of the collection's dimension, of any norm; nil: Text is encoded. In a
	// collection that is ranked by MaxSim, it holds the vectors of the text's tokens, one
	// after the other.
	Vector []float32
}

// Query asks for the documents nearest to a root, seen from a perspective.
type Query struct {
	// Query is the whole query, perspective included. Root and perspective can be
	// read from a form such as "Find a claim that opposes the argument: X".
	Query Text
	// Root is what the query is about. If it is nil and there are no Perspectives, it is
	// read from the form of the query, if possible.
	Root *Text
	// Perspectives are the sides from which to see the root, at most
	// perspective.MaxPerspectives. If there are none, the perspective is read from
	// the form of the query or, if a root is given, is the difference of query and
	// root. The default ranking does not use the difference.
	Perspectives []Text
	// Method is the name or an alias of one of Methods, or MethodAuto. MethodAuto and "" mean
	// contrast if there are Opposites, pap+ if there is a Lambda (the plain cosine if there is
	// no perspective), and otherwise the default ranking. With vectors of tokens, a Lambda
	// without a method is an error.
	Method string
	// Score says how the query is compared with documents, by perspective.Cosine or
	// perspective.Dot; "": as the collection says, or in a Reranker, which has none, as its
	// model says. A collection with vectors of tokens is only compared by
	// perspective.MaxSim, which takes methods that are sums of scores
	// (perspective.SumTokens), and no other collection is.
	Score perspective.Score
	// Lambda is the strength of the projection: 0 gives the plain cosine, 1 the
	// paper's projection. Its absolute value is at most perspective.MaxLambda. nil
	// means 1, or what MethodAuto chooses.
	Lambda *float64
	// Strength is the strength of the angles in the methods contrast (β) and aspect (γ);
	// 0 leaves them out, a negative one asks for the opposite. Its absolute value is at
	// most perspective.MaxStrength. nil means what MethodAuto chooses, or for a named
	// method what the collection's encoder recommends, or else the method's own (perspective.Method).
	Strength *float64
	// Opposites are the two sides that the method contrast compares. They exclude other
	// methods, and a Lambda without a method. If it is nil, they are for and against, of which the perspective names the one asked for ("a claim that
	// opposes the argument"), in the wordings of the collection's encoder.
	Opposites *Opposites
	// K is the number of hits wanted, at least 1; 0: 10.
	K int
	// MMR is the λ of maximal marginal relevance, which diversifies the hits: from 0
	// (only novelty) to 1 (only relevance). nil turns it off.
	MMR *float64
	// Filters are conditions that every hit meets.
	Filters []Filter
	// Hybrid fuses the ranking by vectors with one by words; nil turns it off, unless
	// MethodAuto chooses it.
	Hybrid *Hybrid
	// Contexts are private facts about who asks, such as "I am self-employed", at most 64.
	// The search finds K documents without them. Then it finds the best context of each, and
	// ranks the documents by λ·relevance + (1−λ)·fit (PCAS, Wan et al. 2023, §4.2): relevance is
	// the score without contexts (in a fusion with words, the cosine of query and document),
	// fit the cosine of context and document. Hit.Because names the context. Contexts go to no
	// encoder that says it is remote, and errors name them by number. They exclude MMR and
	// MethodWords, and an answer by words alone (Result.Notice) leaves them out.
	Contexts []Text
	// ContextLambda is λ, the weight of the query beside the contexts, between 0 and 1, both
	// excluded. nil means the paper's 0.6, or 0.55 in a collection of token vectors (MaxSim).
	ContextLambda *float64
	// Rescore is for a collection of token vectors (MaxSim), which are stored rounded. The search
	// finds Rescore documents, or K if that is more, encodes their texts again and ranks them by
	// the vectors that the encoder gives, in place of the stored ones. It takes as long as
	// to encode so many documents, at most 256. It excludes Hybrid and MethodWords, and an
	// answer by words alone (Result.Notice) leaves it out. 0 turns it off.
	Rescore int
	// CosineRank asks for Explanation.CosineRank of each hit. Finding it takes one more product
	// for each document, or in a hybrid search one more pass over all of them. Either may cost
	// as much as the rest of the search.
	CosineRank bool
}

// Opposites are two sides that exclude each other, such as past and future. As a text, a
// side is a wording that is put before the root ("Find a text about the past of: "), and
// the encoder must tell sides apart. As a vector, a side is the angle of its wording followed by the
// root.
type Opposites struct {
	Wanted Text // the side asked for
	Other  Text // its opposite
}

// Filter is a condition on a metadata field: equal to one of Values, or a number
// between Low and High, both included. It has either Values or a bound. A document
// that lacks the field meets no condition on it.
type Filter struct {
	Field  string
	Values []string
	// Low and High bound a field of numbers. A nil bound is open, and so are a Low of -Inf
	// and a High of +Inf. Low must not be above High, and neither may be NaN.
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
	// Fusion is "rrf" (reciprocal rank fusion, which uses only ranks; the default), or how
	// the scores of both rankings are normalised before they are summed: "min-max", "max",
	// "z-score" or "none".
	Fusion string
	// Weight is the weight of the words, from 0 to 1; vectors have the rest. nil
	// means 0.5.
	Weight *float64
}

// Methods lists every method that a Query may name except MethodAuto: those of package
// perspective, and MethodWords. The caller may change the result.
func Methods() []perspective.Method { return search.Methods() }
