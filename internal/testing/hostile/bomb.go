// Package hostile writes collections that ask for much memory by at most a megabyte of files beside those of a
// valid collection, for the tests of the command and of the page.
package hostile

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"hash/crc32"
)

// bomb returns head, n times unit, and tail, compressed by gzip, and their uncompressed length. It
// compresses only two units: all later ones compress like the second, because a unit has at least 32 KB, the
// compressor's window.
func bomb(head string, unit []byte, n int, tail string) (packed []byte, length int64) {
	out := bytes.NewBuffer([]byte{0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255})
	z, _ := flate.NewWriter(out, flate.BestCompression)
	z.Write([]byte(head))
	z.Write(unit)
	z.Flush()
	begin := out.Len()
	z.Write(unit)
	z.Flush()
	again := bytes.Clone(out.Bytes()[begin:])
	for range n - 2 {
		out.Write(again)
	}
	z.Write([]byte(tail))
	z.Close()
	sum := crc32.NewIEEE()
	sum.Write([]byte(head))
	for range n {
		sum.Write(unit)
	}
	sum.Write([]byte(tail))
	length = int64(len(head) + n*len(unit) + len(tail))
	packed = binary.LittleEndian.AppendUint32(out.Bytes(), sum.Sum32())
	return binary.LittleEndian.AppendUint32(packed, uint32(length)), length
}
