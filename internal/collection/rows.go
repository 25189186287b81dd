package collection

import (
	"errors"
	"fmt"
	"slices"

	"github.com/vantage-search/vantage/internal/collection/manifest"
	"github.com/vantage-search/vantage/internal/wasm/shard"
)

// headerBytes is an upper bound of a vector file's header with its alignment.
const headerBytes = 640

// partRows are vectors of documents by one part of the encoder: their rows, or their
// angles.
type partRows struct {
	dim    int
	floats []float32 // F16 and F32 rows [documents, dim]
	ints   []int8    // I8 rows [documents, dim]
	scales []float32
}

// grow adds an empty row.
func (r *partRows) grow(dtype shard.DType) {
	if dtype == shard.I8 {
		r.ints = append(r.ints, make([]int8, r.dim)...)
		r.scales = append(r.scales, 0)
	} else {
		r.floats = append(r.floats, make([]float32, r.dim)...)
	}
}

// leastNorm2 is the least squared length of a row that is not zero. Below it, the float32 numbers that rank rows lose digits,
// down to none.
const leastNorm2 = 0x1p-126

// set stores a vector as a row. It refuses one that is not zero, but too short to be ranked.
func (r *partRows) set(dtype shard.DType, row int, vector []float32) error {
	norm2 := 0.0
	if dtype == shard.I8 {
		ints := r.ints[row*r.dim:][:r.dim]
		scale := shard.QuantizeRow(ints, vector)
		r.scales[row] = scale
		for _, v := range ints {
			norm2 += float64(int(v) * int(v))
		}
		norm2 *= float64(scale) * float64(scale)
	} else {
		copy(r.floats[row*r.dim:][:r.dim], vector)
		for _, v := range vector {
			if dtype == shard.F16 {
				v = shard.F16ToF32(shard.F32ToF16(v))
			}
			norm2 += float64(v) * float64(v)
		}
	}
	if norm2 < leastNorm2 && slices.ContainsFunc(vector, func(v float32) bool { return v != 0 }) {
		return fmt.Errorf("its vector is not zero, but shorter than 1.1e-19 as %s: normalise the vectors", dtype)
	}
	return nil
}

// copyFrom stores a row of a vector file as a row.
func (r *partRows) copyFrom(file *shard.Rows, at, row int) {
	if file.DType == shard.I8 {
		copy(r.ints[row*r.dim:][:r.dim], file.I8[at*file.Stride:])
		r.scales[row] = file.Scales[at]
	} else {
		copy(r.floats[row*r.dim:][:r.dim], file.F32[at*file.Stride:])
	}
}

// append adds n rows of others, from row first.
func (r *partRows) append(dtype shard.DType, o *partRows, first, n int) {
	if dtype == shard.I8 {
		r.ints = append(r.ints, o.ints[first*r.dim:(first+n)*r.dim]...)
		r.scales = append(r.scales, o.scales[first:first+n]...)
	} else {
		r.floats = append(r.floats, o.floats[first*r.dim:(first+n)*r.dim]...)
	}
}

// count is the number of rows.
func (r *partRows) count(dtype shard.DType) int {
	if dtype == shard.I8 {
		return len(r.scales)
	}
	return len(r.floats) / r.dim
}

// rowWriter writes rows of the collection into vector files of at most a given length.
type rowWriter struct {
	stage    *stage
	folder   string
	dtype    shard.DType
	perShard int

	first int      // first row of the current shard
	rows  partRows // of the current shard
	files []manifest.RowFile
	seen  func(file []byte) error // receives each file; nil: nobody wants them
}

func newRowWriter(s *stage, folder string, dtype shard.DType, dim, shardBytes int) *rowWriter {
	perRow := 8 // norm and id
	switch dtype {
	case shard.I8:
		perRow += dim + 4
	case shard.F16:
		perRow += 2 * dim
	default:
		perRow += 4 * dim
	}
	return &rowWriter{stage: s, folder: folder, dtype: dtype, perShard: max(1, (shardBytes-headerBytes)/perRow), rows: partRows{dim: dim}}
}

// append adds the rows of the next batch.
func (w *rowWriter) append(r *partRows) error {
	for i, all := 0, r.count(w.dtype); i < all; {
		n := min(all-i, w.perShard-w.rows.count(w.dtype))
		w.rows.append(w.dtype, r, i, n)
		i += n
		if w.rows.count(w.dtype) == w.perShard {
			if err := w.flush(); err != nil {
				return err
			}
		}
	}
	return nil
}

// flush writes the current shard.
func (w *rowWriter) flush() error {
	n := w.rows.count(w.dtype)
	if n == 0 {
		return nil
	}
	ids := make([]uint32, n)
	for i := range ids {
		ids[i] = uint32(w.first + i)
	}
	var content []byte
	var err error
	if w.dtype == shard.I8 {
		content, err = shard.EncodeQuantizedRows(w.rows.dim, w.rows.ints, w.rows.scales, ids)
	} else {
		content, err = shard.EncodeRows(w.dtype, w.rows.dim, w.rows.floats, ids)
	}
	var row *shard.RowError
	if errors.As(err, &row) {
		row.Row += w.first
	}
	if err != nil {
		return fmt.Errorf("the vectors of documents %d to %d cannot be stored as %s: %w", w.first, w.first+n-1, w.dtype, err)
	}
	if w.seen != nil {
		if err := w.seen(content); err != nil {
			return err
		}
	}
	f, err := w.stage.add(w.folder, content)
	if err != nil {
		return err
	}
	w.files = append(w.files, manifest.RowFile{File: f, FirstRow: w.first, Rows: n})
	w.first += n
	w.rows.floats, w.rows.ints, w.rows.scales = w.rows.floats[:0], w.rows.ints[:0], w.rows.scales[:0]
	return nil
}
