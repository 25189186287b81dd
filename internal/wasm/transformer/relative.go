package transformer

import "github.com/vantage-search/vantage/internal/wasm/logs"

// Relative are T5's relative positions, which MPNet has, too: a bias of each head by the bucket of
// the distance from a query to a key, in all layers the same.
type Relative struct{ Buckets, MaxDistance int }

// Bucket of the distance from a query to a key: half of the buckets are for keys that
// come later. In each half, the first buckets have one distance each, and the others grow
// logarithmically up to MaxDistance (Raffel et al. 2020, §2.1).
func (r Relative) Bucket(distance int) int {
	half := r.Buckets / 2
	first := 0
	if distance > 0 {
		first = half
	} else {
		distance = -distance
	}
	single := half / 2
	if distance < single {
		return first + distance
	}
	// The reference computes in float32: an exact power may fall on either side
	// of its bucket's edge, so the roundings are repeated.
	share := float32(float32(logs.Log(float64(distance)/float64(single))) / float32(logs.Log(float64(r.MaxDistance)/float64(single))))
	return first + min(half-1, single+int(float32(share*float32(half-single))))
}

// bias of the attention for sequences of up to span tokens, from a table of a row for each bucket.
func (r Relative) bias(table []float32, heads, span int) []float32 {
	width := 2*span - 1
	bias := make([]float32, heads*width)
	for i := range width {
		row := table[r.Bucket(i-span+1)*heads:]
		for h := range heads {
			bias[h*width+i] = row[h]
		}
	}
	return bias
}
