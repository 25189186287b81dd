// Package centroids learns centroids of token vectors by k-means (Lloyd 1982). Package
// internal/wasm/tokens stores each vector as its nearest centroid and a residual.
package centroids

import (
	"context"
	"math"
	"math/rand/v2"
	"sync"
	"sync/atomic"

	"github.com/vantage-search/vantage/internal/wasm/kernel"
	"github.com/vantage-search/vantage/internal/wasm/tokens"
)

// perCentroid is the number of vectors of a sample for each centroid: with fewer,
// centroids follow single vectors; with more, training takes longer for little.
const perCentroid = 16

// rounds are the steps of k-means. More of them would hardly move a centroid.
const rounds = 5

// Count is the number of centroids for n vectors: the greatest power of two, up to 2^16, that is
// at most 16·√n, as PLAID has it, and at most n/64, because more centroids would be large beside
// the residuals of a small collection. If 4·√n is more than n/64, it takes its place.
func Count(vectors int) int {
	n := float64(vectors)
	most := min(16*math.Sqrt(n), max(n/64, 4*math.Sqrt(n)))
	k := 1
	for float64(2*k) <= most && 2*k <= 1<<16 {
		k *= 2
	}
	return k
}

// SampleSize is the number of vectors from which k centroids are learned.
func SampleSize(k int) int { return perCentroid * k }

// Learn returns k centroids [k, dim] of a sample [n, dim] with n ≥ 1; fewer if the sample has
// fewer vectors. The result does not depend on the number of workers, at least 1. progress
// receives the steps that are done.
func Learn(ctx context.Context, sample []float32, dim, k, workers int, progress func(done, total int)) ([]float32, error) {
	n, stride := len(sample)/dim, kernel.PadF32(dim)
	k = min(k, n)
	t := &training{dim: dim, stride: stride, sample: sample, rows: make([]float32, k*stride), half: make([]float32, k), of: make([]int32, n)}
	for i, at := range rand.New(rand.NewPCG(1, 2)).Perm(n)[:k] {
		t.set(i, sample[at*dim:][:dim])
	}
	for round := range rounds {
		progress(round, rounds)
		if err := t.assign(ctx, workers); err != nil {
			return nil, err
		}
		t.move()
	}
	out := make([]float32, 0, k*dim)
	for i := range k {
		out = append(out, t.rows[i*stride:][:dim]...)
	}
	return out, nil
}

// training is a run of k-means.
type training struct {
	dim, stride int
	sample      []float32
	rows        []float32 // centroids, padded
	half        []float32 // half of their squared norms
	of          []int32   // centroid of each vector of the sample
}

func (t *training) set(centroid int, vector []float32) {
	row := t.rows[centroid*t.stride:][:t.stride]
	copy(row, vector)
	t.half[centroid] = kernel.DotF32(row, row) / 2
}

// portion is the number of vectors that a goroutine takes at a time.
const portion = 256

// assign finds the nearest centroid of every vector, the first one of equals.
func (t *training) assign(ctx context.Context, workers int) error {
	var next atomic.Int64
	var group sync.WaitGroup
	for range workers {
		group.Go(func() {
			rows := make([]float32, portion*t.stride)
			for ctx.Err() == nil {
				lo := int(next.Add(portion)) - portion
				if lo >= len(t.of) {
					return
				}
				hi := min(lo+portion, len(t.of))
				for i := lo; i < hi; i++ {
					copy(rows[(i-lo)*t.stride:], t.sample[i*t.dim:][:t.dim])
				}
				tokens.Nearest(t.of[lo:hi], rows, t.rows, t.half, t.stride)
			}
		})
	}
	group.Wait()
	return ctx.Err()
}

// move puts each centroid into the middle of its vectors. One without vectors stays.
func (t *training) move() {
	sums, counts := make([]float64, len(t.half)*t.dim), make([]int, len(t.half))
	for i, c := range t.of {
		counts[c]++
		sum := sums[int(c)*t.dim:][:t.dim]
		for j, v := range t.sample[i*t.dim:][:t.dim] {
			sum[j] += float64(v)
		}
	}
	mean := make([]float32, t.dim)
	for c, n := range counts {
		if n == 0 {
			continue
		}
		for j := range mean {
			mean[j] = float32(sums[c*t.dim+j] / float64(n))
		}
		t.set(c, mean)
	}
}
