// Package file reads files of models, which are read whole.
package file

import (
	"fmt"
	"io"
	"os"
)

// Read reads a file of at most limit bytes. kind says what it should be, as in
// "tokenizer", where it is longer.
func Read(path string, limit int64, kind string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err != nil {
		return nil, err
	}
	if int64(len(b)) > limit {
		return nil, fmt.Errorf("%s: more than %d bytes: this is no %s that is read", path, limit, kind)
	}
	return b, nil
}
