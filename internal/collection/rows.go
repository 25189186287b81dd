package collection

import (
	"errors"
	"fmt"

	"github.com/vantage-search/vantage/internal/collection/manifest"
	"github.com/vantage-search/vantage/internal/wasm/shard"
)

// headerBytes is an upper bound of a vector file's header with its alignment.
const headerBytes = 640

// rowWriter writes the rows of the collection into vector files of at most a given
// length.
type rowWriter struct {
	stage    *stage
	dtype    shard.DType
	dim      int
	perShard int

	first  int // first row of the current shard
	floats []float32
	ints   []int8
	scales []float32
	files  []manifest.RowFile
}

func newRowWriter(s *stage, dtype shard.DType, dim, shardBytes int) *rowWriter {
	perRow := 8 // norm and id
	switch dtype {
	case shard.I8:
		perRow += dim + 4
	case shard.F16:
		perRow += 2 * dim
	default:
		perRow += 4 * dim
	}
	return &rowWriter{stage: s, dtype: dtype, dim: dim, perShard: max(1, (shardBytes-headerBytes)/perRow)}
}

// append adds the rows of the next batch.
func (w *rowWriter) append(b *batch) error {
	for i := 0; i < len(b.docs); {
		n := min(len(b.docs)-i, w.perShard-w.count())
		if w.dtype == shard.I8 {
			w.ints = append(w.ints, b.ints[i*w.dim:(i+n)*w.dim]...)
			w.scales = append(w.scales, b.scales[i:i+n]...)
		} else {
			w.floats = append(w.floats, b.floats[i*w.dim:(i+n)*w.dim]...)
		}
		i += n
		if w.count() == w.perShard {
			if err := w.flush(); err != nil {
				return err
			}
		}
	}
	return nil
}

func (w *rowWriter) count() int {
	if w.dtype == shard.I8 {
		return len(w.scales)
	}
	return len(w.floats) / w.dim
}

// flush writes the current shard.
func (w *rowWriter) flush() error {
	n := w.count()
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
		content, err = shard.EncodeQuantizedRows(w.dim, w.ints, w.scales, ids)
	} else {
		content, err = shard.EncodeRows(w.dtype, w.dim, w.floats, ids)
	}
	var row *shard.RowError
	if errors.As(err, &row) {
		row.Row += w.first
	}
	if err != nil {
		return fmt.Errorf("the vectors of documents %d to %d cannot be stored as %s: %w", w.first, w.first+n-1, w.dtype, err)
	}
	f, err := w.stage.add(vectorsDir, content)
	if err != nil {
		return err
	}
	w.files = append(w.files, manifest.RowFile{File: f, FirstRow: w.first, Rows: n})
	w.first += n
	w.floats, w.ints, w.scales = w.floats[:0], w.ints[:0], w.scales[:0]
	return nil
}
