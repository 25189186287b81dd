package tokens

import "github.com/vantage-search/vantage/internal/wasm/kernel"

// chunk is the number of centroids that are compared with all vectors before the next ones, so
// that they stay in the processor's cache.
const chunk = 256

// Nearest writes the number of the centroid with the least Euclidean distance from each vector,
// the first one of equals. vectors [n, stride] and centroids [k, stride] are padded for
// kernel.ScanF32, and half [k] has half the squared norm of each centroid.
func Nearest(nearest []int32, vectors, centroids, half []float32, stride int) {
	dots, best := make([]float32, min(chunk, len(half))), make([]float32, len(nearest))
	for first := 0; first < len(half); first += chunk {
		n := min(chunk, len(half)-first)
		rows := centroids[first*stride:][:n*stride]
		for i := range nearest {
			kernel.ScanF32(dots[:n], rows, stride, vectors[i*stride:][:stride])
			for j, d := range dots[:n] {
				if d -= half[first+j]; first+j == 0 || d > best[i] {
					best[i], nearest[i] = d, int32(first+j)
				}
			}
		}
	}
}
