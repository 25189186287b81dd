// Package file reads files of models and replaces files of output as a whole.
// Folders of models come from elsewhere and may contain things that are not files:
// opening a pipe blocks forever, and a device has no end.
package file

import (
	"bytes"
	"fmt"
	"os"

	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// ErrNotRegular is wrapped by the error for a folder, a named pipe, a socket or a
// device in place of a file.
var ErrNotRegular = fault.New(fault.Input, "not a regular file")

// Open opens a regular file, or one that a link leads to, and returns its size.
func Open(path string) (*os.File, int64, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, 0, err
	}
	if !info.Mode().IsRegular() {
		return nil, 0, fmt.Errorf("%s is %w", path, ErrNotRegular)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, 0, err
	}
	return f, info.Size(), nil
}

// Read reads a regular file of at most limit bytes. kind, such as "tokenizer", is
// for the error if it is longer.
func Read(path string, limit int64, kind string) ([]byte, error) {
	f, size, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b, err := read(f, size, path, limit, kind)
	if err == nil {
		err = CheckPointer(path, b)
	}
	if err != nil {
		return nil, err
	}
	return b, nil
}

// CheckPointer refuses the content of a file that git put in place of a large one, because Git LFS was not installed.
func CheckPointer(path string, content []byte) error {
	if !bytes.HasPrefix(content, []byte("version https://git-lfs.github.com/")) {
		return nil
	}
	return fault.Errorf(fault.Input, "%s: it is a pointer of Git LFS, not the file itself: run git lfs pull in that folder, or fetch the model with vantage pull", path)
}
