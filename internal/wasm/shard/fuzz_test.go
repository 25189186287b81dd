package shard

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"io"
	"math"
	"math/big"
	"runtime"
	"slices"
	"testing"
	"unicode/utf8"

	"github.com/vantage-search/vantage/internal/wasm/kernel"
)

// allocated returns approximately the bytes that f allocates. Other goroutines count,
// too.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// checkAllocation fails if parsing size bytes took memory out of proportion: a row of one F16 number
// is padded 16-fold, and a header's smallest shapes and names grow as much.
func checkAllocation(t *testing.T, size int, f func()) {
	t.Helper()
	if n := allocated(f); n > uint64(1<<20+100*size) {
		t.Fatalf("%d bytes of input took %d bytes", size, n)
	}
}

// described is a tensor as parsed by the oracle.
type described struct {
	name       string
	begin, end int64
}

// oracle parses a file by the format's description, with encoding/json and math/big. It
// does not check pairs of surrogates.
func oracle(b []byte) (tensors []described, ok bool) {
	if len(b) < 8 {
		return nil, false
	}
	n := binary.LittleEndian.Uint64(b)
	if n > MaxHeader || n > uint64(len(b)-8) {
		return nil, false
	}
	header, data := b[8:8+n], b[8+n:]
	if !bytes.HasPrefix(header, []byte("{")) || !utf8.Valid(header) || !json.Valid(header) {
		return nil, false
	}
	entries, ok := members(header)
	if !ok {
		return nil, false
	}
	for name, text := range entries {
		fields, ok := members(text)
		if !ok {
			return nil, false
		}
		if name == "__metadata__" {
			for _, v := range fields {
				if v[0] != '"' {
					return nil, false
				}
			}
			continue
		}
		var dtype *string
		var shape, offsets []*int64
		for field, into := range map[string]any{"dtype": &dtype, "shape": &shape, "data_offsets": &offsets} {
			if json.Unmarshal(fields[field], into) != nil {
				return nil, false
			}
		}
		if dtype == nil || shape == nil || len(offsets) != 2 || slices.Contains(shape, nil) || slices.Contains(offsets, nil) {
			return nil, false
		}
		size := big.NewInt(1)
		limit := new(big.Int).Lsh(big.NewInt(1), 64)
		width := int64(DType(*dtype).bits())
		for _, n := range append(shape, &width) { // in the reference's order, which matters for overflow
			if size.Mul(size, big.NewInt(*n)); *n < 0 || size.Cmp(limit) >= 0 {
				return nil, false
			}
		}
		if DType(*dtype).bits() == 0 || size.Cmp(big.NewInt(8*(*offsets[1]-*offsets[0]))) != 0 || *offsets[0] < 0 {
			return nil, false
		}
		tensors = append(tensors, described{name, *offsets[0], *offsets[1]})
	}
	at := int64(0)
	for range tensors { // each step finds the tensors that begin where the last ended
		for _, t := range tensors {
			if t.begin == at && t.end > at {
				at = t.end
				break
			}
		}
	}
	var total int64
	for _, t := range tensors {
		empty := t.begin == t.end && (t.begin == 0 || slices.ContainsFunc(tensors, func(o described) bool { return o.end == t.begin && o.end > o.begin }))
		if t.begin > t.end || t.begin == t.end && !empty {
			return nil, false
		}
		total += t.end - t.begin
	}
	return tensors, at == int64(len(data)) && total == at
}

// members splits an object in valid JSON. It returns false for other values, and if a
// key is repeated.
func members(text []byte) (map[string]json.RawMessage, bool) {
	d := json.NewDecoder(bytes.NewReader(text))
	if open, err := d.Token(); err != nil || open != json.Delim('{') {
		return nil, false
	}
	m := map[string]json.RawMessage{}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return nil, false
		}
		var v json.RawMessage
		if err := d.Decode(&v); err != nil && err != io.EOF {
			return nil, false
		}
		if _, twice := m[key.(string)]; twice {
			return nil, false
		}
		m[key.(string)] = v
	}
	return m, true
}

func FuzzSafetensors(f *testing.F) {
	f.Add(example)
	for _, header := range []string{
		`{}`, `{} `, ` {}`, `[]`, `{"__metadata__":{"a":"b"}}`, `{"__metadata__":{"a":1}}`, `{"a":1}`,
		`{"a":{"dtype":"U8","shape":[4],"data_offsets":[0,4]}}`,
		`{"a":{"dtype":"F32","shape":[],"data_offsets":[0,4],"x":[{}]}}`,
		`{"b":{"dtype":"I8","shape":[2],"data_offsets":[2,4]},"a":{"dtype":"F16","shape":[1,1],"data_offsets":[0,2]},"e":{"dtype":"F64","shape":[0],"data_offsets":[2,2]}}`,
		`{"a":{"dtype":"F4","shape":[2,4],"data_offsets":[0,4]}}`,
		`{"a":{"dtype":"U8","shape":[4294967296,4294967296],"data_offsets":[0,4]}}`,
		`{"a":{"dtype":"U8","shape":[0,9223372036854775807,9223372036854775807],"data_offsets":[0,0]}}`,
		`{"\u0061":{"dtype":"U8","shape":[4],"data_offsets":[0,4]},"a":{"dtype":"U8","shape":[0],"data_offsets":[4,4]}}`,
		`{"a":{"dtype":"U8","shape":[2],"data_offsets":[0,2]},"b":{"dtype":"U8","shape":[3],"data_offsets":[1,4]}}`,
		`{"a":{"dtype":"U8","shape":null,"data_offsets":[0,4]}}`,
	} {
		f.Add(file(header, 1, 2, 3, 4))
		f.Add(file(header))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		var s *Safetensors
		var err error
		checkAllocation(t, len(b), func() { s, err = ParseSafetensors(b) })
		want, ok := oracle(b)
		if err != nil {
			if ok && !bytes.Contains(bytes.ToLower(b), []byte(`\ud`)) {
				t.Fatalf("refused a valid file: %v", err)
			}
			return
		}
		if !ok {
			t.Fatal("accepted an invalid file")
		}
		data := b[8+binary.LittleEndian.Uint64(b):]
		var tensors []Tensor
		for _, name := range s.Names() {
			tensor, _ := s.Tensor(name)
			tensors = append(tensors, tensor)
		}
		for _, d := range want {
			if tensor, ok := s.Tensor(d.name); !ok || !bytes.Equal(tensor.Data, data[d.begin:d.end]) {
				t.Fatalf("tensor %q has other data", d.name)
			}
		}
		again, err := AppendSafetensors(nil, tensors, s.Metadata)
		if err != nil {
			t.Fatal(err)
		}
		s2, err := ParseSafetensors(again)
		if err != nil || len(s2.Names()) != len(want) || len(s2.Metadata) != len(s.Metadata) {
			t.Fatalf("written and read again: %v", err)
		}
		for _, tensor := range tensors {
			other, _ := s2.Tensor(tensor.Name)
			if other.DType != tensor.DType || !slices.Equal(other.Shape, tensor.Shape) || !bytes.Equal(other.Data, tensor.Data) {
				t.Fatalf("tensor %q came back as %v", tensor.Name, other)
			}
		}
	})
}

func FuzzDecodeRows(f *testing.F) {
	for _, dtype := range []DType{F32, F16, I8} {
		for _, dim := range []int{1, 3, 8, 16} {
			vectors := make([]float32, 2*dim)
			for i := range vectors {
				vectors[i] = float32(i) - 1.5
			}
			b, err := EncodeRows(dtype, dim, vectors, nil)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(b)
		}
	}
	f.Add(file(`{"vectors":{"dtype":"F32","shape":[1,1],"data_offsets":[0,4]}}`, 0, 0, 0xc0, 0x7f))
	f.Add(file(`{"vectors":{"dtype":"F32","shape":[1,2],"data_offsets":[0,8]}}`, 0, 0, 0x80, 0xff, 1, 0, 0, 0))
	f.Add(file(`{"vectors":{"dtype":"F16","shape":[2,1],"data_offsets":[0,4]}}`, 1, 0, 0xff, 0x7b))
	f.Add(file(`{"vectors":{"dtype":"I8","shape":[1,1],"data_offsets":[0,1]},"scales":{"dtype":"F32","shape":[1],"data_offsets":[1,5]}}`, 128, 0, 0, 0x80, 0x3f))
	f.Add(file(`{"vectors":{"dtype":"U8","shape":[0,65536],"data_offsets":[0,0]}}`))
	f.Fuzz(checkReadable)
}

// checkReadable reads a file and, if it is accepted, checks its rows and that they come back the
// same when they are written and read again.
func checkReadable(t *testing.T, b []byte) {
	var r *Rows
	var err error
	checkAllocation(t, len(b), func() { r, err = DecodeRows(b) })
	if err != nil {
		return
	}
	checkRows(t, r)
	again := encodeAgain(t, r)
	r2, err := DecodeRows(again)
	if err != nil {
		t.Fatal(err)
	}
	// Compare bits, so that -0 must stay -0.
	sameBits := func(a, b []float32) bool {
		return slices.EqualFunc(a, b, func(x, y float32) bool { return math.Float32bits(x) == math.Float32bits(y) })
	}
	if r2.Dim != r.Dim || r2.DType != r.DType || !sameBits(r.F32, r2.F32) || !slices.Equal(r.I8, r2.I8) || !sameBits(r.Scales, r2.Scales) ||
		!sameBits(r.Norm2, r2.Norm2) || !slices.Equal(r.IDs, r2.IDs) {
		t.Fatalf("written and read again: %v, %v", r, r2)
	}
}

// encodeAgain writes rows that have been read.
func encodeAgain(t *testing.T, r *Rows) []byte {
	var b []byte
	var err error
	if r.DType == I8 {
		b, err = EncodeQuantizedRows(r.Dim, r.I8, r.Scales, r.IDs)
	} else {
		var dense []float32
		for i := range r.N {
			dense = append(dense, r.F32[i*kernel.PadF32(r.Dim):][:r.Dim]...)
		}
		b, err = EncodeRows(F32, r.Dim, dense, r.IDs)
	}
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// FuzzRowValues reaches the checks after the header, because it builds the file around
// the tensors' bytes.
func FuzzRowValues(f *testing.F) {
	f.Add(uint8(0), uint16(3), floats(1, -2, 0.5, 3e-30, 1e18, 0), []byte{}, []byte{}, []byte{})
	f.Add(uint8(0), uint16(1), floats(3e-30, 2), []byte{}, floats(3e-30, 2), []byte{1, 0, 0, 0, 255, 255, 255, 255})
	f.Add(uint8(1), uint16(8), []byte{0, 0x3c, 1, 0, 0, 0x80, 0xff, 0x7b, 0, 0x7c, 0, 4, 0, 0, 0xff, 0x83}, []byte{}, []byte{}, []byte{})
	f.Add(uint8(2), uint16(2), []byte{127, 128, 0, 1}, floats(0.5, 1e-30), floats(90.156, 1e-30), []byte{})
	f.Add(uint8(2), uint16(16), make([]byte, 16), floats(3e38), []byte{}, []byte{})
	f.Fuzz(func(t *testing.T, kind uint8, dim uint16, data, scales, norms, ids []byte) {
		dtype := []DType{F32, F16, I8}[kind%3]
		row := max(int(dim), 1) * dtype.bits() / 8
		n := len(data) / row
		tensors := []Tensor{{"vectors", dtype, []int{n, max(int(dim), 1)}, data[:n*row]}}
		for _, extra := range []Tensor{{"scales", F32, []int{n}, scales}, {"norms", F32, []int{n}, norms}, {"ids", U32, []int{n}, ids}} {
			if len(extra.Data) >= 4*n && len(extra.Data) > 0 {
				extra.Data = extra.Data[:4*n]
				tensors = append(tensors, extra)
			}
		}
		b, err := AppendSafetensors(nil, tensors, nil)
		if err != nil {
			t.Fatal(err)
		}
		checkReadable(t, b)
	})
}
