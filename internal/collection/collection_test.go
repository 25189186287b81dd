package collection

import (
	"context"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/collection/manifest"
	"github.com/vantage-search/vantage/internal/collection/store"
	"github.com/vantage-search/vantage/internal/encoder/staticmodel"
	"github.com/vantage-search/vantage/internal/encoder/staticmodel/staticmodeltest"
	"github.com/vantage-search/vantage/internal/wasm/shard"
)

func TestWriteAndRead(t *testing.T) {
	model := staticmodeltest.Tiny(t)
	docs := documents(53, 0)
	for _, dtype := range []shard.DType{shard.I8, shard.F16, shard.F32} {
		t.Run(string(dtype), func(t *testing.T) {
			dir := t.TempDir()
			o := small(model)
			o.DType = dtype
			report := mustWrite(t, dir, docs, o)
			s := check(t, os.DirFS(dir), docs)
			m := s.Manifest()
			if m.Documents != 53 || len(m.Docs) != 11 || len(m.Vectors) < 4 {
				t.Errorf("%d documents in %d blocks and %d shards", m.Documents, len(m.Docs), len(m.Vectors))
			}
			if report.Documents != 53 || report.Encoded != 53 || report.Reused != 0 {
				t.Errorf("report %+v", report)
			}
			if report.Files != len(snapshot(t, dir)) || report.FilesWritten != report.Files {
				t.Errorf("%d files reported, %d written, there are %d", report.Files, report.FilesWritten, len(snapshot(t, dir)))
			}
			var size int64
			for _, content := range snapshot(t, dir) {
				size += int64(len(content))
			}
			if size != report.Bytes {
				t.Errorf("%d bytes reported, there are %d", report.Bytes, size)
			}
			for _, f := range m.Vectors {
				if f.Stored > int64(o.ShardBytes) {
					t.Errorf("%s has %d bytes, the limit is %d", f.Path, f.Stored, o.ShardBytes)
				}
			}
			// The carried encoder gives the canaries and, up to quantisation, the rows.
			var parts [3][]byte
			for i, f := range []manifest.File{m.Encoder.Tokenizer, m.Encoder.Weights, m.Encoder.Config} {
				var err error
				if parts[i], err = s.Read(context.Background(), f); err != nil {
					t.Fatal(err)
				}
			}
			encoder, err := staticmodel.New("", parts[0], parts[1], parts[2]).Open()
			if err != nil {
				t.Fatal(err)
			}
			out := make([]float32, encoder.Dim())
			if len(m.Canaries) < 2 {
				t.Errorf("%d canaries", len(m.Canaries))
			}
			for _, c := range m.Canaries {
				if encoder.Encode(out, c.Text); !slices.Equal(out, c.Vector) {
					t.Errorf("canary %q", c.Text)
				}
			}
			row := 0
			for _, f := range m.Vectors {
				content, _ := s.Read(context.Background(), f.File)
				rows, err := shard.DecodeRows(content)
				if err != nil {
					t.Fatal(err)
				}
				for i := range rows.N {
					encoder.Encode(out, docs[row].EncodedText())
					for j, v := range out {
						var got float32
						if rows.DType == shard.I8 {
							got = float32(rows.I8[i*rows.Stride+j]) * rows.Scales[i]
						} else {
							got = rows.F32[i*rows.Stride+j]
						}
						if d := got - v; d > 0.005 || d < -0.005 {
							t.Fatalf("document %d element %d: %g, encoder %g", row, j, got, v)
						}
					}
					row++
				}
			}
		})
	}
}

// The same corpus gives the same bytes with any number of workers, and with encoded or
// reused rows.
func TestDeterministic(t *testing.T) {
	model := staticmodeltest.Tiny(t)
	before, after := documents(60, 0), documents(71, 1)
	slices.Reverse(after[10:30])
	for _, dtype := range []shard.DType{shard.I8, shard.F16, shard.F32} {
		var want map[string]string
		for _, workers := range []int{1, 2, 7} {
			for _, incremental := range []bool{false, true} {
				dir := t.TempDir()
				o := small(model)
				o.DType, o.Workers = dtype, workers
				if incremental {
					mustWrite(t, dir, before, o)
				}
				report := mustWrite(t, dir, after, o)
				if incremental && (report.Reused < 20 || report.Encoded < 20 || report.Reused+report.Encoded != 71) {
					t.Errorf("%d reused, %d encoded", report.Reused, report.Encoded)
				}
				if !incremental && report.Reused != 0 {
					t.Errorf("%d reused without an old collection", report.Reused)
				}
				got := snapshot(t, dir)
				if want == nil {
					want = got
				}
				if !maps.Equal(got, want) {
					t.Errorf("%s, %d workers, incremental %v: files differ", dtype, workers, incremental)
				}
			}
		}
	}
}

func TestIncremental(t *testing.T) {
	model := staticmodeltest.Tiny(t)
	dir := t.TempDir()
	docs := documents(40, 0)
	mustWrite(t, dir, docs, small(model))
	os.WriteFile(filepath.Join(dir, "index.html"), []byte("mine"), 0o666)
	os.WriteFile(filepath.Join(dir, "vectors", "notes.txt"), []byte("mine, too"), 0o666)
	os.Mkdir(filepath.Join(dir, "lib"), 0o777)

	again := mustWrite(t, dir, docs, small(model))
	if again.Reused != 40 || again.Encoded != 0 || again.FilesWritten != 1 || again.FilesRemoved != 0 {
		t.Errorf("the same again: %+v", again)
	}
	changed := slices.Clone(docs[5:])
	changed[0].Text = "red green blue"
	changed = append(changed, store.Document{ID: "new", Text: "claim 1 2 3"})
	report := mustWrite(t, dir, changed, small(model))
	if report.Documents != 36 || report.Reused != 34 || report.Encoded != 2 || report.Removed != 5 || report.FilesRemoved == 0 {
		t.Errorf("changed: %+v", report)
	}
	s := check(t, os.DirFS(dir), changed)
	files := snapshot(t, dir)
	if files["index.html"] != "mine" || files["vectors/notes.txt"] != "mine, too" {
		t.Error("a file that does not belong to the collection was changed")
	}
	if len(files) != len(s.Manifest().Files())+3 {
		t.Errorf("%d files for %d of the manifest", len(files), len(s.Manifest().Files()))
	}

	// With another dtype or another encoder, everything is encoded again; after damage, only
	// the documents whose rows the old collection no longer gives. The report says why.
	o := small(model)
	o.DType = shard.F32
	if r := mustWrite(t, dir, changed, o); r.Encoded != 36 || len(r.Notes) != 1 || !strings.Contains(r.Notes[0], "F32") {
		t.Errorf("other dtype: %+v", r)
	}
	other := model
	other.Config = []byte(`{"normalize": false}`)
	other = staticmodel.New("tiny", other.Tokenizer, other.Weights, other.Config)
	o.Rows = Carried{Model: other}
	if r := mustWrite(t, dir, changed, o); r.Encoded != 36 || len(r.Notes) != 1 || !strings.Contains(r.Notes[0], "version") {
		t.Errorf("other encoder: %+v", r)
	}
	for name, damage := range map[string]func(m *manifest.Manifest) (path string, content []byte){
		"vectors": func(m *manifest.Manifest) (string, []byte) { return m.Vectors[0].Path, []byte("x") },
		"docs":    func(m *manifest.Manifest) (string, []byte) { return m.Docs[2].Path, nil },
		"manifest": func(m *manifest.Manifest) (string, []byte) {
			return manifest.FileName, []byte(`{"format": "vantage-collection", "ver`)
		},
	} {
		path, content := damage(check(t, os.DirFS(dir), changed).Manifest())
		if err := os.WriteFile(filepath.Join(dir, path), content, 0o666); err != nil {
			t.Fatal(err)
		}
		r := mustWrite(t, dir, changed, o)
		if r.Encoded == 0 || len(r.Notes) != 1 || !strings.Contains(r.Notes[0], "again") {
			t.Errorf("damaged %s: %+v", name, r)
		}
		check(t, os.DirFS(dir), changed)
	}
}

func TestIDF(t *testing.T) {
	model := staticmodeltest.Tiny(t)
	dir := t.TempDir()
	docs := documents(40, 0)
	o := small(model)
	o.Rows = Carried{Model: model, IDF: true}
	report := mustWrite(t, dir, docs, o)
	s := check(t, os.DirFS(dir), docs)
	if s.Manifest().Encoder.Weights.SHA256 == digest(model.Weights) {
		t.Error("the collection carries the encoder without weights")
	}
	if report.Model.Revision == model.Revision {
		t.Error("the weighted encoder has the revision of the other")
	}
	if r := mustWrite(t, dir, docs, o); r.Reused != 40 {
		t.Errorf("the same corpus has the same weights: %+v", r)
	}
	// Documents that can be read only once are an error if they must be read twice.
	used := false
	once := func(yield func(store.Document, error) bool) {
		if used {
			return
		}
		used = true
		seq(docs)(yield)
	}
	if _, err := Write(context.Background(), t.TempDir(), once, o); err == nil {
		t.Error("documents that can be read only once were accepted")
	}
}

func TestExternal(t *testing.T) {
	docs := documents(30, 0)
	r := rand.New(rand.NewPCG(3, 4))
	v := Given{Model: manifest.Model{ID: "some/transformer", Pooling: "mean"}, Dim: 17, Data: make([]float32, 30*17)}
	for i := range v.Data {
		v.Data[i] = float32(r.NormFloat64())
	}
	for _, dtype := range []shard.DType{shard.I8, shard.F16, shard.F32} {
		dir := t.TempDir()
		o := Options{Rows: v, DType: dtype, ShardBytes: 2000, BlockDocuments: 4}
		report := mustWrite(t, dir, docs, o)
		s := check(t, os.DirFS(dir), docs)
		m := s.Manifest()
		if m.Encoder != nil || m.Model.Kind != manifest.KindExternal || m.Model.ID != "some/transformer" || len(m.Model.Revision) != 16 || m.Dim != 17 || len(m.Canaries) != 4 {
			t.Errorf("%+v", m.Model)
		}
		if report.Encoded != 0 || report.Reused != 0 {
			t.Errorf("%+v", report)
		}
		for _, c := range m.Canaries {
			i := slices.IndexFunc(docs, func(d store.Document) bool { return d.EncodedText() == c.Text })
			if i < 0 || !slices.Equal(c.Vector, v.Data[i*17:][:17]) {
				t.Errorf("canary %q", c.Text)
			}
		}
	}
	for _, n := range []int{29, 31} {
		if _, err := Write(context.Background(), t.TempDir(), seq(documents(n, 0)), Options{Rows: v}); err == nil || !strings.Contains(err.Error(), "30 rows") {
			t.Errorf("%d documents: %v", n, err)
		}
	}
	v.Data[25*17+3] = float32(1e30)
	v.Data[25*17+3] *= 1e30
	for _, dtype := range []shard.DType{shard.I8, shard.F16, shard.F32} {
		if _, err := Write(context.Background(), t.TempDir(), seq(docs), Options{Rows: v, DType: dtype, ShardBytes: 2000}); err == nil || !strings.Contains(err.Error(), "25") {
			t.Errorf("infinity as %s: %v", dtype, err)
		}
	}
}
