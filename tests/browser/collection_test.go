package browser

import (
	"context"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/vantage-search/vantage/internal/collection"
	"github.com/vantage-search/vantage/internal/collection/corpus"
	"github.com/vantage-search/vantage/internal/collection/store"
	"github.com/vantage-search/vantage/internal/model/builtin"
	"github.com/vantage-search/vantage/internal/reader"
	"github.com/vantage-search/vantage/internal/search"
	"github.com/vantage-search/vantage/internal/testing/harness"
	wazero "github.com/vantage-search/vantage/internal/wasm/host"
	"github.com/vantage-search/vantage/internal/wasm/shard"
	"github.com/vantage-search/vantage/static"
)

// write makes a collection of a corpus file with the built-in encoder. Shards
// and blocks are small, so that tests need several.
func write(t testing.TB, dir, corpusFile string, dtype shard.DType) {
	t.Helper()
	c, err := corpus.Open(corpusFile, corpus.Options{})
	if err != nil {
		t.Fatal(err)
	}
	_, err = collection.Write(context.Background(), dir, c.Documents(), collection.Options{
		Name: "Debates", Rows: collection.Carried{Model: builtin.Builtin()}, Reader: reader.Files, DType: dtype, ShardBytes: 60_000, BlockDocuments: 100,
	})
	if err != nil {
		t.Fatal(err)
	}
}

var debatesFile = filepath.Join(harness.Root(), "examples", "debates", "corpus.jsonl")

const debatesRows = 1157 // documents in debatesFile

// debatesSite is a site of the bundled corpus, made once.
var debatesSite struct {
	sync.Mutex
	dir string
}

// pages are the pages of a site whose lab begins with an example.
var pages = static.Page{Examples: []string{"reasons against: Night trains deserve public subsidy"}}

// examplesFile has examples for the bundled corpus.
var examplesFile = filepath.Join(harness.Root(), "examples", "debates", "examples.txt")

// debates returns the folder of a site of the bundled corpus: page, library and
// collection, as `vantage index --site` writes it.
func debates(t testing.TB) string {
	t.Helper()
	debatesSite.Lock()
	defer debatesSite.Unlock()
	if debatesSite.dir == "" {
		dir, err := os.MkdirTemp("", "vantage-debates-") // all tests use it; TestMain removes it
		if err != nil {
			t.Fatal(err)
		}
		debatesSite.dir = dir
		write(t, filepath.Join(dir, "collection"), debatesFile, shard.I8)
		if err := pages.Write(dir); err != nil {
			t.Fatal(err)
		}
	}
	return debatesSite.dir
}

// native opens a collection on the native engine.
func native(t testing.TB, dir string) *search.Collection {
	t.Helper()
	st, err := store.Open(context.Background(), os.DirFS(dir))
	if err != nil {
		t.Fatal(err)
	}
	c, err := search.Open(context.Background(), st, search.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// headlessly opens a collection on the page's core, under wazero.
func headlessly(t testing.TB, dir string) *search.Collection {
	t.Helper()
	engine, err := wazero.New(context.Background(), wazero.WithInstances(1))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { engine.Close(context.Background()) })
	c, err := engine.Open(context.Background(), os.DirFS(dir))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// folder serves a folder like a static host.
func folder(dir string) http.Handler { return http.FileServer(http.Dir(dir)) }
