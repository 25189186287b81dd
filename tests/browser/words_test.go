package browser

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/vantage-search/vantage/internal/collection"
	"github.com/vantage-search/vantage/internal/collection/corpus"
	"github.com/vantage-search/vantage/internal/collection/manifest"
	"github.com/vantage-search/vantage/internal/model/builtin"
	"github.com/vantage-search/vantage/internal/search"
	"github.com/vantage-search/vantage/internal/wasm/lexical"
	"github.com/vantage-search/vantage/internal/wasm/shard"
	"github.com/vantage-search/vantage/static"
)

// worded returns a site of the bundled corpus with an inverted index in many files.
func worded(t *testing.T) string {
	t.Helper()
	c, err := corpus.Open(debatesFile, corpus.Options{})
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	_, err = collection.Write(context.Background(), filepath.Join(dir, "collection"), c.Documents(), collection.Options{
		Name: "Debates", Rows: collection.Carried{Model: builtin.Builtin()}, DType: shard.I8, ShardBytes: 30_000, BlockDocuments: 50, Terms: true, TermBytes: 2000,
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(debates(t), "lib"), filepath.Join(dir, "lib")); err != nil {
		t.Fatal(err)
	}
	return dir
}

func wordQuestions() []question {
	text := func(s string) search.Text { return search.Text{Text: s} }
	stance := search.Filter{Field: "stance", Values: []string{"oppose"}}
	out := []question{
		{"words", map[string]any{"query": oppose, "method": "bm25", "k": 30}, search.Query{Query: text(oppose), Method: search.MethodWords, K: 30}},
		{"words, filtered", map[string]any{"query": "night trains", "method": "bm25", "filter": map[string]any{"stance": "oppose"}}, search.Query{Query: text("night trains"), Method: search.MethodWords, Filters: []search.Filter{stance}}},
		{"words of other scripts", map[string]any{"query": "Îles, ΣΟΦΊΑ, 東京 𝒳 night's", "method": "bm25"}, search.Query{Query: text("Îles, ΣΟΦΊΑ, 東京 𝒳 night's"), Method: search.MethodWords}},
		{"words that are not there", map[string]any{"query": "zyzzyva", "method": "bm25"}, search.Query{Query: text("zyzzyva"), Method: search.MethodWords}},
		{"fused by default", map[string]any{"query": oppose, "hybrid": true}, search.Query{Query: text(oppose), Hybrid: &search.Hybrid{}}},
		{"fused, filtered", map[string]any{"query": "night trains", "hybrid": true, "k": 300, "cosineRank": true, "filter": map[string]any{"stance": "oppose"}}, search.Query{Query: text("night trains"), K: 300, CosineRank: true, Hybrid: &search.Hybrid{}, Filters: []search.Filter{stance}}},
		{"with mmr", map[string]any{"query": oppose, "hybrid": true, "mmr": 0.5}, search.Query{Query: text(oppose), MMR: ptr(0.5), Hybrid: &search.Hybrid{}}},
		{"an unknown fusion", map[string]any{"query": oppose, "hybrid": "best"}, search.Query{Query: text(oppose), Hybrid: &search.Hybrid{Fusion: "best"}}},
	}
	for _, fusion := range search.Fusions() {
		for _, weight := range []float64{0, 0.3, 1} {
			for _, method := range []string{"none", "pap+", "re-ranking"} {
				out = append(out, question{
					fmt.Sprintf("%s %g %s", fusion, weight, method),
					map[string]any{"query": oppose, "method": method, "cosineRank": weight > 0, "hybrid": map[string]any{"fusion": fusion, "weight": weight}},
					search.Query{Query: text(oppose), Method: method, CosineRank: weight > 0, Hybrid: &search.Hybrid{Fusion: fusion, Weight: &weight}},
				})
			}
		}
	}
	return out
}

// By words and by every fusion, the page gives the same answers as the command
// and the headless host, to the last digit: in one worker, in several, and
// without.
func TestWordsEqualGo(t *testing.T) {
	t.Parallel()
	dir := worded(t)
	for name, options := range map[string]map[string]any{
		"in a worker": {"worker": true}, "in the page": {"worker": false}, "in three workers": {"workers": 3},
	} {
		t.Run(name, func(t *testing.T) { compare(t, dir, wordQuestions(), options) })
	}
}

// gate serves a folder, delays requests until it is opened, and lists those for term files.
type gate struct {
	http.Handler
	held   func(*http.Request) bool
	opened chan struct{}
	mu     sync.Mutex
	terms  []string
}

func (g *gate) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/open" {
		close(g.opened)
		return
	}
	if strings.Contains(r.URL.Path, "/terms/") {
		g.mu.Lock()
		g.terms = append(g.terms, r.URL.Path)
		g.mu.Unlock()
	}
	if g.held != nil && g.held(r) {
		select {
		case <-g.opened:
		case <-r.Context().Done():
			return
		}
	}
	g.Handler.ServeHTTP(w, r)
}

// While a slow host delays the encoder and the vectors, or only the vectors, words
// answer searches, and the answer says so. Once everything is loaded, vectors do.
func TestWordsWhileTheRestLoads(t *testing.T) {
	t.Parallel()
	dir := worded(t)
	want, err := native(t, filepath.Join(dir, "collection")).Search(context.Background(), search.Query{Query: search.Text{Text: oppose}, Method: search.MethodWords})
	if err != nil {
		t.Fatal(err)
	}
	for notice, held := range map[string]func(*http.Request) bool{
		"the encoder is still loading": func(r *http.Request) bool { return isEncoder(r) || isVectors(r) },
		"no vectors have arrived yet":  isVectors,
	} {
		for _, worker := range []bool{true, false} {
			g := &gate{Handler: bare(dir), held: held, opened: make(chan struct{})}
			page := open(t, serve(t, g).URL("/"))
			got := call[struct {
				Words, Filtered, Fused, After struct {
					Method, Notice string
					IDs            []string
					Rows, Total    int
				}
				Explained int
			}](t, page, `async (query, worker, wanted) => {
				const { Vantage } = await import('/lib/index.js');
				const vantage = await Vantage.open('/collection/', { worker });
				const brief = ({ method, notice = '', hits, coverage: { rows, total } }) => ({ method, notice, ids: hits.map(({ id }) => id), rows, total });
				const asked = async (rest) => {
					for (;;) { // the encoder may still be loading when vectors are delayed
						const answer = brief(await vantage.search({ query, ...rest }));
						if (answer.notice.startsWith(wanted)) return answer;
						await new Promise((resolve) => setTimeout(resolve, 20));
					}
				};
				const words = await asked({});
				const filtered = await asked({ filter: { stance: 'oppose' } });
				const fused = await asked({ hybrid: true });
				await fetch('/open');
				await vantage.ready;
				const after = await vantage.search({ query, cosineRank: true });
				vantage.close();
				return { words, filtered, fused, after: brief(after), explained: after.hits[0].explain.cosine_rank };
			}`, oppose, worker, notice)
			var ids []string
			for _, h := range want.Hits {
				ids = append(ids, h.ID)
			}
			w := got.Words
			if w.Method != "bm25" || !strings.Contains(w.Notice, "words of the query rank alone") || !slices.Equal(w.IDs, ids) || w.Rows != debatesRows || w.Total != debatesRows {
				t.Errorf("%s: %+v, want %q", notice, w, ids)
			}
			if got.Filtered.Method != "bm25" || len(got.Filtered.IDs) != 10 || got.Fused.Method != "bm25" || !slices.Equal(got.Fused.IDs, ids) {
				t.Errorf("%s: filtered %+v, fused %+v", notice, got.Filtered, got.Fused)
			}
			if got.After.Method != "tri-sum" || got.After.Notice != "" || got.Explained < 1 {
				t.Errorf("%s: afterwards %+v", notice, got.After)
			}
		}
	}
}

// While vectors load, a fused ranking covers the loaded ones: words find no document without
// a loaded vector, and every hit is explained, whichever ranking found it.
func TestFusedWhileVectorsArrive(t *testing.T) {
	t.Parallel()
	dir := worded(t)
	for _, workers := range []int{1, 3} {
		var vectors atomic.Int32
		g := &gate{Handler: bare(dir), held: func(r *http.Request) bool { return isVectors(r) && vectors.Add(1) > 2 }, opened: make(chan struct{})}
		page := open(t, serve(t, g).URL("/"))
		type state struct{ Rows, Hits, Explained, Ranks, Worst, Shown int }
		got := call[[]state](t, page, `async (query, workers) => {
			const { Vantage } = await import('/lib/index.js');
			const vantage = await Vantage.open('/collection/', { workers, worker: true });
			while (vantage.coverage.rows === 0) await new Promise((resolve) => setTimeout(resolve, 5));
			await vantage.encode(query);
			const ask = async () => {
				const asked = { query, hybrid: true, cosineRank: true };
				const { hits, coverage: { rows } } = await vantage.search({ ...asked, k: 2000 });
				const ranks = new Set(hits.map((hit) => hit.explain.cosine_rank));
				const few = (await vantage.search({ query, hybrid: { weight: 1 }, filter: { stance: 'oppose' } })).hits;
				return {
					rows, hits: hits.length, explained: hits.filter(({ explain }) => explain.norm > 0).length, ranks: ranks.size,
					worst: Math.max(...ranks), shown: few.filter(({ explain, lexical }) => explain.norm > 0 && lexical.rank > 0).length,
				};
			};
			const states = [await ask()];
			await fetch('/open');
			await vantage.ready;
			states.push(await ask());
			vantage.close();
			return states;
		}`, oppose, workers)
		if last := got[len(got)-1].Rows; last != debatesRows || got[0].Rows >= debatesRows {
			t.Errorf("%d workers: from %d rows to %d", workers, got[0].Rows, last)
		}
		for _, s := range got {
			if s.Hits != s.Rows || s.Explained != s.Rows || s.Ranks != s.Rows || s.Worst != s.Rows || s.Shown != 10 {
				t.Errorf("%d workers: %+v", workers, s)
			}
		}
	}
}

// The page lists what words find while a slow host delays the rest. When that has come,
// nothing that a reader looks at moves; a button shows the answer by vectors.
func TestDemoWordsWhileTheRestLoads(t *testing.T) {
	t.Parallel()
	dir := worded(t)
	want, err := native(t, filepath.Join(dir, "collection")).Search(context.Background(), search.Query{Query: search.Text{Text: oppose}, Method: search.MethodWords})
	if err != nil {
		t.Fatal(err)
	}
	site := t.TempDir()
	if err := errors.Join((static.Page{}).Write(site), os.Symlink(filepath.Join(dir, "collection"), filepath.Join(site, "collection"))); err != nil {
		t.Fatal(err)
	}
	g := &gate{Handler: folder(site), held: func(r *http.Request) bool { return isEncoder(r) || isVectors(r) }, opened: make(chan struct{})}
	page := openUnkept(t, serve(t, g).Lab()+"#q="+url.QueryEscape(oppose))
	waitFor(t, page, `document.querySelectorAll('#chosen .hit').length === 10`)
	type screen struct {
		Summary string
		Hits    []int
		Tops    []float64 // of the hits, in the window
		Offered bool
	}
	const look = `() => {
		const hits = [...document.querySelectorAll('#chosen .hit')];
		return {
			summary: document.getElementById('summary').textContent,
			hits: hits.map((hit) => Number(hit.dataset.index)),
			tops: hits.map((hit) => hit.getBoundingClientRect().top),
			offered: document.getElementById('better').checkVisibility(),
		};
	}`
	words := call[screen](t, page, look)
	var ids []int
	for _, h := range want.Hits {
		ids = append(ids, h.Index)
	}
	if !strings.Contains(words.Summary, "words of the query rank alone") || !slices.Equal(words.Hits, ids) || words.Offered {
		t.Errorf("while the rest loads: %+v, want %v", words, ids)
	}
	call[any](t, page, `async () => {
		await new Promise((resolve) => setTimeout(resolve, 1000)); // a reader has begun to read
		await fetch('/open');
	}`)
	waitFor(t, page, `document.getElementById('better').checkVisibility()`)
	after := call[screen](t, page, look)
	if after.Offered = false; !reflect.DeepEqual(after, words) {
		t.Errorf("when all has come: %+v, before %+v", after, words)
	}
	call[any](t, page, `() => document.getElementById('better-show').click()`)
	waitFor(t, page, `document.querySelectorAll('#plain .hit').length === 10 && !document.getElementById('summary').textContent.includes('alone')`)
	if last := call[screen](t, page, look); last.Offered || slices.Equal(last.Hits, ids) {
		t.Errorf("as asked for: %+v", last)
	}
}

// A query fetches the lengths and the files of its words, once.
func TestOnlyTheTermsOfAQueryAreFetched(t *testing.T) {
	t.Parallel()
	g := &gate{Handler: bare(worded(t))}
	page := open(t, serve(t, g).URL("/"))
	call[int](t, page, `async () => {
		const { Vantage } = await import('/lib/index.js');
		const vantage = await Vantage.open('/collection/');
		await vantage.ready;
		await Promise.all(Array.from({ length: 5 }, () => vantage.search({ query: 'Night trains', hybrid: true })));
		await vantage.search({ query: 'TRAINS at night', method: 'bm25' });
		vantage.close();
		return 0;
	}`)
	g.mu.Lock()
	defer g.mu.Unlock()
	if distinct := slices.Compact(slices.Sorted(slices.Values(g.terms))); len(g.terms) != len(distinct) || len(distinct) < 3 || len(distinct) > 4 {
		t.Errorf("fetched %q, want the lengths and the files of three words, each once", g.terms)
	}
}

// Documents added and removed at run time count as in an index that was built
// with and without them, also after the engine was lost.
func TestWordsOfChangingDocuments(t *testing.T) {
	t.Parallel()
	dir := worded(t)
	c, err := corpus.Open(debatesFile, corpus.Options{})
	if err != nil {
		t.Fatal(err)
	}
	oracle, err := lexical.New(lexical.DefaultParameters)
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for d, err := range c.Documents() {
		if err != nil {
			t.Fatal(err)
		}
		if d.ID == "night-trains-07" || d.ID == "homework-11" {
			continue
		}
		if _, err := oracle.Add(d.EncodedText()); err != nil {
			t.Fatal(err)
		}
		ids = append(ids, d.ID)
	}
	for _, d := range [][2]string{{"a", "A subsidy for night trains"}, {"c", "Zyzzyva: trains deserve it"}} {
		if _, err := oracle.Add(d[1]); err != nil {
			t.Fatal(err)
		}
		ids = append(ids, d[0])
	}
	hits, err := oracle.Search(lexical.Query{Text: "Night trains deserve a subsidy, zyzzyva", K: 20})
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, h := range hits {
		want = append(want, fmt.Sprintf("%s %v", ids[h.Document], float32(h.Score)))
	}
	page := open(t, serve(t, bare(dir)).URL("/"))
	got := call[struct{ Before, After, Hybrid, Made []string }](t, page, `async () => {
		const { Vantage, LostInstanceError } = await import('/lib/index.js');
		const workers = [];
		globalThis.Worker = class extends Worker {
			constructor(...args) {
				super(...args);
				workers.push(this);
			}
		};
		const vantage = await Vantage.open('/collection/', { patience: 1000 });
		await vantage.ready;
		const query = 'Night trains deserve a subsidy, zyzzyva';
		const ask = async (rest) => (await vantage.search({ query, k: 20, method: 'bm25', ...rest })).hits;
		const scored = (hits) => hits.map(({ id, score }) => id + ' ' + score);
		await vantage.add([{ id: 'a', text: 'A subsidy for night trains', metadata: { stance: 'new' } }, { id: 'b', text: 'night night night' }]);
		await ask();
		await vantage.add([{ id: 'c', title: 'Zyzzyva:', text: 'trains deserve it' }]);
		await vantage.remove(['night-trains-07', 'b', 'homework-11']);
		const before = scored(await ask());
		workers.at(-1).terminate();
		await ask().catch((error) => {
			if (!(error instanceof LostInstanceError)) throw error;
		});
		const after = scored(await ask());
		const hybrid = (await ask({ method: null, hybrid: { fusion: 'max', weight: 1 }, k: 3 })).map(({ id }) => id);
		const filtered = (await ask({ filter: { stance: 'new' } })).map(({ id }) => id);
		vantage.close();
		const own = await Vantage.create({ encoder: { id: 'own', dim: 2, encode: (texts) => texts.map((text) => [text.length, 1]) } });
		await own.add([{ id: 'x', text: 'one thing' }, { id: 'y', text: 'another thing' }]);
		const made = (await own.search({ query: 'another', method: 'bm25' })).hits.map(({ id }) => id);
		own.close();
		return { before, after, hybrid: [...hybrid, ...filtered], made };
	}`)
	if !slices.Equal(got.Before, want) || !slices.Equal(got.After, want) {
		t.Errorf("before %q, after %q, want %q", got.Before, got.After, want)
	}
	var first []string
	for _, line := range want[:3] {
		first = append(first, strings.Fields(line)[0])
	}
	if !slices.Equal(got.Hybrid, append(first, "a")) || !slices.Equal(got.Made, []string{"y"}) {
		t.Errorf("hybrid and filtered %q, want %q; made %q", got.Hybrid, first, got.Made)
	}
}

// If the words of an addition find no room, later searches by words fail, too, and none answers as if the documents had
// other numbers. Vectors still answer, and words do once the addition is removed.
func TestWordsOfAdditionsThatFindNoRoom(t *testing.T) {
	t.Parallel()
	page := library(t)
	for _, worker := range []bool{true, false} {
		for _, asked := range []bool{true, false} { // whether words were searched before
			got := call[[]string](t, page, `async (worker, asked) => {
				const { Vantage } = await import('/static/lib/index.js');
				const encoder = { id: 'own', dim: 2, encode: (texts) => texts.map((text) => [text.length, 1]) };
				const made = (maxBytes) => Vantage.create({ worker, encoder, maxBytes });
				const whole = await made();
				const { used } = await whole.memory();
				whole.close();
				const vantage = await made(used + 2.5e6);
				const ask = (rest) => vantage.search({ query: 'zebra', ...rest }).then(({ hits }) => hits.map(({ id }) => id).join(), (error) => error.name);
				const words = () => ask({ method: 'bm25' });
				const out = [];
				if (asked) out.push(await words());
				await vantage.add([{ id: 'a', text: 'alphabet' }, { id: 'b', text: 'long '.repeat(6e5) }]);
				out.push(await words());
				await vantage.add([{ id: 'c', text: 'zebra' }]);
				out.push(await words(), await words(), await ask({ k: 1 }));
				await vantage.remove(['b']);
				out.push(await words());
				vantage.close();
				return out;
			}`, worker, asked)
			want := []string{"LimitError", "LimitError", "LimitError", "c", "c"}
			if asked {
				want = append([]string{""}, want...)
			}
			if !slices.Equal(got, want) {
				t.Errorf("worker %v, searched before %v: %q, want %q", worker, asked, got, want)
			}
		}
	}
}

// A change of the words that failed halfway goes on where it stopped.
func TestWordsOfAFailedChangeAreTriedAgain(t *testing.T) {
	t.Parallel()
	got := call[[]string](t, library(t), `async () => {
		const { Words } = await import('/static/src/engine/words.js');
		const calls = [];
		let full = true;
		const core = {
			scoped: (body) => body({ text: (text) => [text], reserve: () => 0 }),
			checked(name, ...args) {
				if (full && args[1] === 'b') throw new Error('full');
				calls.push([name, ...args].join(' '));
				return name === 'words_open' ? 7 : name === 'words_add' ? 4 : 0;
			},
		};
		const words = new Words(core, null, 0, () => {});
		const load = () => words.load('x').catch(({ message }) => calls.push(message));
		words.change(['a', null, 'b', 'c'], [1]);
		await load();
		words.change(['d'], [0]);
		await load();
		full = false;
		await load();
		await load();
		return calls.filter((call) => !call.startsWith('words_terms'));
	}`)
	want := []string{"words_open 0 0", "words_add 7 a", "words_add 7 ", "words_remove 7 4", "full", "full",
		"words_add 7 b", "words_add 7 c", "words_remove 7 1", "words_add 7 d", "words_remove 7 0"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// Faulty files of the inverted index fail the queries that need them, with an
// error that names one; rankings by vectors are answered. Without an inverted
// index, a search by words says what to do.
func TestFaultyTermFiles(t *testing.T) {
	t.Parallel()
	dir := worded(t)
	isTerms := func(r *http.Request) bool { return strings.Contains(r.URL.Path, "/terms/") }
	for name, c := range map[string]struct {
		mistake answer
		errors  string
	}{
		"corrupted": {when(isTerms, flip), "integrity"},
		"truncated": {when(isTerms, halve), "integrity"},
		"missing":   {notFound(isTerms), "integrity"},
	} {
		t.Run(name, func(t *testing.T) {
			var mended atomic.Bool
			good := bare(dir)
			handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path == "/mend" {
					mended.Store(true)
					return
				}
				content, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(r.URL.Path)))
				if err != nil || mended.Load() || !strings.HasPrefix(r.URL.Path, "/collection/") || !c.mistake(w, r, content) {
					good.ServeHTTP(w, r)
				}
			})
			page := open(t, serve(t, handler).URL("/"))
			got := call[struct {
				Words, Fused  seenFault
				Plain, Mended int
			}](t, page, `async (query) => {
				const lib = await import('/lib/index.js');`+describeFault+`
				const vantage = await lib.Vantage.open('/collection/');
				await vantage.ready;
				const fails = (rest) => vantage.search({ query, ...rest }).then(() => null, (error) => error);
				const words = describe(await fails({ method: 'bm25' }));
				const fused = describe(await fails({ hybrid: true }));
				const plain = (await vantage.search({ query })).hits.length;
				await fetch('/mend');
				const mended = (await vantage.search({ query, method: 'bm25' })).hits.length;
				vantage.close();
				return { words, fused, plain, mended };
			}`, oppose)
			for _, f := range []seenFault{got.Words, got.Fused} {
				if f.Code != c.errors || !strings.Contains(f.Message, "terms/") {
					t.Errorf("%+v, want %s and the file's name", f, c.errors)
				}
			}
			if got.Plain != 10 || got.Mended != 10 {
				t.Errorf("by vectors %d hits, after mending %d", got.Plain, got.Mended)
			}
		})
	}
	t.Run("none", func(t *testing.T) {
		page := open(t, serve(t, bare(debates(t))).URL("/"))
		got := call[[]seenFault](t, page, `async (query) => {
			const lib = await import('/lib/index.js');`+describeFault+`
			const vantage = await lib.Vantage.open('/collection/');
			await vantage.ready;
			const out = [];
			for (const rest of [{ method: 'bm25' }, { hybrid: true }, { hybrid: { weight: 2 } }, { method: 'bm25', hybrid: true }, { method: 'bm25', query: [1] }]) {
				out.push(describe(await vantage.search({ query, ...rest }).then(() => null, (error) => error)));
			}
			out.push(describe(await vantage.rerank(['a'], { query, hybrid: true }).then(() => null, (error) => error)));
			vantage.close();
			return out;
		}`, oppose)
		for i, code := range []string{"unsupported", "unsupported", "query", "query", "query", "query"} {
			if got[i].Code != code || i < 2 && !strings.Contains(got[i].Message, "--terms") {
				t.Errorf("%d: %+v, want %s", i, got[i], code)
			}
		}
	})
}

// If the collection carries no encoder, a query with a vector is ranked by it, even if its text is there, too. Words
// answer only a text alone.
func TestGivenVectorWithoutEncoder(t *testing.T) {
	t.Parallel()
	const dim = 2
	texts := strings.Fields("trains nights nights trains water trains water nights trains nights")
	data := make([]float32, 0, dim*len(texts))
	for i := range texts {
		data = append(data, float32(i+1), float32(len(texts)-i))
	}
	dir := t.TempDir()
	if _, err := collection.Write(t.Context(), filepath.Join(dir, "collection"), textDocuments(texts), collection.Options{
		Rows: collection.Given{Model: manifest.Model{ID: "unknown"}, Dim: dim, Data: data}, DType: shard.F32, Terms: true,
	}); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(debates(t), "lib"), filepath.Join(dir, "lib")); err != nil {
		t.Fatal(err)
	}
	known := map[string]any{"text": "trains", "vector": []float32{1, 0}}
	opposites := search.Opposites{Wanted: search.Text{Text: "past"}, Other: search.Text{Text: "future"}}
	questions := []question{
		{"text and vector", map[string]any{"query": known}, search.Query{Query: search.Text{Text: "trains", Vector: []float32{1, 0}}}},
		{"vector", map[string]any{"query": known["vector"]}, search.Query{Query: search.Text{Vector: []float32{1, 0}}}},
		{"text", map[string]any{"query": "trains"}, search.Query{Query: search.Text{Text: "trains"}}},
		{"text and opposites", map[string]any{"query": "trains", "opposites": []string{"past", "future"}}, search.Query{Query: search.Text{Text: "trains"}, Opposites: &opposites}},
	}
	compare(t, dir, questions, map[string]any{})
}

// Changes of the words that could not be sent are sent with the next search.
func TestWordsOfAChangeThatCouldNotBeSent(t *testing.T) {
	t.Parallel()
	got := call[string](t, library(t), `async () => {
		const { Session } = await import('/static/src/collection/session.js');
		const session = new Session(null);
		session.collection = { documents: 3 };
		session.known = { byIndex: new Map([[3, { document: { title: '', text: 'a' } }], [5, { document: { title: 'b', text: 'c' } }]]) };
		session.settled = 3;
		session.removals = [1];
		const said = [];
		let broken = true;
		const engine = { call: async (...args) => {
			if (broken) throw new Error('cannot be sent');
			said.push(args);
		} };
		await session.tell(engine).catch(({ message }) => said.push(message));
		broken = false;
		await session.tell(engine);
		await session.tell(engine);
		return JSON.stringify(said);
	}`)
	if want := `["cannot be sent",["changeWords",[["a",null,"b c"],[1]]]]`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
