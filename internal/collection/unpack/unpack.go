// Package unpack bounds the memory of files from outside: how much a compressed file may unpack to, and how many values
// a JSON text may have. Half a megabyte of gzip can hold half a gigabyte, and a parsed value takes up to a hundred times
// the memory of its text.
//
// The bounds of JSON are those of internal/wasm/jsonlite, and static/src/collection/bounds.js has all of them for pages.
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

// Bounds of a compressed file.
const (
	Free  = 16 << 20 // bytes that any file may unpack to
	Ratio = 100      // beyond Free: times its compressed length
)

// Most returns how many bytes a file of so many compressed bytes may unpack to.
func Most(packed int64) int64 { return max(Free, Ratio*packed) }

// ExpansionError says that a compressed file unpacks to more than is allowed.
type ExpansionError struct {
	Packed int64 // bytes, as far as they were read
}

func (e *ExpansionError) Error() string {
	return fmt.Sprintf("%d compressed bytes hold more than %d: a file may unpack to %d MB, and beyond that to %d times its compressed length: store it uncompressed",
		e.Packed, Most(e.Packed), Free>>20, Ratio)
}

// Is reports the kind of fault: limit.
func (e *ExpansionError) Is(target error) bool { return target == fault.Limit }

// Gunzip decompresses a gzip file that should have length bytes; it returns at most one more, which shows
// that there are too many. It allocates no more than that. The error is an *ExpansionError if length
// is more than such a file may unpack to, or what is wrong with the data.
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

// NewReader returns a reader of what a gzip stream holds. It fails with an *ExpansionError once it has
// given out more than what has been read of the stream may unpack to.
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

// counter counts what is read.
type counter struct {
	r io.Reader
	n int64
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}

// JSON is json.Unmarshal within the bounds of jsonlite. The error is a *jsonlite.LimitError or one of
// encoding/json.
func JSON(text []byte, into any) error {
	if err := jsonlite.Check(text); err != nil {
		return err
	}
	return json.Unmarshal(text, into)
}
