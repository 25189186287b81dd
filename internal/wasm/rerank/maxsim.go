package rerank

import "github.com/vantage-search/vantage/internal/wasm/kernel"

// MaxSim is the late interaction of a query's token vectors with a document's (Khattab
// and Zaharia 2020, §3.3): the sum, over the query's vectors in order, of the largest
// dot product with any of the document's vectors. Both are rows of dim components. A
// document without vectors scores 0.
func MaxSim(query, document []float32, dim int) float32 {
	stride := kernel.PadF32(dim)
	query, document = padded(query, dim, stride), padded(document, dim, stride)
	if len(document) == 0 {
		return 0
	}
	dots := make([]float32, len(document)/stride)
	var sum float32
	for ; len(query) > 0; query = query[stride:] {
		kernel.ScanF32(dots, document, stride, query[:stride])
		best := dots[0]
		for _, d := range dots[1:] {
			best = max(best, d)
		}
		sum += best
	}
	return sum
}

// padded copies rows into the kernel's layout.
func padded(rows []float32, dim, stride int) []float32 {
	if dim == stride {
		return rows
	}
	n := len(rows) / dim
	wide := make([]float32, n*stride)
	for i := range n {
		copy(wide[i*stride:], rows[i*dim:(i+1)*dim])
	}
	return wide
}
