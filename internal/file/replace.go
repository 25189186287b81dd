package file

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"

	"github.com/vantage-search/vantage/internal/folders"
	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// Replace gives a file the content that write produces. If anything fails, the
// old file remains: the content is written to a second file, which takes the
// name when it is durable. Leftovers of killed runs are removed. Streams, pipes and
// devices are written to directly.
func Replace(path string, write func(io.Writer) error) error {
	if n, ok := Stream(path); ok {
		return writeStream(path, n, write)
	}
	path, old, direct, err := target(path)
	if err != nil {
		return err
	}
	if direct {
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
		if err != nil {
			return Unwritable(path, err)
		}
		return errors.Join(Buffered(f, write), f.Close())
	}
	mode := fs.FileMode(0o666)
	if old != nil {
		mode = old.Mode().Perm()
	}
	f, held, err := newBeside(path, mode)
	if err != nil {
		return Unwritable(path, err)
	}
	defer held.Close()
	temporary := f.Name()
	err = Buffered(f, write)
	if err == nil && old != nil {
		err = f.Chmod(mode) // the umask may have taken bits away
	}
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(temporary, path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(temporary))
	}
	return nil
}

// CheckReplace says why Replace would refuse a path, before the work that makes the content.
// "" is no file.
func CheckReplace(path string) error {
	if path == "" {
		return nil
	}
	if n, ok := Stream(path); ok {
		return fault.As(fault.Unavailable, writeStream(path, n, func(io.Writer) error { return nil }))
	}
	place, _, direct, err := target(path)
	switch {
	case err != nil && fault.Of(err) == "":
		return fault.As(fault.Unavailable, Unwritable(path, err))
	case err != nil || direct: // opening a pipe would wait for its reader
		return err
	}
	f, held, err := newBeside(place, 0o600)
	if err != nil {
		return fault.As(fault.Unavailable, Unwritable(path, err))
	}
	return errors.Join(f.Close(), held.Close(), os.Remove(f.Name()))
}

// CheckOther refuses an output that is one of the inputs, whose content would be lost.
func CheckOther(output string, inputs ...string) error {
	written, err := os.Stat(output)
	if _, stream := Stream(output); err != nil || stream || !written.Mode().IsRegular() {
		return nil
	}
	for _, input := range inputs {
		if read, err := os.Stat(input); err == nil && input != "-" && os.SameFile(read, written) {
			return fault.Errorf(fault.Query, "%s is read, and would be replaced by the output: name another file", output)
		}
	}
	return nil
}

// target returns the place of the file that a path names, and what is there, nil if there is nothing.
// A link is followed, so that it stays a link. Pipes, devices and streams of other processes keep their path, and are
// written to directly.
func target(path string) (place string, old fs.FileInfo, direct bool, err error) {
	old, err = os.Stat(path)
	switch {
	case err == nil && old.IsDir():
		return "", nil, false, fault.Errorf(fault.Query, "%s is a folder: name a file in it", path)
	case err == nil:
		if _, _, stream := descriptor(path); stream || !old.Mode().IsRegular() {
			return path, old, true, nil
		}
		place, err = filepath.EvalSymlinks(path)
	case errors.Is(err, fs.ErrNotExist):
		place, err = follow(path)
	}
	return place, old, false, err
}

// follow returns the place of a file that is not there: path itself, or where it leads if it is
// a link.
func follow(path string) (string, error) {
	for {
		to, err := os.Readlink(path)
		if err != nil {
			return path, nil // it is no link
		}
		if !filepath.IsAbs(to) {
			to = filepath.Dir(path) + string(filepath.Separator) + to
		}
		dir, name := filepath.Split(to)
		if dir, err = filepath.EvalSymlinks(dir); err != nil || name == "" {
			return "", fault.Errorf(fault.Query, "%s is a link to %s, whose folder is not there: make the folder, or remove the link", path, to)
		}
		path = filepath.Join(dir, name)
	}
}

// newBeside creates the file that will replace another one, and locks it.
func newBeside(path string, mode fs.FileMode) (f *os.File, held io.Closer, err error) {
	dir, prefix := filepath.Dir(path), fmt.Sprintf(".%s.vantage-", filepath.Base(path))
	folders.Sweep(dir, prefix)
	for range 10 { // until the file is locked, another run may take it for a leftover
		f, err = os.OpenFile(filepath.Join(dir, fmt.Sprintf("%s%08x", prefix, rand.Uint32())), os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
		if err != nil {
			return nil, nil, err
		}
		switch held, err = folders.Lock(f.Name()); {
		case err == nil:
			return f, held, nil
		case errors.Is(err, fs.ErrPermission): // nobody can open the file, so no run takes it for a leftover
			return f, io.NopCloser(nil), nil
		}
		err = errors.Join(err, f.Close())
	}
	return nil, nil, err
}

// Unwritable adds to an error that a file could not be written, and a remedy.
func Unwritable(path string, err error) error {
	return fmt.Errorf("%s: cannot be written: %w: check that its folder is there and may be written to", path, fault.Unnamed(err))
}

// Buffered calls write with a buffered writer for w, and flushes it at the end.
func Buffered(w io.Writer, write func(io.Writer) error) error {
	b := bufio.NewWriterSize(w, 64<<10)
	if err := write(b); err != nil {
		return err
	}
	return b.Flush()
}
