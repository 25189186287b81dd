package perspective

// subspace is the span of some vectors.
type subspace struct {
	basis [][]float64 // orthonormal vectors
	members []int       // index of the vector behind each element of the basis
}

// orthonormalize computes a basis of the vectors' span by modified Gram–Schmidt in
// float64, in the given order. It orthogonalises each vector twice ("twice is enough",
// Kahan and Parlett), so that the basis is orthonormal to about 1e-15 for any angles
// between the vectors. A vector is left out as dependent if at most 1e-6 (tolerance) of
// its norm lies outside the span of the vectors before it.
func orthonormalize(vectors [][]float64) subspace {
	var s subspace
	for i, v := range vectors {
		if len(s.basis) == len(v) {
			break // the basis spans the whole space
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

// split returns v = inside + outside: its projection on the subspace, and the
// orthogonal rest.
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
