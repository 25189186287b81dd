package collection

import (
	"context"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/collection/store"
	"github.com/vantage-search/vantage/internal/encoder/staticmodel/staticmodeltest"
	"github.com/vantage-search/vantage/internal/wasm/lexical"
)

// openTerms loads the whole inverted index of a collection.
func openTerms(t *testing.T, s *store.Store) *lexical.Index {
	t.Helper()
	ctx, terms := context.Background(), s.Manifest().Terms
	lengths, err := s.Read(ctx, terms.Lengths)
	if err != nil {
		t.Fatal(err)
	}
	x, err := lexical.Open(lexical.DefaultParameters, lengths)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range terms.Files {
		content, err := s.Read(ctx, f.File)
		if err != nil {
			t.Fatal(err)
		}
		if err := x.Load(content); err != nil {
			t.Fatal(err)
		}
	}
	return x
}

func TestTermsOfACollection(t *testing.T) {
	dir, docs := t.TempDir(), documents(53, 0)
	o := small(staticmodeltest.Tiny(t))
	o.Terms, o.TermBytes = true, 60
	mustWrite(t, dir, docs, o)
	s := check(t, os.DirFS(dir), docs)
	if n := len(s.Manifest().Terms.Files); n < 5 {
		t.Errorf("%d term files", n)
	}
	want, err := lexical.New(lexical.DefaultParameters)
	if err != nil {
		t.Fatal(err)
	}
	for i := range docs {
		if _, err := want.Add(docs[i].EncodedText()); err != nil {
			t.Fatal(err)
		}
	}
	got := openTerms(t, s)
	for _, text := range []string{"Document 6", "claim argument red", "school", "nowhere"} {
		query := lexical.Query{Text: text, K: 20}
		a, errA := got.Search(query)
		b, errB := want.Search(query)
		if errA != nil || errB != nil || !slices.Equal(a, b) {
			t.Errorf("%q: %v (%v) from the collection, %v (%v) directly", text, a, errA, b, errB)
		}
	}
}

func TestTermsFollowTheDocuments(t *testing.T) {
	o := small(staticmodeltest.Tiny(t))
	o.Terms, o.TermBytes = true, 60
	dir, fresh := t.TempDir(), t.TempDir()
	mustWrite(t, dir, documents(40, 0), o)
	mustWrite(t, dir, documents(53, 1), o)
	mustWrite(t, fresh, documents(53, 1), o)
	if !maps.Equal(snapshot(t, dir), snapshot(t, fresh)) {
		t.Error("an updated collection differs from a new one")
	}
	o.Terms = false
	mustWrite(t, dir, documents(53, 1), o)
	if s := check(t, os.DirFS(dir), nil); s.Manifest().Terms != nil {
		t.Error("the collection has terms that were not asked for")
	}
	for name := range snapshot(t, dir) {
		if strings.HasPrefix(name, "terms/") {
			t.Errorf("%s is left", name)
		}
	}
}
