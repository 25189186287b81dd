package browser

import (
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/collection/store"
	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/search"
	_ "github.com/vantage-search/vantage/internal/search/packrun"
	"github.com/vantage-search/vantage/internal/testing/late"
	"github.com/vantage-search/vantage/internal/testing/naive"
	"github.com/vantage-search/vantage/internal/testing/quantized"
	"github.com/vantage-search/vantage/internal/wasm/joint"
)

// A page of a collection that carries the pack of a ColBERT encodes texts to the bits of Go,
// as queries and as documents, and finds what Go finds: with the engine in a worker, in one
// of several and in the page.
func TestMaxSimPackEqualsGo(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	model, _ := late.Packed(t, filepath.Join(dir, "c"), 4)
	texts := late.Texts(12, 2)
	vectors := map[encoder.Role][]encoder.TokenVectors{}
	for _, role := range []encoder.Role{encoder.Query, encoder.Document} {
		var err error
		if vectors[role], err = model.EncodeTokens(t.Context(), texts, role); err != nil {
			t.Fatal(err)
		}
	}
	text := func(s string) search.Text { return search.Text{Text: s} }
	root, sides, below := text("night trains"), []search.Text{text("cost"), text("people help")}, 60.0
	asked := map[string]any{"query": "school uniforms help", "root": "night trains", "perspectives": []string{"cost", "people help"}, "method": "tri-sum", "k": 40}
	goes := []search.Query{
		{Query: text("school uniforms help")},
		{Query: text("school uniforms help"), Root: &root, Perspectives: sides, Method: "tri-sum", K: 40},
		{Query: text("trains , unknownwordxyz !"), Filters: []search.Filter{{Field: "n", High: &below}}, K: 30},
		{Query: text("school uniforms help"), Hybrid: &search.Hybrid{}, K: 30},
		{Query: text("school uniforms help"), Contexts: []search.Text{text("week"), text("work")}, K: 20},
		{Query: text("school uniforms help"), Rescore: 30},
	}
	queries := []any{
		map[string]any{"query": "school uniforms help"}, asked,
		map[string]any{"query": "trains , unknownwordxyz !", "filter": map[string]any{"n": map[string]any{"max": 60}}, "k": 30},
		map[string]any{"query": "school uniforms help", "hybrid": true, "k": 30},
		map[string]any{"query": "school uniforms help", "contexts": []string{"week", "work"}, "k": 20},
		map[string]any{"query": "school uniforms help", "rescore": 30},
	}
	st, err := store.Open(t.Context(), os.DirFS(filepath.Join(dir, "c")))
	if err != nil {
		t.Fatal(err)
	}
	collection, err := search.Open(t.Context(), st, search.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer collection.Close()
	var want []string
	for _, q := range goes {
		result, err := collection.Search(t.Context(), q)
		if err != nil || len(result.Hits) < 10 {
			t.Fatal(result, err)
		}
		b, err := json.Marshal(map[string]any{"method": result.Method, "score": result.Score, "hits": result.Hits})
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, canonical(t, string(b)))
	}
	page := open(t, serve(t, beside(dir)).URL("/"))
	type answer struct {
		Encodes          bool
		Query, Document  [][]float32
		By               []string
		Tokens           []int
		Truncated        []bool
		Results, Problem []string
	}
	for _, options := range []map[string]any{{}, {"workers": 3}, {"worker": false}} {
		got := call[answer](t, page, `async (texts, queries, options) => {
			const { Vantage } = await import('/lib/index.js');
			const vantage = await Vantage.open('/c/', options);
			await vantage.ready;
			const query = await vantage.encode(texts, 'query');
			const document = await vantage.encode(texts, 'document');
			const out = {
				Encodes: vantage.info.encodes,
				Query: query.map(({ vector }) => Array.from(vector)), Document: document.map(({ vector }) => Array.from(vector)),
				By: document.map(({ encodedBy }) => encodedBy), Tokens: query.map(({ tokens }) => tokens), Truncated: document.map(({ truncated }) => truncated),
				Results: [], Problem: [],
			};
			for (const query of queries) {
				await vantage.search(query).then(
					({ method, score, hits }) => out.Results.push(JSON.stringify({ method, score, hits })),
					(error) => out.Problem.push(error.code + ': ' + error.message),
				);
			}
			vantage.close();
			return out;
		}`, texts, queries, options)
		if !got.Encodes || len(got.Problem) > 0 || len(got.Results) != len(want) {
			t.Fatalf("%v: encodes %v, %q", options, got.Encodes, got.Problem)
		}
		for i, text := range texts {
			if !slices.Equal(got.Query[i], vectors[encoder.Query][i].Vectors) || !slices.Equal(got.Document[i], vectors[encoder.Document][i].Vectors) {
				t.Errorf("%v, %q: other vectors than Go's", options, text)
			}
			if got.By[i] != "engine" || got.Truncated[i] != vectors[encoder.Document][i].Truncated {
				t.Errorf("%v, %q: by %s, truncated %v", options, text, got.By[i], got.Truncated[i])
			}
		}
		for i, text := range got.Results {
			if text := canonical(t, text); text != want[i] {
				t.Errorf("%v, %.200v:\n  page %.900s\n  Go   %.900s", options, queries[i], text, want[i])
			}
		}
	}
}

// A pack that does not fit the collection is named, and words still answer.
func TestMaxSimPackRefuses(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for i, mixed := range late.Mixed(t) {
		if err := os.Rename(mixed, filepath.Join(dir, fmt.Sprint(i))); err != nil {
			t.Fatal(err)
		}
	}
	page := open(t, serve(t, beside(dir)).URL("/"))
	for i := range 2 {
		got := call[map[string]any](t, page, `async (url) => {
			const { Vantage } = await import('/lib/index.js');
			const vantage = await Vantage.open(url);
			await vantage.ready.catch(() => {});
			const told = (promise) => promise.then(() => 'done', ({ code, message }) => code + ': ' + message);
			const out = { encode: await told(vantage.encode('night trains')) };
			out.words = (await vantage.search({ query: 'night trains', method: 'bm25' })).hits.length;
			vantage.close();
			return out;
		}`, fmt.Sprintf("/%d/", i))
		if text := fmt.Sprint(got["encode"]); !strings.HasPrefix(text, "integrity: ") || !strings.Contains(text, "encoder/") || !strings.Contains(text, "vectors of tokens (maxsim)") {
			t.Errorf("collection %d: %s", i, text)
		}
		if n, _ := got["words"].(float64); n < 1 {
			t.Errorf("collection %d: %v hits by words", i, got["words"])
		}
	}
}

// packedSite makes a site of 60 texts by the pack of a ColBERT, and opens its collection.
func packedSite(t *testing.T) (site string, collection *search.Collection) {
	t.Helper()
	dir := t.TempDir()
	files, err := quantized.FS(quantized.Late, 1)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(filepath.Join(dir, "pack"), files); err != nil {
		t.Fatal(err)
	}
	var corpus []byte
	for i, text := range late.Texts(60, 1) {
		line, err := json.Marshal(map[string]any{"id": fmt.Sprint(i), "text": text})
		if err != nil {
			t.Fatal(err)
		}
		corpus = append(append(corpus, line...), '\n')
	}
	writeFile(t, filepath.Join(dir, "corpus.jsonl"), corpus)
	site = filepath.Join(dir, "site")
	if out, err := exec.Command(program(t), "index", filepath.Join(dir, "corpus.jsonl"), "-o", site, "--site", "--encoder", filepath.Join(dir, "pack"), "--token-bits", "8").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	st, err := store.Open(t.Context(), os.DirFS(filepath.Join(site, "collection")))
	if err != nil {
		t.Fatal(err)
	}
	if collection, err = search.Open(t.Context(), st, search.Options{}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { collection.Close() })
	return site, collection
}

// A published site of such a collection shows on its search page what Go finds, and the lab
// answers by MaxSim. Neither has barriers. The lab does not search the visitor's own files.
func TestMaxSimPackSite(t *testing.T) {
	t.Parallel()
	site, collection := packedSite(t)
	server := serve(t, folder(site))
	const query = "people help night trains"
	found, err := collection.Search(t.Context(), search.Query{Query: search.Text{Text: query}})
	if err != nil || found.Score != "maxsim" {
		t.Fatal(found, err)
	}
	var want []int
	for _, h := range found.Hits {
		want = append(want, h.Index)
	}
	page := open(t, server.URL("/?q="+url.QueryEscape(query)))
	waitFor(t, page, `document.querySelectorAll('#list > .result').length > 0`)
	finds(t, page, "list", want)
	violations(t, page, axe(t), "MaxSim, search page", contrast)
	page = open(t, server.Lab())
	waitFor(t, page, `document.getElementById('loading').hidden`)
	call[any](t, page, set, "query", query)
	waitFor(t, page, `document.querySelector('#chosen .hit')`)
	call[any](t, page, `() => { for (const details of document.querySelectorAll('details')) details.open = true; }`)
	violations(t, page, axe(t), "MaxSim, lab", contrast)
	got := call[map[string]any](t, page, `() => ({
		titles: ['plain-title', 'chosen-title'].map((id) => document.getElementById(id).textContent).join(', '),
		texts: Array.from(document.querySelectorAll('#chosen .hit'), (hit) => hit.textContent),
		fault: document.getElementById('fault').hidden ? '' : document.getElementById('fault').textContent,
		about: document.body.innerText.includes('TypeError'),
	})`)
	texts, _ := got["texts"].([]any)
	if got["titles"] != "Words, MaxSim" || got["fault"] != "" || got["about"] != false || len(texts) != len(found.Hits) {
		t.Fatalf("the lab shows %v", got)
	}
	for i, h := range found.Hits {
		if !strings.Contains(fmt.Sprint(texts[i]), h.Text) {
			t.Errorf("hit %d of the lab is %v, want %q", i, texts[i], h.Text)
		}
	}
	call[any](t, page, set, "query", "Find a claim that supports the argument: night trains help people")
	call[any](t, page, set, "method", "tri-sum")
	waitFor(t, page, `document.getElementById('chosen-title').textContent === 'MaxSim, tri-sum'`)
	call[any](t, page, drop, "garden.csv", []byte(gardenCSV))
	waitFor(t, page, `!document.getElementById('file-fault').hidden`)
	own := call[map[string]any](t, page, `async () => {
		const { Vantage } = await import('./lib/index.js');
		return {
			disabled: document.getElementById('file').disabled,
			hint: document.getElementById('file-hint').textContent,
			fault: document.getElementById('file-fault').textContent,
			methods: Array.from(document.getElementById('method').options).filter(({ disabled }) => !disabled).map(({ value }) => value).sort().join(' '),
			controls: ['lambda', 'mmr', 'score'].filter((name) => !document.getElementById(name + '-control').hidden).join(' '),
			create: await Vantage.create({ encoder: vantage }).then(() => 'done', ({ code, message }) => code + ': ' + message),
		};
	}`)
	const why = "this collection compares the vectors of tokens (MaxSim), "
	if own["disabled"] != true || !strings.HasPrefix(fmt.Sprint(own["hint"]), "Not here: "+why) || !strings.HasPrefix(fmt.Sprint(own["fault"]), "garden.csv is not searched: "+why) {
		t.Errorf("the lab says of files: %v", own)
	}
	if own["methods"] != "aug-dual-sum auto dual-sum rerank rerank-aug root tri-sum" || own["controls"] != "" {
		t.Errorf("the lab offers methods %v and controls %q", own["methods"], own["controls"])
	}
	if text := fmt.Sprint(own["create"]); !strings.HasPrefix(text, "unsupported: create: the encoder of ") || !strings.Contains(text, "gives each token a vector (maxsim)") {
		t.Errorf("create with such an encoder: %s", text)
	}
	violations(t, page, axe(t), "MaxSim, lab, a dropped file", contrast)
}

// The lab of such a collection ranks with what visitors say about themselves: PCAS, B2 and, at the
// press of a button, B1 and B3 have Go's hits by MaxSim.
func TestMaxSimLabContexts(t *testing.T) {
	t.Parallel()
	site, collection := packedSite(t)
	const question = "people help night trains"
	facts := []string{"school uniforms cost", "work week , people"}
	find := func(query string, contexts ...string) []search.Hit {
		q := search.Query{Query: search.Text{Text: query}}
		for _, c := range contexts {
			q.Contexts = append(q.Contexts, search.Text{Text: c})
		}
		found, err := collection.Search(t.Context(), q)
		if err != nil || len(found.Hits) < 5 {
			t.Fatal(found, err)
		}
		return found.Hits
	}
	e := late.Model(t, 1) // has the weights of the site's pack
	vectors := func(role encoder.Role, texts ...string) []encoder.TokenVectors {
		made, err := e.EncodeTokens(t.Context(), texts, role)
		if err != nil {
			t.Fatal(err)
		}
		return made
	}
	asked, own := vectors(encoder.Query, question)[0].Vectors, vectors(encoder.Document, facts...)
	nearest := facts[0]
	if naive.MaxSim(asked, own[1].Vectors, late.PackDim) > naive.MaxSim(asked, own[0].Vectors, late.PackDim) {
		nearest = facts[1]
	}
	want := map[string][]search.Hit{"pcas": find(question, facts...), "b2": find(question), "b1": find(joint.Join(question, facts...)), "b3": find(joint.Join(question, nearest))}
	page := openUnkept(t, serve(t, folder(site)).Lab())
	waitFor(t, page, `document.querySelector('#about summary') && document.getElementById('loading').hidden`)
	for _, f := range facts {
		addFact(t, page, f)
	}
	call[any](t, page, set, "query", question)
	shows := func(systems ...string) {
		t.Helper()
		for _, system := range systems {
			var places []string
			for _, h := range want[system][:5] {
				places = append(places, fmt.Sprint(h.Index))
			}
			waitFor(t, page, fmt.Sprintf(`Array.from(document.querySelectorAll('#joint-%s > li'), (item) => item.dataset.index).join() === '%s'`, system, strings.Join(places, ",")))
		}
	}
	shows("pcas", "b2")
	if got := call[string](t, page, `() => document.getElementById('joint-plain').textContent`); got != "MaxSim" {
		t.Errorf("the question finds under the %q", got)
	}
	violations(t, page, axe(t), "MaxSim, lab, about me", contrast)
	call[any](t, page, `() => document.getElementById('joint-run').click()`)
	shows("b1", "b3")
	call[any](t, page, `() => document.getElementById('about-section').scrollIntoView()`)
	violations(t, page, axe(t), "MaxSim, lab, all systems", contrast)
}
