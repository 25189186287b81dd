package perspective

// cosine is cos(v, c).
func cosine(v []float64) Plan {
	a, _ := narrow(v)
	return Plan{A: 1 / norm(a), Vector: a}
}

// combined is cos(base ± p, c): add and cast.
func combined(o *operands, base []float64, sign float64) (Plan, error) {
	v, err := o.combine(base, sign)
	if err != nil {
		return Plan{}, err
	}
	return o.compare(v), nil
}

// shifted is cos(v, c ± p) with v = base ± p: add+ and cast+. The numerator is v·c ± v·p and the squared norm of c ± p
// is n² ± 2 p·c + p·p. Under the dot product, ±v·p, which is the same number for every row, is left out, so that they are
// add and cast.
func shifted(o *operands, base []float64, sign float64) (Plan, error) {
	v, err := o.combine(base, sign)
	if err != nil {
		return Plan{}, err
	}
	plan := o.compare(v)
	if o.p == nil || plan.Dot {
		return plan, nil
	}
	p, scale := narrow(o.p)
	plan.X0 = sign * dot(plan.Vector, p) / scale
	plan.D0 = dot(p, p) / scale / scale
	plan.D1 = sign * 2 / scale
	plan.P = [][]float32{p}
	return plan, nil
}

// combine is base ± p.
func (o *operands) combine(base []float64, sign float64) ([]float64, error) {
	if o.p == nil {
		return base, nil
	}
	v, ok := combine([]float64{1, sign}, base, o.p)
	if !ok {
		return nil, o.degenerate("query and perspective cancel each other out: use another perspective or another method")
	}
	return v, nil
}

// concatenated is cos([base; p], [c; p]) = (base·c + p·p) / (sqrt(base·base + p·p) · sqrt(n² + p·p)).
// Under the dot product, p·p, which is the same number for every row, is left out, so that base alone ranks.
func concatenated(o *operands, base []float64) Plan {
	if o.p == nil || o.score == Dot {
		return o.compare(base)
	}
	a, scale := narrow(base) // a = scale·base: both terms of the numerator are multiplied by scale, and A is divided by it
	pp := dot(o.p, o.p)
	return Plan{A: 1 / norm([]float64{norm(a), scale * norm(o.p)}), X0: scale * pp, D0: pp, Vector: a}
}

// summed is Σ cos(v, c), or Σ v·c, over the bases and the perspective: dual-sum and tri-sum.
func summed(o *operands, bases ...[]float64) (Plan, error) {
	terms := bases
	if o.p != nil {
		terms = append(terms, o.p)
	}
	weights := make([]float64, len(terms))
	for i, v := range terms {
		weights[i] = 1
		if o.score == Cosine {
			weights[i] = 1 / norm(v)
		}
	}
	v, ok := combine(weights, terms...)
	if !ok {
		return Plan{}, o.degenerate("the directions of query and perspective cancel each other out: use another perspective or another method")
	}
	a, scale := narrow(v)
	return Plan{A: 1 / scale, Vector: a, Dot: o.score == Dot}, nil
}
