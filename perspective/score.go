package perspective

// Score says how vectors are compared.
type Score string

// The scores. The empty Score is Cosine.
const (
	Cosine Score = "cosine" // cos(v, c)
	Dot    Score = "dot"    // v·c, in which the lengths of vectors count
)

// Scores lists the names of the scores. The caller may change the result.
func Scores() []string { return []string{string(Cosine), string(Dot)} }

// ParseScore finds a score by its name, which is Cosine if it is empty. The error is an
// *UnknownScoreError.
func ParseScore(name string) (Score, error) {
	switch s := Score(lower(name)); s {
	case "":
		return Cosine, nil
	case Cosine, Dot:
		return s, nil
	}
	return "", &UnknownScoreError{Score: name}
}

// MaxDotNorm is the greatest length of the vector that a query is compared by under Dot.
// Rows are no longer than 1e18 either, so that no product overflows float32.
const MaxDotNorm = 1e18

// compare is the plan that compares entries with a vector by the query's score.
func (o *operands) compare(v []float64) Plan {
	if o.score == Dot {
		a, scale := narrow(v)
		return Plan{A: 1 / scale, Vector: a, Dot: true}
	}
	return cosine(v)
}

// checkNorm refuses a plan by the dot product whose scores could overflow.
func (p *Plan) checkNorm() error {
	if n := p.A * norm(p.Vector); p.Dot && n > MaxDotNorm {
		return &NormError{Norm: n}
	}
	if p.Gate != nil {
		return p.Gate.Plan.checkNorm()
	}
	return nil
}
