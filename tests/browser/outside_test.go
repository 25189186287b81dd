package browser

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/vantage-search/vantage/internal/collection"
	"github.com/vantage-search/vantage/internal/collection/corpus"
	"github.com/vantage-search/vantage/internal/collection/store"
	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/model"
	"github.com/vantage-search/vantage/internal/model/modeltest"
	"github.com/vantage-search/vantage/internal/search"
	"github.com/vantage-search/vantage/static"
)

// A collection of a transformer is opened with the page's own encoder, here one
// that asks a server, in the roles of queries and documents. The answers equal
// Go's. Without an encoder it is searched by words. If queries have their own
// model, the page only needs an encoder for queries.
func TestTransformerCollection(t *testing.T) {
	t.Parallel()
	for name, two := range map[string]bool{"one model": false, "two models": true} {
		t.Run(name, func(t *testing.T) { searchWithTransformer(t, two) })
	}
}

func searchWithTransformer(t *testing.T, two bool) {
	dir := t.TempDir()
	folder := filepath.Join(dir, "bert")
	if err := modeltest.Write(folder, 1); err != nil {
		t.Fatal(err)
	}
	e, err := model.Open(t.Context(), folder, model.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	c, err := corpus.Open(debatesFile, corpus.Options{})
	if err != nil {
		t.Fatal(err)
	}
	site := filepath.Join(dir, "site")
	rows := collection.Outside{Encoder: e}
	if two {
		if err := modeltest.Write(filepath.Join(dir, "questions"), 2); err != nil {
			t.Fatal(err)
		}
		queries, err := model.Open(t.Context(), filepath.Join(dir, "questions"), model.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer queries.Close()
		rows.Queries = queries
	}
	if _, err := collection.Write(t.Context(), filepath.Join(site, "collection"), c.Documents(), collection.Options{Rows: rows, Terms: true}); err != nil {
		t.Fatal(err)
	}
	if err := (static.Page{}).Write(site); err != nil {
		t.Fatal(err)
	}
	st, err := store.Open(t.Context(), os.DirFS(filepath.Join(site, "collection")))
	if err != nil {
		t.Fatal(err)
	}
	outside := search.Outside{Encoder: e}
	if two {
		outside.Encoder = rows.Queries
	}
	info := outside.Encoder.Info()
	native, err := search.Open(t.Context(), st, search.Options{Encoder: outside})
	if err != nil {
		t.Fatal(err)
	}
	defer native.Close()
	const query = "Find a claim that opposes the argument: night trains deserve a subsidy"
	result, err := native.Search(t.Context(), search.Query{Query: search.Text{Text: query}})
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, h := range result.Hits {
		want = append(want, fmt.Sprint(h.ID, " ", h.Score))
	}
	mux := http.NewServeMux()
	mux.Handle("/", bare(site))
	mux.HandleFunc("/encode", func(w http.ResponseWriter, r *http.Request) {
		var texts []string
		if err := json.NewDecoder(r.Body).Decode(&texts); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		role := encoder.Query // and so are roots and perspectives
		if r.URL.Query().Get("role") == "document" {
			role = encoder.Document
			if two {
				http.Error(w, "this model encodes queries", http.StatusBadRequest)
				return
			}
		}
		out, err := outside.Encoder.Encode(r.Context(), texts, encoder.Options{Role: role})
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		vectors := make([][]float32, len(out))
		for i, v := range out {
			vectors[i] = v.Vector
		}
		json.NewEncoder(w).Encode(vectors)
	})
	page := open(t, serve(t, mux).URL("/"))
	got := call[struct {
		Hits, Words []string
		Notice      string
	}](t, page, `async (id, revision, dim, query) => {
		const { Vantage } = await import('/lib/index.js');
		const encode = async (texts, role) => (await fetch('/encode?role=' + role, { method: 'POST', body: JSON.stringify(texts) })).json();
		const vantage = await Vantage.open('/collection/', { encoder: { id, revision, dim, encode } });
		await vantage.ready;
		const hits = (await vantage.search({ query })).hits.map(({ id, score }) => id + ' ' + score);
		vantage.close();
		const without = await Vantage.open('/collection/');
		const answer = await without.search({ query: 'night trains' });
		without.close();
		return { hits, words: answer.hits.map(({ id }) => id), notice: answer.notice };
	}`, info.ID, info.Revision, info.Dim, query)
	if !slices.Equal(got.Hits, want) || len(want) != 10 {
		t.Errorf("%q, want %q", got.Hits, want)
	}
	if len(got.Words) == 0 || got.Notice == "" {
		t.Errorf("without an encoder %q, %q", got.Words, got.Notice)
	}
}
