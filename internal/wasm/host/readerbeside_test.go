package host

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/vantage-search/vantage/internal/collection"
	"github.com/vantage-search/vantage/internal/collection/store"
	"github.com/vantage-search/vantage/internal/encoder/staticmodel/staticmodeltest"
	"github.com/vantage-search/vantage/internal/search"
	"github.com/vantage-search/vantage/internal/testing/packmodeltest"
	"github.com/vantage-search/vantage/internal/testing/quantized"
	"github.com/vantage-search/vantage/internal/testing/reads"
	"github.com/vantage-search/vantage/internal/wasm/pack"
	"github.com/vantage-search/vantage/perspective"
)

// A collection with a reader of queries beside its encoder answers queries by what that reads, the same natively and in the
// core, whatever the encoder is. If a file of the reader is damaged or missing, the grammar reads them, with a notice.
func TestReaderBeside(t *testing.T) {
	shape := quantized.Reading
	shape.Branch.Layers = 0 // nobody needs one here
	files, err := quantized.FS(shape, 1)
	if err != nil {
		t.Fatal(err)
	}
	model := packmodeltest.Tiny(t, 1, false)
	for name, c := range map[string]struct {
		rows    collection.Source
		queries search.Encoding
	}{
		"static":  {collection.Carried{Model: staticmodeltest.Tiny(t)}, nil},
		"pack":    {collection.Pack{Model: model}, nil},
		"outside": {collection.Outside{Encoder: model}, search.Outside{Encoder: model}},
	} {
		t.Run(name, func(t *testing.T) { readsBeside(t, c.rows, c.queries, files) })
	}
}

// readsBeside is TestReaderBeside of one encoder.
func readsBeside(t *testing.T, rows collection.Source, queries search.Encoding, files fstest.MapFS) {
	ctx := t.Context()
	docs := func(yield func(store.Document, error) bool) {
		for i, text := range []string{"a red school", "the claim that prices", "blue document number 3", "the argument opposes a claim", "cafe in the blue"} {
			if !yield(store.Document{ID: string(rune('a' + i)), Text: text}, nil) {
				return
			}
		}
	}
	dir := t.TempDir()
	if _, err := collection.Write(ctx, dir, docs, collection.Options{Rows: rows, Reader: files, Terms: true}); err != nil {
		t.Fatal(err)
	}
	reader := reads.Open(t, files)
	asked := []string{"red", "", "why a red school is bad", "make me hate a blue claim", "no friend of the school", "arguments against the claim", strings.Repeat("the school claims ", 30),
		"reasons for a cafe in red", "the school prices and why not", "against blue", "pros and cons of the argument", "school according to a parent", "red and blue and green"}
	// ask compares both engines, and returns the native answer.
	ask := func(native, wasm *search.Collection, q search.Query) *search.Result {
		t.Helper()
		want, err := native.Search(ctx, q)
		got, wasmErr := wasm.Search(ctx, q)
		if a, b := marshal(t, want, err), marshal(t, got, wasmErr); !bytes.Equal(a, b) {
			t.Errorf("%q: natively\n%s\nin the core\n%s", q.Query.Text, a, b)
		}
		if err != nil && q.Query.Text != "" {
			t.Errorf("%q: %v", q.Query.Text, err)
		}
		return want
	}
	native, wasm := bothBy(t, dir, queries, WithInstances(1))
	others := 0
	for _, query := range asked {
		whole := ask(native, wasm, search.Query{Query: text(query)})
		reading, err := reader.Read(query)
		if err != nil {
			t.Fatal(err)
		}
		if reading != perspective.Read(query) {
			others++
		}
		q := search.Query{Query: text(query)}
		if reading != (perspective.Reading{}) {
			q.Root, q.Perspectives = new(text(reading.Root)), []search.Text{text(reading.Perspective)}
		}
		if a, b := marshal(t, whole, nil), marshal(t, ask(native, wasm, q), nil); !bytes.Equal(a, b) {
			t.Errorf("%q, read as %+v: %s, want %s", query, reading, a, b)
		}
	}
	if others < 5 {
		t.Errorf("%d readings differ from the grammar's", others)
	}

	carried := native.Manifest().Reader
	if carried == nil || len(carried.All()) != len(files) {
		t.Fatalf("the collection carries %+v of a reader with %d files", carried, len(files))
	}
	shared := map[string]bool{} // without the encoder's vocabulary, which is the reader's, too, words rank alone
	if e := native.Manifest().Encoder; e != nil {
		for _, f := range e.All() {
			shared[f.Path] = true
		}
	}
	for _, f := range carried.All() {
		if shared[f.Path] {
			continue
		}
		for name, damage := range map[string]func(path string) error{
			"missing": os.Remove,
			"damaged": func(path string) error {
				b, err := os.ReadFile(path)
				if err != nil {
					return err
				}
				b[len(b)/2] ^= 1
				return os.WriteFile(path, b, 0o666)
			},
		} {
			broken := t.TempDir()
			if err := os.CopyFS(broken, os.DirFS(dir)); err != nil {
				t.Fatal(err)
			}
			if err := damage(filepath.Join(broken, f.Path)); err != nil {
				t.Fatal(err)
			}
			native, wasm := bothBy(t, broken, queries, WithInstances(1))
			r := ask(native, wasm, search.Query{Query: text("arguments against the claim")})
			if !strings.Contains(r.Notice, f.Path) || !strings.Contains(r.Notice, "reader of queries cannot be used") || len(r.Texts) != 3 || r.Texts[2].Text != "arguments against" {
				t.Errorf("%s %s: notice %q, texts %+v", name, f.Path, r.Notice, r.Texts)
			}
			if r := ask(native, wasm, search.Query{Query: text("the claim"), Root: new(text("the claim"))}); r.Notice != "" {
				t.Errorf("%s %s: a query with its parts has the notice %q", name, f.Path, r.Notice)
			}
		}
	}
}

// A pack without a reader cannot stand beside a static encoder.
func TestNoReaderBesideStatic(t *testing.T) {
	files, err := quantized.TinyFS(1, false)
	if err != nil {
		t.Fatal(err)
	}
	model := staticmodeltest.Tiny(t)
	model.Reader = files
	if _, err := search.Create(t.Context(), search.Options{Encoder: search.InCore{Files: model}}); err == nil || !strings.Contains(err.Error(), "no reader of queries") {
		t.Error(err)
	}
	delete(files, pack.FileName)
	if _, err := search.Create(t.Context(), search.Options{Encoder: search.InCore{Files: model}}); err == nil {
		t.Error("a reader without a pack.json was opened")
	}
}
