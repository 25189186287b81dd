package collection

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"slices"

	"github.com/vantage-search/vantage/internal/collection/manifest"
	"github.com/vantage-search/vantage/internal/collection/store"
	"github.com/vantage-search/vantage/internal/collection/unpack"
)

// Folders of a collection.
const (
	vectorsDir = "vectors"
	anglesDir  = "angles"
	tokensDir  = "tokens"
	docsDir    = "docs"
	columnsDir = "columns"
	termsDir   = "terms"
	encoderDir = "encoder"
	payloadDir = "encoder/data" // of a pack's payload files
)

// hasRows reports whether a folder holds vector files.
func hasRows(folder string) bool {
	return folder == vectorsDir || folder == anglesDir || folder == tokensDir
}

// ours matches the names of files that Write makes. Nobody chooses such names by hand.
// Write removes no other files.
var ours = regexp.MustCompile(`^((vectors|angles|tokens)/[0-9a-f]{16}\.safetensors|(docs|columns|terms|encoder)/[0-9a-f]{16}\.bin|encoder/[0-9a-f]{16}\.json|encoder/data/[0-9a-f]{16}\.(bin|txt))$`)

// target is the state of the folder before writing.
type target struct {
	old      *store.Store    // nil without a readable collection
	oldError error           // why an existing collection cannot be read
	obsolete map[string]bool // files of the old collection and of interrupted runs
}

// inspect examines the folder. It may contain other files, such as a page that shows
// the collection, but nothing may occupy the names of the collection's files.
func inspect(ctx context.Context, d disk, dir string) (*target, error) {
	t := &target{obsolete: map[string]bool{}}
	old, err := store.Open(ctx, d.FS())
	var missing *store.MissingError
	var corrupt *store.CorruptError
	var newer *manifest.NewerError
	known := err == nil // the collection's folders are known to be ours
	switch {
	case err == nil:
		t.old = old
		for _, f := range old.Manifest().Files() {
			t.obsolete[f.Path] = true
		}
	case errors.As(err, &missing):
	case errors.As(err, &newer):
		return nil, &TargetError{Dir: dir, Problem: err.Error(), Remedy: "or choose another folder", Err: err}
	case errors.As(err, &corrupt) && wasManifest(d.FS()):
		t.oldError, known = err, true
	case errors.As(err, &corrupt) && lostManifest(d.FS()):
		t.oldError = err
	case errors.As(err, &corrupt) || errors.Is(err, manifest.ErrNotCollection):
		return nil, &TargetError{Dir: dir, Problem: "its " + manifest.FileName + " is not that of a collection", Remedy: "choose another folder", Err: err}
	case ctx.Err() != nil:
		return nil, err
	default:
		return nil, &TargetError{Dir: dir, Problem: fmt.Sprintf("its collection cannot be read (%v)", err), Remedy: "check its permissions, or choose another folder", Err: err}
	}
	folders := []string{vectorsDir, anglesDir, tokensDir, docsDir, columnsDir, termsDir, encoderDir, payloadDir}
	for _, folder := range append(folders, stagingDir) {
		if info, err := fs.Lstat(d.FS(), folder); err == nil && !info.IsDir() {
			return nil, &TargetError{Dir: dir, Problem: fmt.Sprintf("%q in it is in the way: it is not a folder, but a link or a file", folder), Remedy: "remove it, or choose an empty folder"}
		}
	}
	for _, folder := range folders {
		entries, err := fs.ReadDir(d.FS(), folder)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, &TargetError{Dir: dir, Problem: fmt.Sprintf("%q in it is in the way (%v)", folder, err), Remedy: "choose an empty folder", Err: err}
		}
		for _, e := range entries {
			name := folder + "/" + e.Name()
			if name == payloadDir && e.IsDir() {
				continue
			}
			if !known && !ours.MatchString(name) {
				return nil, &TargetError{Dir: dir, Problem: fmt.Sprintf("not a collection, but %q in it is in the way", name), Remedy: "choose an empty folder"}
			}
		}
	}
	interrupted, err := readJournal(d.FS())
	if err != nil {
		return nil, err
	}
	for _, name := range interrupted {
		t.obsolete[name] = true
	}
	return t, nil
}

// wasManifest reports whether a damaged manifest.json was that of a collection.
func wasManifest(fsys fs.FS) bool {
	b, err := store.ReadRegular(fsys, manifest.FileName)
	return err == nil && bytes.Contains(b, []byte(`"`+manifest.Format+`"`))
}

// lostManifest reports whether manifest.json is empty, or all zeros, as disks leave files that were being written when the power
// failed, and documents of a collection are beside it.
func lostManifest(fsys fs.FS) bool {
	b, err := store.ReadRegular(fsys, manifest.FileName)
	if err != nil || len(bytes.Trim(b, "\x00")) > 0 {
		return false
	}
	entries, err := fs.ReadDir(fsys, docsDir)
	return err == nil && slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return ours.MatchString(docsDir + "/" + e.Name()) })
}

// readJournal returns the files that journal.json in the staging folder lists: those that an
// interrupted run made or wanted to remove. It has nothing to do with type journal.
func readJournal(fsys fs.FS) ([]string, error) {
	b, err := store.ReadRegular(fsys, journalName)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var names, known []string
	if unpack.JSON(b, &names) != nil {
		return nil, nil // a damaged journal is ignored, and the files that it named stay
	}
	for _, name := range names {
		if ours.MatchString(name) {
			known = append(known, name)
		}
	}
	return known, nil
}
