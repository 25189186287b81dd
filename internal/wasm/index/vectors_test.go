package index

import (
	"math/rand/v2"
	"testing"

	"github.com/vantage-search/vantage/internal/wasm/shard"
)

// TestFromVectors checks that the index has the same rows as after adding them one by
// one.
func TestFromVectors(t *testing.T) {
	const dim, n = 12, 40
	rng := rand.New(rand.NewPCG(1, 2))
	vectors := make([]float32, n*dim)
	for i := range vectors {
		vectors[i] = float32(rng.NormFloat64())
	}
	for _, dtype := range []shard.DType{shard.F32, shard.I8} {
		got, err := FromVectors(dtype, dim, vectors)
		if err != nil {
			t.Fatal(err)
		}
		want, err := New(dim, dtype, 0)
		if err != nil {
			t.Fatal(err)
		}
		for i := range n {
			if _, err := want.Add(vectors[i*dim : (i+1)*dim]); err != nil {
				t.Fatal(err)
			}
		}
		if got.Len() != n || got.Dim() != dim {
			t.Errorf("%s: %d rows of %d", dtype, got.Len(), got.Dim())
		}
		for i := range n {
			if a, b := got.Similarity(0, i), want.Similarity(0, i); a != b {
				t.Errorf("%s, row %d: %v, want %v", dtype, i, a, b)
			}
		}
	}
	if _, err := FromVectors(shard.F32, dim, vectors[1:]); err == nil {
		t.Error("half a vector is taken")
	}
}
