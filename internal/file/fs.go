package file

import (
	"fmt"
	"io"
	"io/fs"
)

// OpenFS opens a regular file of a file system, or one that a link leads to. For anything
// else the error wraps ErrNotRegular. It calls Stat before Open if the file system can,
// because opening a named pipe would block forever, and a device may have no end.
func OpenFS(fsys fs.FS, name string) (fs.File, error) {
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

// ReadFS is Read for a file of a file system.
func ReadFS(fsys fs.FS, name string, limit int64, kind string) ([]byte, error) {
	f, err := OpenFS(fsys, name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	return read(f, info.Size(), name, limit, kind)
}

// read reads a file of a size, at most limit bytes.
func read(f io.Reader, size int64, name string, limit int64, kind string) (b []byte, err error) {
	if size <= limit { // a larger one is not read at all
		if b, err = io.ReadAll(io.LimitReader(f, limit+1)); err != nil {
			return nil, err
		}
	}
	if size > limit || int64(len(b)) > limit {
		return nil, fmt.Errorf("%s: more than %d bytes: this is no %s that is read", name, limit, kind)
	}
	return b, nil
}
