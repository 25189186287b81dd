package vectors

import (
	"bytes"
	"errors"
	"math"
	"testing"

	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/internal/wasm/shard"
)

// Any safetensors file with vectors gives a matrix of finite numbers, or an error of
// kind input.
func FuzzVectors(f *testing.F) {
	for _, tensors := range [][]shard.Tensor{
		{{Name: "vectors", DType: shard.F32, Shape: []int{2, 1}, Data: make([]byte, 8)}},
		{{Name: "x", DType: shard.F16, Shape: []int{1, 2}, Data: []byte{0, 0x3c, 0, 0x7c}}, {Name: "ids", DType: shard.U32, Shape: []int{1}, Data: make([]byte, 4)}},
		{{Name: "embeddings", DType: shard.F32, Shape: []int{0, 4}}},
		{{Name: "vectors", DType: shard.F64, Shape: []int{1}, Data: make([]byte, 8)}},
	} {
		b, err := shard.AppendSafetensors(nil, tensors, nil)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
		f.Add(bytes.Replace(b, []byte("vectors"), []byte("vectorz"), 1))
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		dim, data, err := matrixOf(content)
		if err != nil {
			if !errors.Is(err, fault.Input) && !fault.Is[*shard.FormatError](err) {
				t.Errorf("%T: %v", err, err)
			}
			return
		}
		if dim < 1 || len(data) == 0 || len(data)%dim != 0 {
			t.Errorf("%d numbers in rows of %d", len(data), dim)
		}
		for i, v := range data {
			if !(math.Abs(float64(v)) <= math.MaxFloat32) {
				t.Errorf("number %d is %v", i, v)
			}
		}
	})
}
