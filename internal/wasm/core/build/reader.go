package build

import "encoding/binary"

// reader reads output of the Go linker.
type reader struct {
	b  []byte
	at int
}

func (r *reader) byte() byte {
	r.at++
	return r.b[r.at-1]
}

// take reads n bytes, without copying them.
func (r *reader) take(n int) []byte {
	r.at += n
	return r.b[r.at-n : r.at : r.at]
}

// text reads a length and a string.
func (r *reader) text() string { return string(r.take(r.uint())) }

// uint reads an unsigned LEB128 number.
func (r *reader) uint() int {
	v, n := binary.Uvarint(r.b[r.at:])
	r.at += n
	return int(v)
}

// int reads a signed LEB128 number.
func (r *reader) int() (v int64) {
	for shift := 0; ; {
		b := r.byte()
		v |= int64(b&0x7f) << shift
		shift += 7
		if b < 0x80 {
			if b&0x40 != 0 && shift < 64 {
				v |= -1 << shift
			}
			return v
		}
	}
}

// imports counts the imported functions. Go's linker imports nothing else.
func (r *reader) imports() int {
	count := r.uint()
	for range count {
		r.text()
		r.text()
		r.byte()
		r.uint()
	}
	return count
}

// names reads subsection 1 of a name section, the names of functions.
func (r *reader) names(names map[int]string) {
	for r.at < len(r.b) {
		id := r.byte()
		part := reader{b: r.take(r.uint())}
		if id != 1 {
			continue
		}
		for range part.uint() {
			i := part.uint()
			names[i] = part.text()
		}
	}
}
