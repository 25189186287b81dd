package build

import (
	"encoding/binary"
	"errors"
)

// image is a module whose data segments have been laid out as the memory that
// they initialise.
type image struct {
	before, after []byte // the module's bytes around its data section
	memory        []byte
}

const (
	sectionData      = 11
	sectionDataCount = 12
)

func readImage(module []byte) (*image, error) {
	m := &image{}
	r := reader{module, 8}
	for r.at < len(module) {
		start := r.at
		id := r.byte()
		size := r.uint()
		end := r.at + size
		switch id {
		case sectionData:
			m.before, m.after = module[:start], module[end:]
			if err := m.place(&r); err != nil {
				return nil, err
			}
		case sectionDataCount:
			return nil, errors.New("strip: the module counts its data segments: none of Go's linkers wrote that")
		}
		r.at = end
	}
	if m.memory == nil {
		return nil, errors.New("strip: the module has no data")
	}
	return m, nil
}

// place copies each data segment to its place in memory.
func (m *image) place(r *reader) error {
	for range r.uint() {
		if r.uint() != 0 || r.byte() != 0x41 { // active, in memory 0, at an i32.const
			return errors.New("strip: a data segment of an unknown kind")
		}
		offset := r.uint()
		if r.byte() != 0x0b { // end
			return errors.New("strip: a data segment at a computed offset")
		}
		length := r.uint()
		if need := offset + length; need > len(m.memory) {
			m.memory = append(m.memory, make([]byte, need-len(m.memory))...)
		}
		copy(m.memory[offset:], r.b[r.at:r.at+length])
		r.at += length
	}
	return nil
}

// gap is the shortest run of zeros that is left out between two segments. The
// linker leaves out runs of a few bytes and arrives at 30,000 segments, whose
// offsets are worse to compress than the zeros and take time to instantiate.
const gap = 256

// write returns the module with its memory in few segments.
func (m *image) write() []byte {
	var segments []byte
	count := 0
	for at := 0; at < len(m.memory); {
		start := at + zeros(m.memory[at:])
		if start == len(m.memory) {
			break
		}
		for at = start; at < len(m.memory); {
			if run := zeros(m.memory[at:]); run >= gap || at+run == len(m.memory) {
				break
			} else {
				at += run + 1
			}
		}
		segments = append(segments, 0, 0x41)
		segments = appendSigned(segments, start)
		segments = append(segments, 0x0b)
		segments = binary.AppendUvarint(segments, uint64(at-start))
		segments = append(segments, m.memory[start:at]...)
		count++
	}
	content := append(binary.AppendUvarint(nil, uint64(count)), segments...)
	out := append([]byte(nil), m.before...)
	out = append(out, sectionData)
	out = binary.AppendUvarint(out, uint64(len(content)))
	out = append(out, content...)
	return append(out, m.after...)
}

// zeros counts the zeros that b begins with.
func zeros(b []byte) int {
	for i, v := range b {
		if v != 0 {
			return i
		}
	}
	return len(b)
}

// appendSigned appends a number that is not negative as signed LEB128: in its
// last byte, the sign bit must be clear.
func appendSigned(b []byte, v int) []byte {
	for v >= 0x40 {
		b = append(b, byte(v)|0x80)
		v >>= 7
	}
	return append(b, byte(v))
}

// reader walks bytes that the Go linker has just written.
type reader struct {
	b  []byte
	at int
}

func (r *reader) byte() byte {
	r.at++
	return r.b[r.at-1]
}

// uint reads an unsigned LEB128 number; offsets of segments are signed ones,
// but never negative, and read alike.
func (r *reader) uint() int {
	v, n := binary.Uvarint(r.b[r.at:])
	r.at += n
	return int(v)
}
