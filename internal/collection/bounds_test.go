package collection

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/collection/store"
	"github.com/vantage-search/vantage/internal/collection/unpack"
	"github.com/vantage-search/vantage/internal/encoder/staticmodel/staticmodeltest"
	"github.com/vantage-search/vantage/internal/wasm/jsonlite"
)

// Vectors, and files whose compressed form readers would refuse, are stored uncompressed.
func TestCompress(t *testing.T) {
	zeros := make([]byte, unpack.Free+1)
	text := []byte(strings.Repeat("a perspective is a side to see it from. ", 100_000))
	for _, c := range []struct {
		folder  string
		content []byte
		packed  bool
	}{
		{vectorsDir, text, false},
		{anglesDir, text, false},
		{docsDir, text[:1000], true},
		{docsDir, zeros[:plainBytes], true},
		{docsDir, zeros[:plainBytes+1], false},
		{docsDir, text, false},
		{encoderDir, zeros[:2*plainBytes], false},
		{columnsDir, zeros[:unpack.Free], true},
		{columnsDir, zeros, false},
	} {
		stored := compress(c.content, c.folder)
		if packed := len(stored) < len(c.content); packed != c.packed {
			t.Errorf("%s of %d bytes: %d bytes stored", c.folder, len(c.content), len(stored))
		}
	}
}

// A collection whose files compress extremely well can be read again.
func TestRepetitive(t *testing.T) {
	model := staticmodeltest.Tiny(t)
	var docs []store.Document
	for i := range 6 {
		docs = append(docs, store.Document{ID: fmt.Sprint(i), Text: strings.Repeat("many words ", 100_000), Metadata: map[string]any{"constant": true}})
	}
	dir := t.TempDir()
	mustWrite(t, dir, docs, Options{Rows: Carried{Model: model}})
	st, err := store.Open(context.Background(), os.DirFS(dir))
	if err != nil {
		t.Fatal(err)
	}
	m := st.Manifest()
	for _, f := range m.Docs {
		if f.Stored != f.Bytes {
			t.Errorf("%s: %d bytes in %d", f.Path, f.Bytes, f.Stored)
		}
	}
	if m.Columns.File.Stored == m.Columns.File.Bytes {
		t.Error("the constant column is not compressed")
	}
	n := 0
	for doc, err := range st.AllDocuments(context.Background()) {
		if err != nil || doc.Text != docs[n].Text {
			t.Fatalf("document %d: %v", n, err)
		}
		n++
	}
}

func TestDocumentBounds(t *testing.T) {
	model := staticmodeltest.Tiny(t)
	deep := any("x")
	for range jsonlite.MaxDepth {
		deep = []any{deep}
	}
	itself := map[string]any{}
	itself["one"], itself["other"] = itself, []any{itself}
	for _, metadata := range []map[string]any{{"a": deep}, itself} {
		var e *DocumentError
		_, err := Write(context.Background(), t.TempDir(), seq([]store.Document{{ID: "a", Text: "fine"}, {ID: "b", Text: "deep", Metadata: metadata}}), Options{Rows: Carried{Model: model}})
		if !errors.As(err, &e) || e.ID != "b" || !strings.Contains(err.Error(), "64 deep") {
			t.Errorf("a deep document: %v", err)
		}
	}
}
