package centroids

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/vantage-search/vantage/internal/testing/approx"
)

const dim = 12

func sample(seed uint64, n int) []float32 {
	r := rand.New(rand.NewPCG(seed, 1))
	var out []float32
	for range n {
		topic := r.IntN(5)
		for j := range dim {
			v := 0.2 * r.NormFloat64()
			if j == topic {
				v++
			}
			out = append(out, float32(v))
		}
	}
	return out
}

func quiet(int, int) {}

// distortion is the mean squared distance from the nearest centroid, in float64, and the
// centroid of each vector.
func distortion(vectors, centroids []float32) (mean float64, of []int) {
	for i := 0; i < len(vectors); i += dim {
		best, at := math.Inf(1), 0
		for c := 0; c < len(centroids); c += dim {
			d := 0.0
			for j := range dim {
				d += math.Pow(float64(vectors[i+j])-float64(centroids[c+j]), 2)
			}
			if d < best {
				best, at = d, c/dim
			}
		}
		mean += best * dim / float64(len(vectors))
		of = append(of, at)
	}
	return mean, of
}

func TestLearn(t *testing.T) {
	vectors := sample(1, 1500)
	var want []float32
	for _, workers := range []int{1, 2, 7} {
		got, err := Learn(t.Context(), vectors, dim, 16, workers, quiet)
		if err != nil {
			t.Fatal(err)
		}
		if want == nil {
			want = got
		}
		if !slices.Equal(got, want) {
			t.Errorf("%d workers: other centroids", workers)
		}
	}
	before, _ := distortion(vectors, vectors[:16*dim])
	after, of := distortion(vectors, want)
	t.Logf("distortion %.4f, of 16 of the vectors %.4f", after, before)
	if after > 0.6*before {
		t.Errorf("distortion %v, of 16 of the vectors %v", after, before)
	}
	// Near the end, each centroid is about the mean of the vectors that are nearest to it.
	for c := range 16 {
		mean, n := make([]float64, dim), 0
		for i, own := range of {
			if own == c {
				n++
				for j := range mean {
					mean[j] += float64(vectors[i*dim+j])
				}
			}
		}
		for j := range mean {
			if n > 0 && approx.Apart(mean[j]/float64(n), float64(want[c*dim+j]), 0.1) {
				t.Errorf("centroid %d, component %d: %v, the mean is %v", c, j, want[c*dim+j], mean[j]/float64(n))
			}
		}
	}
}

// Fewer vectors than centroids, equal vectors, and zeros.
func TestLearnLittle(t *testing.T) {
	few := sample(2, 3)
	got, err := Learn(t.Context(), few, dim, 8, 2, quiet)
	if off, _ := distortion(few, got); err != nil || len(got) != 3*dim || off > 1e-12 {
		t.Errorf("%v, %v", got, err)
	}
	for _, vectors := range [][]float32{slices.Repeat(few[:dim], 9), make([]float32, 4*dim)} {
		got, err := Learn(t.Context(), vectors, dim, 4, 2, quiet)
		if off, _ := distortion(vectors, got); err != nil || off > 1e-12 {
			t.Errorf("%v, %v", got, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Learn(ctx, few, dim, 2, 2, quiet); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func TestCount(t *testing.T) {
	for vectors, want := range map[int]int{0: 1, 1: 4, 63: 16, 64: 32, 1 << 17: 2048, 1 << 20: 1 << 14, 1_000_000: 8192, 4_000_000: 16384, 1 << 60: 1 << 16} {
		if got := Count(vectors); got != want {
			t.Errorf("%d vectors: %d centroids, want %d", vectors, got, want)
		}
	}
}
