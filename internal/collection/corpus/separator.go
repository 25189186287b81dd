package corpus

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// maxHeadBytes of the header are looked at to find the separator.
const maxHeadBytes = 64 << 10

// separatorOf finds the separator of columns: a comma, a semicolon or a tab, whichever occurs most in the first line
// that is not empty, outside quotes if there are any. If several occur equally often, it is the first of them in this order.
func separatorOf(head []byte, quotes bool) rune {
	line, rest, more := bytes.Cut(head, []byte("\n"))
	for more && len(bytes.TrimSuffix(line, []byte("\r"))) == 0 {
		line, rest, more = bytes.Cut(rest, []byte("\n"))
	}
	counts := map[byte]int{}
	quoted := false
	for _, c := range line {
		if c == '"' && quotes {
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

// namedSeparator returns the separator that the first line names, such as sep=; in files for Excel, and the length of the
// line without its end. Without such a line, both are 0.
func namedSeparator(head []byte) (separator rune, length int) {
	line, _, _ := bytes.Cut(head, []byte("\n"))
	text := strings.TrimSuffix(string(line), "\r")
	length = len(text)
	if length > 1 && text[0] == '"' && text[length-1] == '"' {
		text = text[1 : length-1]
	}
	if len(text) < 5 || !strings.EqualFold(text[:4], "sep=") {
		return 0, 0
	}
	if separator, ok := separatorIn(text[4:]); ok {
		return separator, length
	}
	return 0, 0
}

// separatorIn returns the only character of a text, if it can separate columns.
func separatorIn(text string) (rune, bool) {
	r, n := utf8.DecodeRuneInString(text)
	return r, n == len(text) && !strings.ContainsRune("\x00\"\r\n\ufeff\ufffd", r)
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
	r, ok := separatorIn(name)
	if !ok {
		return 0, fault.Errorf(fault.Query, "--delimiter %.20q cannot separate columns: give comma, semicolon, tab, or another single character", name)
	}
	return r, nil
}
