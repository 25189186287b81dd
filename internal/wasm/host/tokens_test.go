package host

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/collection/store"
	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/search"
	"github.com/vantage-search/vantage/internal/testing/late"
	"github.com/vantage-search/vantage/internal/wasm/tokens"
)

// The core ranks by MaxSim as the native engine does, to the bit: at each width, by four of
// the methods that are sums, with filters, words and contexts.
func TestMaxSimEqualsNative(t *testing.T) {
	ctx := context.Background()
	engine, err := New(ctx, WithInstances(1))
	if err != nil {
		t.Fatal(err)
	}
	defer engine.Close(ctx)
	encoding := search.Outside{Encoder: encoder.Late{TokenEncoder: late.Words{}}}
	for _, bits := range []int{8, 4, 2} {
		dir := t.TempDir()
		late.Collection(t, dir, bits)
		st, err := store.Open(ctx, os.DirFS(dir))
		if err != nil {
			t.Fatal(err)
		}
		native, err := search.Open(ctx, st, search.Options{Encoder: encoding})
		if err != nil {
			t.Fatal(err)
		}
		wasm, err := search.Open(ctx, st, search.Options{Encoder: encoding, Cores: engine.Core, Instances: 1})
		if err != nil {
			t.Fatal(err)
		}
		root, side := &search.Text{Text: "w1 w2 w3"}, []search.Text{text("w4"), text("w5 w6")}
		for name, q := range map[string]search.Query{
			"plain":       {Query: text("w7 w8 w9 w10")},
			"vectors":     {Query: search.Text{Vector: late.Words{}.Vectors("w7 w3 w50")}, K: 400},
			"sum":         {Query: text("w7 w8"), Root: root, Perspectives: side, Method: "tri-sum", K: 50},
			"root":        {Query: text("w7 w8"), Root: root, Perspectives: side, Method: "root", K: 50},
			"gate":        {Query: text("w7 w8"), Root: root, Perspectives: side, Method: "rerank", K: 400},
			"filter":      {Query: text("w7 w8"), Filters: []search.Filter{{Field: "n", High: number(76)}}, K: 40},
			"hybrid":      {Query: text("w11 w12"), Hybrid: &search.Hybrid{}, K: 30},
			"contexts":    {Query: text("w7 w8"), Contexts: []search.Text{text("w20 w21"), text("w30")}, K: 20},
			"no method":   {Query: text("w7 w8"), Root: root, Perspectives: side, Method: "pap"},
			"dot":         {Query: text("w7 w8"), Score: "dot"},
			"mmr":         {Query: text("w7 w8"), MMR: number(0.5)},
			"half a row":  {Query: search.Text{Vector: make([]float32, late.Dim+1)}},
			"zero tokens": {Query: text(" ")},
		} {
			want, wantErr := native.Search(ctx, q)
			got, gotErr := wasm.Search(ctx, q)
			if a, b := marshal(t, want, wantErr), marshal(t, got, gotErr); !bytes.Equal(a, b) {
				t.Errorf("%d bits, %s:\nnative %.600s\nwasm   %.600s", bits, name, a, b)
			}
			if wantErr == nil && (len(want.Hits) == 0 || want.Score != "maxsim") {
				t.Errorf("%d bits, %s: %d hits by %s", bits, name, len(want.Hits), want.Score)
			}
			if refused := []string{"no method", "dot", "mmr", "half a row", "zero tokens"}; slices.Contains(refused, name) != (wantErr != nil) {
				t.Errorf("%d bits, %s: %v", bits, name, wantErr)
			}
		}
		if err := native.Close(); err != nil {
			t.Error(err)
		}
		if err := wasm.Close(); err != nil {
			t.Error(err)
		}
	}
}

// Damaged files are refused, and the core goes on.
func TestDamagedTokens(t *testing.T) {
	ctx := context.Background()
	engine, err := New(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer engine.Close(ctx)
	c, err := engine.Core(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	dir := t.TempDir()
	late.Collection(t, dir, 4)
	st, err := store.Open(ctx, os.DirFS(dir))
	if err != nil {
		t.Fatal(err)
	}
	m := st.Manifest()
	read := func(path string) []byte {
		b, err := os.ReadFile(filepath.Join(dir, path))
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	book, file := read(m.Tokens.Codebook.Path), read(m.Tokens.Files[0].Path)
	open := func(book []byte, dim, bits, documents int) (search.Tokens, error) {
		return c.(search.TokenCore).OpenTokens(book, dim, bits, documents)
	}
	for name, err := range map[string]error{
		"cut short":         second(open(book[:len(book)-1], late.Dim, 4, 400)),
		"another dimension": second(open(book, late.Dim+1, 4, 400)),
		"three bits":        second(open(book, late.Dim, 3, 400)),
	} {
		if err == nil || c.Lost() {
			t.Errorf("%s: %v", name, err)
		}
	}
	ix, err := open(book, late.Dim, 4, 400)
	if err != nil {
		t.Fatal(err)
	}
	wide, err := open(book, late.Dim, 8, 400)
	if err != nil {
		t.Fatal(err)
	}
	for name, err := range map[string]error{
		"cut short":          ix.Load(0, file[:len(file)-1]),
		"beyond the end":     ix.Load(399, file),
		"of another width":   wide.Load(0, file),
		"vectors not loaded": ix.Score(make([]float32, late.Dim), make([]tokens.Hit, 1)),
	} {
		if err == nil || c.Lost() {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := ix.Load(0, file); err != nil {
		t.Error(err)
	}
	if err := ix.Load(0, file); err == nil || !strings.Contains(err.Error(), "loaded already") {
		t.Errorf("twice: %v", err)
	}
	if n := ix.Len(); n != m.Tokens.Files[0].Count {
		t.Errorf("%d documents", n)
	}
}

func second[T any](_ T, err error) error { return err }
