package javascript

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"slices"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/vantage-search/vantage/internal/runtable"
)

// UnicodeName is the name of the file that Unicode prints.
const UnicodeName = "words/unicode.js"

// Kinds of runes in a text that is divided into words; static/src/words/terms.js says what they mean. The kind of a mark
// that stays is leastClass plus twice its canonical combining class, and 1 more if the mark is a word by itself.
const (
	between = iota
	inWord
	wholeWord
	dropped
	dropsMark
	leastClass = 6
)

// Unicode prints the properties of runes by which internal/wasm/lexical divides texts into words. A browser's own
// tables are of another version of Unicode in each browser. Only canonical decompositions are not here, because those
// of a character never change once there are some.
func Unicode() (string, error) {
	if norm.Version != unicode.Version {
		return "", fmt.Errorf("x/text has Unicode %s, package unicode has %s", norm.Version, unicode.Version)
	}
	var out bytes.Buffer
	fmt.Fprintf(&out, "// Generated from Unicode %s by `make generate`; do not edit. terms.js decodes it.\n\n", unicode.Version)
	write := func(name, doc string, value func(rune) rune) {
		fmt.Fprintf(&out, "/** %s */\nexport const %s =\n  '", doc, name)
		for i, line := range slices.Collect(slices.Chunk(base64.StdEncoding.AppendEncode(nil, runtable.Code(value)), 100)) {
			if i > 0 {
				out.WriteString("' +\n  '")
			}
			out.Write(line)
		}
		out.WriteString("';\n")
	}
	write("KINDS", "Kinds of runes.", kindOf)
	write("LOWER", "Distances to lower case.", func(r rune) rune { return unicode.ToLower(r) - r })
	return out.String(), nil
}

// kindOf returns what a rune does in a text. For a rune that decomposes, it says only
// whether its parts matter.
func kindOf(r rune) rune {
	parts := []rune(norm.NFD.String(string(r)))
	switch {
	case !utf8.ValidRune(r), r == utf8.RuneError, r >= utf8.RuneSelf && unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co):
		return dropped
	case len(parts) == 1 && parts[0] == r:
		return kindOfPart(r)
	}
	kind := rune(dropped)
	for _, part := range parts {
		switch kindOfPart(part) {
		case dropped:
		case between:
			kind = min(kind, between)
		default:
			return inWord
		}
	}
	return kind
}

func kindOfPart(r rune) rune {
	lower := unicode.ToLower(r)
	whole := lower >= 0x2E80 && unicode.In(lower, unicode.Han, unicode.Hiragana)
	class := rune(norm.NFD.PropertiesString(string(r)).CCC())
	switch {
	case r < utf8.RuneSelf && unicode.Is(unicode.Cc, r) && !slices.Contains([]rune("\t\n\r"), r):
		return dropsMark // it ends a run of marks, like every ASCII character
	case unicode.Is(unicode.Mn, r) && class == 0:
		return dropsMark
	case unicode.Is(unicode.Mn, r):
		return dropped
	case class != 0 && whole:
		return leastClass + 2*class + 1
	case class != 0:
		return leastClass + 2*class
	case whole:
		return wholeWord
	case unicode.IsLetter(lower), unicode.IsNumber(lower), unicode.IsMark(lower):
		return inWord
	}
	return between
}
