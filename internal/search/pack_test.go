package search_test

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/vantage-search/vantage/internal/collection"
	"github.com/vantage-search/vantage/internal/collection/manifest"
	"github.com/vantage-search/vantage/internal/collection/store"
	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/encoder/packmodel"
	"github.com/vantage-search/vantage/internal/search"
	_ "github.com/vantage-search/vantage/internal/search/packrun"
	"github.com/vantage-search/vantage/internal/testing/packmodeltest"
	"github.com/vantage-search/vantage/internal/testing/quantized"
	"github.com/vantage-search/vantage/internal/wasm/encode"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/internal/wasm/pack"
)

// packed writes a collection with a tiny pack, which puts "the cat " before queries.
func packed(t *testing.T, seed uint64, branch bool) (dir string, e *packmodel.Encoder) {
	t.Helper()
	files, err := quantized.TinyFS(seed, branch)
	if err != nil {
		t.Fatal(err)
	}
	return packedWith(t, files)
}

// packedWith is packed for any pack.
func packedWith(t *testing.T, files fstest.MapFS) (dir string, e *packmodel.Encoder) {
	t.Helper()
	json := files[pack.FileName]
	var err error
	json.Data = bytes.Replace(json.Data, []byte(`"sections"`), []byte(`"prompts":{"query":"the cat "},"sections"`), 1)
	if e, err = packmodel.Open(t.Context(), files, 1); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	dir = t.TempDir()
	docs := func(yield func(store.Document, error) bool) {
		for _, text := range []string{"the cat sat", "dogs ran", "a mat and a cat", "sat on dogs"} {
			if !yield(store.Document{ID: text, Text: text}, nil) {
				return
			}
		}
	}
	if _, err := collection.Write(t.Context(), dir, docs, collection.Options{Rows: collection.Pack{Model: e}, Terms: true}); err != nil {
		t.Fatal(err)
	}
	return dir, e
}

func openFS(t *testing.T, fsys fs.FS) (*search.Collection, error) {
	t.Helper()
	st, err := store.Open(t.Context(), fsys)
	if err != nil {
		t.Fatal(err)
	}
	return search.Open(t.Context(), st, search.Options{})
}

// watchedFS records the files that are opened.
type watchedFS struct {
	fs.FS
	mu     sync.Mutex
	opened []string
}

func (w *watchedFS) Open(name string) (fs.File, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.opened = append(w.opened, name)
	return w.FS.Open(name)
}

// A collection encodes with its pack, in the roles of texts. It reads the branch when an
// angle is first asked for, once, and angle files never.
func TestPackCollection(t *testing.T) {
	dir, e := packed(t, 1, true)
	files := &watchedFS{FS: os.DirFS(dir)}
	c, err := openFS(t, files)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	m := c.Manifest()
	branch := m.Encoder.Files[len(m.Encoder.Files)-1].Path
	read := func(path string) (n int) {
		for _, name := range files.opened {
			if name == path {
				n++
			}
		}
		return n
	}
	texts := []string{"sat", "", "dogs and cats ran on"}
	for _, role := range []encoder.Role{encoder.Query, encoder.Document} {
		want, err := e.Encode(t.Context(), texts, encoder.Options{Role: role})
		if err != nil {
			t.Fatal(err)
		}
		got, err := c.Encode(t.Context(), texts, role)
		if err != nil {
			t.Fatal(err)
		}
		for i := range texts {
			if !slices.Equal(got[i].Vector, want[i].Vector) {
				t.Errorf("%s %q: another vector than the pack's", role, texts[i])
			}
		}
	}
	if r, err := c.Search(t.Context(), search.Query{Query: search.Text{Text: "sat"}, Method: "none"}); err != nil || len(r.Hits) != 4 || r.Hits[0].ID != "the cat sat" || r.Encoder.Revision != m.Model.Revision {
		t.Errorf("%+v, %v", r, err)
	}
	if n := read(branch); n != 0 {
		t.Errorf("the branch was read %d times before it was needed", n)
	}
	var all sync.WaitGroup
	for range 3 {
		all.Go(func() {
			got, err := c.EncodeAngles(context.Background(), texts, encoder.Query)
			if err != nil {
				t.Error(err)
				return
			}
			want, err := e.EncodeAngles(context.Background(), texts, encoder.Options{Role: encoder.Query})
			for i := range texts {
				if err != nil || !slices.Equal(got[i], want[i]) {
					t.Errorf("%q: another angle than the pack's (%v)", texts[i], err)
				}
			}
		})
	}
	all.Wait()
	if n := read(branch); n != 1 {
		t.Errorf("the branch was read %d times", n)
	}
	if n := read(m.Angles.Files[0].Path); n != 0 {
		t.Errorf("angles were read %d times", n)
	}
	if faults, err := search.Verify(t.Context(), mustStore(t, os.DirFS(dir)), nil); err != nil || len(faults) > 0 {
		t.Error(faults, err)
	}
	if text := c.Warning(t.Context(), &search.Result{Texts: []search.EncodedText{{Role: "query", Text: "vier unbekannte deutsche Wörter", Info: encode.Info{Tokens: 3}}}}); !strings.Contains(text, "mostly unknown") {
		t.Errorf("warned %q", text)
	}
}

func mustStore(t *testing.T, fsys fs.FS) *store.Store {
	t.Helper()
	st, err := store.Open(t.Context(), fsys)
	if err != nil {
		t.Fatal(err)
	}
	return st
}

// Packs that are missing, damaged, swapped or not those of the manifest are errors that
// name the file, and say what to do. Words answer queries with that as their notice, and
// without words the collection does not open.
func TestPackDamaged(t *testing.T) {
	dir, _ := packed(t, 1, true)
	otherDir, _ := packed(t, 2, true)
	m, other := mustStore(t, os.DirFS(dir)).Manifest(), mustStore(t, os.DirFS(otherDir)).Manifest()
	trunk, branch := m.Encoder.Files[1], m.Encoder.Files[len(m.Encoder.Files)-1]
	rewrite := func(change func(m *manifest.Manifest)) func(files fstest.MapFS) {
		return func(files fstest.MapFS) {
			changed := mustStore(t, files).Manifest()
			change(changed)
			content, err := changed.Marshal()
			if err != nil {
				t.Fatal(err)
			}
			files[manifest.FileName] = &fstest.MapFile{Data: content}
		}
	}
	for name, c := range map[string]struct {
		change func(files fstest.MapFS)
		parts  []string
		kind   fault.Kind
		angles bool // only angles are affected
	}{
		"pack.json missing": {func(files fstest.MapFS) { delete(files, m.Encoder.Pack.Path) }, []string{m.Encoder.Pack.Path, "missing", "re-upload"}, fault.Integrity, false},
		"a file missing":    {func(files fstest.MapFS) { delete(files, trunk.Path) }, []string{trunk.Path, "missing", "re-upload"}, fault.Integrity, false},
		"a file cut":        {func(files fstest.MapFS) { files[trunk.Path].Data = files[trunk.Path].Data[:99] }, []string{trunk.Path, "length", "re-upload"}, fault.Integrity, false},
		"a file damaged": {func(files fstest.MapFS) {
			files[trunk.Path].Data = bytes.Clone(files[trunk.Path].Data)
			files[trunk.Path].Data[100] ^= 1
		}, []string{trunk.Path, "SHA-256", "re-upload"}, fault.Integrity, false},
		"the branch missing": {func(files fstest.MapFS) { delete(files, branch.Path) }, []string{branch.Path, "missing", "re-upload"}, fault.Integrity, true},
		"another model's name": {rewrite(func(m *manifest.Manifest) { m.Model.Revision = "7" }),
			[]string{m.Encoder.Pack.Path, "the manifest's model is test@7", "index the corpus again"}, fault.Integrity, false},
		"other files": {rewrite(func(m *manifest.Manifest) { m.Encoder.Files = m.Encoder.Files[:1] }),
			[]string{m.Encoder.Pack.Path, "encoder.files", "index the corpus again"}, fault.Integrity, false},
		"other angles": {rewrite(func(m *manifest.Manifest) {
			m.Angles.Dim = 9
		}), []string{m.Encoder.Pack.Path, "its angles have 10 components, the collection's 9"}, fault.Integrity, false},
		"another pack": {func(files fstest.MapFS) {
			for _, f := range other.Encoder.All() {
				content, err := os.ReadFile(filepath.Join(otherDir, f.Path))
				if err != nil {
					t.Fatal(err)
				}
				files[f.Path] = &fstest.MapFile{Data: content}
			}
			rewrite(func(m *manifest.Manifest) { m.Encoder, m.Model.Revision = other.Encoder, other.Model.Revision })(files)
		}, []string{"does not match", "canary", "index it again"}, fault.Integrity, false},
	} {
		files := fstest.MapFS{}
		if err := fs.WalkDir(os.DirFS(dir), ".", func(path string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() {
				var content []byte
				content, err = os.ReadFile(filepath.Join(dir, path))
				files[path] = &fstest.MapFile{Data: content}
			}
			return err
		}); err != nil {
			t.Fatal(err)
		}
		c.change(files)
		opened, err := openFS(t, files)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		r, err := opened.Search(t.Context(), search.Query{Query: search.Text{Text: "sat"}})
		if err != nil || c.angles == (r.Notice != "") || c.angles == (r.Method == search.MethodWords) || r.Hits[0].ID != "the cat sat" {
			t.Errorf("%s: %+v, %v", name, r, err)
		}
		if c.angles {
			_, err = opened.EncodeAngles(t.Context(), []string{"a"}, encoder.Query)
		} else if _, err = opened.Encode(t.Context(), []string{"a"}, encoder.Query); err != nil && !strings.Contains(r.Notice, err.Error()) {
			t.Errorf("%s: %v, noticed as %s", name, err, r.Notice)
		}
		if err == nil || !errors.Is(err, c.kind) {
			t.Errorf("%s: %v, want a fault of kind %s", name, err, c.kind)
			continue
		}
		for _, part := range c.parts {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("%s: %v, want %q in it", name, err, part)
			}
		}
		if faults, err := search.Verify(t.Context(), mustStore(t, files), nil); err != nil || len(faults) == 0 {
			t.Errorf("%s: verified with %v, %v", name, faults, err)
		}
		if c.angles {
			continue
		}
		rewrite(func(m *manifest.Manifest) { m.Terms = nil })(files)
		if _, withoutWords := openFS(t, files); withoutWords == nil || withoutWords.Error() != err.Error() {
			t.Errorf("%s, without words: %v, with words %v", name, withoutWords, err)
		}
	}
}

// countingModels counts the files of trunks that models are given.
type countingModels struct {
	search.Core
	files int
}

func (c *countingModels) OpenModel(manifest []byte) (search.Model, error) {
	m, err := c.Core.OpenModel(manifest)
	return countingModel{m, c}, err
}

type countingModel struct {
	search.Model
	core *countingModels
}

func (m countingModel) File(section string, content []byte) error {
	if section == pack.Trunk {
		m.core.files++
	}
	return m.Model.File(section, content)
}

// A model is given the files of a section when all are there: a pack.json may announce
// tensors of hundreds of megabytes that no file has.
func TestPackAnnounced(t *testing.T) {
	shape := quantized.Tiny
	shape.Hidden, shape.Intermediate = 256, 1024
	files, err := quantized.FS(shape, 1)
	if err != nil {
		t.Fatal(err)
	}
	dir, e := packedWith(t, files)
	trunk := e.Manifest().Section(pack.Trunk).Files
	if len(trunk) < 2 {
		t.Fatal("the trunk has one file")
	}
	core := &countingModels{Core: search.Native()}
	open := func() error {
		c, err := search.Open(t.Context(), mustStore(t, os.DirFS(dir)), search.Options{Cores: func(context.Context) (search.Core, error) { return core, nil }})
		if err == nil {
			defer c.Close()
			_, err = c.Encode(t.Context(), []string{"a"}, encoder.Query)
		}
		return err
	}
	if err := open(); err != nil || core.files != len(trunk) {
		t.Errorf("%d of %d files: %v", core.files, len(trunk), err)
	}
	core.files = 0
	if err := os.Remove(filepath.Join(dir, "encoder", filepath.FromSlash(trunk[len(trunk)-1].Path))); err != nil {
		t.Fatal(err)
	}
	if err := open(); !errors.Is(err, fault.Integrity) || core.files != 0 {
		t.Errorf("%d files given of a section that lacks one: %v", core.files, err)
	}
}

// Angles have no check texts. So an encoder with the same trunk and another branch is
// refused by its revision.
func TestPackOfAnotherBranch(t *testing.T) {
	dir, own := packed(t, 1, true)
	shape := quantized.Tiny
	shape.Branch.Out++
	files, err := quantized.FS(shape, 1)
	if err != nil {
		t.Fatal(err)
	}
	other := packmodeltest.Open(t, files)
	for e, fine := range map[*packmodel.Encoder]bool{own: true, other: false} {
		c, err := search.Open(t.Context(), mustStore(t, os.DirFS(dir)), search.Options{Encoder: search.Outside{Encoder: e}})
		if fine && err == nil {
			angles, err := c.EncodeAngles(t.Context(), []string{"a"}, encoder.Query)
			if err != nil || len(angles[0]) != 10 {
				t.Error(err)
			}
			c.Close()
			continue
		}
		var mismatch *search.EncoderMismatchError
		if fine || !errors.As(err, &mismatch) || !strings.Contains(err.Error(), "revision") {
			t.Errorf("%v", err)
		}
	}
}

// A collection without a branch has no angles, and says so by name.
func TestPackWithoutBranch(t *testing.T) {
	dir, _ := packed(t, 1, false)
	c, err := openFS(t, os.DirFS(dir))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if _, err := c.EncodeAngles(t.Context(), []string{"a"}, encoder.Query); !errors.Is(err, fault.Unsupported) || !strings.Contains(err.Error(), "test cannot tell sides apart") {
		t.Error(err)
	}
	if m := c.Manifest(); m.Angles != nil {
		t.Errorf("%+v", m.Angles)
	}
	if manifest.MaxPackBytes != pack.MaxManifest || manifest.MaxPackFileBytes != pack.MaxFile {
		t.Error("manifests have other limits than packs")
	}
}

// failingFS fails to open one file.
type failingFS struct {
	fs.FS
	name string
	err  error
}

func (f failingFS) Open(name string) (fs.File, error) {
	if name == f.name {
		return nil, &fs.PathError{Op: "open", Path: name, Err: f.err}
	}
	return f.FS.Open(name)
}

// The reader of queries is read with the trunk, once. A host that does not answer for it is no damage, so that the
// collection can be opened again later.
func TestPackReader(t *testing.T) {
	pieces, err := quantized.FS(quantized.Reading, 1)
	if err != nil {
		t.Fatal(err)
	}
	dir, e := packedWith(t, pieces)
	files := &watchedFS{FS: os.DirFS(dir)}
	c, err := openFS(t, files)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	path := c.Manifest().Encoder.Payload(e.Manifest().Section(pack.ReaderSection).Files[0].Path)
	for range 2 {
		if r, err := c.Search(t.Context(), search.Query{Query: search.Text{Text: "sat on dogs"}}); err != nil || r.Notice != "" {
			t.Errorf("%+v, %v", r, err)
		}
	}
	read := 0
	for _, name := range files.opened {
		if name == path {
			read++
		}
	}
	if read != 1 {
		t.Errorf("the reader was read %d times", read)
	}
	silent := errors.New("the host is silent")
	again, err := openFS(t, failingFS{os.DirFS(dir), path, silent})
	if err == nil {
		_, err = again.Encode(t.Context(), []string{"a"}, encoder.Query)
	}
	if !errors.Is(err, silent) {
		t.Errorf("a host that does not answer: %v", err)
	}
}
