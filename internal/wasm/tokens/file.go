package tokens

import (
	"encoding/binary"
	"strconv"

	"github.com/vantage-search/vantage/internal/wasm/shard"
)

// File is a file of documents in memory that has been checked. It refers to the bytes that
// it was read from and does not copy them.
type File struct {
	starts    []uint32 // [documents+1] first vector of each document
	centroids []byte   // [vectors] U16, all below the codebook's length
	scales    []byte   // [vectors] F16, finite, not negative
	codes     []byte   // [vectors, width]
}

// DecodeFile reads and checks a file that EncodeFile wrote. It does not copy the bytes, which
// must not change afterwards.
func (c *Codebook) DecodeFile(file []byte) (*File, error) {
	s, err := shard.ParseSafetensors(file)
	if err != nil {
		return nil, err
	}
	counts, ok := s.Tensor("tokens")
	if !ok || counts.DType != shard.U32 || len(counts.Shape) != 1 {
		return nil, formatError("tokens", "is missing, or not U32 [documents]")
	}
	codes, ok := s.Tensor("codes")
	if !ok || codes.DType != shard.U8 || len(codes.Shape) != 2 || codes.Shape[1] != c.width() {
		return nil, formatError("codes", "is missing, or not U8 [vectors, "+strconv.Itoa(c.width())+"]")
	}
	n := codes.Shape[0]
	f := &File{starts: make([]uint32, counts.Shape[0]+1), codes: codes.Data}
	var total uint64
	for i := range counts.Shape[0] {
		total += uint64(binary.LittleEndian.Uint32(counts.Data[4*i:]))
		f.starts[i+1] = uint32(total)
		if total > uint64(n) {
			break
		}
	}
	if total != uint64(n) || uint64(uint32(total)) != total {
		return nil, formatError("tokens", "the numbers do not add up to the "+strconv.Itoa(n)+" vectors of the file")
	}
	for _, part := range []struct {
		name  string
		dtype shard.DType
		data  *[]byte
	}{{"centroids", "U16", &f.centroids}, {"scales", shard.F16, &f.scales}} {
		t, ok := s.Tensor(part.name)
		if !ok || t.DType != part.dtype || len(t.Shape) != 1 || t.Shape[0] != n {
			return nil, formatError(part.name, "is missing, or not "+string(part.dtype)+" ["+strconv.Itoa(n)+"]")
		}
		*part.data = t.Data
	}
	for i := range n {
		if f.centroid(i) >= c.Len() {
			return nil, &shard.RowError{Tensor: "centroids", Row: i, Column: -1, Problem: "names centroid " + strconv.Itoa(f.centroid(i)) + ", and there are " + strconv.Itoa(c.Len())}
		}
		if half(f.scales, i) >= 0x7c00 { // infinite, NaN, or negative
			return nil, &shard.RowError{Tensor: "scales", Row: i, Column: -1, Problem: "not a finite number from 0 up"}
		}
	}
	return f, nil
}

// half is element i of a list of 16-bit numbers.
func half(list []byte, i int) uint16 { return binary.LittleEndian.Uint16(list[2*i:]) }

// centroid is the centroid of a vector.
func (f *File) centroid(i int) int { return int(half(f.centroids, i)) }

// Documents is the number of documents.
func (f *File) Documents() int { return len(f.starts) - 1 }

// Vectors is the number of vectors.
func (f *File) Vectors() int { return int(f.starts[len(f.starts)-1]) }

// Decode returns the vectors [n, dim] of a document of the file as they are stored.
func (c *Codebook) Decode(f *File, document int) []float32 {
	first, end := int(f.starts[document]), int(f.starts[document+1])
	out, levels := make([]float32, 0, (end-first)*c.dim), make([]int8, c.padded())
	for i := first; i < end; i++ {
		c.levels(levels, f.codes[i*c.width():][:c.width()])
		scale := shard.F16ToF32(half(f.scales, i))
		for j, v := range c.row(f.centroid(i))[:c.dim] {
			out = append(out, v+float32(scale*float32(levels[j])))
		}
	}
	return out
}
