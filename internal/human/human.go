// Package human writes numbers and texts for people who read them on a terminal.
package human

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"unicode"

	"github.com/rivo/uniseg"
)

// Escape makes text from outside safe for a terminal: it spells out characters
// that would move the cursor, change colours or change the direction of writing.
func Escape(s string) string {
	var b strings.Builder
	for _, r := range s {
		if harmful(r) {
			fmt.Fprintf(&b, `\u%04x`, r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

func harmful(r rune) bool {
	return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == '\u2028' || r == '\u2029'
}

// Argument writes s, after Escape, as a single argument of a suggested command: between
// quotation marks if a shell would read it otherwise, and with ./ before a dash, which would
// make it a flag.
func Argument(s string) string {
	if strings.HasPrefix(s, "-") {
		s = "./" + s
	}
	return Value(s)
}

// Value writes s as Argument does, for a place after a flag and "=", where a dash is a dash.
func Value(s string) string {
	special := func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("_-.,:@%+=/"+string(filepath.Separator), r)
	}
	if s != "" && !strings.ContainsFunc(s, special) {
		return s
	}
	return "'" + strings.ReplaceAll(Escape(s), "'", `'\''`) + "'"
}

// OneLine is Escape for texts of several lines: white space becomes a single
// space.
func OneLine(s string) string { return Escape(strings.Join(strings.Fields(s), " ")) }

// Cut shortens s, which has no line breaks, to a number of terminal columns.
func Cut(s string, columns int) string {
	if uniseg.StringWidth(s) <= columns {
		return s
	}
	width, end := 0, 0
	for g := uniseg.NewGraphemes(s); g.Next(); {
		if width += g.Width(); width > columns-1 {
			break
		}
		_, end = g.Positions()
	}
	return s[:end] + "…"
}

// Pad fills s up to a number of columns, on the left for numbers.
func Pad(s string, columns int, left bool) string {
	space := strings.Repeat(" ", max(0, columns-uniseg.StringWidth(s)))
	if left {
		return space + s
	}
	return s + space
}

// Shortest writes a number with as few digits as tell it from all other float32 numbers.
func Shortest(v float32) string { return strconv.FormatFloat(float64(v), 'g', -1, 32) }

// Bytes writes a number of bytes with a unit.
func Bytes(n int64) string {
	switch {
	case n < 1000:
		return fmt.Sprintf("%d bytes", n)
	case n < 1000*1000:
		return fmt.Sprintf("%.1f kB", float64(n)/1e3)
	case n < 1000*1000*1000:
		return fmt.Sprintf("%.1f MB", float64(n)/1e6)
	}
	return fmt.Sprintf("%.1f GB", float64(n)/1e9)
}

// Count writes a number of things: 1 document, 2 documents.
func Count[N int | int64](n N, thing string) string {
	if n == 1 {
		return fmt.Sprintf("%d %s", n, thing)
	}
	if stem, ok := strings.CutSuffix(thing, "y"); ok {
		return fmt.Sprintf("%d %sies", n, stem)
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// Are returns "is" or "are" for a number of things.
func Are(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}
