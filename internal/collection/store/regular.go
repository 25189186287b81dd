package store

import (
	"io"
	"io/fs"

	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// ErrNotRegular is wrapped by the error for a folder, a named pipe, a socket or a device in place of a file.
var ErrNotRegular = fault.New(fault.Input, "not a regular file")

// OpenRegular opens a regular file, or one that a link leads to. For anything else the error wraps ErrNotRegular. It
// calls Stat before Open if the file system can, because opening a named pipe would block forever, and a device may
// have no end.
func OpenRegular(fsys fs.FS, name string) (fs.File, error) {
	if fsys, ok := fsys.(fs.StatFS); ok {
		info, err := fsys.Stat(name)
		if err != nil {
			return nil, err
		}
		if !info.Mode().IsRegular() {
			return nil, irregular(name)
		}
	}
	f, err := fsys.Open(name)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = irregular(name)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

func irregular(name string) error { return &fs.PathError{Op: "open", Path: name, Err: ErrNotRegular} }

// ReadRegular opens a file with OpenRegular and reads it completely.
func ReadRegular(fsys fs.FS, name string) ([]byte, error) {
	f, err := OpenRegular(fsys, name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(f)
}
