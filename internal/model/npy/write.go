package npy

import (
	"encoding/binary"
	"fmt"
	"strings"
)

// Header returns the bytes before the data in a file of [rows, dim] little-endian
// float32: version 1.0, as numpy.save writes it.
func Header(rows, dim int64) []byte {
	text := fmt.Sprintf("{'descr': '<f4', 'fortran_order': False, 'shape': (%d, %d), }", rows, dim)
	const prefix = 10 // magic, version and length
	text += strings.Repeat(" ", 63-(prefix+len(text))%64) + "\n"
	out := append([]byte("\x93NUMPY\x01\x00"), 0, 0)
	binary.LittleEndian.PutUint16(out[8:], uint16(len(text)))
	return append(out, text...)
}
