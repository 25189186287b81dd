package perspective

import "strconv"

// operands are the checked vectors of one query, in float64.
type operands struct {
	method       *Method
	q, r         []float64   // nil if the method does not need them
	perspectives [][]float64 // the given ones without zero vectors
	p            []float64   // mean of perspectives, rounded to float32; nil without any, if it is zero, and for methods that take their span
	lambda       float64
	score        Score // Cosine or Dot
	angles       [][]float64
	strength     float64
}

// degenerate makes this query's error.
func (o *operands) degenerate(reason string) error {
	return &DegenerateError{Method: o.method.Name, Reason: reason}
}

// Compile turns a query into a plan by the query's method. The plan shares no memory with the query.
//
// Errors: *UnknownMethodError, that of ParseScore, ErrNoTokens, *MissingError (the method needs a vector that is not given),
// *DimensionError, *NonFiniteError (in any given vector, even if the method does not use it), *LambdaError,
// *StrengthError, *TooManyError, *AnglesError, ErrNorm, and *DegenerateError
// if nothing is left to score with, because the query or root is zero or vectors cancel each other out.
func Compile(q Query) (Plan, error) {
	method, err := find(q.Method)
	if err != nil {
		return Plan{}, err
	}
	score, err := ParseScore(string(q.Score))
	if err == nil && score == MaxSim {
		err = ErrNoTokens
	}
	if err != nil {
		return Plan{}, err
	}
	if err := check(method, q); err != nil {
		return Plan{}, err
	}
	o := operands{method: method, score: score, lambda: q.Lambda, strength: q.Strength}
	if method.NeedsQuery {
		if o.q = widen(q.Query); norm(o.q) == 0 {
			return Plan{}, o.degenerate("the query vector is zero, it has no direction: use words that the model knows")
		}
	}
	if method.NeedsRoot {
		if o.r = widen(q.Root); norm(o.r) == 0 {
			return Plan{}, o.degenerate("the root vector is zero, it has no direction: use words that the model knows")
		}
	}
	if method.NeedsPerspective {
		for _, p := range q.Perspectives {
			if w := widen(p); norm(w) > 0 {
				o.perspectives = append(o.perspectives, w)
			}
		}
		if !method.Subspace && len(o.perspectives) > 0 {
			if err := o.average(); err != nil {
				return Plan{}, err
			}
		}
	}
	if method.Angles > 0 {
		for _, a := range q.Angles {
			o.angles = append(o.angles, widen(a))
		}
	}
	plan, err := method.compile(&o)
	if err == nil {
		err = plan.checkNorm()
	}
	if err != nil {
		return Plan{}, err
	}
	return plan, nil
}

// average sets p to the mean of the perspectives that are not zero.
func (o *operands) average() error {
	n := len(o.perspectives)
	if n == 1 {
		o.p = o.perspectives[0]
		return nil
	}
	weights := make([]float64, n)
	for i := range weights {
		weights[i] = 1 / float64(n)
	}
	mean, ok := combine(weights, o.perspectives...)
	if !ok {
		return o.degenerate("the perspectives cancel each other out, their mean is zero: search for them one at a time")
	}
	for i, x := range mean {
		mean[i] = float64(float32(x))
	}
	if norm(mean) > 0 { // the mean can be zero if denormal perspectives round to zero
		o.p = mean
	}
	return nil
}

// check finds all errors of a query that do not depend on its vectors' directions.
func check(m *Method, q Query) error {
	switch {
	case m.NeedsQuery && len(q.Query) == 0:
		return &MissingError{Method: m.Name, What: "query"}
	case m.NeedsRoot && len(q.Root) == 0:
		return &MissingError{Method: m.Name, What: "root"}
	case m.NeedsPerspective && len(q.Perspectives) == 0:
		return &MissingError{Method: m.Name, What: "perspective"}
	case len(q.Perspectives) > MaxPerspectives:
		return &TooManyError{Got: len(q.Perspectives)}
	case !finite(q.Lambda):
		return &NonFiniteError{What: "lambda", Index: -1, Value: q.Lambda}
	case m.Lambda && (q.Lambda < -MaxLambda || q.Lambda > MaxLambda):
		return &LambdaError{Lambda: q.Lambda}
	case !finite(q.Strength):
		return &NonFiniteError{What: "strength", Index: -1, Value: q.Strength}
	case m.Angles > 0 && (q.Strength < -MaxStrength || q.Strength > MaxStrength):
		return &StrengthError{Strength: q.Strength}
	case m.Angles > 0 && len(q.Angles) != m.Angles && !(m.Name == "aspect" && len(q.Angles) == 2):
		return &AnglesError{Method: m.Name, Got: len(q.Angles), Want: m.Angles}
	}
	if err := checkAngles(q.Angles); err != nil {
		return err
	}
	dim := len(q.Query)
	if dim == 0 {
		dim = len(q.Root)
	}
	if err := checkVector("query", q.Query, dim, true); err != nil {
		return err
	}
	if err := checkVector("root", q.Root, dim, true); err != nil {
		return err
	}
	for i, p := range q.Perspectives {
		name := "perspective"
		if len(q.Perspectives) > 1 {
			name += " " + strconv.Itoa(i+1)
		}
		if err := checkVector(name, p, dim, false); err != nil {
			return err
		}
	}
	return nil
}

// checkAngles checks angle vectors, whose dimension is not that of the others.
func checkAngles(angles [][]float32) error {
	for i, v := range angles {
		if len(v) == 0 {
			return &DimensionError{What: angleName(i), Got: 0, Want: max(1, len(angles[0]))}
		}
		if err := checkVector(angleName(i), v, len(angles[0]), false); err != nil {
			return err
		}
	}
	return nil
}

func angleName(i int) string { return "angle " + strconv.Itoa(i+1) }

func checkVector(what string, v []float32, dim int, optional bool) error {
	if optional && len(v) == 0 {
		return nil
	}
	if len(v) != dim {
		return &DimensionError{What: what, Got: len(v), Want: dim}
	}
	if i := firstNonFinite(v); i >= 0 {
		return &NonFiniteError{What: what, Index: i, Value: float64(v[i])}
	}
	return nil
}
