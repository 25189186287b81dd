// Package runtable codes properties of runes for tables that programs carry, in a few kilobytes.
package runtable

import (
	"encoding/binary"
	"unicode"
)

// Code codes the runs of runes that have the same value other than 0, each one or each second rune: the gap since the
// run before and the count less 1 with the step, unsigned, and the value, signed, all of them of variable length.
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
