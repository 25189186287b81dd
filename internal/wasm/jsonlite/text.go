package jsonlite

import (
	"unicode/utf8"
	"unsafe"
)

// Text reads a string.
func (r *Reader) Text() string {
	if !r.begin(String) {
		return ""
	}
	return r.text()
}

// text reads the string whose opening quote is at pos.
func (r *Reader) text() string {
	start := r.pos + 1
	plain := r.skipString()
	if r.err != nil {
		return ""
	}
	raw := r.data[start : r.pos-1]
	if !plain {
		raw = unescape(raw)
	}
	return unsafe.String(unsafe.SliceData(raw), len(raw))
}

// skipString moves past the string whose opening quote is at pos. It reports whether
// the string's bytes are its value, without escapes or invalid UTF-8.
func (r *Reader) skipString() (plain bool) {
	data := r.data
	start := r.pos + 1
	escaped, ascii := false, true
	for i := start; i < len(data); i++ {
		c := data[i]
		switch {
		case c == '"':
			valid := ascii || utf8.Valid(data[start:i])
			if !valid && r.strict {
				r.syntaxAt(firstInvalid(data, start), "invalid UTF-8 in a string")
				return false
			}
			r.pos = i + 1
			return valid && !escaped
		case c == '\\':
			n := escapeLen(data[i:], r.strict)
			if n == 0 {
				r.syntaxAt(i, "invalid escape in a string")
				return false
			}
			escaped = true
			i += n - 1
		case c < 0x20:
			r.syntaxAt(i, "a control character in a string is not escaped")
			return false
		case c >= utf8.RuneSelf:
			ascii = false
		}
	}
	r.syntaxAt(len(data), "a string has no closing quote")
	return false
}

// escapeLen returns the length of the escape at the beginning of s, 0 if it is invalid.
// If strict, a pair of surrogates counts as one escape, and unpaired ones are invalid.
func escapeLen(s []byte, strict bool) int {
	if len(s) < 2 {
		return 0
	}
	switch s[1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return 2
	case 'u':
		u, ok := hex4(s)
		switch {
		case !ok:
			return 0
		case !strict || !surrogate(u):
			return 6
		}
		if low, ok := hex4(s[6:]); ok && pair(u, low) {
			return 12
		}
	}
	return 0
}

// hex4 reads an escape of the form \uXXXX.
func hex4(s []byte) (u rune, ok bool) {
	if len(s) < 6 || s[0] != '\\' || s[1] != 'u' {
		return 0, false
	}
	for _, c := range s[2:6] {
		switch {
		case '0' <= c && c <= '9':
			c -= '0'
		case 'a' <= c && c <= 'f':
			c -= 'a' - 10
		case 'A' <= c && c <= 'F':
			c -= 'A' - 10
		default:
			return 0, false
		}
		u = u<<4 | rune(c)
	}
	return u, true
}

func surrogate(u rune) bool { return 0xd800 <= u && u < 0xe000 }

// pair reports whether high and low are a surrogate pair.
func pair(high, low rune) bool {
	return 0xd800 <= high && high < 0xdc00 && 0xdc00 <= low && low < 0xe000
}

// unescape decodes the inside of a string that skipString has accepted. Invalid UTF-8 becomes
// U+FFFD byte by byte, an unpaired surrogate one U+FFFD, as in encoding/json.
func unescape(s []byte) []byte {
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); {
		switch c := s[i]; {
		case c == '\\' && s[i+1] == 'u':
			u, _ := hex4(s[i:])
			i += 6
			if surrogate(u) {
				if low, ok := hex4(s[i:]); ok && pair(u, low) {
					u = (u-0xd800)<<10 | (low - 0xdc00) + 0x10000
					i += 6
				}
			}
			out = utf8.AppendRune(out, u) // U+FFFD for an unpaired surrogate
		case c == '\\':
			out = append(out, unescaped(s[i+1]))
			i += 2
		case c < utf8.RuneSelf:
			out = append(out, c)
			i++
		default:
			u, n := utf8.DecodeRune(s[i:])
			out = utf8.AppendRune(out, u)
			i += n
		}
	}
	return out
}

// unescaped returns the byte of a one-letter escape.
func unescaped(c byte) byte {
	switch c {
	case 'b':
		return '\b'
	case 'f':
		return '\f'
	case 'n':
		return '\n'
	case 'r':
		return '\r'
	case 't':
		return '\t'
	}
	return c // the quote, \ and /
}

// firstInvalid returns the offset of the first byte from start on that is not UTF-8.
func firstInvalid(data []byte, start int) int {
	for start < len(data) {
		u, n := utf8.DecodeRune(data[start:])
		if u == utf8.RuneError && n == 1 {
			break
		}
		start += n
	}
	return start
}
