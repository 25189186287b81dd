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

	"github.com/vantage-search/vantage/internal/claim"
	"github.com/vantage-search/vantage/internal/collection"
	"github.com/vantage-search/vantage/internal/collection/store"
	"github.com/vantage-search/vantage/internal/encoder/packmodel"
	"github.com/vantage-search/vantage/internal/search"
	"github.com/vantage-search/vantage/internal/testing/quantized"
	"github.com/vantage-search/vantage/internal/wasm/pack"
	"github.com/vantage-search/vantage/internal/wasm/shard"
)

// sidesSite is a site without a page, whose collection carries a tiny pack that tells
// sides apart, and has several files of rows and of angles.
func sidesSite(t *testing.T) (dir string, texts []string) {
	t.Helper()
	words := strings.Fields("the man king walked to city in night and sleeps while a train is no friend of snow")
	for i := range 70 {
		texts = append(texts, fmt.Sprintf("%s %s %s %s", words[i%17], words[i*5%16], words[i*i%13], words[i*3%11]))
	}
	return sidesSiteOf(t, texts), texts
}

// sidesSiteOf is the same of these texts.
func sidesSiteOf(t *testing.T, texts []string) string {
	t.Helper()
	files, err := quantized.TinyPack(quantized.Tiny, 3)
	if err != nil {
		t.Fatal(err)
	}
	var about map[string]any
	if err := json.Unmarshal(files[pack.FileName], &about); err != nil {
		t.Fatal(err)
	}
	about["texts"] = map[string][]string{
		search.For: {"supports the man: "}, search.Against: {"opposes the city: "}, claim.PhraseTable: {"city of "},
		"auto": {"none none hybrid 0.6", "stance contrast 0.4", "stance pap -0.5 hybrid", "place root hybrid", "free aspect 0.1", "time aspect 0.2 hybrid"},
	}
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
	documents := func(yield func(store.Document, error) bool) {
		for i, text := range texts {
			if !yield(store.Document{ID: fmt.Sprint(i), Text: text, Metadata: map[string]any{"third": float64(i % 3)}}, nil) {
				return
			}
		}
	}
	dir := t.TempDir()
	options := collection.Options{Rows: collection.Pack{Model: model}, DType: shard.I8, ShardBytes: 1100, BlockDocuments: 20, Terms: true}
	if _, err := collection.Write(t.Context(), filepath.Join(dir, "collection"), documents, options); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(debates(t), "lib"), filepath.Join(dir, "lib")); err != nil {
		t.Fatal(err)
	}
	return dir
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
		both("contexts", map[string]any{"query": against, "contexts": []string{"the night is cold", "a city in the snow"}, "contextLambda": 0.3}, search.Query{Query: text(against), Contexts: []search.Text{text("the night is cold"), text("a city in the snow")}, ContextLambda: ptr(0.3)}),
		both("aspect", map[string]any{"query": "the king in the snow", "method": "aspect"}, search.Query{Query: text("the king in the snow"), Method: "aspect"}),
		both("no side", map[string]any{"query": "the man", "root": king}, search.Query{Query: text("the man"), Root: ptr(text(king))}),
		both("both sides", map[string]any{"query": "x", "root": king, "perspectives": []string{"arguments against", "a claim that supports"}}, search.Query{Query: text("x"), Root: ptr(text(king)), Perspectives: []search.Text{text("arguments against"), text("a claim that supports")}}),
		both("no root", map[string]any{"query": "the man", "opposites": []string{"a ", "b "}}, search.Query{Query: text("the man"), Opposites: &search.Opposites{Wanted: text("a "), Other: text("b ")}}),
		both("blank root", map[string]any{"query": "the man", "root": " \t\u00a0", "perspectives": "arguments against"}, search.Query{Query: text("the man"), Root: ptr(text(" \t\u00a0")), Perspectives: []search.Text{text("arguments against")}}),
		both("blank root of opposites", map[string]any{"query": "the man", "root": " ", "opposites": []string{"a ", "b "}}, search.Query{Query: text("the man"), Root: ptr(text(" ")), Opposites: &search.Opposites{Wanted: text("a "), Other: text("b ")}}),
		both("empty opposite", map[string]any{"query": support, "opposites": []string{"a ", ""}}, search.Query{Query: text(support), Opposites: &search.Opposites{Wanted: text("a ")}}),
		both("too strong", map[string]any{"query": support, "strength": 11}, search.Query{Query: text(support), Strength: ptr(11.0)}),
	}
}

// autoQuestions name no method: the kind of their perspectives chooses one by the pack's
// table, and those without a line in it, or without what the method needs, get another.
func autoQuestions() []question {
	text := func(s string) search.Text { return search.Text{Text: s} }
	const king = "the king walked to the city"
	against, place := "Find a claim that opposes the argument: "+king, "Find something about Japan related to the argument: "+king
	past := search.Opposites{Wanted: text("in the night: "), Other: text("in the snow: ")}
	vector, side := make([]float32, 32), text("arguments against")
	vector[3] = 1
	one, two := []float32{9: 1}, []float32{2, 0, 0, 1, 9: 0}
	third, err := search.ParseFilter("third=1")
	if err != nil {
		panic(err)
	}
	return []question{
		{"a side", map[string]any{"query": against}, search.Query{Query: text(against)}},
		{"a side, diversified", map[string]any{"query": against, "mmr": 0.4, "k": 20}, search.Query{Query: text(against), MMR: ptr(0.4), K: 20}},
		{"its strength", map[string]any{"query": against, "strength": -1.25}, search.Query{Query: text(against), Strength: ptr(-1.25)}},
		{"a projection", map[string]any{"query": against, "lambda": 0.5}, search.Query{Query: text(against), Lambda: ptr(0.5)}},
		{"nothing", map[string]any{"query": "the king in the snow"}, search.Query{Query: text("the king in the snow")}},
		{"nothing, diversified", map[string]any{"query": "the king in the snow", "mmr": 0.4}, search.Query{Query: text("the king in the snow"), MMR: ptr(0.4)}},
		{"nothing, filtered", map[string]any{"query": "the king in the snow", "filter": map[string]any{"third": 1}, "cosineRank": true}, search.Query{Query: text("the king in the snow"), Filters: []search.Filter{third}, CosineRank: true}},
		{"nothing, λ", map[string]any{"query": "the king in the snow", "lambda": 0.5}, search.Query{Query: text("the king in the snow"), Lambda: ptr(0.5)}},
		{"a place", map[string]any{"query": place, "cosineRank": true}, search.Query{Query: text(place), CosineRank: true}},
		{"a period", map[string]any{"query": "x", "root": king, "perspectives": "in the past"}, search.Query{Query: text("x"), Root: ptr(text(king)), Perspectives: []search.Text{text("in the past")}}},
		{"a sort of evidence", map[string]any{"query": "x", "root": king, "perspectives": "with figures"}, search.Query{Query: text("x"), Root: ptr(text(king)), Perspectives: []search.Text{text("with figures")}}},
		{"fused already", map[string]any{"query": against, "hybrid": "z-score"}, search.Query{Query: text(against), Hybrid: &search.Hybrid{Fusion: "z-score"}}},
		{"no root", map[string]any{"query": "the man", "perspectives": "arguments against"}, search.Query{Query: text("the man"), Perspectives: []search.Text{side}}},
		{"a root alone", map[string]any{"query": "the man", "root": king}, search.Query{Query: text("the man"), Root: ptr(text(king))}},
		{"a blank root", map[string]any{"query": "the man", "root": " ", "perspectives": "arguments against"}, search.Query{Query: text("the man"), Root: ptr(text(" ")), Perspectives: []search.Text{side}}},
		{"two sides", map[string]any{"query": "x", "root": king, "perspectives": []string{"arguments against", "a claim that supports"}}, search.Query{Query: text("x"), Root: ptr(text(king)), Perspectives: []search.Text{side, text("a claim that supports")}}},
		{"two kinds", map[string]any{"query": "x", "root": king, "perspectives": []string{"arguments against", "something about Japan"}}, search.Query{Query: text("x"), Root: ptr(text(king)), Perspectives: []search.Text{side, text("something about Japan")}}},
		{"opposites", map[string]any{"query": "the man", "root": king, "opposites": []string{past.Wanted.Text, past.Other.Text}}, search.Query{Query: text("the man"), Root: ptr(text(king)), Opposites: &past}},
		{"opposites without a root", map[string]any{"query": "the man", "opposites": []string{past.Wanted.Text, past.Other.Text}}, search.Query{Query: text("the man"), Opposites: &past}},
		{"opposites and a projection", map[string]any{"query": "the man", "root": king, "lambda": 0.5, "opposites": []string{past.Wanted.Text, past.Other.Text}}, search.Query{Query: text("the man"), Root: ptr(text(king)), Lambda: ptr(0.5), Opposites: &past}},
		{"opposites and words", map[string]any{"query": "the man", "root": king, "method": "BM25", "opposites": []string{past.Wanted.Text, past.Other.Text}}, search.Query{Query: text("the man"), Root: ptr(text(king)), Method: "BM25", Opposites: &past}},
		{"opposites and a method", map[string]any{"query": "the man", "root": king, "method": "root", "opposites": []string{past.Wanted.Text, past.Other.Text}}, search.Query{Query: text("the man"), Root: ptr(text(king)), Method: "root", Opposites: &past}},
		{"a projection beyond its limit", map[string]any{"query": against, "method": "none", "lambda": 10.5}, search.Query{Query: text(against), Method: "none", Lambda: ptr(10.5)}},
		{"a strength beyond its limit", map[string]any{"query": against, "method": "root", "strength": -11}, search.Query{Query: text(against), Method: "root", Strength: ptr(-11.0)}},
		{"opposites as vectors", map[string]any{"query": vector, "root": vector, "opposites": [][]float32{one, two}}, search.Query{Query: search.Text{Vector: vector}, Root: &search.Text{Vector: vector}, Opposites: &search.Opposites{Wanted: search.Text{Vector: one}, Other: search.Text{Vector: two}}}},
		{"vectors", map[string]any{"query": vector, "root": vector, "perspectives": [][]float32{vector}}, search.Query{Query: search.Text{Vector: vector}, Root: &search.Text{Vector: vector}, Perspectives: []search.Text{{Vector: vector}}}},
		{
			"texts with vectors",
			map[string]any{"query": map[string]any{"text": "x", "vector": vector}, "root": map[string]any{"text": king, "vector": vector}, "perspectives": []any{map[string]any{"text": side.Text, "vector": vector}}},
			search.Query{Query: search.Text{Text: "x", Vector: vector}, Root: &search.Text{Text: king, Vector: vector}, Perspectives: []search.Text{{Text: side.Text, Vector: vector}}},
		},
		{"a text with a vector", map[string]any{"query": map[string]any{"text": against, "vector": vector}}, search.Query{Query: search.Text{Text: against, Vector: vector}}},
	}
}

// Pages answer by contrast and aspect as Go does, to the last digit, with one worker and
// with several, and fetch angles only when a query needs them. So they do if no method is
// named.
func TestContrastEqualsGo(t *testing.T) {
	t.Parallel()
	dir, texts := sidesSite(t)
	want := expect(t, dir, append(sidesQuestions(), autoQuestions()...))
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
		if text := "query: method " + method + " needs the angles of passages, and the collection has none: use another method, or index it with an encoder that tells sides apart"; refused[i] != text {
			t.Errorf("%s: %s", method, refused[i])
		}
	}

	for i, q := range want.questions {
		switch answer := want.answers["native"][i]; {
		case strings.HasPrefix(q.name, "blank root") && answer != "":
			t.Errorf("%s is answered: %s", q.name, answer)
		case q.name == "a blank root" && (answer == "" || strings.Contains(answer, "contrast")):
			t.Errorf("%s is not ranked by another method: %s", q.name, answer)
		}
	}

	// What auto chose is among the answers, so that they do not agree by chance.
	chosen := strings.Join(want.answers["native"], "")
	for _, part := range []string{`"method":"contrast","kind":"stance","lambda":1,"strength":0.4`, `"method":"pap","kind":"stance","lambda":-0.5`, `"method":"aspect","kind":"time","lambda":1,"strength":0.2`, `"kind":"free"`, `"method":"none","lambda":1,"k":10`, `"hybrid":"rrf"`, `"hybrid":"z-score"`, `"hybrid":"min-max"`} {
		if !strings.Contains(chosen, part) {
			t.Errorf("no answer has %s", part)
		}
	}

	// Pages rank texts that they give as Go does, too, with their vectors and angles or without.
	var goes, asked []any
	for _, q := range want.questions {
		if q.goes.Hybrid != nil || q.goes.Filters != nil {
			continue
		}
		r, err := native(t, filepath.Join(dir, "collection")).Rerank(t.Context(), q.goes, texts)
		if err != nil {
			continue // such as a query that names no side for contrast
		}
		r.Encoder = search.EncoderRef{}
		goes, asked = append(goes, r), append(asked, q.page)
	}
	reranked := call[[]string](t, page, `async (texts, queries) => {
		const { Vantage } = await import('/lib/index.js');
		const vantage = await Vantage.open('/collection/');
		const out = [];
		const encoded = await vantage.encode(texts, 'document', { angle: true });
		const known = texts.map((text, i) => i % 3 === 0 ? text : { text, vector: encoded[i].vector, ...(i % 3 === 1 && { angle: encoded[i].angle }) });
		for (const query of queries) {
			const answers = [];
			for (const given of [texts, known]) {
				const { method, kind, lambda, strength, side, k, hits } = await vantage.rerank(given, query);
				answers.push(JSON.stringify({ method, kind, lambda, strength, side, k, encoder: { id: '', revision: '' }, hits }));
			}
			if (answers[0] !== answers[1]) throw new Error(answers.join('\n'));
			out.push(answers[0]);
		}
		const root = 'Night trains deserve public subsidy';
		const [bare, given] = [await vantage.sidesOf(root, texts), await vantage.sidesOf(root, known)].map((sides) => JSON.stringify(sides));
		if (bare !== given) throw new Error(bare + '\n' + given);
		for (const wrong of [{ text: 'a' }, { text: 'a', vector: [1] }, { text: 'a', vector: encoded[0].vector.with(0, NaN) }, { text: 'a', vector: encoded[0].vector, angle: [1] }, { vector: encoded[0].vector }]) {
			const error = await vantage.rerank([wrong], { query: 'a' }).then(() => null, (error) => error);
			if (error?.code !== 'query') throw new Error(JSON.stringify(wrong) + ': ' + error);
		}
		vantage.close();
		return out;
	}`, texts, asked)
	if len(goes) < 20 {
		t.Errorf("only %d queries rerank", len(goes))
	}
	for i, r := range goes {
		if want := encoded(t, r.(*search.Result)); reranked[i] != want {
			t.Errorf("reranked by %v:\n  page %.600s\n  Go   %.600s", asked[i], reranked[i], want)
		}
	}
}
