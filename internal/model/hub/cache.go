package hub

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/vantage-search/vantage/internal/file"
)

// cache is a model's part of the cache, in the layout that huggingface_hub documents ("Hub Local Cache"):
//
//	models--ORG--NAME/blobs/ETAG              contents, named by their SHA-256 (LFS) or git's SHA-1
//	models--ORG--NAME/snapshots/COMMIT/FILE   symbolic links into blobs
//	models--ORG--NAME/refs/REVISION           the commit of a branch or tag
//	models--ORG--NAME/.no_exist/COMMIT/FILE   empty, for files that a commit is known not to have
//	.locks/models--ORG--NAME/ETAG.lock        held while a blob is being written
type cache struct {
	model string // name@revision for errors
	root  string // folder of all models
	dir   string // folder of this model
	// link makes a symbolic link. If that fails, files are linked hard or copied.
	link func(target, path string) error
}

func newCache(root, name, revision string) *cache {
	return &cache{model: name + "@" + revision, root: root, dir: filepath.Join(root, repositoryFolder(name)), link: os.Symlink}
}

func repositoryFolder(name string) string { return "models--" + strings.ReplaceAll(name, "/", "--") }

func (c *cache) blob(etag string) string { return filepath.Join(c.dir, "blobs", etag) }
func (c *cache) lockFile(etag string) string {
	return filepath.Join(c.root, ".locks", filepath.Base(c.dir), etag+".lock")
}
func (c *cache) snapshot(commit string) string { return filepath.Join(c.dir, "snapshots", commit) }
func (c *cache) ref(revision string) string {
	return filepath.Join(c.dir, "refs", filepath.FromSlash(revision))
}
func (c *cache) entry(commit, file string) string {
	return filepath.Join(c.snapshot(commit), filepath.FromSlash(file))
}
func (c *cache) absent(commit, file string) string {
	return filepath.Join(c.dir, ".no_exist", commit, filepath.FromSlash(file))
}

// commit returns the commit that the cache records for a branch or tag, or "" if it records
// none. A revision that is a commit is returned as it is.
func (c *cache) commit(revision string) string {
	if isCommit(revision) {
		return revision
	}
	f, _, err := file.Open(c.ref(revision))
	if err != nil {
		return ""
	}
	defer f.Close()
	b := make([]byte, 64)
	n, _ := f.Read(b)
	if commit := strings.TrimSpace(string(b[:n])); isCommit(commit) {
		return commit
	}
	return ""
}

// state says which files of a commit the cache has.
type state struct {
	files    []string // files that the model is loaded from
	problem  error    // why the model cannot be loaded from them, or nil
	complete bool     // it is certain that no necessary file is missing
}

// look examines a snapshot without asking the hub. An empty commit means that the commit is unknown.
//
// Another program may have fetched only a part of the model, such as the bare
// transformer of a sentence-transformers model. A snapshot is therefore complete only
// if it holds the files that decide how the model is used, or the cache records that
// they do not exist.
func (c *cache) look(commit string) state {
	if commit == "" {
		return state{problem: errors.New("nobody fetched it yet")}
	}
	listed, err := c.list(commit)
	if err != nil {
		return state{problem: err}
	}
	s := state{}
	s.files, s.problem = choose(c.model, listed, func(file string) ([]byte, error) { return readSmall(c.model, c.entry(commit, file), file) })
	known := func(file string) bool { return isFile(c.entry(commit, file)) || isFile(c.absent(commit, file)) }
	decider := colbertFile
	if isFile(c.entry(commit, modulesFile)) {
		decider = promptsFile
	}
	s.complete = s.problem == nil && known(modulesFile) && known(decider)
	return s
}

// list returns the names of a snapshot's files whose content exists.
func (c *cache) list(commit string) ([]string, error) {
	dir := c.snapshot(commit)
	var files []string
	err := filepath.WalkDir(dir, func(p string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		if len(files) > maxListed {
			return fs.SkipAll
		}
		name, err := filepath.Rel(dir, p)
		if err == nil && isFile(p) {
			files = append(files, filepath.ToSlash(name))
		}
		return err
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil, errors.New("nothing of this revision is there")
	}
	return files, err
}

// readSmall reads a file that this package parses.
func readSmall(model, at, file string) ([]byte, error) {
	info, err := os.Stat(at)
	if err != nil {
		return nil, err
	}
	if err := checkSize(model, file, info.Size()); err != nil {
		return nil, err
	}
	return os.ReadFile(at)
}

// show makes a blob visible in a snapshot, as a relative symbolic link if possible,
// otherwise as a hard link, otherwise as a copy.
func (c *cache) show(ctx context.Context, commit, file, etag string) error {
	at := c.entry(commit, file)
	up := strings.Repeat("../", strings.Count(path.Clean(file), "/")+2)
	target := filepath.FromSlash(up + "blobs/" + etag)
	if now, err := os.Readlink(at); err == nil && now == target {
		return nil
	}
	if c.isCopy(ctx, commit, file, -1, etag) {
		return nil
	}
	if err := makeDir(c.root, filepath.Dir(at)); err != nil {
		return err
	}
	temporary := temporaryName(c.blob(etag))
	if c.link(target, temporary) != nil && os.Link(c.blob(etag), temporary) != nil {
		if err := copyFile(temporary, c.blob(etag)); err != nil {
			os.Remove(temporary)
			return err
		}
	}
	// A rename creates the entry in one step, and replaces a broken link or a link to
	// older content.
	err := os.Rename(temporary, at)
	os.Remove(temporary) // a rename does nothing if both names are links to the same file
	if err != nil {
		return diskError(at, err)
	}
	return nil
}

// isCopy reports whether an entry is a separate file with the right content.
// huggingface_hub makes such files if symbolic links are not available.
func (c *cache) isCopy(ctx context.Context, commit, file string, size int64, etag string) bool {
	at := c.entry(commit, file)
	if info, err := os.Lstat(at); err != nil || !info.Mode().IsRegular() {
		return false
	}
	what, _, err := checkFile(ctx, at, size, etag)
	return err == nil && what == ""
}

// content is the path of a file's content: its blob, or an entry that is a copy.
func (c *cache) content(commit, file, etag string) string {
	if blob := c.blob(etag); isFile(blob) {
		return blob
	}
	return c.entry(commit, file)
}

// remember records the commit of a branch or tag. It is called when all files are
// there, because a complete older commit is better offline than an incomplete newer
// one.
func (c *cache) remember(revision, commit string) error {
	if isCommit(revision) || c.commit(revision) == commit {
		return nil
	}
	return writeWhole(c.root, c.ref(revision), []byte(commit))
}

// recordAbsent records which of the files that decide how a model is used do not exist
// in a commit.
func (c *cache) recordAbsent(commit string, listed []string) error {
	missing := map[string]bool{modulesFile: true, promptsFile: true, colbertFile: true}
	for _, name := range listed {
		delete(missing, name)
	}
	for file := range missing {
		if at := c.absent(commit, file); !isFile(at) {
			if err := writeWhole(c.root, at, nil); err != nil {
				return err
			}
		}
	}
	return nil
}

// etagOf returns the name of the blob that a snapshot's entry links to, or "" if it
// links elsewhere.
func (c *cache) etagOf(commit, file string) string {
	target, err := os.Readlink(c.entry(commit, file))
	if err != nil {
		return ""
	}
	etag := filepath.Base(target)
	if digestOf(etag) == nil || filepath.Base(filepath.Dir(target)) != "blobs" {
		return ""
	}
	return etag
}
