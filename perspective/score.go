package perspective

import (
	"strconv"

	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// Score says how vectors are compared.
type Score string

// The scores. The empty Score is Cosine.
const (
	Cosine Score = "cosine" // cos(v, c)
	Dot    Score = "dot"    // v·c, in which the lengths of vectors count
	MaxSim Score = "maxsim" // Σ max v_i·c_j over the vectors of tokens: SumTokens, and not Compile
)

// Scores lists the names of the scores of whole texts, which Compile takes: all but
// MaxSim. The caller may change the result.
func Scores() []string { return []string{string(Cosine), string(Dot)} }

// ParseScore finds a score by its name. The empty name means Cosine. Errors are of kind
// ErrQuery of package vantage.
func ParseScore(name string) (Score, error) {
	switch s := Score(lower(name)); s {
	case "":
		return Cosine, nil
	case Cosine, Dot, MaxSim:
		return s, nil
	}
	return "", fault.New(fault.Query, "score "+strconv.Quote(shorten(name))+" is not one of cosine, dot, maxsim: use one of these")
}

// ErrNoTokens says that vectors of whole texts are to be compared by MaxSim.
var ErrNoTokens = fault.New(fault.Query, "score maxsim compares the vectors of tokens, and these are of whole texts: index the corpus by a ColBERT model, or use cosine or dot")

// MaxDotNorm is the greatest length of the vector with which Dot compares rows. Rows are not
// longer than 1e18 either, so that no product overflows float32.
const MaxDotNorm = 1e18

// ErrNorm says that the vectors of a query are too long for Dot.
var ErrNorm = fault.New(fault.Query, "the query's vectors come to one longer than 1e18, the limit of the dot product: scale them down, or compare by cosine")

// compare returns the plan that compares rows with a vector by the query's score.
func (o *operands) compare(v []float64) Plan {
	if o.score == Dot {
		a, scale := narrow(v)
		return Plan{A: 1 / scale, Vector: a, Dot: true}
	}
	return cosine(v)
}

// checkNorm refuses a plan with dot products if its scores could overflow.
func (p *Plan) checkNorm() error {
	if p.Dot && p.A*norm(p.Vector) > MaxDotNorm {
		return ErrNorm
	}
	if p.Gate != nil {
		return p.Gate.Plan.checkNorm()
	}
	return nil
}
