package collection

import (
	"io/fs"
	"maps"
	"math/rand/v2"
	"path"
	"strings"
	"sync"
	"syscall"
	"testing/fstest"
)

// faultyDisk fails operation number failAt (from 1) and, if stays is set, all later
// ones. A failing write leaves half of the content behind.
type faultyDisk struct {
	disk
	mu     sync.Mutex
	count  int
	failAt int
	stays  bool
}

func (d *faultyDisk) fails() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.count++
	return d.count == d.failAt || d.stays && d.count > d.failAt && d.failAt > 0
}

func diskFull(op, name string) error { return &fs.PathError{Op: op, Path: name, Err: syscall.ENOSPC} }

func (d *faultyDisk) MkdirAll(name string) error {
	if d.fails() {
		return diskFull("mkdir", name)
	}
	return d.disk.MkdirAll(name)
}

func (d *faultyDisk) Write(name string, content []byte) error {
	if d.fails() {
		d.disk.Write(name, content[:len(content)/2])
		return diskFull("write", name)
	}
	return d.disk.Write(name, content)
}

func (d *faultyDisk) Rename(from, to string) error {
	if d.fails() {
		return diskFull("rename", from)
	}
	return d.disk.Rename(from, to)
}

func (d *faultyDisk) Remove(name string) error {
	if d.fails() {
		return diskFull("remove", name)
	}
	return d.disk.Remove(name)
}

func (d *faultyDisk) SyncDir(name string) error {
	if d.fails() {
		return diskFull("sync", name)
	}
	return d.disk.SyncDir(name)
}

// crashDisk is a disk in memory that knows what would survive a power failure: contents
// of files that were synced, and entries of folders that were synced. Everything else
// may survive or not.
type crashDisk struct {
	mu      sync.Mutex
	now     map[string][]byte
	durable map[string][]byte
	folders map[string]bool
	pending []change // in the order in which they were made
	judge   func(image fs.FS)
	random  *rand.Rand
}

// change is an entry that was added to a folder or, with nil content, removed.
type change struct {
	name    string
	content []byte
}

func newCrashDisk(files map[string][]byte, judge func(fs.FS)) *crashDisk {
	return &crashDisk{now: maps.Clone(files), durable: maps.Clone(files), folders: map[string]bool{}, judge: judge, random: rand.New(rand.NewPCG(5, 6))}
}

func image(files map[string][]byte) fs.FS {
	m := fstest.MapFS{}
	for name, content := range files {
		m[name] = &fstest.MapFile{Data: content, Mode: 0o644}
	}
	return m
}

func (d *crashDisk) FS() fs.FS { return lockedFS{d} }

// lockedFS reads the current state. The files that tests read in this way are small.
type lockedFS struct{ d *crashDisk }

func (l lockedFS) Open(name string) (fs.File, error) {
	l.d.mu.Lock()
	defer l.d.mu.Unlock()
	m := image(l.d.now).(fstest.MapFS)
	for folder := range l.d.folders {
		m[folder] = &fstest.MapFile{Mode: fs.ModeDir | 0o755}
	}
	return m.Open(name)
}

// crash calls judge with the states that a power failure at this moment may leave.
func (d *crashDisk) crash() {
	for i := range 6 {
		files := maps.Clone(d.durable)
		for _, c := range d.pending {
			if i == 0 || i > 1 && d.random.IntN(2) == 0 { // none of the unsynced changes, all of them, or some
				continue
			}
			if c.content == nil {
				delete(files, c.name)
			} else {
				files[c.name] = c.content
			}
		}
		d.judge(image(files))
	}
}

func (d *crashDisk) change(name string, content []byte) {
	if content == nil {
		delete(d.now, name)
	} else {
		d.now[name] = content
	}
	d.pending = append(d.pending, change{name, content})
}

func (d *crashDisk) do(op func() error) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	err := op()
	d.crash()
	return err
}

func (d *crashDisk) MkdirAll(name string) error {
	return d.do(func() error { d.folders[name] = true; return nil })
}

func (d *crashDisk) Write(name string, content []byte) error {
	d.do(func() error { d.change(name, append([]byte{}, content[:len(content)/2]...)); return nil })
	return d.do(func() error { d.change(name, append([]byte{}, content...)); return nil })
}

func (d *crashDisk) Rename(from, to string) error {
	return d.do(func() error {
		content, ok := d.now[from]
		if !ok {
			return diskFull("rename", from)
		}
		d.change(to, content)
		d.change(from, nil)
		return nil
	})
}

func (d *crashDisk) Remove(name string) error {
	return d.do(func() error {
		if _, ok := d.now[name]; ok {
			d.change(name, nil)
			return nil
		}
		if d.folders[name] {
			for file := range d.now {
				if strings.HasPrefix(file, name+"/") {
					return &fs.PathError{Op: "remove", Path: name, Err: syscall.ENOTEMPTY}
				}
			}
			delete(d.folders, name)
			return nil
		}
		return &fs.PathError{Op: "remove", Path: name, Err: fs.ErrNotExist}
	})
}

func (d *crashDisk) SyncDir(name string) error {
	return d.do(func() error {
		var left []change
		for _, c := range d.pending {
			if path.Dir(c.name) != name {
				left = append(left, c)
			} else if c.content == nil {
				delete(d.durable, c.name)
			} else {
				d.durable[c.name] = c.content
			}
		}
		d.pending = left
		return nil
	})
}
