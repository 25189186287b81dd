package corpus

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
)

// Decompressed decompresses gzip and passes other data through. The first two bytes
// decide, not the file's name.
func Decompressed(r io.Reader) (io.Reader, error) {
	b := bufio.NewReaderSize(r, 256<<10)
	if magic, _ := b.Peek(2); !bytes.Equal(magic, []byte{0x1f, 0x8b}) {
		return b, nil
	}
	z, err := gzip.NewReader(b)
	if err != nil {
		return nil, damaged(err)
	}
	return &failingReader{z, damaged}, nil
}

func damaged(err error) error {
	return fmt.Errorf("damaged gzip: %w: the file may be cut off: copy it again", err)
}
