package perspective

// Difference is q − r in float32. It serves as the perspective of a query without a
// perspective text, as in AmbigQA, for which the notebook uses it in the cast and
// projection modes. If q and r are equal, it is the zero vector, which has no effect as
// a perspective. Errors: *DimensionError, *NonFiniteError.
func Difference(q, r []float32) ([]float32, error) {
	if err := checkVector("query", q, len(q), false); err != nil {
		return nil, err
	}
	if err := checkVector("root", r, len(q), false); err != nil {
		return nil, err
	}
	p := make([]float32, len(q))
	for i := range q {
		p[i] = q[i] - r[i]
	}
	if err := checkVector("query minus root", p, len(q), false); err != nil {
		return nil, err
	}
	return p, nil
}
