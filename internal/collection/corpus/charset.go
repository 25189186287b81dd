package corpus

import (
	"bufio"
	"bytes"
	"io"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"

	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// byteOrderMark may begin a text, whatever its encoding was: this is the mark after the text was turned into UTF-8.
const byteOrderMark = "\ufeff"

// charsetOf returns the encoding with a name that browsers know, or nil for UTF-8. If nobody names the encoding, a text
// that is not UTF-8 and has no byte order mark is refused, because a wrong guess would be published. HTML and XML are
// read as their standards say.
func charsetOf(name string) (encoding.Encoding, error) {
	if name == "" {
		return nil, nil
	}
	e, err := htmlindex.Get(name)
	if err != nil || e == encoding.Replacement {
		return nil, fault.Errorf(fault.Query, "--charset %.40q is not known: give a name that browsers know, such as utf-8, utf-16le, windows-1252, shift_jis or gb18030", name)
	}
	if canonical, _ := htmlindex.Name(e); canonical == "utf-8" {
		return nil, nil
	}
	return e, nil
}

// decoded converts a text to UTF-8 if it begins with the byte order mark of UTF-16, or if an encoding is named and the
// text has no mark of UTF-8. Other texts stay as they are. As in browsers, a mark counts more than a name.
func decoded(r io.Reader, named encoding.Encoding) io.Reader {
	b := bufio.NewReader(r) // a larger buffer would hide the place in the file
	mark, _ := b.Peek(3)    // an error comes back when it is read
	switch {
	case bytes.HasPrefix(mark, []byte("\xff\xfe")), bytes.HasPrefix(mark, []byte("\xfe\xff")):
		named = unicode.UTF16(unicode.LittleEndian, unicode.UseBOM)
	case named == nil, bytes.Equal(mark, []byte("\xef\xbb\xbf")):
		return b
	}
	return transform.NewReader(b, named.NewDecoder())
}

// badByte returns the offset of the first byte that a text in UTF-8 does not have, or -1, and what is wrong with it. A
// zero byte is valid UTF-8, but texts have none: it is half of a letter in UTF-16.
func badByte(b []byte) (at int, problem string) {
	at = invalidUTF8(b)
	if zero := bytes.IndexByte(b, 0); zero >= 0 && (at < 0 || zero < at) {
		return zero, "not UTF-8 but a zero byte, as in UTF-16"
	}
	return at, "not UTF-8"
}

// invalidUTF8 returns the offset of the first byte that is not UTF-8, or -1.
func invalidUTF8(b []byte) int {
	if utf8.Valid(b) {
		return -1
	}
	for i := 0; ; {
		r, n := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && n <= 1 {
			return i
		}
		i += n
	}
}

// remedyCharset says what to do about a text that is not UTF-8.
func (o *Options) remedyCharset() string {
	if o.FieldFlags {
		return "name its encoding with --charset, such as windows-1252, the one of Western European spreadsheets, or save the file as UTF-8"
	}
	return "convert the file, for example: iconv -f LATIN1 -t UTF-8"
}
