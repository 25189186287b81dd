package browser

import (
	"cmp"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/collection"
	"github.com/vantage-search/vantage/internal/collection/corpus"
	"github.com/vantage-search/vantage/internal/collection/manifest"
	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/model"
	"github.com/vantage-search/vantage/internal/model/modeltest"
)

// With a server, a collection gives the same bits as with its own encoder,
// which is not fetched. With rounded vectors, the answers are nearly the same.
func TestServerEncoderEqualsCarried(t *testing.T) {
	t.Parallel()
	page, origin := asking(t, debates(t), nil)
	s := serveModel(t, origin, "--model", "static", "--rate", "0")
	var queries []map[string]any
	for _, q := range questions() {
		queries = append(queries, q.page)
	}
	type answers struct {
		Answers []string
		Best    []string
		By      []string
		Fetched int
		Texts   []map[string]any
		Vectors [][]float64
	}
	got := call[map[string]answers](t, page, `async (url, queries) => {
		const { Vantage } = await import('/lib/index.js');
		const { ServerEncoder } = await import('/lib/server.js');
		const out = {};
		for (const dtype of ['', 'f32', 'f16', 'int8']) {
			const encoder = dtype ? new ServerEncoder(url, { dtype }) : undefined;
			const vantage = await Vantage.open('/collection/', { encoder });
			await vantage.ready;
			const [answers, best, by] = [[], [], new Set()];
			let last;
			for (const query of queries) {
				const { hits, encodedBy, texts, notice, timing, ...head } = await vantage.search(query);
				answers.push(JSON.stringify([head, hits, notice]));
				best.push(hits[0]?.id ?? '');
				by.add(encodedBy);
				last = texts;
			}
			const fetched = (await vantage.downloads()).filter(({ url }) => url.includes('/encoder/')).length;
			const vectors = [];
			for (const text of ['night trains', 'Subsidies for rail', 'zzz']) vectors.push([...(await vantage.encode(text)).vector]);
			vantage.close();
			encoder?.close();
			out[dtype] = { answers, best, by: [...by], fetched, texts: last, vectors };
		}
		return out;
	}`, s.URL(), queries)
	own := got[""]
	for dtype, a := range got {
		by, fetched := "server", 1 // pack.json of the reader of queries, whose other files the browser keeps
		if dtype == "" {
			by, fetched = "engine", 11 // the static encoder's three, too
		}
		if !slices.Equal(a.By, []string{by}) || a.Fetched != fetched {
			t.Errorf("%q: encoded by %q, %d files of the carried encoder were fetched", dtype, a.By, a.Fetched)
		}
		for i := range own.Answers {
			if dtype == "f32" && a.Answers[i] != own.Answers[i] {
				t.Errorf("%v:\n%.400s\nby the carried encoder:\n%.400s", queries[i], a.Answers[i], own.Answers[i])
			}
		}
		for i, v := range a.Vectors {
			if c := cosine(v, own.Vectors[i]); c < map[string]float64{"": 1, "f32": 1, "f16": .999999, "int8": .999}[dtype]-1e-9 {
				t.Errorf("%q: vector %d has cosine %g", dtype, i, c)
			}
		}
	}
	differing := 0
	for i := range own.Best {
		if got["f16"].Best[i] != own.Best[i] {
			t.Errorf("f16: %v is answered by %s, not %s", queries[i], got["f16"].Best[i], own.Best[i])
		}
		if got["int8"].Best[i] != own.Best[i] {
			differing++
		}
	}
	if differing > len(own.Best)/10 {
		t.Errorf("int8: %d of %d answers have another first hit", differing, len(own.Best))
	}
	if x, y := got["f32"].Texts, own.Texts; len(x) != len(y) || x[0]["tokens"] != y[0]["tokens"] || x[0]["truncated"] != y[0]["truncated"] || x[0]["tokens"] == nil {
		t.Errorf("%v, by the carried encoder %v", x, y)
	}
}

func cosine(a, b []float64) float64 {
	var ab, aa, bb float64
	for i := range a {
		ab, aa, bb = ab+a[i]*b[i], aa+a[i]*a[i], bb+b[i]*b[i]
	}
	if aa == 0 && bb == 0 {
		return 1
	}
	return ab / math.Sqrt(aa*bb)
}

// outside writes a collection with vectors of a small transformer to
// dir/collection, and the model to dir/bert.
func outside(t *testing.T, terms bool, seed uint64) (dir string) {
	t.Helper()
	dir = t.TempDir()
	folder := filepath.Join(dir, "bert")
	if err := modeltest.Write(folder, seed); err != nil {
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
	if _, err := collection.Write(t.Context(), filepath.Join(dir, "collection"), c.Documents(), collection.Options{Rows: collection.Outside{Encoder: e}, Terms: terms}); err != nil {
		t.Fatal(err)
	}
	return dir
}

// rewrite changes the manifest of dir/collection.
func rewrite(t *testing.T, dir string, change func(*manifest.Manifest)) {
	t.Helper()
	file := filepath.Join(dir, "collection", "manifest.json")
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var m manifest.Manifest
	if err := json.Unmarshal(b, &m); err != nil {
		t.Fatal(err)
	}
	change(&m)
	if b, err = json.Marshal(m); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, b, 0o666); err != nil {
		t.Fatal(err)
	}
}

// turn is a search, and how it was answered.
type turn struct {
	State, By, Method, Notice, Error string
	Fetched, Hits                    int
}

// rounds opens a collection with a server, and searches once for each of the states.
// Before each search it requests /next, which is answered when the test allows it to go
// on, and waits for the state.
const rounds = `async (url, states, query) => {
	const lib = await import('/lib/index.js');
	const { ServerEncoder } = await import('/lib/server.js');
	const encoder = new ServerEncoder(url, { deadline: 500 });
	const out = [];
	const vantage = await lib.Vantage.open('/collection/', { encoder });
	await vantage.ready;
	for (const state of states) {
		await fetch('/next');
		while (encoder.state !== state) await new Promise((resolve) => encoder.addEventListener('state', resolve, { once: true }));
		const { encodedBy, method, notice, hits, error } = await vantage.search({ query }).catch((error) => ({ error: error.code, hits: [] }));
		const fetched = (await vantage.downloads()).filter(({ url }) => url.includes('/encoder/')).length;
		out.push({ state: encoder.state, by: encodedBy, method, notice, error, hits: hits.length, fetched });
	}
	vantage.close();
	encoder.close();
	return out;
}`

// A collection opens without waiting for an unreachable server. Then its own
// encoder or its words answer, and the result says so. The server is used once
// it is reachable, also after it was lost.
func TestServerEncoderFallsBack(t *testing.T) {
	t.Parallel()
	const ownNotice, words = "the collection's own encoder answers", "the words of the query rank alone (BM25), whatever its side"
	for _, c := range []struct {
		name  string
		dir   func() string
		model string
		down  turn
	}{
		{"own encoder", func() string { return debates(t) }, "static", turn{By: "engine", Method: "tri-sum", Notice: ownNotice, Fetched: 11, Hits: 10}},
		{"words", func() string { return outside(t, true, 1) }, "bert", turn{Method: "bm25", Notice: words, Hits: 10}},
		{"nothing", func() string { return outside(t, false, 1) }, "bert", turn{Error: "unavailable"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := c.dir()
			next := make(chan struct{})
			page, origin := asking(t, dir, next)
			page.Expect("WebSocket connection|net::ERR|CORS policy")
			name := c.model
			if name != "static" {
				name = filepath.Join(dir, name)
			}
			s := serveModel(t, origin, "--model", name)
			s.Kill()
			done := started[[]turn](page, rounds, s.URL(), []string{"down", "open", "down", "open"}, oppose)
			let(t, next, done)
			let(t, next, done) // the search has been answered
			s.Start()
			let(t, next, done)
			s.Kill()
			let(t, next, done)
			s.Start()
			got := (<-done).must(t)
			for i, r := range got {
				want := c.down
				want.State = "down"
				if i%2 == 1 {
					want = turn{State: "open", By: "server", Method: "tri-sum", Hits: 10, Fetched: c.down.Fetched}
				}
				if notice, found := strings.CutSuffix(r.Notice, want.Notice); !found || (notice == "") != (want.Notice == "") || r.Notice != "" && !strings.HasPrefix(notice, "the encode server ") {
					t.Errorf("search %d: notice %q", i, r.Notice)
				}
				r.Notice = want.Notice
				if r != want {
					t.Errorf("search %d: %+v, want %+v", i, r, want)
				}
			}
			if len(got) != 4 {
				t.Errorf("%+v", got)
			}
		})
	}
}

// A server that accepts connections but says nothing delays neither the opening
// nor, after a while, a search.
func TestServerEncoderOpensBesideSilence(t *testing.T) {
	t.Parallel()
	page, origin := asking(t, debates(t), nil)
	s := serveModel(t, origin, "--model", "static")
	proxy := tear(t, s.Addr, func() (int64, bool) { return 0, true })
	got := call[[]string](t, page, `async (url, query) => {
		const { Vantage } = await import('/lib/index.js');
		const { ServerEncoder } = await import('/lib/server.js');
		const open = async (patience) => {
			const encoder = new ServerEncoder(url, { patience });
			return { encoder, vantage: await Vantage.open('/collection/', { encoder }) };
		};
		// A patience that no busy machine uses up: the opening must not have waited for it.
		const patient = await open(120000);
		const out = [patient.encoder.state];
		const hasty = await open(1000);
		await hasty.vantage.ready;
		const { encodedBy, notice } = await hasty.vantage.search({ query });
		out.push(hasty.encoder.state, encodedBy, notice);
		for (const { encoder, vantage } of [patient, hasty]) {
			vantage.close();
			encoder.close();
		}
		return out;
	}`, proxy.URL(), oppose)
	if want := []string{"connecting", "down", "engine", "the encode server has not answered for 1000 ms: the collection's own encoder answers"}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

// A server with another model is refused when the collection is opened, and
// also if the model or its prompts change later. A server that refuses the page says why.
func TestServerEncoderRefuses(t *testing.T) {
	t.Parallel()
	dir := outside(t, true, 1)
	other := filepath.Join(dir, "other")
	if err := modeltest.Write(other, 2); err != nil {
		t.Fatal(err)
	}
	// A false manifest: the same revision, but other vectors.
	edited := filepath.Join(dir, "edited")
	if err := os.CopyFS(filepath.Join(edited, "collection"), os.DirFS(filepath.Join(dir, "collection"))); err != nil {
		t.Fatal(err)
	}
	rewrite(t, edited, func(m *manifest.Manifest) { slices.Reverse(m.Canaries[0].Vector) })
	unstated := filepath.Join(dir, "unstated")
	if err := os.CopyFS(filepath.Join(unstated, "collection"), os.DirFS(filepath.Join(dir, "collection"))); err != nil {
		t.Fatal(err)
	}
	rewrite(t, unstated, func(m *manifest.Manifest) { m.Model.Architecture, m.Model.Prompts = manifest.Unstated, nil })
	keys := filepath.Join(dir, "keys")
	if err := os.WriteFile(keys, []byte("ké,y\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	bert := filepath.Join(dir, "bert")
	for _, c := range []struct {
		name, dir string
		args      []string
		options   map[string]any
		url       string // the server's, unless given
		want      string
	}{
		{"the right model", dir, []string{"--model", bert}, nil, "", "opened server"},
		{"another model", dir, []string{"--model", other}, nil, "", "EncoderMismatchError: the encode server has the model other "},
		{"another size", dir, []string{"--model", "static"}, nil, "", "EncoderMismatchError: the encode server has the model vantage-static-en "},
		{"other canaries", edited, []string{"--model", bert}, nil, "", "EncoderMismatchError: the encoder does not match "},
		{"other prompts", dir, []string{"--model", bert, "--prompt", "query=claim: "}, nil, "", `EncoderMismatchError: the encode server has the prompt "claim: " for queries, the collection "find: "`},
		{"no prompts", dir, []string{"--model", bert, "--prompt", "query="}, nil, "", `EncoderMismatchError: the encode server has the prompt "" for queries, the collection "find: "`},
		{"nothing stated", unstated, []string{"--model", bert}, nil, "", "opened server"},
		{"a key", dir, []string{"--model", bert, "--keys", keys}, map[string]any{"key": "ké,y"}, "", "opened server"},
		{"no key", dir, []string{"--model", bert, "--keys", keys}, nil, "", "RefusedError: the encode server refuses this page (401)"},
		{"a wrong key", dir, []string{"--model", bert, "--keys", keys}, map[string]any{"key": "key"}, "", "RefusedError: the encode server refuses this page (401)"},
		{"a wrong address", dir, []string{"--model", bert}, nil, "/", "RefusedError: the encode server refuses this page (404)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			page, origin := asking(t, c.dir, nil)
			page.Expect("WebSocket connection|Failed to load resource")
			s := serveModel(t, origin, c.args...)
			if got := call[string](t, page, opening, cmp.Or(c.url, s.URL()), c.options, oppose); !strings.HasPrefix(got, c.want) {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
	t.Run("an origin", func(t *testing.T) { // looks like an unreachable server
		page, _ := asking(t, dir, nil)
		page.Expect("WebSocket connection|Failed to load resource|CORS policy")
		s := serveModel(t, "https://elsewhere.example", "--model", bert)
		if got := call[string](t, page, opening, s.URL(), nil, oppose); !strings.HasPrefix(got, "opened words: the encode server cannot be reached") {
			t.Errorf("%s", got)
		}
	})
	for later, c := range map[string]struct{ first, values []string }{
		"another model later": {[]string{"--model", bert}, []string{other, bert}},
		"other prompts later": {[]string{"--model", bert, "--prompt", "query=find: "}, []string{"query=claim: ", "query=find: "}},
	} {
		t.Run(later, func(t *testing.T) {
			next := make(chan struct{})
			page, origin := asking(t, dir, next)
			page.Expect("WebSocket connection|net::ERR|CORS policy")
			s := serveModel(t, origin, c.first...)
			done := started[[]turn](page, rounds, s.URL(), []string{"open", "down", "open", "down", "open"}, oppose)
			let(t, next, done)
			for _, value := range c.values {
				let(t, next, done) // the previous search has been answered
				s.Kill()
				let(t, next, done)
				s.args[len(s.args)-1] = value
				s.Start()
			}
			var got []string
			for _, r := range (<-done).must(t) {
				got = append(got, r.Error+r.Method)
			}
			if want := []string{"tri-sum", "bm25", "encoder-mismatch", "bm25", "tri-sum"}; !slices.Equal(got, want) {
				t.Errorf("%q, want %q", got, want)
			}
		})
	}
}

// opening opens a collection with a server and searches it.
const opening = `async (url, options, query) => {
	const { Vantage } = await import('/lib/index.js');
	const { ServerEncoder } = await import('/lib/server.js');
	let encoder, vantage;
	try {
		encoder = new ServerEncoder(url, options ?? {});
		vantage = await Vantage.open('/collection/', { encoder });
		await vantage.ready;
		const { encodedBy, notice } = await vantage.search({ query });
		return 'opened ' + (encodedBy ?? 'words: ' + notice);
	} catch (error) {
		return error.name + ': ' + error.message;
	} finally {
		vantage?.close();
		encoder?.close();
	}
}`

// Without a collection, the server encodes everything, including added
// documents. The vectors equal those of the Go packages in each role.
func TestServerEncoderWithoutCollection(t *testing.T) {
	t.Parallel()
	dir := outside(t, false, 3)
	page, origin := asking(t, dir, nil)
	bert := filepath.Join(dir, "bert")
	s := serveModel(t, origin, "--model", bert)
	e, err := model.Open(t.Context(), bert, model.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	text := "night trains help people"
	want := map[string][]float32{}
	for _, role := range []encoder.Role{encoder.Query, encoder.Document} {
		out, err := e.Encode(t.Context(), []string{text}, encoder.Options{Role: role})
		if err != nil {
			t.Fatal(err)
		}
		want[string(role)] = out[0].Vector
	}
	got := call[struct {
		Vectors map[string][]float32
		Found   []string
		Model   string
	}](t, page, `async (url, text) => {
		const { Vantage } = await import('/lib/index.js');
		const { ServerEncoder } = await import('/lib/server.js');
		const encoder = new ServerEncoder(url);
		const vantage = await Vantage.create({ encoder });
		await vantage.add([{ id: 'a', text: 'school uniforms' }, { id: 'b', text }]);
		const { hits, encodedBy } = await vantage.search({ query: text, k: 1 });
		const { hits: ranked } = await vantage.rerank(['school uniforms', text], { query: text, k: 1 });
		const vectors = {};
		for (const role of ['query', 'document']) vectors[role] = [...(await vantage.encode(text, role)).vector];
		const out = { vectors, found: [hits[0].id, encodedBy, ranked[0].text], model: vantage.info.model.id + ' ' + vantage.info.model.revision };
		vantage.close();
		encoder.close();
		return out;
	}`, s.URL(), text)
	for role, vector := range want {
		if !slices.Equal(got.Vectors[role], vector) {
			t.Errorf("%s: %v, want %v", role, got.Vectors[role], vector)
		}
	}
	if !slices.Equal(got.Found, []string{"b", "server", text}) || got.Model != e.Info().ID+" "+e.Info().Revision {
		t.Errorf("%q, %s", got.Found, got.Model)
	}
}
