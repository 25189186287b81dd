package chat

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/vantage-search/vantage/internal/file"
	"github.com/vantage-search/vantage/internal/folders"
)

// Bounds are how much the cache keeps at most. 0 stands for the default.
type Bounds struct {
	Entries, Bytes int
}

// The default bounds of the cache.
const (
	DefaultEntries = 100_000
	DefaultBytes   = 256 << 20
)

// cache keeps replies in a folder. The ones that were used longest ago go first.
// Several processes may use the folder. Each counts the files of the others when it
// looks, so together they can be above the bounds by what they wrote since.
type cache struct {
	dir string
	Bounds

	mu      sync.Mutex
	here    Bounds // what is there: as of the last look, and what was put since
	unknown bool   // nothing was counted yet
	written Bounds // since the last look
}

func newCache(dir string, b Bounds) *cache {
	if b.Entries == 0 {
		b.Entries = DefaultEntries
	}
	if b.Bytes == 0 {
		b.Bytes = DefaultBytes
	}
	return &cache{dir: dir, Bounds: b, unknown: true}
}

const replyExtension = ".json"

// path is where a reply is, in one of 256 folders, so that none has too many files.
func (c *cache) path(name string) string {
	return filepath.Join(c.dir, name[:2], name+replyExtension)
}

// get returns a reply, and marks it as used.
func (c *cache) get(name string) ([]byte, bool) {
	path := c.path(name)
	reply, err := file.Read(path, maxReply, "reply")
	if err != nil {
		return nil, false
	}
	now := time.Now()
	_ = os.Chtimes(path, now, now) // if it fails, the reply is only removed earlier
	return reply, true
}

// put keeps a reply, and makes room for it first. A reply above the bounds is not kept.
func (c *cache) put(name string, reply []byte) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(reply) > c.Bytes {
		return nil
	}
	// Looking again after a sixteenth of the bounds was written is rare, and still notices what other
	// processes write.
	if c.unknown || c.here.Entries >= c.Entries || c.here.Bytes+len(reply) > c.Bytes ||
		c.written.Entries > c.Entries/16 || c.written.Bytes > c.Bytes/16 {
		if err := c.makeRoom(len(reply)); err != nil {
			return err
		}
	}
	path := c.path(name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	err := file.Replace(path, func(w io.Writer) error {
		_, err := w.Write(reply)
		return err
	})
	if err == nil {
		c.here.add(1, len(reply))
		c.written.add(1, len(reply))
	}
	return err
}

func (b *Bounds) add(entries, bytes int) {
	b.Entries += entries
	b.Bytes += bytes
}

// makeRoom counts what is kept and, if one more reply would not fit, removes the ones
// that were used longest ago until a sixteenth of the bounds is free.
func (c *cache) makeRoom(bytes int) error {
	kept, err := c.look()
	if err != nil {
		return err
	}
	c.here, c.written, c.unknown = Bounds{}, Bounds{}, false
	for _, k := range kept {
		c.here.add(1, int(k.Size()))
	}
	if c.here.Entries < c.Entries && c.here.Bytes+bytes <= c.Bytes {
		return nil
	}
	slices.SortFunc(kept, func(a, b keptReply) int {
		if d := a.ModTime().Compare(b.ModTime()); d != 0 {
			return d
		}
		return strings.Compare(a.path, b.path)
	})
	for _, k := range kept {
		if c.here.Entries < c.Entries-c.Entries/16 && c.here.Bytes+bytes <= c.Bytes-c.Bytes/16 {
			break
		}
		if err := os.Remove(k.path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		c.here.add(-1, -int(k.Size()))
	}
	return nil
}

// keptReply is a file of the cache.
type keptReply struct {
	path string
	fs.FileInfo
}

// look lists the replies, and removes what killed runs have left half-written. Other
// files are left alone.
func (c *cache) look() (kept []keptReply, err error) {
	err = filepath.WalkDir(c.dir, func(path string, entry fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil // another process removes files, or there is no folder yet
		}
		if err != nil {
			return err
		}
		name := entry.Name()
		switch {
		case entry.IsDir() && filepath.Dir(path) != c.dir && path != c.dir:
			return filepath.SkipDir
		case !entry.Type().IsRegular():
			return nil
		case strings.HasPrefix(name, ".") && strings.Contains(name, replyExtension+".vantage-"):
			folders.Sweep(filepath.Dir(path), name)
			return nil
		case len(name) != 64+len(replyExtension) || path != c.path(strings.TrimSuffix(name, replyExtension)):
			return nil
		}
		info, err := entry.Info()
		if err == nil {
			kept = append(kept, keptReply{path, info})
		} else if !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	})
	return kept, err
}
