// Package joint ranks documents together with what a user says about themselves: PCAS
// and the systems that it is compared with ("How Can Context Help? Exploring Joint
// Retrieval of Passage and Personalized Context", Wan et al. 2023, §4).
//
// A user has contexts, short private texts such as "I am self-employed". The answer to a
// question is a ranking of pairs: a document, and the context that fits it best. Each text
// has one vector. Scores are cosines, though Rank takes any scores, such as dot products. The
// systems differ in what they compare:
//
//	OR    question + the right context → documents      (Join, then the plain cosine)
//	B1    question + all contexts → documents           (Join, then the plain cosine)
//	B2    question → documents, document → context      (Candidates, ByDocument)
//	B3    question → context, question + context → documents  (ByQuestion, Join)
//	PCAS  question → K documents, then the best pairs   (Joint)
package joint

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// DefaultLambda is the weight of the question that the paper uses for retrievers that give
// each text one vector (appendix A.1).
const DefaultLambda = 0.6

// DefaultLambdaMaxSim is the same for late interaction (ColBERT).
const DefaultLambdaMaxSim = 0.55

// MaxContexts is the most contexts of one question.
const MaxContexts = 64

// Candidate is one of the K documents that the question finds.
type Candidate struct {
	Document  uint32
	Relevance float32   // score_dq(d, q)
	Fits      []float32 // score_dc(d, c) for each context c, in their order
}

// Pair is a document with the context that fits it best.
type Pair struct {
	Candidate int // index among the candidates
	Document  uint32
	Context   int     // index among the contexts
	Score     float32 // λ·Relevance + (1−λ)·Fit
	Relevance float32
	Fit       float32
}

// Rank chooses the best context of each candidate and ranks the pairs by
//
//	λ·score_dq(d, q) + (1−λ)·score_dc(d, c)
//
// computed in float64 and rounded to float32 (§4.2). The result has one pair for every
// candidate. If scores are equal, the lower document comes first, and the lower context is
// chosen. The candidates' scores must not be NaN, and each candidate needs one fit for each
// context, and at least one.
func Rank(candidates []Candidate, lambda float64) []Pair {
	pairs := make([]Pair, len(candidates))
	for i, c := range candidates {
		best := Best(c.Fits)
		// The conversions keep the compiler from fusing the sum, which would change bits.
		sum := float64(lambda*float64(c.Relevance)) + float64((1-lambda)*float64(c.Fits[best]))
		pairs[i] = Pair{i, c.Document, best, float32(sum), c.Relevance, c.Fits[best]}
	}
	slices.SortFunc(pairs, func(a, b Pair) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Document, b.Document))
	})
	return pairs
}

// ByDocument is B2: it leaves the candidates in the order of the question, and gives each the
// context that fits it best. The score of a pair is the document's score for the question.
func ByDocument(candidates []Candidate) []Pair {
	pairs := make([]Pair, len(candidates))
	for i, c := range candidates {
		best := Best(c.Fits)
		pairs[i] = Pair{i, c.Document, best, c.Relevance, c.Relevance, c.Fits[best]}
	}
	return pairs
}

// Best is the index of the greatest score. If several are equal, it is the first of them.
func Best(scores []float32) int {
	best := 0
	for i, s := range scores {
		if s > scores[best] {
			best = i
		}
	}
	return best
}

// Join appends contexts to a question. OR, B1 and B3 search with the result.
func Join(question string, contexts ...string) string {
	return strings.Join(append([]string{question}, contexts...), " ")
}

// CheckLambda refuses a weight of the question that is not strictly between 0 and 1. With 0
// the question would not count, with 1 the contexts would not.
func CheckLambda(lambda float64) error {
	if !(lambda > 0 && lambda < 1) {
		return fault.New(fault.Query, "contexts: λ is "+strconv.FormatFloat(lambda, 'g', -1, 64)+
			", must be between 0 and 1, both excluded: it is the weight of the question beside the contexts")
	}
	return nil
}

// CheckCount refuses too many contexts, or none.
func CheckCount(contexts int) error {
	if contexts < 1 || contexts > MaxContexts {
		return fault.New(fault.Query, "contexts: there are "+strconv.Itoa(contexts)+", must be 1 to "+strconv.Itoa(MaxContexts))
	}
	return nil
}

// CheckText refuses a context without text. Contexts are private, so the error has only the
// context's number, which counts from 0.
func CheckText(number int, text string) error {
	if strings.TrimSpace(text) == "" {
		return fault.New(fault.Query, "contexts: number "+strconv.Itoa(number)+" has no text: fill it in, or leave it out")
	}
	return nil
}
