package shard

import (
	"encoding/binary"
	"maps"
	"slices"
	"strconv"
	"unicode/utf8"
)

// dataAlignment is the alignment of the data in files that this package writes: a cache
// line and the widest vector register, so that rows are aligned if the file is loaded
// at such an address.
const dataAlignment = 64

// AppendSafetensors appends a file with the given tensors and metadata (nil means none)
// to dst. The same arguments give the same bytes. The tensors' data are in the given
// order if that aligns each to the size of its elements, otherwise in descending order
// of that size. The header is padded with spaces so that the data begin at a multiple
// of 64 bytes.
func AppendSafetensors(dst []byte, tensors []Tensor, metadata map[string]string) ([]byte, error) {
	header, ordered, err := buildHeader(tensors, metadata)
	if err != nil {
		return dst, err
	}
	total := 8 + len(header)
	for _, t := range ordered {
		total += len(t.Data)
	}
	dst = slices.Grow(dst, total)
	dst = binary.LittleEndian.AppendUint64(dst, uint64(len(header)))
	dst = append(dst, header...)
	for _, t := range ordered {
		dst = append(dst, t.Data...)
	}
	return dst, nil
}

func buildHeader(tensors []Tensor, metadata map[string]string) ([]byte, []Tensor, error) {
	if err := checkTensors(tensors); err != nil {
		return nil, nil, err
	}
	if !aligned(tensors) {
		tensors = slices.Clone(tensors)
		slices.SortStableFunc(tensors, func(a, b Tensor) int { return b.DType.alignment() - a.DType.alignment() })
	}
	var h headerWriter
	h.bytes = append(h.bytes, '{')
	if metadata != nil {
		h.key(metadataKey)
		h.bytes = append(h.bytes, '{')
		for _, name := range slices.Sorted(maps.Keys(metadata)) {
			h.key(name)
			h.text(metadata[name])
		}
		h.bytes = append(h.bytes, '}')
	}
	at := 0
	for _, t := range tensors {
		h.key(t.Name)
		h.bytes = append(h.bytes, `{"dtype":`...)
		h.text(string(t.DType))
		h.bytes = append(h.bytes, `,"shape":`...)
		h.numbers(t.Shape)
		h.bytes = append(h.bytes, `,"data_offsets":`...)
		h.numbers([]int{at, at + len(t.Data)})
		h.bytes = append(h.bytes, '}')
		at += len(t.Data)
	}
	h.bytes = append(h.bytes, '}')
	for (8+len(h.bytes))%dataAlignment != 0 {
		h.bytes = append(h.bytes, ' ')
	}
	switch {
	case h.invalid:
		return nil, nil, formatError("", "a name or a metadata text is not valid UTF-8")
	case len(h.bytes) > MaxHeader:
		return nil, nil, formatError("", "the header would be "+strconv.Itoa(len(h.bytes))+" bytes long, at most "+strconv.Itoa(MaxHeader)+": write fewer tensors or less metadata")
	}
	return h.bytes, tensors, nil
}

func checkTensors(tensors []Tensor) error {
	seen := make(map[string]bool, len(tensors))
	for _, t := range tensors {
		size, problem := byteSize(t.DType, t.Shape)
		switch {
		case problem != "":
			return formatError(t.Name, problem)
		case size != uint64(len(t.Data)):
			return formatError(t.Name, string(t.DType)+" "+shapeText(t.Shape)+" takes "+strconv.FormatUint(size, 10)+" bytes, given are "+strconv.Itoa(len(t.Data)))
		case t.Name == metadataKey:
			return formatError(t.Name, "a tensor may not have this name")
		case seen[t.Name]:
			return formatError(t.Name, "the name occurs twice")
		}
		seen[t.Name] = true
	}
	return nil
}

// aligned reports whether the tensors' data are all aligned in this order.
func aligned(tensors []Tensor) bool {
	at := 0
	for _, t := range tensors {
		if at%t.DType.alignment() != 0 {
			return false
		}
		at += len(t.Data)
	}
	return true
}

// headerWriter writes JSON without white space.
type headerWriter struct {
	bytes   []byte
	invalid bool // a text was not UTF-8
}

func (h *headerWriter) key(name string) {
	if h.bytes[len(h.bytes)-1] != '{' {
		h.bytes = append(h.bytes, ',')
	}
	h.text(name)
	h.bytes = append(h.bytes, ':')
}

func (h *headerWriter) text(s string) {
	const hex = "0123456789abcdef"
	h.invalid = h.invalid || !utf8.ValidString(s)
	h.bytes = append(h.bytes, '"')
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			h.bytes = append(h.bytes, '\\', c)
		case c < 0x20:
			h.bytes = append(h.bytes, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		default:
			h.bytes = append(h.bytes, c)
		}
	}
	h.bytes = append(h.bytes, '"')
}

func (h *headerWriter) numbers(v []int) {
	h.bytes = append(h.bytes, '[')
	for i, n := range v {
		if i > 0 {
			h.bytes = append(h.bytes, ',')
		}
		h.bytes = strconv.AppendInt(h.bytes, int64(n), 10)
	}
	h.bytes = append(h.bytes, ']')
}
