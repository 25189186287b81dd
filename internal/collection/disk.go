package collection

import (
	"io/fs"
	"os"
	"runtime"
)

// disk has the file system operations that Write needs. Tests make them fail one by
// one. Names are relative, with slashes.
type disk interface {
	FS() fs.FS
	MkdirAll(name string) error
	// Write creates a file, which must not exist, and returns when its content is
	// durable.
	Write(name string, content []byte) error
	Rename(from, to string) error
	Remove(name string) error
	// SyncDir makes the entries of a folder durable.
	SyncDir(name string) error
}

// osDisk is a folder, opened as an os.Root so that symbolic links cannot lead out of
// it.
type osDisk struct{ root *os.Root }

func (d osDisk) FS() fs.FS                    { return d.root.FS() }
func (d osDisk) MkdirAll(name string) error   { return d.root.MkdirAll(name, 0o777) }
func (d osDisk) Rename(from, to string) error { return d.root.Rename(from, to) }
func (d osDisk) Remove(name string) error     { return d.root.Remove(name) }

func (d osDisk) Write(name string, content []byte) (err error) {
	f, err := d.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	defer func() {
		if closing := f.Close(); err == nil {
			err = closing
		}
	}()
	if _, err := f.Write(content); err != nil {
		return err
	}
	return f.Sync()
}

func (d osDisk) SyncDir(name string) error {
	if runtime.GOOS == "windows" {
		return nil // folders cannot be synced on Windows; NTFS keeps the order of renames in its journal
	}
	f, err := d.root.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	return f.Sync()
}
