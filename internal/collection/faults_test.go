package collection

import (
	"bytes"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"syscall"
	"testing"

	"github.com/vantage-search/vantage/internal/collection/manifest"
	"github.com/vantage-search/vantage/internal/collection/store"
	"github.com/vantage-search/vantage/internal/encoder/staticmodel/staticmodeltest"
)

// stateOf reads a whole collection and says which of the known ones it is.
func stateOf(fsys fs.FS, known map[string]string) (string, error) {
	_, err := verify(fsys)
	var missing *store.MissingError
	if errors.As(err, &missing) && missing.File == manifest.FileName {
		return "none", nil
	}
	if err != nil {
		return "", err
	}
	b, err := fs.ReadFile(fsys, manifest.FileName)
	if err != nil {
		return "", err
	}
	if name := known[string(b)]; name != "" {
		return name, nil
	}
	return "", errors.New("neither the old collection nor the new one")
}

// manifestOf returns the manifest of a collection of the documents.
func manifestOf(t testing.TB, docs []store.Document, o Options) string {
	t.Helper()
	dir := t.TempDir()
	mustWrite(t, dir, docs, o)
	b, err := os.ReadFile(dir + "/" + manifest.FileName)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestPowerFailure(t *testing.T) {
	o := small(staticmodeltest.Tiny(t))
	before, after := documents(23, 0), documents(26, 1)
	known := map[string]string{manifestOf(t, before, o): "old", manifestOf(t, after, o): "new"}
	old := newCrashDisk(map[string][]byte{}, func(fs.FS) {})
	if _, err := writeTo(old, before, o); err != nil {
		t.Fatal(err)
	}
	for _, start := range []string{"none", "old"} {
		// The first run has no faults. In further runs, an error stops the run at some
		// operation, which leaves much that is not durable, and the run is repeated.
		for failAt := 0; failAt < 80; failAt += 7 {
			seen := map[string]int{}
			judge := func(fsys fs.FS) {
				state, err := stateOf(fsys, known)
				if err != nil || state != start && state != "new" {
					t.Errorf("from %s, first run stopped at operation %d: a power failure leaves %s (%v)", start, failAt, state, err)
				}
				seen[state]++
			}
			files := map[string][]byte{}
			if start == "old" {
				files = old.now
			}
			d := newCrashDisk(files, judge)
			if failAt > 0 {
				d.judge = func(fs.FS) {} // the run without faults has gone through the same states
				writeTo(&faultyDisk{disk: d, failAt: failAt, stays: true}, after, o)
				d.judge = judge
			}
			if _, err := writeTo(d, after, o); err != nil {
				t.Fatal(err)
			}
			if state, err := stateOf(d.FS(), known); state != "new" || err != nil {
				t.Errorf("afterwards: %s (%v)", state, err)
			}
			if seen["new"] < 10 || failAt == 0 && seen[start] < 50 {
				t.Errorf("states met: %v", seen)
			}
			if t.Failed() {
				return
			}
		}
	}
}

// Every operation fails, once or permanently.
func TestWriteErrors(t *testing.T) {
	model := staticmodeltest.Tiny(t)
	o := small(model)
	o.BlockDocuments = 9
	o.ShardBytes = headerBytes + 12*24
	before, after := documents(23, 0), documents(26, 1)
	known := map[string]string{manifestOf(t, before, o): "old", manifestOf(t, after, o): "new"}
	base := newCrashDisk(map[string][]byte{}, func(fs.FS) {})
	if _, err := writeTo(base, before, o); err != nil {
		t.Fatal(err)
	}
	failures := 0
	for _, stays := range []bool{false, true} {
		for failAt := 1; ; failAt++ {
			memory := newCrashDisk(base.now, func(fs.FS) {})
			d := &faultyDisk{disk: memory, failAt: failAt, stays: stays}
			_, err := writeTo(d, after, o)
			state, broken := stateOf(memory.FS(), known)
			switch {
			case broken != nil:
				t.Fatalf("failure of operation %d (for good: %v) breaks the collection: %v", failAt, stays, broken)
			case err == nil && state != "new":
				t.Fatalf("failure of operation %d: no error, but the collection is %s", failAt, state)
			case err != nil:
				failures++
				var target *TargetError
				if !errors.As(err, &target) || !errors.Is(err, syscall.ENOSPC) {
					t.Fatalf("failure of operation %d: %v", failAt, err)
				}
			}
			if d.count < failAt {
				break
			}
			// The next run, with other documents on a healthy disk, succeeds and leaves
			// no leftovers.
			if _, err := writeTo(memory, documents(25, 2), o); err != nil {
				t.Fatalf("after failure of operation %d: %v", failAt, err)
			}
			s, err := verify(memory.FS())
			if err != nil {
				t.Fatal(err)
			}
			if want := len(s.Manifest().Files()) + 1; len(memory.now) != want {
				t.Fatalf("after failure of operation %d: %d files where the collection has %d: %v", failAt, len(memory.now), want, slices.Sorted(maps.Keys(memory.now)))
			}
		}
	}
	if failures < 30 {
		t.Errorf("only %d operations failed", failures)
	}
}

// A run that an error stops leaves nothing new, with or without an older collection.
// There is one exception: if it is unknown whether the new manifest is in its place,
// the new files stay until the next run.
func TestFailureLeavesNothing(t *testing.T) {
	o := small(staticmodeltest.Tiny(t))
	base := newCrashDisk(map[string][]byte{}, func(fs.FS) {})
	if _, err := writeTo(base, documents(23, 0), o); err != nil {
		t.Fatal(err)
	}
	for name, old := range map[string]map[string][]byte{"nothing": {}, "an older collection": base.now} {
		left := 0
		for failAt := 1; ; failAt++ {
			memory := newCrashDisk(old, func(fs.FS) {})
			memory.folders = folderSet(old)
			d := &faultyDisk{disk: memory, failAt: failAt}
			if _, err := writeTo(d, documents(26, 1), o); err == nil {
				if failAt < 20 {
					t.Errorf("on %s: operation %d can fail without an error", name, failAt)
				}
				break
			}
			if !maps.EqualFunc(memory.now, old, bytes.Equal) || !maps.Equal(memory.folders, folderSet(old)) {
				left++
				if left > 2 { // the rename, and the sync that makes it durable
					t.Errorf("on %s, operation %d fails and leaves %v in %v", name, failAt, slices.Sorted(maps.Keys(memory.now)), slices.Sorted(maps.Keys(memory.folders)))
				}
			}
		}
	}
}

// folderSet are the folders of files.
func folderSet(files map[string][]byte) map[string]bool {
	folders := map[string]bool{}
	for name := range files {
		if dir := path.Dir(name); dir != "." {
			folders[dir] = true
		}
	}
	return folders
}
