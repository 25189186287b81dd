package collection

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/vantage-search/vantage/internal/collection/manifest"
	"github.com/vantage-search/vantage/internal/collection/store"
	"github.com/vantage-search/vantage/internal/collection/unpack"
)

// The staging folder holds the files that are not yet part of the collection, and the
// journal. The journal lists the files to remove if the manifest does not name them
// when a run ends. It survives if a run is killed, and the next run removes the files.
const (
	stagingDir     = ".vantage-staging"
	journalName    = stagingDir + "/journal.json"
	stagedManifest = stagingDir + "/" + manifest.FileName
)

// writers is the number of files that are written and synced concurrently, because a
// file system commits concurrent syncs together.
const writers = 8

// stage receives the files of the new collection. Its methods may be called by several
// goroutines.
type stage struct {
	ctx  context.Context
	disk disk

	queue   chan stagedFile
	wait    sync.WaitGroup
	closing sync.Once

	mu    sync.Mutex
	err   error                    // the first failure of a writer
	files map[string]manifest.File // path → file, for all added files
	moves map[string]string        // path → name in the staging folder, for new files

	undo undo
}

type stagedFile struct {
	name    string
	content []byte
}

// openStage empties the staging folder, except for the journal, and starts the writers.
func openStage(ctx context.Context, d disk) (*stage, error) {
	if err := d.MkdirAll(stagingDir); err != nil {
		return nil, err
	}
	entries, err := fs.ReadDir(d.FS(), stagingDir)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if name := path.Join(stagingDir, e.Name()); name != journalName {
			if err := d.Remove(name); err != nil {
				return nil, err
			}
		}
	}
	s := &stage{ctx: ctx, disk: d, queue: make(chan stagedFile), files: map[string]manifest.File{}, moves: map[string]string{}}
	for range writers {
		s.wait.Go(func() {
			for f := range s.queue {
				if s.failed() == nil {
					if err := s.disk.Write(f.name, f.content); err != nil {
						s.fail(err)
					}
				}
			}
		})
	}
	return s, nil
}

func (s *stage) fail(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err == nil {
		s.err = err
	}
}

func (s *stage) failed() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err
}

// add adds a file to a folder of the collection and names it. If the file exists with
// the right content, it is kept and not written again, so that no file of the old
// manifest is touched.
func (s *stage) add(folder string, content []byte) (manifest.File, error) {
	hash := digest(content)
	name := folder + "/" + hash[:16] + ".bin"
	if hasRows(folder) {
		name = folder + "/" + hash[:16] + ".safetensors"
	}
	return s.put(name, hash, content, func() []byte { return compress(content, folder) })
}

// addPlain is add for a file that is stored as it is, under a name that is given.
func (s *stage) addPlain(name string, content []byte) (manifest.File, error) {
	return s.put(name, digest(content), content, func() []byte { return content })
}

// put adds a file. stored returns what is written.
func (s *stage) put(name, hash string, content []byte, stored func() []byte) (manifest.File, error) {
	if err := s.ctx.Err(); err != nil {
		return manifest.File{}, err
	}
	if err := s.failed(); err != nil {
		return manifest.File{}, err
	}
	f := manifest.File{Path: name, SHA256: hash, Bytes: int64(len(content))}
	if f.Bytes > manifest.MaxFileBytes {
		return f, fmt.Errorf("%s: %d bytes, at most %d in one file", f.Path, f.Bytes, int64(manifest.MaxFileBytes))
	}
	s.mu.Lock()
	known, ok := s.files[f.Path]
	s.mu.Unlock()
	if ok {
		return known, nil
	}
	if size, ok := s.present(f); ok {
		f.Stored = size
		s.mu.Lock()
		defer s.mu.Unlock()
		s.files[f.Path] = f
		return f, nil
	}
	bytes := stored()
	f.Stored = int64(len(bytes))
	staged := path.Join(stagingDir, strings.ReplaceAll(f.Path, "/", "-"))
	s.mu.Lock()
	known, ok = s.files[f.Path]
	if !ok {
		s.files[f.Path], s.moves[f.Path] = f, staged
	}
	s.mu.Unlock()
	if ok {
		return known, nil
	}
	s.queue <- stagedFile{staged, bytes}
	return f, nil
}

// present reports whether the complete file is in its place.
func (s *stage) present(f manifest.File) (size int64, ok bool) {
	info, err := fs.Stat(s.disk.FS(), f.Path)
	if err != nil || !info.Mode().IsRegular() || info.Size() > manifest.MaxFileBytes {
		return 0, false
	}
	f.Stored = info.Size()
	_, err = store.Read(s.ctx, s.disk.FS(), f)
	return info.Size(), err == nil
}

// plainBytes is the length up to which compress always compresses a file, unless it holds
// vectors.
const plainBytes = 1 << 20

// compress returns what is stored of a file: its compressed content, the same bytes for the same content, because the
// header has neither name nor time. Some files are stored uncompressed: vectors, which hardly shrink, and files that
// shrink so much that readers would refuse them. Columns may shrink further than other files, because they take few
// bytes per document.
func compress(content []byte, folder string) []byte {
	if hasRows(folder) {
		return content
	}
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	z.Write(content) // a bytes.Buffer never fails
	z.Close()
	length, packed := int64(len(content)), int64(b.Len())
	if length > unpack.Most(packed) || folder != columnsDir && length > plainBytes && length > manifest.MemoryRatio*packed {
		return content
	}
	return b.Bytes()
}

// close waits until all files are written and returns the first error. Nothing may be added afterwards.
func (s *stage) close() error {
	s.closing.Do(func() { close(s.queue) })
	s.wait.Wait()
	return s.failed()
}

// publish makes the staged files the collection, and returns when that is durable.
// obsolete are old files; those that the new manifest does not name are removed last.
// An error means that the old collection remains, unless the rename of the manifest or the
// sync after it failed: then the new one may be in its place.
// Files that could not be removed are returned as leftovers.
func (s *stage) publish(m *manifest.Manifest, obsolete map[string]bool, progress func(done, total int64)) (removed int, leftovers []string, err error) {
	content, err := m.Marshal()
	if err != nil {
		return 0, nil, err
	}
	// Before the manifest is replaced, it does not name the new files, and afterwards
	// it does not name the old ones. So the journal names both.
	journal := maps.Clone(obsolete)
	for name := range s.moves {
		journal[name] = true
	}
	list, err := json.Marshal(slices.Sorted(maps.Keys(journal)))
	if err != nil {
		return 0, nil, err
	}
	_, err = fs.Stat(s.disk.FS(), journalName)
	s.undo.journal = errors.Is(err, fs.ErrNotExist)
	if err := s.disk.Write(journalName+".new", list); err != nil {
		return 0, nil, err
	}
	if err := s.disk.Rename(journalName+".new", journalName); err != nil {
		return 0, nil, err
	}
	if err := s.disk.Write(stagedManifest, content); err != nil {
		return 0, nil, err
	}
	if err := s.disk.SyncDir(stagingDir); err != nil {
		return 0, nil, err
	}
	folders := map[string]bool{}
	for name := range s.files { // also kept files, because an interrupted run may have moved them without syncing the folder
		folders[path.Dir(name)] = true
	}
	for _, folder := range slices.Sorted(maps.Keys(folders)) { // a folder before those in it
		if _, err := fs.Stat(s.disk.FS(), folder); errors.Is(err, fs.ErrNotExist) {
			s.undo.folders = append(s.undo.folders, folder)
		}
		if err := s.disk.MkdirAll(folder); err != nil {
			return 0, nil, err
		}
	}
	total := int64(len(s.moves)) + 1
	for i, name := range slices.Sorted(maps.Keys(s.moves)) {
		if err := s.ctx.Err(); err != nil {
			return 0, nil, err
		}
		if !obsolete[name] { // an obsolete file that was missing belongs to the old collection
			s.undo.files = append(s.undo.files, name)
		}
		if err := s.disk.Rename(s.moves[name], name); err != nil {
			return 0, nil, err
		}
		progress(int64(i+1), total)
	}
	for folder := range folders {
		if err := s.disk.SyncDir(folder); err != nil {
			return 0, nil, err
		}
	}
	if err := s.disk.SyncDir("."); err != nil {
		return 0, nil, err
	}
	s.undo.tooLate = true
	if err := s.disk.Rename(stagedManifest, manifest.FileName); err != nil {
		return 0, nil, err
	}
	if err := s.disk.SyncDir("."); err != nil {
		return 0, nil, err
	}
	progress(total, total)
	removed, leftovers = s.sweep(obsolete)
	return removed, leftovers, nil
}

// sweep removes the obsolete files and, if all are gone, the staging folder with its journal.
func (s *stage) sweep(obsolete map[string]bool) (removed int, leftovers []string) {
	folders := map[string]bool{}
	for _, name := range slices.Sorted(maps.Keys(obsolete)) {
		if _, ok := s.files[name]; ok || !ours.MatchString(name) {
			continue
		}
		switch err := s.disk.Remove(name); {
		case err == nil:
			removed++
			folders[path.Dir(name)] = true
		case !errors.Is(err, fs.ErrNotExist):
			leftovers = append(leftovers, name)
		}
	}
	for folder := range folders { // sync first, because files that a power failure brings back must be in the journal
		if s.disk.SyncDir(folder) != nil {
			return removed, leftovers
		}
	}
	if len(leftovers) == 0 && s.disk.Remove(journalName) == nil {
		s.disk.Remove(stagingDir) // fails if the folder contains other files
	}
	return removed, leftovers
}
