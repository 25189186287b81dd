package host

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/collection"
	"github.com/vantage-search/vantage/internal/collection/store"
	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/encoder/packmodel"
	"github.com/vantage-search/vantage/internal/search"
	"github.com/vantage-search/vantage/internal/testing/packmodeltest"
	"github.com/vantage-search/vantage/internal/testing/quantized"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/internal/wasm/kernel/dense"
	"github.com/vantage-search/vantage/internal/wasm/pack"
	"github.com/vantage-search/vantage/internal/wasm/packed"
	"github.com/vantage-search/vantage/internal/wasm/shard"
	"github.com/vantage-search/vantage/perspective"
)

// A collection that carries a pack gives the same bits under wazero as natively: the
// vectors and angles of texts in both roles, and the answers to queries. A missing
// branch is reported when an angle is asked for, and vectors go on.
func TestPackCollection(t *testing.T) {
	files, err := quantized.TinyFS(1, true)
	if err != nil {
		t.Fatal(err)
	}
	json := files["pack.json"]
	json.Data = bytes.Replace(json.Data, []byte(`"sections"`), []byte(`"prompts":{"query":"the cat "},"sections"`), 1)
	e := packmodeltest.Open(t, files)
	words := strings.Fields("the cat sat on a mat and dogs ran . unknownwordxyz")
	texts := []string{"", strings.Repeat("a very long text ", 40)}
	for i := range words {
		texts = append(texts, strings.Join(words[i:], " "))
	}
	docs := func(yield func(store.Document, error) bool) {
		for i, text := range texts {
			if !yield(store.Document{ID: string(rune('a' + i)), Text: text}, nil) {
				return
			}
		}
	}
	dir := t.TempDir()
	if _, err := collection.Write(t.Context(), dir, docs, collection.Options{Rows: collection.Pack{Model: e}}); err != nil {
		t.Fatal(err)
	}
	native, wasm := both(t, dir)
	ctx := context.Background()
	for _, role := range []encoder.Role{encoder.Query, encoder.Document} {
		want, err := native.Encode(ctx, texts, role)
		got, err2 := wasm.Encode(ctx, texts, role)
		wantAngles, err3 := native.EncodeAngles(ctx, texts, role)
		gotAngles, err4 := wasm.EncodeAngles(ctx, texts, role)
		if err := errors.Join(err, err2, err3, err4); err != nil {
			t.Fatal(err)
		}
		for i, text := range texts {
			if !slices.Equal(got[i].Vector, want[i].Vector) || got[i].Tokens != want[i].Tokens || got[i].Truncated != want[i].Truncated {
				t.Errorf("%s %.30q: %+v, natively %+v", role, text, got[i], want[i])
			}
			if len(gotAngles[i]) != 10 || !slices.Equal(gotAngles[i], wantAngles[i]) {
				t.Errorf("%s %.30q: another angle than natively", role, text)
			}
		}
	}
	for _, query := range []search.Query{{Query: text("the cat")}, {Query: text("Find a claim that opposes the argument: dogs ran")}} {
		query.Method = "none"
		want, err := native.Search(ctx, query)
		got, err2 := wasm.Search(ctx, query)
		if a, b := marshal(t, got, err2), marshal(t, want, err); !bytes.Equal(a, b) {
			t.Errorf("%s, natively %s", a, b)
		}
	}
	damaged := native.Manifest().Encoder.Files
	branch := damaged[len(damaged)-1].Path
	if err := os.Remove(filepath.Join(dir, branch)); err != nil {
		t.Fatal(err)
	}
	engine, err := New(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer engine.Close(ctx)
	c, err := engine.Open(ctx, os.DirFS(dir))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if _, err := c.EncodeAngles(ctx, []string{"a"}, encoder.Query); !errors.Is(err, fault.Integrity) || !strings.Contains(err.Error(), branch) {
		t.Error(err)
	}
	if _, err := c.Encode(ctx, []string{"a"}, encoder.Query); err != nil {
		t.Error(err)
	}
}

// readingPack is a pack of random weights with a branch and a reader of queries.
func readingPack(t testing.TB) *packmodel.Encoder {
	t.Helper()
	files, err := quantized.FS(quantized.Reading, 1)
	if err != nil {
		t.Fatal(err)
	}
	json := files["pack.json"]
	json.Data = bytes.Replace(json.Data, []byte(`"sections"`), []byte(`"texts":{"for":["supports the man: "],"against":["opposes the city: "]},"numbers":{"contrast":[0.3]},"sections"`), 1)
	return packmodeltest.Open(t, files)
}

// A collection whose pack has a reader answers queries by what that reads, the same natively and in the core. If the
// reader is damaged or missing, the grammar reads them, with a notice, and a query that names its parts has none.
func TestReaderCollection(t *testing.T) {
	ctx := t.Context()
	e := readingPack(t)
	whole, texts := sidesCollection(t, e, shard.I8)
	reader, err := packed.Open(e.JSON(), nil, dense.NewPool(1))
	if err != nil {
		t.Fatal(err)
	}
	for _, section := range []string{pack.Vocabulary, pack.Trunk, pack.ReaderSection} {
		for _, f := range e.Manifest().Section(section).Files {
			content, err := e.File(f)
			if err == nil {
				err = reader.File(section, content)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	asked := []string{askFor, askAgainst, "x", "", "why people oppose night trains", "make me hate snow", "no friend of the train", "arguments against the king", strings.Repeat("the king sleeps ", 30)}
	for i := range 12 {
		asked = append(asked, texts[i]+" and why not", "arguments for "+texts[i])
	}
	same := func(native, wasm *search.Collection, q search.Query) *search.Result {
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
	parts := func(r perspective.Reading, q search.Query) search.Query {
		if r != (perspective.Reading{}) {
			q.Root, q.Perspectives = new(text(r.Root)), []search.Text{text(r.Perspective)}
		}
		return q
	}
	native, wasm := both(t, whole, WithInstances(1))
	others := 0
	for _, query := range asked {
		q := search.Query{Query: text(query)}
		r := same(native, wasm, q)
		reading, err := reader.Read(query)
		if err != nil {
			t.Fatal(err)
		}
		if reading != perspective.Read(query) {
			others++
		}
		want := same(native, wasm, parts(reading, q))
		if a, b := marshal(t, r, nil), marshal(t, want, nil); !bytes.Equal(a, b) {
			t.Errorf("%q, read as %+v: %s, want %s", query, reading, a, b)
		}
		for _, c := range []*search.Collection{native, wasm} {
			if a, err := c.Rerank(ctx, q, texts[:5]); query != "" {
				if b, err2 := c.Rerank(ctx, parts(reading, q), texts[:5]); !bytes.Equal(marshal(t, a, err), marshal(t, b, err2)) {
					t.Errorf("%q reranked: %+v, %v, want %+v, %v", query, a, err, b, err2)
				}
			}
		}
	}
	if others < 5 {
		t.Errorf("%d readings differ from the grammar's", others)
	}

	files := native.Manifest().Encoder.Files
	path := files[len(files)-1].Path
	for name, damage := range map[string]func(path string) error{
		"missing": os.Remove,
		"damaged": func(path string) error {
			content, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			content[len(content)/2] ^= 1
			return os.WriteFile(path, content, 0o600)
		},
		"cut": func(path string) error { return os.Truncate(path, 99) },
	} {
		dir := filepath.Join(t.TempDir(), "c")
		if err := errors.Join(os.CopyFS(dir, os.DirFS(whole)), damage(filepath.Join(dir, path))); err != nil {
			t.Fatal(err)
		}
		native, wasm := both(t, dir, WithInstances(1))
		for _, query := range asked[:12] {
			q := search.Query{Query: text(query)}
			r := same(native, wasm, q)
			if query == "" {
				continue
			}
			if !strings.Contains(r.Notice, "the grammar alone finds root and perspective") || !strings.Contains(r.Notice, path) || !strings.Contains(r.Notice, "re-upload") {
				t.Errorf("%s, %q: the notice is %q", name, query, r.Notice)
			}
			want := same(native, wasm, parts(perspective.Read(query), q))
			if perspective.Read(query) != (perspective.Reading{}) && want.Notice != "" {
				t.Errorf("%s, %q in parts: the notice is %q", name, query, want.Notice)
			}
			if want.Notice, r.Notice = "", ""; !bytes.Equal(marshal(t, r, nil), marshal(t, want, nil)) {
				t.Errorf("%s, %q: %+v, want %+v", name, query, r, want)
			}
		}
		st, err := store.Open(ctx, os.DirFS(dir))
		if err != nil {
			t.Fatal(err)
		}
		if faults, err := search.Verify(ctx, st, nil); err != nil || len(faults) != 1 || !strings.Contains(faults[0].Error(), path) {
			t.Errorf("%s: verified with %v, %v", name, faults, err)
		}
	}
}
