package jsonlite

import (
	"math"
	"strconv"
	"unsafe"
)

// Int64 reads a number that is written as an integer and fits int64: 1.0 and 1e3 are errors, as
// they are for json.Unmarshal into an int64.
func (r *Reader) Int64() int64 {
	at, raw := r.number()
	if r.err != nil {
		return 0
	}
	digits := raw
	negative := digits[0] == '-'
	if negative {
		digits = digits[1:]
	}
	var v uint64
	for _, c := range digits {
		if c < '0' || c > '9' {
			r.fail(&ValueError{at, "expected an integer, found " + string(short(raw))})
			return 0
		}
		if v > math.MaxUint64/10-1 { // the next digit would exceed int64
			v = math.MaxUint64
			break
		}
		v = v*10 + uint64(c-'0')
	}
	switch {
	case !negative && v <= math.MaxInt64:
		return int64(v)
	case negative && v <= 1<<63:
		return int64(-v)
	}
	r.fail(&ValueError{at, "integer " + string(short(raw)) + " does not fit 64 bits"})
	return 0
}

// Float64 reads a number, rounded to the nearest float64. A number beyond the range of
// float64 is an error.
func (r *Reader) Float64() float64 {
	at, raw := r.number()
	if r.err != nil {
		return 0
	}
	v, err := strconv.ParseFloat(unsafe.String(unsafe.SliceData(raw), len(raw)), 64)
	if err != nil {
		r.fail(&ValueError{at, "number " + string(short(raw)) + " is beyond the range of float64"})
		return 0
	}
	return v
}

// number reads a number's text.
func (r *Reader) number() (at int, raw []byte) {
	if !r.begin(Number) {
		return r.pos, nil
	}
	at = r.pos
	r.skipNumber()
	return at, r.data[at:r.pos]
}

// short cuts a number for an error message.
func short(raw []byte) []byte {
	if len(raw) > 40 {
		return append(append([]byte{}, raw[:40]...), "…"...)
	}
	return raw
}

// Bool reads true or false.
func (r *Reader) Bool() bool {
	if !r.begin(Bool) {
		return false
	}
	at := r.pos
	r.skipLiteral()
	return r.err == nil && r.data[at] == 't'
}

// Null reads a null if one comes next, and reports whether it did. It does not read any
// other value.
func (r *Reader) Null() bool {
	if r.Kind() != Null {
		return false
	}
	r.due = false
	r.skipLiteral()
	return r.count()
}

// skipNumber moves past the number at pos:
// -?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?
func (r *Reader) skipNumber() {
	if r.data[r.pos] == '-' {
		r.pos++
	}
	if r.pos < len(r.data) && r.data[r.pos] == '0' {
		r.pos++ // no digit may follow; the next read detects it
	} else {
		r.digits()
	}
	if r.err == nil && r.pos < len(r.data) && r.data[r.pos] == '.' {
		r.pos++
		r.digits()
	}
	if r.err == nil && r.pos < len(r.data) && r.data[r.pos]|0x20 == 'e' {
		r.pos++
		if r.pos < len(r.data) && (r.data[r.pos] == '+' || r.data[r.pos] == '-') {
			r.pos++
		}
		r.digits()
	}
}

// digits moves past one or more digits.
func (r *Reader) digits() {
	start := r.pos
	for r.pos < len(r.data) && '0' <= r.data[r.pos] && r.data[r.pos] <= '9' {
		r.pos++
	}
	if r.pos == start {
		r.syntax("a digit")
	}
}

// skipLiteral moves past the true, false or null at pos.
func (r *Reader) skipLiteral() {
	word := "null"
	switch r.data[r.pos] {
	case 't':
		word = "true"
	case 'f':
		word = "false"
	}
	for i := range len(word) {
		if r.pos >= len(r.data) || r.data[r.pos] != word[i] {
			r.syntax(word)
			return
		}
		r.pos++
	}
}
