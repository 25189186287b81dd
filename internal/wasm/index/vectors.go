package index

import "github.com/vantage-search/vantage/internal/wasm/shard"

// FromVectors is an index of concatenated vectors, stored as in a vector file of that
// type (F16 rows become F32). Row i is vector i.
func FromVectors(dtype shard.DType, dim int, vectors []float32) (*Index, error) {
	file, err := shard.EncodeRows(dtype, dim, vectors, nil)
	if err != nil {
		return nil, err
	}
	rows, err := shard.DecodeRows(file)
	if err != nil {
		return nil, err
	}
	ix, err := New(dim, rows.DType, rows.N)
	if err != nil {
		return nil, err
	}
	return ix, ix.Load(0, rows)
}
