package build

import (
	"encoding/binary"
	"errors"
)

// place copies each segment of a data section to its address in memory.
func (m *module) place(r *reader) error {
	for range r.uint() {
		if r.uint() != 0 || r.byte() != 0x41 { // active, in memory 0, at an i32.const
			return errors.New("strip: a data segment of an unknown kind")
		}
		offset := r.uint() // written as signed; as it is never negative, it reads the same as unsigned
		if r.byte() != 0x0b {
			return errors.New("strip: a data segment at a computed offset")
		}
		content := r.take(r.uint())
		if need := offset + len(content); need > len(m.memory) {
			m.memory = append(m.memory, make([]byte, need-len(m.memory))...)
		}
		copy(m.memory[offset:], content)
	}
	return nil
}

// gap is the shortest run of zeros that separates two segments. The linker separates
// segments at runs of a few bytes, which gives tens of thousands. Their offsets compress
// worse than the zeros, and instantiating them takes time.
const gap = 256

// segments returns the data section of the memory with few segments.
func (m *module) segments() []byte {
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
		segments = appendSigned(segments, int64(start))
		segments = append(segments, 0x0b)
		segments = appendText(segments, m.memory[start:at])
		count++
	}
	return append(binary.AppendUvarint(nil, uint64(count)), segments...)
}

// zeros counts the zeros at the beginning of b.
func zeros(b []byte) int {
	for i, v := range b {
		if v != 0 {
			return i
		}
	}
	return len(b)
}

// appendSigned appends a number as signed LEB128.
func appendSigned(b []byte, v int64) []byte {
	for v < -0x40 || v >= 0x40 {
		b = append(b, byte(v)|0x80)
		v >>= 7
	}
	return append(b, byte(v)&0x7f)
}
