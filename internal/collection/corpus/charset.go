package corpus

import (
	"bufio"
	"bytes"
	"io"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"

	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// charsetOf returns the encoding of a name that browsers know, or nil for UTF-8. A text without a byte order mark that is
// not UTF-8 is refused if nobody names its encoding: a wrong guess would be published.
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

// decoded makes UTF-8 of a text that begins with the mark of UTF-16, or that has the given encoding and not the mark of
// UTF-8. Other texts pass through. A mark outweighs a name, as in browsers.
func decoded(r io.Reader, named encoding.Encoding) io.Reader {
	b := bufio.NewReaderSize(r, 64<<10)
	mark, _ := b.Peek(3) // an error comes back when it is read
	switch {
	case bytes.HasPrefix(mark, []byte("\xff\xfe")), bytes.HasPrefix(mark, []byte("\xfe\xff")):
		named = unicode.UTF16(unicode.LittleEndian, unicode.UseBOM)
	case named == nil, bytes.Equal(mark, []byte("\xef\xbb\xbf")):
		return b
	}
	return transform.NewReader(b, named.NewDecoder())
}

// remedyCharset is what to do about a text that is not UTF-8.
func (o *Options) remedyCharset() string {
	if o.FieldFlags {
		return "name its encoding with --charset, such as windows-1252, the one of Western European spreadsheets, or save the file as UTF-8"
	}
	return "convert the file, for example: iconv -f LATIN1 -t UTF-8"
}
