package corpus

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/vantage-search/vantage/internal/collection/unpack"
)

// Decompressed decompresses gzip, within the limit of package unpack, and passes other data
// through. The first two bytes decide, not the file's name. Its errors do not name the file.
func Decompressed(r io.Reader) (io.Reader, error) {
	b := bufio.NewReaderSize(r, 256<<10)
	if magic, _ := b.Peek(2); !bytes.Equal(magic, []byte{0x1f, 0x8b}) {
		return b, nil
	}
	z, err := unpack.NewReader(b)
	if err != nil {
		return nil, damaged(err)
	}
	return &failingReader{z, damaged}, nil
}

func damaged(err error) error {
	if unread, ok := errors.AsType[*unpack.ReadError](err); ok {
		return unread.Err
	}
	if limit, ok := errors.AsType[*unpack.ExpansionError](err); ok {
		return fmt.Errorf("compressed too far: %w", limit)
	}
	return fmt.Errorf("damaged gzip: %w: the file may be cut off: copy it again", err)
}
