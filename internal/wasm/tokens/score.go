package tokens

import (
	"github.com/vantage-search/vantage/internal/wasm/kernel"
	"github.com/vantage-search/vantage/internal/wasm/shard"
)

// blockVectors is the number of a document's vectors that are unpacked at a time.
const blockVectors = 128

// scratch is the working memory of a goroutine that scores documents.
type scratch struct {
	book      *Codebook
	levels    []int8    // [blockVectors, padded]
	scales    []float32 // [blockVectors]
	centroids []int     // [blockVectors]
	dots      []float32 // [blockVectors]
	others    []float32 // [blockVectors]
	best      []float32 // of each vector of the query, its largest product so far
}

func (c *Codebook) newScratch(q *Query) *scratch {
	return &scratch{c, make([]int8, blockVectors*c.padded()), make([]float32, blockVectors), make([]int, blockVectors),
		make([]float32, blockVectors), make([]float32, blockVectors), make([]float32, len(q.residuals))}
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

// block compares the query with n vectors of a file, beginning with number first.
func (r *scratch) block(q *Query, f *File, first, n int) {
	width, stride := r.book.width(), r.book.padded()
	for t := range n {
		r.book.levels(r.levels[t*stride:][:stride], f.codes[(first+t)*width:][:width])
		r.scales[t] = shard.F16ToF32(half(f.scales, first+t))
		r.centroids[t] = f.centroid(first + t)
	}
	// The kernel takes two vectors of the query at a time. Products have the same bits as one by one.
	for i := 0; i < len(q.residuals); i += 2 {
		if i+1 == len(q.residuals) {
			kernel.ScanI8(r.dots[:n], r.levels[:n*stride], r.scales[:n], stride, q.residuals[i])
		} else {
			kernel.Scan2I8(r.dots[:n], r.others[:n], r.levels[:n*stride], r.scales[:n], stride, q.residuals[i], q.residuals[i+1])
			r.best[i+1] = highest(r.best[i+1], q.centroids[i+1], r.centroids[:n], r.others)
		}
		r.best[i] = highest(r.best[i], q.centroids[i], r.centroids[:n], r.dots)
	}
}

// highest returns the largest of best and the products of a query vector with some vectors of
// a document: scores are the query vector's products with all centroids, centroids the
// vectors' centroids, and dots its products with the vectors' residuals.
func highest(best float32, scores []float32, centroids []int, dots []float32) float32 {
	for t, c := range centroids {
		if s := scores[c] + dots[t]; s > best {
			best = s
		}
	}
	return best
}
