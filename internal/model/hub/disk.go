package hub

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/vantage-search/vantage/internal/file"
)

func isFile(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.Mode().IsRegular()
}

// makeDir creates a folder below root, the folder of the cache. No folder on the path
// may be a link, because a link planted by somebody else would decide where we write.
func makeDir(root, dir string) error {
	below, err := filepath.Rel(root, dir)
	if err != nil {
		return err
	}
	at := root
	for part := range strings.SplitSeq(below, string(filepath.Separator)) {
		at = filepath.Join(at, part)
		if info, err := os.Lstat(at); err == nil && at != root && info.Mode()&fs.ModeSymlink != 0 {
			return diskError(at, errLink)
		}
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return diskError(dir, err)
	}
	return nil
}

// errLink says that there is a link in the place of a folder.
var errLink = errors.New("it is a link, in the place of a folder")

// writeWhole writes a file's content in one step.
func writeWhole(root, name string, content []byte) error {
	if err := makeDir(root, filepath.Dir(name)); err != nil {
		return err
	}
	temporary := temporaryName(name)
	f, err := os.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return diskError(name, err)
	}
	_, err = f.Write(content)
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(temporary, name)
	}
	if err != nil {
		os.Remove(temporary)
		return diskError(name, err)
	}
	return nil
}

// copyFile copies a file for systems on which no kind of link can be made.
func copyFile(to, from string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return diskError(to, err)
	}
	_, err = io.Copy(out, in)
	if err == nil {
		err = out.Sync()
	}
	if err = errors.Join(err, out.Close()); err != nil {
		return diskError(to, err)
	}
	return nil
}

// diskError adds a remedy to an error of the disk.
func diskError(path string, err error) error {
	var already *DiskError
	if errors.As(err, &already) {
		return err
	}
	remedy := "check that the folder may be written to, or set HF_HUB_CACHE to another one"
	if errors.Is(err, errLink) || errors.Is(err, file.ErrNotRegular) {
		remedy = "somebody may have put it there: remove it, or set HF_HUB_CACHE to another folder"
	}
	if isFull(err) {
		remedy = "free some space or set HF_HUB_CACHE to a folder on another disk; what was downloaded is kept"
	}
	var named *os.PathError
	var linked *os.LinkError
	if errors.As(err, &named) {
		err = named.Err
	} else if errors.As(err, &linked) {
		err = linked.Err
	}
	return &DiskError{Path: path, Remedy: remedy, Err: err}
}
