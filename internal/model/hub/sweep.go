package hub

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/vantage-search/vantage/internal/file"
	"github.com/vantage-search/vantage/internal/folders"
)

const (
	incompleteExtension = ".incomplete"

	// leftoverAge is how long the part of a file is kept that this pull did not need, such as that
	// of another revision, whose download may still be resumed.
	leftoverAge = 7 * 24 * time.Hour
)

// temporaryName is the name of a file that is renamed when it is whole.
func temporaryName(name string) string {
	return fmt.Sprintf("%s.%08x%s", name, rand.Uint32(), incompleteExtension)
}

// sweep removes what interrupted downloads of the model have left: the part of a blob that is there
// by now, because Python has fetched it under another name, and what nobody has written to for a
// week. What another process may be writing is left alone. Failures are ignored, because the model
// is complete without it.
func (c *cache) sweep(now time.Time) {
	old := func(info fs.FileInfo) bool { return now.Sub(info.ModTime()) > leftoverAge }
	blobs := filepath.Join(c.dir, "blobs")
	entries, _ := os.ReadDir(blobs)
	for _, entry := range entries {
		etag, rest, _ := strings.Cut(entry.Name(), ".")
		info, err := entry.Info()
		if err != nil || digestOf(etag) == nil || !isLeftover("."+rest) {
			continue
		}
		if old(info) || "."+rest == incompleteExtension && isFile(c.blob(etag)) {
			c.removeUnused(etag, filepath.Join(blobs, entry.Name()))
		}
	}
	for _, dir := range []string{"refs", ".no_exist"} { // whose files are written in no time
		_ = filepath.WalkDir(filepath.Join(c.dir, dir), func(path string, entry fs.DirEntry, err error) error {
			if err != nil {
				return nil
			}
			at := len(entry.Name()) - len(".00000000"+incompleteExtension)
			if info, err := entry.Info(); err == nil && at > 0 && info.Mode().IsRegular() && isLeftover(entry.Name()[at:]) && old(info) {
				os.Remove(path)
			}
			return nil
		})
	}
}

// isLeftover reports whether a file whose name ends so is incomplete: .incomplete is the part of a
// blob, and .xxxxxxxx.incomplete, with 8 hexadecimal digits, a temporary file of ours or Python's.
func isLeftover(ending string) bool {
	number, ok := strings.CutSuffix(ending, incompleteExtension)
	return ok && (number == "" || len(number) == 9 && number[0] == '.' && strings.Trim(number[1:], "0123456789abcdef") == "")
}

// removeUnused removes an incomplete file of a blob if no process holds the blob's lock. Without
// locks, it cannot be known whether one does.
func (c *cache) removeUnused(etag, path string) {
	name := c.lockFile(etag)
	if makeDir(c.root, filepath.Dir(name)) != nil {
		return
	}
	f, err := file.Own(name, 0o664)
	if err != nil {
		return
	}
	defer f.Close()
	if folders.TryLock(f) == nil && same(f, name) {
		os.Remove(path)
	}
}
