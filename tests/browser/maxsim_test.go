package browser

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/vantage-search/vantage/internal/collection/manifest"
	"github.com/vantage-search/vantage/internal/collection/store"
	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/search"
	"github.com/vantage-search/vantage/internal/testing/harness"
	"github.com/vantage-search/vantage/internal/testing/late"
)

// lateSite is a folder with a collection in each width, and the vectors of some texts as a
// page's encoder gives them.
func lateSite(t *testing.T, texts ...string) (dir string, vectors map[string][]float32) {
	t.Helper()
	dir, vectors = t.TempDir(), map[string][]float32{}
	for _, bits := range []int{8, 4, 2} {
		late.Collection(t, filepath.Join(dir, fmt.Sprint(bits)), bits)
	}
	var m manifest.Manifest
	b, err := os.ReadFile(filepath.Join(dir, "8", manifest.FileName))
	if err == nil {
		err = json.Unmarshal(b, &m)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range m.Canaries {
		texts = append(texts, c.Text)
	}
	for _, text := range texts {
		vectors[text] = late.Words{}.Vectors(text)
	}
	return dir, vectors
}

// beside serves a folder and the library.
func beside(dir string) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/", bare(dir))
	mux.Handle("/lib/", harness.WithPolicy(harness.Static()))
	return mux
}

// lateEncoder declares a page's encoder of known texts, in functions with the parameters
// vectors and dim.
const lateEncoder = `const encoder = {
	id: 'words', dim, local: true,
	async encode(texts) {
		return texts.map((text) => Float32Array.from(vectors[text]));
	},
};`

// searchLate answers queries, or tells why not.
const searchLate = `async (url, vectors, dim, queries, options) => {
	const { Vantage } = await import('/lib/index.js');
	` + lateEncoder + `
	const vantage = await Vantage.open(url, { encoder, ...options });
	await vantage.ready;
	const { score, documents } = vantage.info;
	const { rows, total } = vantage.coverage;
	const out = [JSON.stringify({ score, documents, rows, total })];
	for (const query of queries) {
		out.push(await vantage.search(query).then(
			({ method, score, hits }) => JSON.stringify({ method, score, hits }),
			(error) => error.code + ': ' + error.message,
		));
	}
	vantage.close();
	return out;
}`

// MaxSim in a page has the hits and the bits of the native engine, at each width, with the
// engine in a worker, in one of several and in the page, from vectors and by an encoder.
func TestMaxSimEqualsGo(t *testing.T) {
	t.Parallel()
	dir, vectors := lateSite(t, "w7 w8 w9", "w1 w2 w3", "w4", "w5 w6", "w20 w21", "w30")
	word := func(s string) search.Text { return search.Text{Text: s} }
	for _, d := range late.Documents() {
		vectors[d.Text] = append([]float32{}, late.Words{}.Vectors(d.Text)...) // rescore encodes them again; not null in JSON
	}
	root, sides := word("w1 w2 w3"), []search.Text{word("w4"), word("w5 w6")}
	below := 76.0
	type pair struct {
		goes search.Query
		page map[string]any
	}
	asked := func(more map[string]any) map[string]any {
		q := map[string]any{"query": "w7 w8 w9"}
		for k, v := range more {
			q[k] = v
		}
		return q
	}
	perspectives := map[string]any{"root": "w1 w2 w3", "perspectives": []string{"w4", "w5 w6"}}
	sided := func(method string, k int) pair {
		q := asked(perspectives)
		q["method"], q["k"] = method, k
		return pair{search.Query{Query: word("w7 w8 w9"), Root: &root, Perspectives: sides, Method: method, K: k}, q}
	}
	pairs := []pair{
		{search.Query{Query: word("w7 w8 w9")}, asked(nil)},
		{search.Query{Query: search.Text{Vector: vectors["w1 w2 w3"]}, K: 400}, map[string]any{"query": vectors["w1 w2 w3"], "k": 400}},
		sided("tri-sum", 40), sided("root", 40), sided("rerank", 400), sided("none", 5), sided("dual-sum", 40),
		{search.Query{Query: word("w7 w8 w9"), Filters: []search.Filter{{Field: "n", High: &below}}, K: 40}, asked(map[string]any{"filter": map[string]any{"n": map[string]any{"max": 76}}, "k": 40})},
		{search.Query{Query: word("w7 w8 w9"), Hybrid: &search.Hybrid{}, K: 30}, asked(map[string]any{"hybrid": true, "k": 30})},
		{search.Query{Query: word("w7 w8 w9"), Contexts: []search.Text{word("w20 w21"), word("w30")}, K: 20}, asked(map[string]any{"contexts": []string{"w20 w21", "w30"}, "k": 20})},
		{search.Query{Query: word("w7 w8 w9"), Hybrid: &search.Hybrid{}, Contexts: []search.Text{word("w20 w21")}}, asked(map[string]any{"hybrid": true, "contexts": []string{"w20 w21"}})},
		{search.Query{Query: word("w7 w8 w9"), Rescore: 30}, asked(map[string]any{"rescore": 30})},
		{search.Query{Query: word("w7 w8 w9"), Rescore: 30, K: 50, Contexts: []search.Text{word("w30")}}, asked(map[string]any{"rescore": 30, "k": 50, "contexts": []string{"w30"}})},
		{search.Query{Query: word("w7 w8 w9"), Root: &root, Perspectives: sides, Method: "rerank", Rescore: 200, K: 150}, asked(map[string]any{"root": "w1 w2 w3", "perspectives": []string{"w4", "w5 w6"}, "method": "rerank", "rescore": 200, "k": 150})},
		// Refused by name.
		{search.Query{Query: word("w7 w8 w9"), Rescore: 30, K: 257}, asked(map[string]any{"rescore": 30, "k": 257})},
		{search.Query{Query: word("w7 w8 w9"), Rescore: 30, Hybrid: &search.Hybrid{}}, asked(map[string]any{"rescore": 30, "hybrid": true})},
		sided("pap", 5), sided("pap+", 5), sided("concat", 5), sided("add", 5),
		{search.Query{Query: word("w7 w8 w9"), Score: "dot"}, asked(map[string]any{"score": "dot"})},
		{search.Query{Query: word("w7 w8 w9"), MMR: &below}, asked(map[string]any{"mmr": 0.5})},
		{search.Query{Query: search.Text{Vector: make([]float32, late.Dim+1)}}, map[string]any{"query": make([]float32, late.Dim+1)}},
		{search.Query{Query: word("w7 w8 w9"), Method: "tri-sum"}, asked(map[string]any{"method": "tri-sum"})},
		{search.Query{Query: word("w7 w8 w9"), Lambda: &below}, asked(map[string]any{"lambda": 0.5})},
	}
	var queries []any
	for _, p := range pairs {
		queries = append(queries, p.page)
	}
	page := open(t, serve(t, beside(dir)).URL("/"))
	encoding := search.Outside{Encoder: encoder.Late{TokenEncoder: late.Words{}}}
	answered := 0
	for _, bits := range []string{"8", "4", "2"} {
		st, err := store.Open(t.Context(), os.DirFS(filepath.Join(dir, bits)))
		if err != nil {
			t.Fatal(err)
		}
		collection, err := search.Open(t.Context(), st, search.Options{Encoder: encoding})
		if err != nil {
			t.Fatal(err)
		}
		var want []string
		for _, p := range pairs {
			result, err := collection.Search(t.Context(), p.goes)
			if err != nil {
				want = append(want, "query: "+err.Error())
				continue
			}
			answered++
			b, err := json.Marshal(map[string]any{"method": result.Method, "score": result.Score, "hits": result.Hits})
			if err != nil {
				t.Fatal(err)
			}
			want = append(want, canonical(t, string(b)))
		}
		if err := collection.Close(); err != nil {
			t.Error(err)
		}
		for _, options := range []map[string]any{{}, {"workers": 3}, {"worker": false}} {
			got := call[[]string](t, page, searchLate, "/"+bits+"/", vectors, late.Dim, queries, options)
			if info := `{"score":"maxsim","documents":400,"rows":400,"total":400}`; got[0] != info {
				t.Errorf("%s bits, %v: %s", bits, options, got[0])
			}
			for i, text := range got[1:] {
				if strings.HasPrefix(text, "{") {
					text = canonical(t, text)
				}
				if text != want[i] {
					t.Errorf("%s bits, %v, %.200v:\n  page %.900s\n  Go   %.900s", bits, options, queries[i], text, want[i])
				}
			}
		}
	}
	if answered != 3*14 {
		t.Errorf("%d queries were answered", answered)
	}
}

// canonical writes JSON with its keys in order.
func canonical(t *testing.T, text string) string {
	t.Helper()
	var v any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatal(err)
	}
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// What a collection of token vectors cannot do is refused by name. Documents can be removed,
// and a damaged file is named while the others are searched. The rows of whole documents
// are not fetched.
func TestMaxSimRefuses(t *testing.T) {
	t.Parallel()
	dir, vectors := lateSite(t, "w7 w8 w9")
	folder := filepath.Join(dir, "4")
	st, err := store.Open(t.Context(), os.DirFS(folder))
	if err != nil {
		t.Fatal(err)
	}
	files := st.Manifest().Tokens.Files
	damaged := filepath.Join(dir, "damaged")
	if err := os.CopyFS(damaged, os.DirFS(folder)); err != nil {
		t.Fatal(err)
	}
	last := files[len(files)-1]
	b, err := os.ReadFile(filepath.Join(damaged, filepath.FromSlash(last.Path)))
	if err != nil || len(files) < 2 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	b[len(b)-1] ^= 1
	if err := os.WriteFile(filepath.Join(damaged, filepath.FromSlash(last.Path)), b, 0o600); err != nil {
		t.Fatal(err)
	}
	whole := filepath.Join(dir, "whole")
	if err := os.CopyFS(whole, os.DirFS(debates(t))); err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	rows := 0
	server := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		if strings.Contains(r.URL.Path, "/4/vectors/") {
			rows++
		}
		mu.Unlock()
		beside(dir).ServeHTTP(w, r)
	}))
	page := open(t, server.URL("/"))
	got := call[map[string]any](t, page, `async (vectors, dim) => {
		const { Vantage } = await import('/lib/index.js');
		`+lateEncoder+`
		const told = (promise) => promise.then(() => 'done', ({ code, message, file }) => ({ code, message, file }));
		const query = 'w7 w8 w9';
		const vantage = await Vantage.open('/4/', { encoder });
		await vantage.ready;
		const out = {
			add: await told(vantage.add([{ id: 'new', text: 'w7' }])),
			rerank: await told(vantage.rerank(['w7'], { query })),
			side: await told(vantage.search({ query, root: 'w7', side: 'for' })),
			before: (await vantage.search({ query, k: 400 })).hits,
		};
		await vantage.remove([out.before[0].id, out.before[7].id]);
		out.after = (await vantage.search({ query, k: 400 })).hits;
		out.coverage = vantage.coverage;
		vantage.close();
		const without = await Vantage.open('/4/');
		await without.ready;
		out.words = (await without.search({ query })).method; // the collection carries no encoder
		out.nobody = await told(without.search({ query, method: 'none' }));
		without.close();
		const other = { ...encoder, encode: (texts) => texts.map(() => new Float32Array(dim).fill(1)) };
		out.other = await told(Vantage.open('/4/', { encoder: other }));
		const odd = { ...encoder, encode: (texts) => texts.map(() => new Float32Array(dim + 1)) };
		out.odd = await told(Vantage.open('/4/', { encoder: odd }));
		const hurt = await Vantage.open('/damaged/', { encoder });
		out.ready = await told(hurt.ready);
		out.hurt = { coverage: hurt.coverage, hits: (await hurt.search({ query, k: 400 })).hits.length };
		hurt.close();
		const debates = await Vantage.open('/whole/collection/');
		out.debates = await told(debates.search({ query, score: 'maxsim' }));
		out.texts = await told(debates.rerank(['w7'], { query, score: 'maxsim' }));
		debates.close();
		return out;
	}`, vectors, late.Dim)
	for name, want := range map[string]string{
		"add":     "the collection is ranked by the vectors of tokens (maxsim)",
		"rerank":  "the collection was made for maxsim",
		"side":    "sides are told by the angles of passages",
		"nobody":  "this collection carries no encoder",
		"other":   "the encoder does not match the vectors of words",
		"odd":     "a vector of 41 numbers, its dim is 40",
		"ready":   last.Path,
		"debates": "score maxsim compares the vectors of tokens, and these are of whole texts",
		"texts":   "score maxsim compares the vectors of tokens, and these are of whole texts",
	} {
		if text := fmt.Sprint(got[name]); !strings.Contains(text, want) {
			t.Errorf("%s: %s", name, text)
		}
	}
	before, after := got["before"].([]any), got["after"].([]any)
	id := func(hit any) any { return hit.(map[string]any)["id"] }
	left := slices.DeleteFunc(slices.Clone(before), func(hit any) bool { return id(hit) == id(before[0]) || id(hit) == id(before[7]) })
	if len(before) != 400 || len(after) != 398 || !slices.EqualFunc(after, left, func(a, b any) bool { return id(a) == id(b) }) {
		t.Errorf("%d hits, after removal %d", len(before), len(after))
	}
	if text := fmt.Sprint(got["coverage"]); text != "map[rows:398 total:398]" {
		t.Errorf("after removal: %s", text)
	}
	if want := 400 - last.Count; fmt.Sprint(got["hurt"]) != fmt.Sprintf("map[coverage:map[rows:%d total:400] hits:%d]", want, want) {
		t.Errorf("with a damaged file: %v", got["hurt"])
	}
	if got["words"] != "bm25" {
		t.Errorf("without an encoder: %v", got["words"])
	}
	mu.Lock()
	defer mu.Unlock()
	if rows != 0 {
		t.Errorf("%d files of whole documents were fetched", rows)
	}
}

// A killed worker is replaced by one that has the vectors of tokens and lacks the removed
// documents.
func TestMaxSimOfAReplacedWorker(t *testing.T) {
	t.Parallel()
	dir, _ := lateSite(t)
	page := open(t, serve(t, beside(dir)).URL("/"))
	got := call[[]string](t, page, `async (query) => {
		const { Vantage } = await import('/lib/index.js');
		const workers = [];
		globalThis.Worker = class extends Worker {
			constructor(...args) {
				super(...args);
				workers.push(this);
			}
		};
		const vantage = await Vantage.open('/4/', { patience: 1000 });
		await vantage.ready;
		const ask = async () => JSON.stringify((await vantage.search({ query, k: 30 })).hits);
		const [best] = JSON.parse(await ask());
		await vantage.remove([best.id]);
		const before = await ask();
		workers.at(-1).terminate();
		const lost = await ask().then(() => 'answered', (error) => error.name);
		await vantage.ready;
		const after = await ask();
		vantage.close();
		return [best.id, before, lost, after];
	}`, late.Words{}.Vectors("w7 w8 w9"))
	if got[2] != "LostInstanceError" || got[1] != got[3] || strings.Contains(got[1], fmt.Sprintf("%q", got[0])) {
		t.Errorf("%.900q", got)
	}
}
