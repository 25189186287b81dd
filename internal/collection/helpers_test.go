package collection

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"iter"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/collection/store"
	"github.com/vantage-search/vantage/internal/encoder/staticmodel"
	"github.com/vantage-search/vantage/internal/wasm/shard"
)

// documents makes n documents from a seed. Half of the documents of seeds s and s+1
// have equal texts.
func documents(n int, seed int) []store.Document {
	docs := make([]store.Document, n)
	for i := range docs {
		s := seed + i%2
		r := rand.New(rand.NewPCG(uint64(i), uint64(s/2)))
		var words []string
		for range 3 + r.IntN(20) {
			words = append(words, []string{"claim", "argument", "school", "prices", "red", "green", "blue", fmt.Sprint(r.IntN(1000))}[r.IntN(8)])
		}
		docs[i] = store.Document{ID: fmt.Sprintf("d%d", i), Text: strings.Join(words, " "), Metadata: map[string]any{
			"year": json.Number(fmt.Sprint(1990 + r.IntN(30))), "colour": []string{"red", "green", "blue"}[r.IntN(3)], "open": r.IntN(2) == 0}}
		if i%3 == 0 {
			docs[i].Title = fmt.Sprintf("Document %d", i)
		}
	}
	return docs
}

func seq(docs []store.Document) iter.Seq2[store.Document, error] {
	return func(yield func(store.Document, error) bool) {
		for _, d := range docs {
			if !yield(d, nil) {
				return
			}
		}
	}
}

// small limits files to a small size, so that a few documents need many files.
func small(model staticmodel.Files) Options {
	return Options{Name: "test", Rows: Carried{Model: model}, ShardBytes: headerBytes + 7*(12+12), BlockDocuments: 5}
}

// check reads and verifies every file that the manifest names, and compares the
// documents with the given ones (unless nil).
func check(t testing.TB, fsys fs.FS, want []store.Document) *store.Store {
	t.Helper()
	s, err := verify(fsys)
	if err != nil {
		t.Fatal(err)
	}
	if want == nil {
		return s
	}
	var got []store.Document
	for d, err := range s.AllDocuments(context.Background()) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, d)
	}
	if a, b := toJSON(t, got), toJSON(t, want); a != b {
		t.Fatalf("documents differ:\n%.500s\n%.500s", a, b)
	}
	return s
}

// verify reads and verifies every file that the manifest names, and counts the
// documents. The error says what is wrong.
func verify(fsys fs.FS) (*store.Store, error) {
	ctx := context.Background()
	s, err := store.Open(ctx, fsys)
	if err != nil {
		return nil, err
	}
	m := s.Manifest()
	for _, f := range m.Files() {
		if _, err := s.Read(ctx, f); err != nil {
			return nil, err
		}
	}
	for _, f := range m.Vectors {
		content, err := s.Read(ctx, f.File)
		if err != nil {
			return nil, err
		}
		rows, err := shard.DecodeRows(content)
		if err != nil {
			return nil, err
		}
		if rows.N != f.Rows || rows.Dim != m.Dim || rows.IDs[0] != uint32(f.FirstRow) {
			return nil, fmt.Errorf("%s: %d rows of %d from %d", f.Path, rows.N, rows.Dim, rows.IDs[0])
		}
	}
	n := 0
	for _, err := range s.AllDocuments(ctx) {
		if err != nil {
			return nil, err
		}
		n++
	}
	if n != m.Documents {
		return nil, fmt.Errorf("%d documents of %d", n, m.Documents)
	}
	return s, nil
}

func toJSON(t testing.TB, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// snapshot returns every file below a folder.
func snapshot(t testing.TB, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		files[filepath.ToSlash(name)] = string(b)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func mustWrite(t testing.TB, dir string, docs []store.Document, o Options) Report {
	t.Helper()
	r, err := Write(context.Background(), dir, seq(docs), o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// writeTo is Write to a given disk.
func writeTo(d disk, docs []store.Document, o Options) (Report, error) {
	if err := o.defaults(); err != nil {
		return Report{}, err
	}
	return write(context.Background(), d, "disk", seq(docs), o)
}
