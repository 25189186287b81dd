package perspective

// Difference is q − r in float32: the perspective of a query that has no perspective text of its own, as in AmbigQA, where
// the notebook takes what the query says beyond its root for the cast and projection modes. It is the zero vector,
// which is no perspective, if q and r are equal. Errors: *DimensionError, *NonFiniteError.
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
