// Package npy reads matrices of vectors from NumPy's .npy files (numpy.lib.format, versions 1.0, 2.0
// and 3.0): two-dimensional arrays of little-endian float16, float32 or float64 in C order. Pickled
// objects are refused, never executed.
package npy

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"math/bits"

	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/internal/wasm/shard"
)

// Matrix is a two-dimensional array in C order: row i is Data[i*Dim : (i+1)*Dim]. All values are
// finite.
type Matrix struct {
	Rows, Dim int
	Data      []float32
}

// FormatError says why a file cannot be read, and what to do about it.
type FormatError struct{ Problem string }

func (e *FormatError) Error() string { return "npy: " + e.Problem }

// Is reports the kind of fault: input.
func (e *FormatError) Is(target error) bool { return target == fault.Input }

// ValueError names a value that is not a finite float32.
type ValueError struct {
	Row, Column int
	Value       float64
}

func (e *ValueError) Error() string {
	problem := "is not a finite number"
	if !math.IsNaN(e.Value) && !math.IsInf(e.Value, 0) {
		problem = "is beyond the range of float32"
	}
	return fmt.Sprintf("npy: row %d, column %d: %v %s", e.Row, e.Column, e.Value, problem)
}

// Is reports the kind of fault: input.
func (e *ValueError) Is(target error) bool { return target == fault.Input }

// Parse parses a file in memory.
func Parse(b []byte) (Matrix, error) { return Read(bytes.NewReader(b), int64(len(b))) }

// Read reads a file of size bytes. It allocates memory only if the remaining bytes
// exactly fit the array that the header describes. Float16 and float64 are converted to
// float32. Errors are *FormatError, *ValueError and those of r.
func Read(r io.Reader, size int64) (Matrix, error) {
	text, version, length, err := readHeader(r, size)
	if err != nil {
		return Matrix{}, err
	}
	h, err := parseHeader(text, version)
	if err != nil {
		return Matrix{}, err
	}
	m, width, err := h.matrix()
	if err != nil {
		return Matrix{}, err
	}
	if err := m.checkSize(width, size-length); err != nil {
		return Matrix{}, err
	}
	m.Data = make([]float32, m.Rows*m.Dim)
	if err := m.readData(r, width); err != nil {
		return Matrix{}, err
	}
	return m, nil
}

// checkSize compares the array's length with the number of bytes after the header.
func (m Matrix) checkSize(width int, follow int64) error {
	high, elements := bits.Mul64(uint64(m.Rows), uint64(m.Dim))
	over, want := bits.Mul64(elements, uint64(width))
	switch {
	case high != 0 || over != 0 || want > uint64(follow):
		return &FormatError{fmt.Sprintf("shape (%d, %d) takes more than the %d bytes that follow the header: the file is cut off", m.Rows, m.Dim, follow)}
	case want < uint64(follow):
		return &FormatError{fmt.Sprintf("%d bytes follow the array: save each array in a file of its own", uint64(follow)-want)}
	case elements > math.MaxInt/4:
		return &FormatError{fmt.Sprintf("shape (%d, %d) is too large for this machine: split it", m.Rows, m.Dim)}
	}
	return nil
}

// readData reads and converts the elements in pieces.
func (m Matrix) readData(r io.Reader, width int) error {
	const pieceBytes = 1 << 16 // a multiple of every width
	piece := make([]byte, min(pieceBytes, width*len(m.Data)))
	for at := 0; at < len(m.Data); {
		n := min(len(piece)/width, len(m.Data)-at)
		b := piece[:n*width]
		if _, err := io.ReadFull(r, b); err != nil {
			return fmt.Errorf("npy: reading element %d of %d: %w", at, len(m.Data), err)
		}
		for i := range n {
			v := element(b[i*width:], width)
			f := float32(v)
			if !(math.Abs(float64(f)) <= math.MaxFloat32) {
				return &ValueError{(at + i) / m.Dim, (at + i) % m.Dim, v}
			}
			m.Data[at+i] = f
		}
		at += n
	}
	return nil
}

// element reads a number of the given width from the beginning of b.
func element(b []byte, width int) float64 {
	switch width {
	case 2:
		return float64(shard.F16ToF32(binary.LittleEndian.Uint16(b)))
	case 4:
		return float64(math.Float32frombits(binary.LittleEndian.Uint32(b)))
	}
	return math.Float64frombits(binary.LittleEndian.Uint64(b))
}
