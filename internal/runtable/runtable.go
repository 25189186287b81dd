// Package runtable codes properties of runes for tables that programs carry, in a few kilobytes.
package runtable

import (
	"encoding/binary"
	"unicode"
)

// Code encodes the values of all runes as runs. A run is a sequence of runes, or of every second rune, with the same value
// other than 0. It is written as three numbers of variable length: the gap since the run before, the number of its runes
// less 1 together with the step, both unsigned, and the value, signed.
func Code(value func(rune) rune) (data []byte) {
	values := make([]rune, unicode.MaxRune+3) // no run reaches the end
	for r := range rune(unicode.MaxRune + 1) {
		values[r] = value(r)
	}
	end := rune(0)
	for r := rune(0); r <= unicode.MaxRune; {
		v := values[r]
		if v == 0 {
			r++
			continue
		}
		step := rune(1)
		if values[r+1] == 0 && values[r+2] == v {
			step = 2
		}
		start, count := r, 0
		for values[r] == v && (step == 1 || count == 0 || values[r-1] == 0) {
			r += step
			count++
		}
		r -= step - 1
		data = binary.AppendUvarint(data, uint64(start-end))
		data = binary.AppendUvarint(data, uint64(count-1)<<1|uint64(step-1))
		data = binary.AppendVarint(data, int64(v))
		end = r
	}
	return data
}
