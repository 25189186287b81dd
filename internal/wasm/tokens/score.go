package tokens

import (
	"github.com/vantage-search/vantage/internal/wasm/kernel"
	"github.com/vantage-search/vantage/internal/wasm/shard"
)

// blockVectors is the number of a document's vectors that are unpacked at a time.
const blockVectors = 128

// scratch is the memory in which one goroutine scores documents.
type scratch struct {
	book      *Codebook
	levels    []int8    // [blockVectors, padded]
	scales    []float32 // [blockVectors]
	centroids []int     // [blockVectors]
	dots      []float32 // [blockVectors]
	best      []float32 // of each vector of the query
}

func (c *Codebook) newScratch(q *Query) *scratch {
	return &scratch{c, make([]int8, blockVectors*c.padded()), make([]float32, blockVectors), make([]int, blockVectors),
		make([]float32, blockVectors), make([]float32, len(q.residuals))}
}

// score is MaxSim of a query and a document of a file.
func (r *scratch) score(q *Query, f *File, document int) float32 {
	first, end := int(f.starts[document]), int(f.starts[document+1])
	if first == end {
		return 0
	}
	for i := range r.best {
		r.best[i] = absent
	}
	for ; first < end; first += blockVectors {
		r.block(q, f, first, min(blockVectors, end-first))
	}
	var sum float32
	for _, b := range r.best {
		sum += b
	}
	return sum
}

// block compares the query with n vectors of a file from number first on.
func (r *scratch) block(q *Query, f *File, first, n int) {
	width, stride := r.book.width(), r.book.padded()
	for t := range n {
		r.book.levels(r.levels[t*stride:][:stride], f.codes[(first+t)*width:][:width])
		r.scales[t] = shard.F16ToF32(half(f.scales, first+t))
		r.centroids[t] = f.centroid(first + t)
	}
	for i, residual := range q.residuals {
		kernel.ScanI8(r.dots[:n], r.levels[:n*stride], r.scales[:n], stride, residual)
		centroids, best := q.centroids[i], r.best[i]
		for t, c := range r.centroids[:n] {
			best = max(best, centroids[c]+r.dots[t])
		}
		r.best[i] = best
	}
}
