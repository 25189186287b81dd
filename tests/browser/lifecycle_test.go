package browser

import (
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/vantage-search/vantage/internal/testing/harness"
)

// A page provides the worker, whose script imports the library's.
func TestOwnWorker(t *testing.T) {
	t.Parallel()
	mux := http.NewServeMux()
	mux.Handle("/", bare(debates(t)))
	mux.Handle("/test/", http.StripPrefix("/test/", http.FileServer(http.Dir("testdata"))))
	page := open(t, serve(t, harness.WithPolicy(mux)).URL("/"))
	page.Expect(`the test breaks the worker`)
	type result struct {
		Found  found
		Again  found
		Broken seenFault
		Later  []string
		Silent seenFault
	}
	got := call[result](t, page, `async (query) => {
		const lib = await import('/lib/index.js');`+describeFault+`
		const worker = new Worker('/test/worker.js', { type: 'module' });
		const use = async () => {
			const vantage = await lib.Vantage.open('/collection/', { worker });
			const { hits } = await vantage.ready.then(() => vantage.search({ query }));
			return { vantage, found: { inWorker: vantage.inWorker, ids: hits.map((hit) => hit.id) } };
		};
		const first = await use();
		first.vantage.close(); // the worker belongs to the page and continues
		const hasty = await lib.Vantage.open('/collection/', { worker });
		hasty.close(); // while it loads: nothing of it may reach the next collection
		const second = await use();
		for (const data of [null, undefined, 5, 'text']) worker.dispatchEvent(new MessageEvent('message', { data })); // not of the library
		worker.postMessage('break');
		const lost = await new Promise((resolve) => {
			const ask = () => second.vantage.search({ query }).then(() => setTimeout(ask, 10), resolve);
			ask();
		});
		const { hits } = await second.vantage.search({ query }); // by another engine in the same worker
		second.vantage.close();
		worker.terminate();
		const silent = await lib.Vantage.open('/collection/', { worker, patience: 500 }).catch((error) => error);
		return { found: first.found, again: second.found, broken: describe(lost), later: hits.map((hit) => hit.id), silent: describe(silent) };
	}`, oppose)
	if !got.Found.InWorker || len(got.Found.IDs) != 10 || len(got.Again.IDs) != 10 {
		t.Errorf("%+v", got)
	}
	for _, f := range []seenFault{got.Broken, got.Silent} {
		if f.Name != "LostInstanceError" {
			t.Errorf("after the worker broke: %+v", f)
		}
	}
	if !slices.Equal(got.Later, got.Again.IDs) {
		t.Errorf("%q after the worker broke, %q before", got.Later, got.Again.IDs)
	}
}

// A page opens the next collection in its worker before it closes the last one: each answers for itself, and the last
// one, closed or not, does not end the next.
func TestOwnWorkerMovesOn(t *testing.T) {
	t.Parallel()
	got := call[map[string]string](t, open(t, serve(t, bare(debates(t))).URL("/")), `async (query) => {
		const { Vantage } = await import('/lib/index.js');
		const worker = new Worker('/lib/worker.js', { type: 'module' });
		const ask = (vantage) => vantage.search({ query }).then(({ hits }) => String(hits.length), (error) => error.name + ': ' + error.message);
		const last = await Vantage.open('/collection/', { worker });
		const next = await Vantage.open('/collection/', { worker });
		const out = { last: await ask(last) };
		last.close();
		out.next = await ask(next);
		await Vantage.open('/collection/', { worker, signal: AbortSignal.abort() }).catch(() => {});
		out['after one that never began'] = await ask(next);
		const [slow, quick] = await Promise.allSettled([Vantage.open('/collection/', { worker }), Vantage.open('/collection/', { worker })]);
		out.slow = slow.value ? await ask(slow.value) : slow.reason.name + ': ' + slow.reason.message;
		out.quick = await ask(quick.value);
		worker.terminate();
		return out;
	}`, oppose)
	const moved = "ClosedError: its worker has opened another collection"
	for name, want := range map[string]string{"last": moved, "next": "10", "after one that never began": "10", "slow": moved, "quick": "10"} {
		if got[name] != want {
			t.Errorf("%s: %q, want %q", name, got[name], want)
		}
	}
}

// Vectors arrive slowly: loaded rows are searched, and the answer says how
// many.
func TestAnswersWhileStreaming(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	var once sync.Once
	t.Cleanup(func() { once.Do(func() { close(release) }) })
	var first sync.Once
	mux := http.NewServeMux()
	mux.HandleFunc("/release", func(http.ResponseWriter, *http.Request) { once.Do(func() { close(release) }) })
	mux.Handle("/", faulty(t, func(_ http.ResponseWriter, r *http.Request, _ []byte) bool {
		if isVectors(r) {
			slow := true
			first.Do(func() { slow = false })
			if slow {
				select {
				case <-release:
				case <-r.Context().Done():
				}
			}
		}
		return false
	}))
	page := open(t, serve(t, mux).URL("/"))
	type progress struct{ Loaded, Total, Rows, TotalRows int }
	type result struct {
		Before, After struct {
			Rows, Total, Hits int
		}
		Progress []progress
	}
	got := call[result](t, page, `async (query) => {
		const { Vantage } = await import('/lib/index.js');
		const progress = [];
		const vantage = await Vantage.open('/collection/', { onProgress: (p) => progress.push(p) });
		const ask = async () => {
			const { hits, coverage } = await vantage.search({ query, k: 2000 });
			return { ...coverage, hits: hits.length };
		};
		while (vantage.coverage.rows === 0) await new Promise((resolve) => setTimeout(resolve, 10));
		const before = await ask();
		await fetch('/release');
		await vantage.ready;
		const after = await ask();
		vantage.close();
		return { before, after, progress };
	}`, oppose)
	if b := got.Before; b.Rows == 0 || b.Rows >= b.Total || b.Hits != b.Rows {
		t.Errorf("while streaming: %+v", b)
	}
	if a := got.After; a.Rows != a.Total || a.Hits != a.Total {
		t.Errorf("at the end: %+v", a)
	}
	last := progress{}
	for _, p := range got.Progress {
		if p.Loaded < last.Loaded || p.Rows < last.Rows || p.Loaded > p.Total || p.Rows > p.TotalRows {
			t.Errorf("progress goes from %+v to %+v", last, p)
		}
		last = p
	}
	if last.Loaded != last.Total || last.Rows != last.TotalRows || last.Total == 0 {
		t.Errorf("progress ends at %+v", last)
	}
}

func TestAbortAndClose(t *testing.T) {
	t.Parallel()
	hang := func(_ http.ResponseWriter, r *http.Request, _ []byte) bool {
		if isVectors(r) || isDocs(r) {
			<-r.Context().Done()
		}
		return false
	}
	page := open(t, serve(t, faulty(t, hang)).URL("/"))
	page.Expect(`Failed to load resource`)
	for _, worker := range []bool{true, false} {
		got := call[map[string]seenFault](t, page, `async (worker, query) => {
			const lib = await import('/lib/index.js');`+describeFault+`
			const out = {};
			const caught = (name) => (error) => { out[name] = describe(error); };
			await lib.Vantage.open('/collection/', { worker, signal: AbortSignal.abort() }).catch(caught('aborted before'));
			const early = new AbortController();
			const opening = lib.Vantage.open('/collection/', { worker, signal: early.signal }).catch(caught('aborted while opening'));
			early.abort();
			await opening;
			const late = new AbortController();
			const vantage = await lib.Vantage.open('/collection/', { worker, signal: late.signal });
			late.abort();
			await vantage.ready.catch(caught('aborted while streaming'));
			const stop = new AbortController();
			const documents = vantage.documents([0], { signal: stop.signal }).catch(caught('aborted reading'));
			stop.abort();
			await documents;
			await vantage.search({ query, signal: AbortSignal.abort() }).catch(caught('aborted search'));
			const hanging = vantage.documents([0]).catch(caught('closed while reading'));
			await vantage.search({ query }).then(() => { out['search after abort'] = { code: 'fine' }; }, caught('search after abort'));
			vantage.close();
			if (worker) await hanging;
			await vantage.search({ query }).catch(caught('closed'));
			await vantage.encode('x').catch(caught('encode when closed'));
			vantage.close();
			return out;
		}`, worker, oppose)
		for _, name := range []string{"aborted before", "aborted while opening", "aborted while streaming", "aborted reading", "aborted search"} {
			if f := got[name]; f.Name != "AbortError" {
				t.Errorf("worker %v, %s: %+v", worker, name, f)
			}
		}
		// No row arrived, so there is nothing to read documents for.
		if f := got["search after abort"]; f.Code != "fine" {
			t.Errorf("worker %v: %+v", worker, f)
		}
		for _, name := range []string{"closed", "encode when closed"} {
			if f := got[name]; f.Name != "ClosedError" {
				t.Errorf("worker %v, %s: %+v", worker, name, f)
			}
		}
		if f := got["closed while reading"]; worker && f.Name != "ClosedError" {
			t.Errorf("%+v", f)
		}
	}
}

// Queries without an answer have other errors than damaged files.
func TestQueryErrors(t *testing.T) {
	t.Parallel()
	page := open(t, serve(t, bare(debates(t))).URL("/"))
	queries := map[string]any{
		"nothing":                   nil,
		"no query":                  map[string]any{"root": "x"},
		"unknown method":            map[string]any{"query": "x", "method": "magic"},
		"root missing":              map[string]any{"query": "x", "method": "root"},
		"k":                         map[string]any{"query": "x", "k": 0},
		"k not whole":               map[string]any{"query": "x", "k": 1.5},
		"mmr":                       map[string]any{"query": "x", "mmr": 2},
		"lambda":                    map[string]any{"query": "x", "lambda": "1"},
		"dimension":                 map[string]any{"query": []float64{1, 2, 3}},
		"unknown field":             map[string]any{"query": "x", "filter": map[string]any{"colour": "red"}},
		"range of a string":         map[string]any{"query": "x", "filter": map[string]any{"stance": map[string]any{"min": 1}}},
		"empty range":               map[string]any{"query": "x", "filter": map[string]any{"stance": map[string]any{}}},
		"only unknown":              map[string]any{"query": "日本"},
		"perspectives":              map[string]any{"query": "x", "root": "y", "perspectives": 5},
		"perspectives as an object": map[string]any{"query": "x", "root": "y", "perspectives": map[string]any{"text": "z"}},
	}
	for _, worker := range []bool{true, false} {
		got := call[map[string]seenFault](t, page, `async (worker, queries) => {
			const lib = await import('/lib/index.js');`+describeFault+`
			const vantage = await lib.Vantage.open('/collection/', { worker });
			const out = {};
			for (const [name, query] of Object.entries(queries)) await vantage.search(query).catch((error) => { out[name] = describe(error); });
			await vantage.ready; // a search before that ranks what has arrived
			const { hits } = await vantage.search({ query: 'trains' });
			out.afterwards = { code: String(hits.length) };
			vantage.close();
			return out;
		}`, worker, queries)
		for name := range queries {
			if f := got[name]; f.Name != "QueryError" {
				t.Errorf("worker %v, %s: %+v", worker, name, f)
			}
		}
		if f := got["unknown method"]; !strings.Contains(f.Message, "rerank-aug, contrast, aspect, bm25") {
			t.Errorf("worker %v, unknown method: %+v", worker, f)
		}
		if got["afterwards"].Code != "10" {
			t.Errorf("afterwards: %+v", got["afterwards"])
		}
	}
}

// A call whose signal has an error without a message ends in the worker, too.
func TestAbortWithoutAMessage(t *testing.T) {
	t.Parallel()
	ended := make(chan struct{}, 9)
	hang := func(_ http.ResponseWriter, r *http.Request, _ []byte) bool {
		if isDocs(r) {
			<-r.Context().Done()
			ended <- struct{}{}
		}
		return false
	}
	page := open(t, serve(t, faulty(t, hang)).URL("/"))
	page.Expect(`Failed to load resource`)
	got := call[bool](t, page, `async () => {
		const { Vantage } = await import('/lib/index.js');
		window.vantage = await Vantage.open('/collection/', { worker: true });
		const stop = new AbortController();
		const reason = new Error();
		const reading = vantage.documents([0], { signal: stop.signal });
		setTimeout(() => stop.abort(reason), 200);
		return reading.then(() => false, (error) => error === reason);
	}`)
	if !got {
		t.Error("the call has another error")
	}
	select {
	case <-ended:
	case <-time.After(20 * time.Second):
		t.Error("the worker still waits for the documents")
	}
}

// Values that no default stands for are refused by name, before they reach a timer, a model or a ranking.
func TestWrongValues(t *testing.T) {
	t.Parallel()
	got := call[map[string]string](t, open(t, serve(t, bare(debates(t))).URL("/")), `async () => {
		const { Vantage } = await import('/lib/index.js');
		const vantage = await Vantage.open('/collection/');
		const lists = { vectors: [[1, 0], [0, 1]], queries: [[1, 1]], roots: [[1, 0]], methods: ['pap'] };
		const out = {};
		for (const [name, attempt] of Object.entries({
			'hybrid of 0': () => vantage.search({ query: 'trains', hybrid: 0 }),
			'k of NaN': () => vantage.search({ query: 'trains', k: NaN }),
			'big k': () => vantage.search({ query: 'trains', k: 5n }),
			'big level': () => vantage.evaluate({ qrels: { name: 'a', content: '' }, run: { name: 'b', content: '' }, level: 5n }),
			'number to encode': () => vantage.encode(5),
			'hole to encode': () => vantage.encode(['trains', , 'zoos']),
			'role': () => vantage.encode('trains', 'passage'),
			'λ of rankings': () => vantage.rankings({ ...lists, lambda: 11 }),
			'endless patience': () => Vantage.open('/collection/', { worker: true, patience: Infinity }),
			'patience of NaN': () => Vantage.open('/collection/', { worker: true, patience: NaN }),
		})) out[name] = await attempt().then(() => 'no error', (error) => error.name + ': ' + error.message);
		vantage.close();
		return out;
	}`)
	for name, want := range map[string]string{
		"hybrid of 0":      "QueryError: hybrid: 0 is not true, false,",
		"k of NaN":         "QueryError: k: NaN is not a number from 1",
		"big k":            "QueryError: k: 5 is not a number from 1",
		"big level":        "QueryError: evaluate: level: 5 is not a whole number",
		"number to encode": "QueryError: encode takes a text or a list of texts",
		"hole to encode":   "QueryError: encode takes a text or a list of texts",
		"role":             `QueryError: no role "passage": there is query, root, perspective, document`,
		"λ of rankings":    "QueryError: rankings: lambda: 11 is not a number from -10 to 10",
		"endless patience": "InputError: patience: Infinity is not a number of milliseconds",
		"patience of NaN":  "InputError: patience: NaN is not a number of milliseconds",
	} {
		if !strings.HasPrefix(got[name], want) {
			t.Errorf("%s: %q, want %q", name, got[name], want)
		}
	}
}
