package collection

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/vantage-search/vantage/internal/collection/manifest"
	"github.com/vantage-search/vantage/internal/collection/store"
	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/encoder/packmodel"
	"github.com/vantage-search/vantage/internal/encoder/staticmodel/staticmodeltest"
	"github.com/vantage-search/vantage/internal/testing/quantized"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/internal/wasm/pack"
	"github.com/vantage-search/vantage/internal/wasm/pack/packfile"
	"github.com/vantage-search/vantage/internal/wasm/shard"
	engine "github.com/vantage-search/vantage/internal/wasm/transformer"
)

func packFiles(t testing.TB, seed uint64, branch bool) fstest.MapFS {
	t.Helper()
	files, err := quantized.TinyFS(seed, branch)
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func openPack(t testing.TB, files fs.FS, threads int) *packmodel.Encoder {
	t.Helper()
	e, err := packmodel.Open(t.Context(), files, threads)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	return e
}

func packOptions(e *packmodel.Encoder) Options {
	return Options{Name: "test", Rows: Pack{Model: e}, ShardBytes: headerBytes + 7*(32+12), BlockDocuments: 5}
}

// A collection carries the pack, file by file as it is, and the angles of its documents.
// The files are the same with any number of threads and with a journal.
func TestPackBytes(t *testing.T) {
	files := packFiles(t, 1, true)
	docs := longDocuments(23)
	var want map[string]string
	for _, c := range []struct {
		threads, workers int
		journal          string
	}{{1, 1, ""}, {2, 3, filepath.Join(t.TempDir(), "journal")}} {
		e := openPack(t, files, c.threads)
		o := packOptions(e)
		o.Workers, o.Rows = c.workers, Pack{Model: e, Journal: c.journal}
		dir := t.TempDir()
		if r := mustWrite(t, dir, docs, o); r.Encoded != len(docs) || r.Truncated == 0 || r.MostlyUnknown == 0 || r.Empty != 1 || len(r.Notes) > 0 {
			t.Errorf("%+v: %+v", c, r)
		}
		got := snapshot(t, dir)
		if want == nil {
			want = got
		}
		if !maps.Equal(got, want) {
			t.Errorf("%+v: other bytes", c)
		}
		if _, err := os.Stat(c.journal); err == nil {
			t.Errorf("%+v: the journal is still there", c)
		}
		s := check(t, os.DirFS(dir), docs)
		checkPack(t, s, files)
		checkAngles(t, s, e, docs)
	}
}

// A collection carries the reader of its pack as the last of its payload files, and keeps it when documents come, change
// and go. Another reader, or none, is another version of the encoder.
func TestPackReader(t *testing.T) {
	files := func(change func(c *engine.QuantizedConfig)) fstest.MapFS {
		c := quantized.Reading
		change(&c)
		files, err := quantized.FS(c, 1)
		if err != nil {
			t.Fatal(err)
		}
		return files
	}
	same := func(*engine.QuantizedConfig) {}
	e := openPack(t, files(same), 1)
	o := packOptions(e)
	dir, docs := t.TempDir(), longDocuments(12)
	carries := func(e *packmodel.Encoder) {
		t.Helper()
		m := check(t, os.DirFS(dir), docs).Manifest()
		var want, got []string
		for _, f := range packfile.Payload(e.Manifest()) {
			want = append(want, m.Encoder.Payload(f.Path))
		}
		for _, f := range m.Encoder.Files {
			got = append(got, f.Path)
		}
		if !slices.Equal(got, want) {
			t.Errorf("the manifest lists %q, want %q", got, want)
		}
		if s := e.Manifest().Section(pack.ReaderSection); s != nil && m.Encoder.Payload(s.Files[len(s.Files)-1].Path) != got[len(got)-1] {
			t.Errorf("%q end with another file than the reader's", got)
		}
		found, err := filepath.Glob(filepath.Join(dir, "encoder", "data", "*"))
		if err != nil || len(found) != len(want) {
			t.Errorf("the folder has %q, %v; want %d files", found, err, len(want))
		}
	}
	mustWrite(t, dir, docs, o)
	carries(e)
	for what, change := range map[string]func(){
		"append":  func() { docs = append(docs, documents(3, 40)...) },
		"replace": func() { docs[1].Text = "night trains" },
		"remove":  func() { docs = docs[2:] },
	} {
		change()
		for i := range docs {
			docs[i].ID = fmt.Sprint(what, i)
		}
		if r := mustWrite(t, dir, docs, o); len(r.Notes) > 0 || r.Encoded > 3 {
			t.Errorf("%s: %+v", what, r)
		}
		carries(e)
	}
	for name, change := range map[string]func(c *engine.QuantizedConfig){
		"another reader": func(c *engine.QuantizedConfig) { c.Reader.Width-- },
		"no reader":      func(c *engine.QuantizedConfig) { c.Reader = engine.QuantizedReader{} },
	} {
		other := openPack(t, files(change), 1)
		if r := mustWrite(t, dir, docs, packOptions(other)); len(r.Notes) != 1 || !strings.Contains(r.Notes[0], "another version of the encoder") {
			t.Errorf("%s: %+v", name, r)
		}
		carries(other)
	}
}

// checkPack compares the pack that a collection carries with the original.
func checkPack(t *testing.T, s *store.Store, files fstest.MapFS) {
	t.Helper()
	m := s.Manifest()
	p, err := packfile.Read(func(path string) ([]byte, error) {
		f := m.Encoder.Pack
		if path != pack.FileName {
			path = m.Encoder.Payload(path)
			f = m.Encoder.Files[slices.IndexFunc(m.Encoder.Files, func(f manifest.File) bool { return f.Path == path })]
		}
		if f.Stored != f.Bytes {
			t.Errorf("%s is compressed", f.Path)
		}
		return s.Read(t.Context(), f)
	})
	if err != nil {
		t.Fatal(err)
	}
	if want := len(files) - 1; len(m.Encoder.Files) != want || m.Model.Kind != manifest.KindPack || m.Model.Revision != p.Manifest.Revision || m.Model.Architecture != "bert" || m.Model.Int8 {
		t.Errorf("%d payload files, want %d; %+v", len(m.Encoder.Files), want, m.Model)
	}
	if first, last := m.Encoder.Files[0].Path, m.Encoder.Files[len(m.Encoder.Files)-1]; !strings.HasSuffix(first, ".txt") || last.SHA256 != p.Manifest.Section(pack.BranchSection).Files[0].SHA256 {
		t.Errorf("the payload begins with %s and ends with %s", first, last.Path)
	}
}

// checkAngles compares the angles of a collection with those of the encoder.
func checkAngles(t *testing.T, s *store.Store, e *packmodel.Encoder, docs []store.Document) {
	t.Helper()
	a := s.Manifest().Angles
	if a == nil || a.Dim != 10 || len(a.Files) < 2 {
		t.Fatalf("%+v", a)
	}
	for _, f := range a.Files {
		content, err := s.Read(t.Context(), f.File)
		if err != nil {
			t.Fatal(err)
		}
		rows, err := shard.DecodeRows(content)
		if err != nil || rows.N != f.Rows || rows.Dim != 10 {
			t.Fatalf("%s: %v", f.Path, err)
		}
		for i := range rows.N {
			text := docs[f.FirstRow+i].EncodedText()
			angle := make([]float32, 10) // of a blank text
			if strings.TrimSpace(text) != "" {
				found, err := e.EncodeAngles(t.Context(), []string{text}, encoder.Options{Role: encoder.Document})
				if err != nil {
					t.Fatal(err)
				}
				angle = found[0]
			}
			values := make([]int8, 10)
			scale := shard.QuantizeRow(values, angle)
			if rows.Scales[i] != scale || !slices.Equal(rows.I8[i*rows.Stride:][:10], values) {
				t.Errorf("the angle of document %d is not the encoder's", f.FirstRow+i)
			}
		}
	}
}

// Only changed documents are encoded again; the others keep both vectors. With another pack,
// or another encoder, all are encoded again, and the files of the old one are removed.
func TestPackUpdate(t *testing.T) {
	o := packOptions(openPack(t, packFiles(t, 1, true), 1))
	o.DType = shard.F16
	docs := documents(20, 0)
	dir := t.TempDir()
	mustWrite(t, dir, docs, o)
	docs[7].Text = "night trains"
	if r := mustWrite(t, dir, docs, o); r.Encoded != 1 || r.Reused != 19 || len(r.Notes) > 0 {
		t.Errorf("%+v", r)
	}
	compare := func(name string, o Options) {
		t.Helper()
		fresh := t.TempDir()
		mustWrite(t, fresh, docs, o)
		if !maps.Equal(snapshot(t, dir), snapshot(t, fresh)) {
			t.Errorf("%s: an update gives other bytes than a new collection", name)
		}
	}
	compare("one document", o)
	light := small(staticmodeltest.Tiny(t))
	for _, c := range []struct {
		name, note string
		options    Options
	}{
		{"another pack", "another version", packOptions(openPack(t, packFiles(t, 2, true), 1))},
		{"without a branch", "another version", packOptions(openPack(t, packFiles(t, 2, false), 1))},
		{"a static encoder", "made with the encoder test", light},
		{"a pack again", "made with the encoder tiny", packOptions(openPack(t, packFiles(t, 1, true), 1))},
		{"another type", "has I8 rows", o},
	} {
		if r := mustWrite(t, dir, docs, c.options); r.Encoded != 20 || r.Reused != 0 || len(r.Notes) != 1 || !strings.Contains(r.Notes[0], c.note) {
			t.Errorf("%s: %+v", c.name, r)
		}
		compare(c.name, c.options)
	}
}

// The run after an interrupted one takes both vectors from the journal.
func TestPackInterrupted(t *testing.T) {
	e := openPack(t, packFiles(t, 1, true), 1)
	docs := documents(60, 0)
	want, dir, journal := t.TempDir(), t.TempDir(), filepath.Join(t.TempDir(), "journal")
	o := packOptions(e)
	mustWrite(t, want, docs, o)
	o.Rows = Pack{Model: e, Journal: journal}
	ctx, cancel := context.WithCancel(t.Context())
	o.Progress = func(stage string, done, total int64) {
		if done >= 30 {
			cancel()
		}
	}
	if _, err := Write(ctx, dir, seq(docs), o); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	o.Progress = nil
	if r := mustWrite(t, dir, docs, o); r.Resumed < 20 || r.Resumed+r.Encoded != len(docs) {
		t.Errorf("%+v", r)
	}
	if !maps.Equal(snapshot(t, dir), snapshot(t, want)) {
		t.Error("other bytes than in one run")
	}
}

// Whatever fails before the manifest is renamed, a run leaves nothing new, not even a
// folder within a folder. If everything fails from some operation on, so that nothing is
// removed, the next run works.
func TestPackFailure(t *testing.T) {
	o := packOptions(openPack(t, packFiles(t, 1, true), 1))
	o.BlockDocuments, o.ShardBytes = 30, 0
	left := 0
	for failAt := 1; ; failAt++ {
		memory := newCrashDisk(map[string][]byte{}, func(fs.FS) {})
		d := &faultyDisk{disk: memory, failAt: failAt}
		_, err := writeTo(d, documents(6, 1), o)
		if err == nil {
			if failAt < 20 {
				t.Errorf("operation %d can fail without an error", failAt)
			}
			break
		}
		if len(memory.now) > 0 || len(memory.folders) > 0 {
			if left++; left > 2 { // the rename, and the sync that makes it durable
				t.Errorf("operation %d fails and leaves %v in %v", failAt, slices.Sorted(maps.Keys(memory.now)), slices.Sorted(maps.Keys(memory.folders)))
			}
		}
		stopped := newCrashDisk(map[string][]byte{}, func(fs.FS) {})
		writeTo(&faultyDisk{disk: stopped, failAt: failAt, stays: true}, documents(6, 1), o)
		if _, err := writeTo(stopped, documents(6, 2), o); err != nil {
			t.Fatalf("after operation %d failed for good: %v", failAt, err)
		}
		if s, err := verify(stopped.FS()); err != nil || len(stopped.now) != len(s.Manifest().Files())+1 {
			t.Errorf("after operation %d failed for good: %v, %v", failAt, slices.Sorted(maps.Keys(stopped.now)), err)
		}
	}
}

// A pack whose files have changed since it was opened is refused, and so are options without a pack.
func TestPackRefused(t *testing.T) {
	files := packFiles(t, 1, true)
	o := packOptions(openPack(t, files, 1))
	for name, f := range files {
		if strings.HasSuffix(name, ".txt") {
			f.Data = append(bytes.Clone(f.Data), '\n')
		}
	}
	dir := t.TempDir()
	if _, err := Write(t.Context(), dir, seq(documents(3, 0)), o); !errors.Is(err, fault.Integrity) || !strings.Contains(err.Error(), ".txt has changed") {
		t.Error(err)
	}
	o.Rows = Pack{}
	if _, err := Write(t.Context(), dir, seq(documents(3, 0)), o); !errors.Is(err, fault.Input) || !strings.Contains(err.Error(), "Pack.Model") {
		t.Error(err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Error(left, err)
	}
}
