package store

import (
	"context"
	"io"
	"io/fs"

	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// ErrNotRegular is in the error of something that is no file: a folder, a named pipe, a socket, a device.
var ErrNotRegular = fault.New(fault.Input, "no regular file")

// OpenRegular opens a regular file, or one that a link leads to. Whatever else has its name is an error that wraps
// ErrNotRegular. A file system that tells of files before it opens them is asked first: opening a named pipe waits for
// ever, and a device may have no end.
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

// ReadRegular reads a whole file that OpenRegular opens.
func ReadRegular(fsys fs.FS, name string) ([]byte, error) {
	f, err := OpenRegular(fsys, name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(f)
}

// ReadAtMost reads a file that OpenRegular opens, of at most limit bytes; the error of
// a longer one wraps ErrTooLong.
func ReadAtMost(fsys fs.FS, name string, limit int64) ([]byte, error) {
	return fetch(context.Background(), fsys, name, limit)
}
