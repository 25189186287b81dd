package weights

import (
	"encoding/binary"
	"errors"
	"fmt"
)

var errCut = errors.New("the pickle ends in the middle: the file is cut off")

func (p *pickle) fail(format string, args ...any) {
	if p.err == nil {
		p.err = fmt.Errorf(format, args...)
	}
}

// take returns the next n bytes.
func (p *pickle) take(n uint64) []byte {
	if uint64(len(p.b)) < n {
		if p.err == nil {
			p.err = errCut
		}
		return nil
	}
	taken := p.b[:n]
	p.b = p.b[n:]
	return taken
}

// number returns the next n bytes as a little-endian number.
func (p *pickle) number(n uint64) uint64 {
	var word [8]byte
	copy(word[:], p.take(n))
	return binary.LittleEndian.Uint64(word[:])
}

// line returns the text up to the next line break.
func (p *pickle) line() string {
	for i, c := range p.b {
		if c == '\n' {
			s := string(p.b[:i])
			p.b = p.b[i+1:]
			return s
		}
	}
	p.take(uint64(len(p.b)) + 1)
	return ""
}

// long is a little-endian number in two's complement. Of a longer number it is the
// lowest 64 bits; only PyTorch's magic number is longer.
func long(b []byte) int64 {
	var word [8]byte
	if len(b) > 0 && b[len(b)-1] >= 0x80 {
		for i := range word {
			word[i] = 0xff
		}
	}
	copy(word[:], b)
	return int64(binary.LittleEndian.Uint64(word[:]))
}
