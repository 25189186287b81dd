package corpus

import (
	"bytes"
	"unicode/utf8"

	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// maxHeadBytes of the header are looked at to find the separator.
const maxHeadBytes = 64 << 10

// separatorOf finds the separator of columns: a comma, a semicolon or a tab, whichever occurs most in the first line
// that is not empty, outside quotes. If several occur equally often, it is the first of them in this order.
func separatorOf(head []byte) rune {
	line, rest, more := bytes.Cut(head, []byte("\n"))
	for more && len(bytes.TrimSuffix(line, []byte("\r"))) == 0 {
		line, rest, more = bytes.Cut(rest, []byte("\n"))
	}
	counts := map[byte]int{}
	quoted := false
	for _, c := range line {
		if c == '"' {
			quoted = !quoted
		} else if !quoted {
			counts[c]++
		}
	}
	best := byte(',')
	for _, c := range []byte(";\t") {
		if counts[c] > counts[best] {
			best = c
		}
	}
	return rune(best)
}

// delimiterOf reads --delimiter. 0 means that the header decides, except in .tsv files, which have tabs (Open).
func delimiterOf(name string) (rune, error) {
	switch name {
	case "":
		return 0, nil
	case "comma":
		return ',', nil
	case "semicolon":
		return ';', nil
	case "tab", `\t`:
		return '\t', nil
	}
	r, n := utf8.DecodeRuneInString(name)
	if n != len(name) || r == '"' || r == '\r' || r == '\n' || r == utf8.RuneError || r == '\ufeff' {
		return 0, fault.Errorf(fault.Query, "--delimiter %.20q cannot separate columns: give comma, semicolon, tab, or another single character", name)
	}
	return r, nil
}
