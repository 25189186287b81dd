package perspective

import "math"

// MostSlant is the slant (û − v̂)·ĉ_angle beyond which an entry is no more on the side that contrast asks for. Without
// a bound, entries on other subjects that take a side strongly come before those on the subject that take it clearly. It
// was chosen on Perspectrum's development claims (docs/accuracy.md).
const MostSlant = 0.3

// contrasted is cos(r, c) + β min((û − v̂)·ĉ_angle, MostSlant), where ^ marks unit length. A query asked
// for one side alone hardly tells the sides apart, but the difference of two opposite
// queries does. Swapping u and v is the same as negating β. Under the dot product, r·c is
// in place of cos(r, c). Angles are always compared by their directions.
func contrasted(o *operands) Plan {
	plan := o.compare(o.r)
	if plan.Angle = o.angle(1, -1); plan.Angle != nil {
		plan.AngleCap = math.Abs(o.strength) * MostSlant
	}
	return plan
}

// aspected is cos(q, c) + γ cos(q_angle, c_angle), or for two angles, as contrast has them,
// cos(q, c) + γ (û − v̂)·ĉ_angle.
func aspected(o *operands) Plan {
	plan := o.compare(o.q)
	plan.Angle = o.angle([]float64{1, -1}[:len(o.angles)]...)
	return plan
}

// angle is the strength times the sum of the angle vectors' directions with these signs.
// It is nil, so that the angle has no effect, if the strength or one of the vectors is
// zero or if the directions cancel each other out.
func (o *operands) angle(signs ...float64) []float32 {
	if o.strength == 0 {
		return nil
	}
	weights := make([]float64, len(signs))
	for i, sign := range signs {
		size := norm(o.angles[i])
		if size == 0 {
			return nil
		}
		weights[i] = sign * o.strength / size
	}
	sum, ok := combine(weights, o.angles...)
	if !ok {
		return nil
	}
	angle := make([]float32, len(sum))
	for i, x := range sum {
		angle[i] = float32(x)
	}
	return angle
}
