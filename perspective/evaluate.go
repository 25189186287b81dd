package perspective

import "math"

// Score evaluates the plan for one corpus entry in float64, term by term. Tests compare
// the kernels with it. c must have the plan's dimension. Score ignores a gate, which
// needs all rows (see Scores), and the angle (see AngleScore).
func (p *Plan) Score(c []float32) float64 {
	x := dot(p.Vector, c)
	if p.Dot {
		return p.A * x
	}
	n2 := dot(c, c)
	y, y2 := p.component(c)
	square := ((n2 + float64(p.D1*y)) + float64(p.D2*y2)) + p.D0
	if n2 == 0 || square <= float64(DenominatorFloor*n2) {
		return 0
	}
	return p.A * (x + p.X0) / math.Sqrt(square)
}

// AngleScore is what the entry's angle b adds to its score: Angle·b / ‖b‖, or AngleCap if that is less, in float64. It
// is 0 if b is zero or the plan has no Angle. b must have the dimension of Angle.
func (p *Plan) AngleScore(b []float32) float64 {
	size := norm(b)
	if p.Angle == nil || size == 0 {
		return 0
	}
	part := dot(p.Angle, b) / size
	if p.AngleCap > 0 && part > p.AngleCap {
		return p.AngleCap
	}
	return part
}

// component returns y and y².
func (p *Plan) component(c []float32) (y, y2 float64) {
	if len(p.P) == 1 {
		y = dot(p.P[0], c)
		return y, float64(y * y)
	}
	for _, u := range p.P {
		t := dot(u, c)
		y2 += float64(t * t)
	}
	return math.Sqrt(y2), y2
}

// Scores evaluates the plan with its gate, but without its angle, for every row. It takes Gate.Quantile of these rows, even if Gate.Cut is set.
func (p *Plan) Scores(rows [][]float32) []float64 {
	scores := make([]float64, len(rows))
	for i, c := range rows {
		scores[i] = p.Score(c)
	}
	if p.Gate == nil {
		return scores
	}
	gate := p.Gate.Plan.Scores(rows)
	threshold := Quantile(append([]float64(nil), gate...), p.Gate.Quantile)
	for i := range scores {
		if gate[i] < threshold {
			scores[i] = p.Sunk()
		} else {
			scores[i] += gate[i]
		}
	}
	return scores
}
