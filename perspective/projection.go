package perspective

// projected is PAP (cos(q_λ, c)) or, if corpus is set, PAP+ (cos(q_λ, c_λ)) of §3.1 of
// the paper, with the strength λ mentioned at the end of that section.
//
// With S the span of the perspectives, any vector is v = v∥ + v⊥ (in S, orthogonal to S) and v_λ = v⊥ + (1−λ)·v∥. Hence
//
//	q_λ·c_λ = (q⊥ + (1−λ)²·q∥)·c       which makes a, and
//	‖c_λ‖²  = n² − (2λ−λ²)·‖c∥‖²       since 1 − (1−λ)² = 2λ − λ², with ‖c∥‖² = y²/p·p, or Σ (u_i·c)² in a basis u of S.
//
// Under the dot product only the first line counts: PAP+ is PAP with the strength 2λ−λ², and with λ = 1 they are the same.
func projected(o *operands, lambda float64, corpus bool) (Plan, error) {
	span := orthonormalize(o.perspectives)
	if len(span.basis) == 0 || lambda == 0 {
		return o.compare(o.q), nil
	}
	inside, outside := span.split(o.q)
	keep := 1 - lambda
	size := norm([]float64{norm(outside), keep * norm(inside)}) // ‖q_λ‖
	if size <= float64(tolerance*norm(o.q)) {
		return Plan{}, o.degenerate("the query lies in the span of the perspective, the projection leaves nothing of it: " +
			"use another perspective or a lambda further from 1")
	}
	if !corpus {
		return o.compare(addScaled(outside, keep, inside)), nil
	}
	if o.score == Dot {
		return o.compare(addScaled(outside, keep*keep, inside)), nil
	}
	a, scale := narrow(addScaled(outside, keep*keep, inside))
	plan := Plan{A: 1 / (scale * size), Vector: a, D2: -lambda * (2 - lambda)}
	if len(span.basis) == 1 { // the perspective itself, so that y is p·c
		p, _ := narrow(o.perspectives[span.members[0]])
		plan.P = [][]float32{p}
		plan.D2 /= dot(p, p)
		return plan, nil
	}
	for _, u := range span.basis {
		p, _ := narrow(u)
		plan.P = append(plan.P, p)
	}
	return plan, nil
}

// addScaled is v + w·x.
func addScaled(v []float64, w float64, x []float64) []float64 {
	sum := make([]float64, len(v))
	for i := range v {
		sum[i] = v[i] + float64(w*x[i])
	}
	return sum
}
