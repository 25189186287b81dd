// Package regular opens files of folders that came from elsewhere, of which any
// may be something else: opening a pipe blocks for ever, and a device has no end.
package regular

import (
	"fmt"
	"io"
	"os"
)

// Open opens a regular file, or one that a link leads to, and returns its size.
func Open(path string) (*os.File, int64, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, 0, err
	}
	if !info.Mode().IsRegular() {
		return nil, 0, fmt.Errorf("%s is no regular file", path)
	}
	f, err := os.Open(path)
	return f, info.Size(), err
}

// Read reads a regular file of at most limit bytes, and otherwise gives an error
// that says what, so as "which no such file has".
func Read(path string, limit int64, what string) ([]byte, error) {
	f, size, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var b []byte
	if size <= limit {
		b, err = io.ReadAll(io.LimitReader(f, limit+1))
	}
	if err == nil && (size > limit || int64(len(b)) > limit) {
		err = fmt.Errorf("%s: more than %d bytes, %s", path, limit, what)
	}
	return b, err
}
