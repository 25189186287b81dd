package index

import (
	"encoding/binary"
	"errors"
	"math"
	"strconv"
	"unsafe"

	"github.com/vantage-search/vantage/internal/wasm/kernel"
	"github.com/vantage-search/vantage/internal/wasm/shard"
	"github.com/vantage-search/vantage/perspective"
)

// A collection may be divided among several indexes, its parts. Each has some
// of the rows, with the same numbers. With these functions, the owner of all
// parts can answer with the same bits as one index of all rows.

// GateScores lists the first-stage scores of the rows that the mask allows, in any order.
// There are none if the plan has no gate. The cut of the gate is a quantile of the scores
// of all parts.
func (ix *Index) GateScores(plan *perspective.Plan, m Mask) ([]float32, error) {
	if plan.Gate == nil {
		return nil, nil
	}
	ix.mu.RLock()
	defer ix.mu.RUnlock()
	p, err := ix.ready(&plan.Gate.Plan, m)
	if err != nil {
		return nil, err
	}
	return ix.allowed(p, m), nil
}

// A record is a stored row outside its index: scale and squared norm as little-endian
// float32, eight bytes of zeros, then the padded components as in memory.
const recordHead = 16

// RecordSize is the number of bytes of a record.
func (ix *Index) RecordSize() int {
	if ix.dtype == shard.I8 {
		return recordHead + kernel.PadI8(ix.dim)
	}
	return recordHead + 4*kernel.PadF32(ix.dim)
}

// AppendRecord appends a stored row, for ReadRecords of another part.
func (ix *Index) AppendRecord(b []byte, row int) ([]byte, error) {
	ix.mu.RLock()
	defer ix.mu.RUnlock()
	s, i := ix.locate(row)
	if s == nil {
		return nil, errors.New("index: there is no row " + strconv.Itoa(row) + " here")
	}
	var head [recordHead]byte
	if ix.dtype == shard.I8 {
		binary.LittleEndian.PutUint32(head[:], math.Float32bits(s.rows.Scales[i]))
	}
	binary.LittleEndian.PutUint32(head[4:], math.Float32bits(s.rows.Norm2[i]))
	return append(append(b, head[:]...), components(s.rows, i)...), nil
}

// components are the bytes of a row.
func components(r *shard.Rows, i int) []byte {
	if r.DType == shard.I8 {
		return unsafe.Slice((*byte)(unsafe.Pointer(&r.I8[i*r.Stride])), r.Stride)
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&r.F32[i*r.Stride])), 4*r.Stride)
}

// Records are stored rows of any parts, in the order in which they were read.
type Records struct{ rows shard.Rows }

// ReadRecords copies records of parts that have this index's dimension and
// type.
func (ix *Index) ReadRecords(b []byte) (*Records, error) {
	size := ix.RecordSize()
	if len(b)%size != 0 {
		return nil, errors.New("index: " + strconv.Itoa(len(b)) + " bytes are no records of " + strconv.Itoa(size) + " bytes each")
	}
	n := len(b) / size
	r := shard.Rows{N: n, Dim: ix.dim, Stride: size - recordHead, DType: ix.dtype, Scales: make([]float32, n), Norm2: make([]float32, n)}
	if ix.dtype == shard.I8 {
		r.I8 = make([]int8, n*r.Stride)
	} else {
		r.Stride /= 4
		r.F32 = make([]float32, n*r.Stride)
	}
	for i := range n {
		record := b[i*size:]
		r.Scales[i] = math.Float32frombits(binary.LittleEndian.Uint32(record))
		r.Norm2[i] = math.Float32frombits(binary.LittleEndian.Uint32(record[4:]))
		copy(components(&r, i), record[recordHead:])
	}
	return &Records{r}, nil
}

// Len is the number of records.
func (r *Records) Len() int { return r.rows.N }

// Similarity is Index.Similarity for two records, given by their indexes.
func (r *Records) Similarity(i, j int) float32 { return similarity(&r.rows, i, &r.rows, j) }
