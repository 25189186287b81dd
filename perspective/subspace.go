package perspective

// subspace is the span of some vectors.
type subspace struct {
	basis   [][]float64 // orthonormal
	members []int       // the vector that brought each element of the basis
}

// orthonormalize spans the vectors by modified Gram–Schmidt in float64, in the order given, going over each vector twice
// ("twice is enough", Kahan and Parlett): the basis is orthonormal to about 1e-15 whatever the angles between them. A
// vector is left out as dependent if at most 1e-6 (tolerance) of its norm lies outside the span of those before it.
func orthonormalize(vectors [][]float64) subspace {
	var s subspace
	for i, v := range vectors {
		if len(s.basis) == len(v) {
			break // the whole space is spanned
		}
		_, rest := s.split(v)
		size := norm(rest)
		if size <= float64(tolerance*norm(v)) {
			continue
		}
		for j := range rest {
			rest[j] /= size
		}
		s.basis = append(s.basis, rest)
		s.members = append(s.members, i)
	}
	return s
}

// split is v = inside + outside: its projection on the subspace, and what is orthogonal to it.
func (s *subspace) split(v []float64) (inside, outside []float64) {
	inside = make([]float64, len(v))
	outside = append([]float64(nil), v...)
	for range 2 {
		for _, u := range s.basis {
			t := dot(u, outside)
			for i := range outside {
				part := float64(t * u[i])
				inside[i] += part
				outside[i] -= part
			}
		}
	}
	return inside, outside
}
