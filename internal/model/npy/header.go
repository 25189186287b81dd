package npy

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"
)

// maxHeader is the most bytes of a header. A plain array's header has about a hundred;
// NumPy's own limit is 10,000.
const maxHeader = 1 << 16

// resave is the remedy for most faults.
const resave = "re-save with numpy.save(path, array.astype(numpy.float32), allow_pickle=False)"

var magic = []byte("\x93NUMPY")

// readHeader reads the magic string, the version and the text of the header. length is
// their total length.
func readHeader(r io.Reader, size int64) (text string, version byte, length int64, err error) {
	start := make([]byte, min(max(size, 0), 8))
	if _, err := io.ReadFull(r, start); err != nil {
		return "", 0, 0, fmt.Errorf("npy: reading the header: %w", err)
	}
	switch {
	case bytes.HasPrefix(start, []byte("PK")):
		return "", 0, 0, &FormatError{"this is a .npz archive: save the one array with numpy.save"}
	case len(start) > 1 && start[0] == 0x80 && start[1] <= 5:
		return "", 0, 0, &FormatError{"this is a Python pickle, which is never opened here: " + resave}
	case len(start) < 8 || !bytes.HasPrefix(start, magic):
		return "", 0, 0, &FormatError{"the file does not begin as .npy files do: " + resave}
	}
	version = start[6]
	if version < 1 || version > 3 || start[7] != 0 {
		return "", 0, 0, &FormatError{fmt.Sprintf("format version %d.%d is not known (1.0, 2.0 and 3.0 are): %s", version, start[7], resave)}
	}
	width := 4 // bytes of the header's length
	if version == 1 {
		width = 2
	}
	length = 8 + int64(width)
	if size < length {
		return "", 0, 0, &FormatError{"the file ends within the header: it is cut off"}
	}
	count := make([]byte, 4)
	if _, err := io.ReadFull(r, count[:width]); err != nil {
		return "", 0, 0, fmt.Errorf("npy: reading the header: %w", err)
	}
	n := int64(binary.LittleEndian.Uint32(count))
	switch {
	case n > maxHeader:
		return "", 0, 0, &FormatError{fmt.Sprintf("the header is %d bytes long, at most %d are read: %s", n, maxHeader, resave)}
	case n > size-length:
		return "", 0, 0, &FormatError{"the file ends within the header: it is cut off"}
	}
	b := make([]byte, n)
	if _, err := io.ReadFull(r, b); err != nil {
		return "", 0, 0, fmt.Errorf("npy: reading the header: %w", err)
	}
	return string(b), version, length + n, nil
}

// header is the dictionary that describes an array.
type header struct {
	descr        string
	fortranOrder bool
	shape        []int
}

// matrix returns an empty matrix of the header's shape, and the size of an element in
// bytes.
func (h header) matrix() (m Matrix, width int, err error) {
	problem := ""
	switch d := h.descr; {
	case d == "<f2":
		width = 2
	case d == "<f4":
		width = 4
	case d == "<f8":
		width = 8
	case strings.HasPrefix(d, ">"):
		problem = "is big-endian"
	case strings.HasPrefix(d, "|O"):
		problem = "holds pickled Python objects, which are never opened here"
	default:
		problem = "is not read (float16, float32 and float64 are)"
	}
	switch {
	case problem != "":
		return m, 0, &FormatError{fmt.Sprintf("dtype %q %s: %s", h.descr, problem, resave)}
	case len(h.shape) != 2:
		return m, 0, &FormatError{fmt.Sprintf("the array has %d dimensions, expected 2, (rows, dimension): reshape it and re-save with numpy.save", len(h.shape))}
	case h.fortranOrder:
		return m, 0, &FormatError{"the array is in Fortran order: re-save with numpy.save(path, numpy.ascontiguousarray(array, numpy.float32), allow_pickle=False)"}
	case h.shape[1] == 0:
		return m, 0, &FormatError{"the array has vectors of dimension 0"}
	}
	return Matrix{Rows: h.shape[0], Dim: h.shape[1]}, width, nil
}

// parseHeader reads the header's text, a literal of a Python dictionary such as
//
//	{'descr': '<f4', 'fortran_order': False, 'shape': (500, 64), }
//
// It supports only the literals that such a header can hold.
func parseHeader(text string, version byte) (h header, err error) {
	if version == 3 && !utf8.ValidString(text) {
		return h, &FormatError{"the header is not valid UTF-8: " + resave}
	}
	p := &literals{text: text}
	seen := map[string]bool{}
	p.expect('{')
	for !p.accept('}') {
		key := p.quoted()
		p.expect(':')
		if seen[key] {
			p.fail("a key that has not occurred")
		}
		seen[key] = true
		switch key {
		case "descr":
			if p.peek() == '[' {
				return h, &FormatError{"the array has a structured dtype: " + resave}
			}
			h.descr = p.quoted()
		case "fortran_order":
			h.fortranOrder = p.boolean()
		case "shape":
			h.shape = p.tuple()
		default:
			p.fail("the keys descr, fortran_order and shape")
		}
		if !p.accept(',') && p.peek() != '}' {
			p.fail("',' or '}'")
		}
		if p.failure != "" {
			break
		}
	}
	if p.failure == "" && p.peek() != 0 {
		p.fail("the end")
	}
	if p.failure == "" && len(seen) != 3 {
		p.fail("descr, fortran_order and shape")
	}
	if p.failure != "" {
		return h, &FormatError{p.failure + ": " + resave}
	}
	return h, nil
}

// literals reads Python literals. After the first failure it is at the end of its text,
// so that every loop over it ends.
type literals struct {
	text    string
	at      int
	failure string
}

func (p *literals) fail(expected string) {
	if p.failure == "" {
		p.failure = fmt.Sprintf("the header is not understood at byte %d, expected %s", p.at, expected)
	}
	p.at = len(p.text)
}

// peek returns the next byte that is not white space, or 0 at the end.
func (p *literals) peek() byte {
	for p.at < len(p.text) {
		switch p.text[p.at] {
		case ' ', '\t', '\n', '\r':
			p.at++
		case 0:
			p.fail("no zero byte")
		default:
			return p.text[p.at]
		}
	}
	return 0
}

func (p *literals) accept(c byte) bool {
	if p.peek() != c {
		return false
	}
	p.at++
	return true
}

func (p *literals) expect(c byte) {
	if !p.accept(c) {
		p.fail(strconv.QuoteRune(rune(c)))
	}
}

// quoted reads a string in single or double quotes, without escapes.
func (p *literals) quoted() string {
	quote := p.peek()
	if quote != '\'' && quote != '"' {
		p.fail("a string")
		return ""
	}
	rest := p.text[p.at+1:]
	n := strings.IndexAny(rest, "\\\n"+string(quote))
	if n < 0 || rest[n] != quote {
		p.fail("a string without escapes")
		return ""
	}
	p.at += n + 2
	return rest[:n]
}

func (p *literals) boolean() bool {
	p.peek()
	rest := p.text[p.at:]
	switch {
	case strings.HasPrefix(rest, "True"):
		p.at += len("True")
		return true
	case strings.HasPrefix(rest, "False"):
		p.at += len("False")
		return false
	}
	p.fail("True or False")
	return false
}

// tuple reads a tuple of natural numbers. A single number must be followed by a comma.
func (p *literals) tuple() []int {
	const most = 64 // NumPy's limit
	var shape []int
	p.expect('(')
	comma := true
	for !p.accept(')') {
		if !comma || len(shape) == most {
			p.fail("',' or ')' and at most 64 numbers")
			return nil
		}
		start := p.at
		for p.at < len(p.text) && '0' <= p.text[p.at] && p.text[p.at] <= '9' {
			p.at++
		}
		digits := p.text[start:p.at]
		n, err := strconv.Atoi(digits)
		if err != nil || len(digits) > 1 && digits[0] == '0' {
			p.at = start
			p.fail("a natural number of 63 bits")
			return nil
		}
		shape = append(shape, n)
		comma = p.accept(',')
	}
	if len(shape) == 1 && !comma {
		p.fail("a tuple, with a comma behind its only number")
	}
	return shape
}
