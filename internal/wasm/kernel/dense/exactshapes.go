//go:build !wasm

package dense

// exactSizes of the parts of an exactScratch.
func exactSizes(tokens, dim int) (keys, values, scores, edge int) {
	return padded(tokens) * dim, padded(dim) * tokens, exactRows * padded(tokens), exactRows * padded(dim)
}

func (a *ExactAttention) head(s *exactScratch, n int, out []float32, ldo int, q, k, v []float32, ld int) {
	a.plainHead(s, n, out, ldo, q, k, v, ld)
}

// exactNorms replaces rows from first to last.
func exactNorms(n *LayerNorm, x, residual []float32, ld, first, last int) {
	width := len(n.Gamma)
	for i := first; i < last; i++ {
		row := x[i*ld : i*ld+width]
		var r []float32
		if residual != nil {
			r = residual[i*ld : i*ld+width]
		}
		exactNorm(row, row, r, n.Gamma, n.Beta, n.Epsilon)
	}
}
