package browser

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"testing/fstest"

	"github.com/vantage-search/vantage/internal/collection"
	"github.com/vantage-search/vantage/internal/collection/store"
	"github.com/vantage-search/vantage/internal/encoder/packmodel"
	"github.com/vantage-search/vantage/internal/search"
	"github.com/vantage-search/vantage/internal/testing/quantized"
	"github.com/vantage-search/vantage/internal/wasm/pack"
	"github.com/vantage-search/vantage/internal/wasm/shard"
)

// hearingSite is a site without a page, whose collection carries a tiny pack that hears
// sides, and has several files of rows and of angles.
func hearingSite(t *testing.T) (dir string, texts []string) {
	t.Helper()
	files, err := quantized.TinyPack(quantized.Tiny, 3)
	if err != nil {
		t.Fatal(err)
	}
	var about map[string]any
	if err := json.Unmarshal(files[pack.FileName], &about); err != nil {
		t.Fatal(err)
	}
	about["texts"] = map[string][]string{search.For: {"supports the man: "}, search.Against: {"opposes the city: "}}
	about["numbers"] = map[string][]float64{"contrast": {0.3}}
	about["prompts"] = map[string]string{"query": "the "}
	if files[pack.FileName], err = json.Marshal(about); err != nil {
		t.Fatal(err)
	}
	system := fstest.MapFS{}
	for name, content := range files {
		system[name] = &fstest.MapFile{Data: content}
	}
	model, err := packmodel.Open(t.Context(), system, 1)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { model.Close() })
	words := strings.Fields("the man king walked to city in night and sleeps while a train is no friend of snow")
	for i := range 70 {
		texts = append(texts, fmt.Sprintf("%s %s %s %s", words[i%17], words[i*5%16], words[i*i%13], words[i*3%11]))
	}
	documents := func(yield func(store.Document, error) bool) {
		for i, text := range texts {
			if !yield(store.Document{ID: fmt.Sprint(i), Text: text, Metadata: map[string]any{"third": float64(i % 3)}}, nil) {
				return
			}
		}
	}
	dir = t.TempDir()
	options := collection.Options{Rows: collection.Pack{Model: model}, DType: shard.I8, ShardBytes: 1100, BlockDocuments: 20, Terms: true}
	if _, err := collection.Write(t.Context(), filepath.Join(dir, "collection"), documents, options); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(debates(t), "lib"), filepath.Join(dir, "lib")); err != nil {
		t.Fatal(err)
	}
	return dir, texts
}

// sidesQuestions ask by contrast and aspect, with every option that meets angles.
func sidesQuestions() []question {
	text := func(s string) search.Text { return search.Text{Text: s} }
	const king = "the king walked to the city"
	support, against := "Find a claim that supports the argument: "+king, "Find a claim that opposes the argument: "+king
	past := search.Opposites{Wanted: text("in the night: "), Other: text("in the snow: ")}
	one, two := []float32{9: 1}, []float32{2, 0, 0, 1, 9: 0}
	third, err := search.ParseFilter("third=1")
	if err != nil {
		panic(err)
	}
	both := func(name string, page map[string]any, goes search.Query) question {
		if goes.Method == "" {
			page["method"], goes.Method = "contrast", "contrast"
		}
		return question{name, page, goes}
	}
	return []question{
		both("for", map[string]any{"query": support}, search.Query{Query: text(support)}),
		both("against", map[string]any{"query": against, "cosineRank": true, "k": 70}, search.Query{Query: text(against), CosineRank: true, K: 70}),
		both("turned", map[string]any{"query": support, "strength": -1.25}, search.Query{Query: text(support), Strength: ptr(-1.25)}),
		both("left out", map[string]any{"query": support, "strength": 0}, search.Query{Query: text(support), Strength: ptr(0.0)}),
		both("diversified", map[string]any{"query": support, "mmr": 0.4}, search.Query{Query: text(support), MMR: ptr(0.4)}),
		both("filtered", map[string]any{"query": against, "filter": map[string]any{"third": 1}}, search.Query{Query: text(against), Filters: []search.Filter{third}}),
		both("hybrid", map[string]any{"query": support, "hybrid": true}, search.Query{Query: text(support), Hybrid: &search.Hybrid{}}),
		both("perspectives", map[string]any{"query": "x", "root": king, "perspectives": []string{"arguments against", "a claim that opposes"}}, search.Query{Query: text("x"), Root: ptr(text(king)), Perspectives: []search.Text{text("arguments against"), text("a claim that opposes")}}),
		both("opposites", map[string]any{"query": "the man", "root": king, "opposites": []string{past.Wanted.Text, past.Other.Text}}, search.Query{Query: text("the man"), Root: ptr(text(king)), Opposites: &past}),
		both("vectors", map[string]any{"query": "the man", "root": king, "opposites": [][]float32{one, two}}, search.Query{Query: text("the man"), Root: ptr(text(king)), Opposites: &search.Opposites{Wanted: search.Text{Vector: one}, Other: search.Text{Vector: two}}}),
		both("aspect", map[string]any{"query": "the king in the snow", "method": "aspect"}, search.Query{Query: text("the king in the snow"), Method: "aspect"}),
		both("no side", map[string]any{"query": "the man", "root": king}, search.Query{Query: text("the man"), Root: ptr(text(king))}),
		both("both sides", map[string]any{"query": "x", "root": king, "perspectives": []string{"arguments against", "a claim that supports"}}, search.Query{Query: text("x"), Root: ptr(text(king)), Perspectives: []search.Text{text("arguments against"), text("a claim that supports")}}),
		both("no root", map[string]any{"query": "the man", "opposites": []string{"a ", "b "}}, search.Query{Query: text("the man"), Opposites: &search.Opposites{Wanted: text("a "), Other: text("b ")}}),
		both("empty opposite", map[string]any{"query": support, "opposites": []string{"a ", ""}}, search.Query{Query: text(support), Opposites: &search.Opposites{Wanted: text("a ")}}),
		both("too strong", map[string]any{"query": support, "strength": 11}, search.Query{Query: text(support), Strength: ptr(11.0)}),
	}
}

// Pages answer by contrast and aspect as Go does, to the last digit, with one worker and
// with several, and fetch angles only when a query needs them.
func TestContrastEqualsGo(t *testing.T) {
	t.Parallel()
	dir, texts := hearingSite(t)
	want := expect(t, dir, sidesQuestions())
	var angles atomic.Int32
	site := bare(dir)
	url := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/collection/angles/") {
			angles.Add(1)
		}
		site.ServeHTTP(w, r)
	})).URL("/")
	page := open(t, url)
	plain := map[string]any{"query": "the king", "method": "none"}
	call[[]string](t, page, ask, "/collection/", []map[string]any{plain}, map[string]any{})
	if n := angles.Load(); n != 0 {
		t.Errorf("%d files of angles for a search by topic", n)
	}
	want.equals(t, call[[]string](t, page, ask, "/collection/", want.queries(), map[string]any{}))
	entries, err := os.ReadDir(filepath.Join(dir, "collection", "angles"))
	if n := int(angles.Load()); err != nil || len(entries) < 2 || n != len(entries) {
		t.Errorf("%d requests for %d files of angles (%v)", n, len(entries), err)
	}
	want.equals(t, call[[]string](t, page, ask, "/collection/", want.queries(), map[string]any{"workers": 3}))

	// A collection without angles refuses by name.
	other := open(t, serve(t, bare(debates(t))).URL("/"))
	refused := call[[]string](t, other, ask, "/collection/", []map[string]any{{"query": oppose, "method": "contrast"}, {"query": oppose, "method": "aspect"}}, map[string]any{})
	for i, method := range []string{"contrast", "aspect"} {
		if text := "query: method " + method + " needs the angles of passages, and the collection has none: use another method, or index it with an encoder that hears sides"; refused[i] != text {
			t.Errorf("%s: %s", method, refused[i])
		}
	}

	question := want.questions[1]
	r, err := native(t, filepath.Join(dir, "collection")).Rerank(t.Context(), question.goes, texts)
	if err != nil {
		t.Fatal(err)
	}
	reranked := call[string](t, page, `async (texts, query) => {
		const { Vantage } = await import('/lib/index.js');
		const vantage = await Vantage.open('/collection/');
		const { hits } = await vantage.rerank(texts, query);
		vantage.close();
		return JSON.stringify(hits);
	}`, texts, question.page)
	if goes, err := json.Marshal(r.Hits); err != nil || reranked != string(goes) {
		t.Errorf("reranked:\n  page %.600s\n  Go   %.600s", reranked, goes)
	}
}
