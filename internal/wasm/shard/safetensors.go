// Package shard reads and writes the vector files of a collection: the safetensors format
// (https://github.com/huggingface/safetensors, "Format"), the tensors that hold rows of vectors in
// it, and the quantisation of rows.
//
// All input is untrusted: memory is allocated only in proportion to the bytes that are
// present, and values that would spoil a score (NaN, infinities) are refused.
package shard

import (
	"encoding/binary"
	"math/bits"
	"sort"
	"strconv"

	"github.com/vantage-search/vantage/internal/wasm/jsonlite"
)

// MaxHeader is the greatest length in bytes of a header that is read or written.
const MaxHeader = 16 << 20

// Tensor is a named array of a safetensors file, in C order, little-endian.
type Tensor struct {
	Name  string
	DType DType
	Shape []int // empty for a scalar
	Data  []byte
}

// Safetensors is a parsed file.
type Safetensors struct {
	Metadata map[string]string // "__metadata__" of the header, or nil
	tensors  []Tensor          // in the order of their offsets
	byName   map[string]int
}

// maxDimensions is the greatest length of a shape, that of PyTorch and NumPy. Errors repeat shapes, and should stay short.
const maxDimensions = 64

// metadataKey is the only key of a header that does not name a tensor.
const metadataKey = "__metadata__"

// ParseSafetensors parses a file. It is as strict as the reference implementation: the
// header must be valid JSON in UTF-8 that begins with '{', the tensors must cover the
// rest of the file without holes or overlaps, and the length of each must fit its
// shape. In addition, names may not repeat, a shape may have at most 64 numbers, and
// the header at most MaxHeader bytes (100 MB in the reference). The error is a *FormatError.
//
// Names, metadata and Data alias b, which must not be changed while they are in use.
func ParseSafetensors(b []byte) (*Safetensors, error) {
	if len(b) < 8 {
		return nil, formatError("", "the file has "+strconv.Itoa(len(b))+" bytes, too few for a header: it is empty, cut off or no safetensors file")
	}
	size := binary.LittleEndian.Uint64(b)
	if size > MaxHeader {
		return nil, formatError("", "the header is "+strconv.FormatUint(size, 10)+" bytes long, at most "+strconv.Itoa(MaxHeader)+
			" are read: this is no safetensors file, or one to export again with fewer tensors")
	}
	if size > uint64(len(b)-8) {
		return nil, formatError("", "the header is "+strconv.FormatUint(size, 10)+" bytes long but only "+strconv.Itoa(len(b)-8)+
			" follow: the file is cut off, or no safetensors file")
	}
	header, data := b[8:8+size], b[8+size:]
	if len(header) == 0 || header[0] != '{' {
		return nil, formatError("", "the header does not begin with '{': this is no safetensors file")
	}
	s := &Safetensors{byName: make(map[string]int)}
	entries, err := s.parseHeader(header)
	if err != nil {
		return nil, err
	}
	if err := s.place(entries, data); err != nil {
		return nil, err
	}
	return s, nil
}

// entry is a tensor's description in the header.
type entry struct {
	tensor     Tensor
	begin, end uint64 // data_offsets
}

func (s *Safetensors) parseHeader(header []byte) ([]entry, error) {
	r := jsonlite.NewReader(header).Strict()
	var entries []entry
	for key := range r.UniqueObject() {
		if key == metadataKey {
			s.Metadata = make(map[string]string)
			for name := range r.UniqueObject() {
				s.Metadata[name] = r.Text()
			}
			continue
		}
		e, missing := parseEntry(r)
		if missing != "" && r.Err() == nil {
			return nil, formatError(key, "the header gives it no "+missing)
		}
		e.tensor.Name = key
		entries = append(entries, e)
	}
	if err := r.End(); err != nil {
		return nil, formatError("", "header: "+err.Error())
	}
	return entries, nil
}

// parseEntry reads the description of one tensor. Unknown keys are skipped, as in the
// reference implementation.
func parseEntry(r *jsonlite.Reader) (e entry, missing string) {
	var offsets [2]uint64
	var haveShape bool
	numbers := 0
	for key := range r.UniqueObject() {
		switch key {
		case "dtype":
			e.tensor.DType = DType(r.Text())
		case "shape":
			haveShape = true
			for i := range r.Array() {
				if i == maxDimensions {
					r.Fail("a shape has more than 64 numbers")
					break
				}
				e.tensor.Shape = append(e.tensor.Shape, int(natural(r)))
			}
		case "data_offsets":
			for i := range r.Array() {
				if i >= len(offsets) {
					r.Fail("data_offsets has more than two numbers")
					break
				}
				offsets[i] = natural(r)
				numbers++
			}
		}
	}
	e.begin, e.end = offsets[0], offsets[1]
	switch {
	case e.tensor.DType == "":
		missing = "dtype"
	case !haveShape:
		missing = "shape"
	case numbers < len(offsets):
		missing = "pair of data_offsets"
	}
	return e, missing
}

// natural reads a nonnegative number that fits an int.
func natural(r *jsonlite.Reader) uint64 {
	v := r.Int64()
	if v < 0 {
		r.Fail("a shape or offset is negative: " + strconv.FormatInt(v, 10))
		return 0
	}
	if int64(int(v)) != v {
		r.Fail("a shape or offset is too large for this machine: " + strconv.FormatInt(v, 10))
		return 0
	}
	return uint64(v)
}

// place gives each tensor its part of data.
func (s *Safetensors) place(entries []entry, data []byte) error {
	sort.Sort(byOffset(entries))
	var at uint64
	for _, e := range entries {
		t := e.tensor
		size, problem := byteSize(t.DType, t.Shape)
		switch {
		case problem != "":
			return formatError(t.Name, problem)
		case e.begin != at || e.end < e.begin:
			return formatError(t.Name, "data_offsets ["+strconv.FormatUint(e.begin, 10)+", "+strconv.FormatUint(e.end, 10)+
				"] leave a hole or overlap: they should begin at "+strconv.FormatUint(at, 10))
		case e.end-e.begin != size:
			return formatError(t.Name, "data_offsets span "+strconv.FormatUint(e.end-e.begin, 10)+" bytes, but "+
				string(t.DType)+" "+shapeText(t.Shape)+" takes "+strconv.FormatUint(size, 10))
		case e.end > uint64(len(data)):
			return formatError(t.Name, "its data end at byte "+strconv.FormatUint(e.end, 10)+" of "+strconv.Itoa(len(data))+": the file is cut off")
		}
		t.Data = data[e.begin:e.end:e.end]
		s.byName[t.Name] = len(s.tensors)
		s.tensors = append(s.tensors, t)
		at = e.end
	}
	if at != uint64(len(data)) {
		return formatError("", strconv.FormatUint(uint64(len(data))-at, 10)+" bytes at the end of the file belong to no tensor")
	}
	return nil
}

// byOffset sorts entries by the offsets of their data. It implements sort.Interface,
// because every instance of the generic sorts costs the browser module 10 KB.
type byOffset []entry

func (e byOffset) Len() int      { return len(e) }
func (e byOffset) Swap(i, j int) { e[i], e[j] = e[j], e[i] }
func (e byOffset) Less(i, j int) bool {
	a, b := &e[i], &e[j]
	switch {
	case a.begin != b.begin:
		return a.begin < b.begin
	case a.end != b.end:
		return a.end < b.end
	}
	return a.tensor.Name < b.tensor.Name
}

// byteSize returns the length in bytes of a tensor's data, or an error for its dtype
// and shape.
func byteSize(dtype DType, shape []int) (size uint64, problem string) {
	width := dtype.bits()
	if width == 0 {
		return 0, "unknown dtype " + strconv.Quote(string(dtype))
	}
	const tooLarge = "its shape is too large to count its bytes"
	size = 1
	for _, n := range shape {
		if n < 0 {
			return 0, "its shape has a negative length"
		}
		high, low := bits.Mul64(size, uint64(n))
		if high != 0 {
			return 0, tooLarge
		}
		size = low
	}
	high, low := bits.Mul64(size, uint64(width))
	if high != 0 {
		return 0, tooLarge
	}
	if low%8 != 0 {
		return 0, "its " + string(dtype) + " elements do not fill whole bytes"
	}
	return low / 8, ""
}

// Tensor returns the tensor with a name.
func (s *Safetensors) Tensor(name string) (Tensor, bool) {
	i, ok := s.byName[name]
	if !ok {
		return Tensor{}, false
	}
	return s.tensors[i], true
}

// Names returns the tensors' names in the order of their data.
func (s *Safetensors) Names() []string {
	names := make([]string, len(s.tensors))
	for i, t := range s.tensors {
		names[i] = t.Name
	}
	return names
}
