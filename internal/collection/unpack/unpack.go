// Package unpack limits the memory of files from outside: the size to which a
// compressed file may unpack, and the number of values of a JSON text. Half a megabyte
// of gzip can hold half a gigabyte, and a parsed value takes up to a hundred times the
// memory of its text.
//
// The limits of JSON are those of internal/wasm/jsonlite.
// static/src/collection/bounds.js has all limits for pages.
package unpack

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"

	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/internal/wasm/jsonlite"
)

// Limits of a compressed file.
const (
	Free  = 16 << 20 // bytes that any file may unpack to
	Ratio = 100      // larger files may unpack to this many times their compressed length
)

// Most returns the number of bytes to which a file of a compressed length may unpack.
func Most(packed int64) int64 { return max(Free, Ratio*packed) }

// ExpansionError says that a compressed file unpacks to more than is allowed.
type ExpansionError struct {
	Packed int64 // number of compressed bytes that were read
}

func (e *ExpansionError) Error() string {
	return fmt.Sprintf("%d compressed bytes hold more than %d: a file may unpack to %d MB, and beyond that to %d times its compressed length: store it uncompressed",
		e.Packed, Most(e.Packed), Free>>20, Ratio)
}

// Is reports the kind of fault: limit.
func (e *ExpansionError) Is(target error) bool { return target == fault.Limit }

// Gunzip decompresses a gzip file that should have length bytes. It returns at most one
// byte more, which shows that the file is longer, and allocates little more than that. If
// length is more than such a file may unpack to, the error is an *ExpansionError. Other
// errors say what is wrong with the data.
func Gunzip(packed []byte, length int64) ([]byte, error) {
	if length > Most(int64(len(packed))) {
		return nil, &ExpansionError{int64(len(packed))}
	}
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	b.Grow(int(length) + 1 + bytes.MinRead)
	_, err = b.ReadFrom(io.LimitReader(z, length+1))
	return b.Bytes(), err
}

// ReadError says that a compressed stream could not be read, which is no damage to it.
type ReadError struct{ Err error }

func (e *ReadError) Error() string { return e.Err.Error() }
func (e *ReadError) Unwrap() error { return e.Err }

// NewReader returns a reader of a gzip stream's content. It fails with an
// *ExpansionError as soon as the content exceeds the limit for the part of the stream
// that was read. An error of packed itself is in a *ReadError.
func NewReader(packed io.Reader) (io.Reader, error) {
	r := &reader{}
	r.packed.r = packed
	z, err := gzip.NewReader(&r.packed)
	r.z = z
	return r, err
}

type reader struct {
	packed   counter
	z        *gzip.Reader
	unpacked int64
}

func (r *reader) Read(p []byte) (int, error) {
	n, err := r.z.Read(p)
	if r.unpacked += int64(n); r.unpacked > Most(r.packed.n) {
		return 0, &ExpansionError{r.packed.n}
	}
	return n, err
}

// counter counts the bytes that are read.
type counter struct {
	r io.Reader
	n int64
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	if err != nil && err != io.EOF {
		err = &ReadError{err}
	}
	return n, err
}

// JSON is json.Unmarshal within the limits of jsonlite. A byte order mark before the
// text is passed over. The error is a *jsonlite.LimitError or one of encoding/json.
func JSON(text []byte, into any) error {
	text = Unmarked(text)
	if err := jsonlite.Check(text); err != nil {
		return err
	}
	return json.Unmarshal(text, into)
}

// Unmarked returns a text without the byte order mark that may be before it.
func Unmarked(text []byte) []byte { return bytes.TrimPrefix(text, []byte("\uFEFF")) }
