package browser

import (
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/vantage-search/vantage/internal/testing/harness"
)

// countWorkers is JavaScript that keeps every worker of the page in `started`.
const countWorkers = `
	const started = [];
	globalThis.Worker = class extends Worker {
		constructor(...args) {
			super(...args);
			started.push(this);
		}
	};
`

// If any of several workers is killed, the call under way fails and the worker
// is replaced. The others answer meanwhile, and the answer says how much it
// covers. Afterwards answers are as before, including additions and removals.
func TestKilledWorkerOfSeveral(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	hold, held := false, make(chan struct{})
	mux := http.NewServeMux()
	mux.HandleFunc("/hold", func(http.ResponseWriter, *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		hold, held = true, make(chan struct{})
	})
	release := func() {
		mu.Lock()
		defer mu.Unlock()
		if hold {
			hold = false
			close(held)
		}
	}
	t.Cleanup(release)
	mux.HandleFunc("/release", func(http.ResponseWriter, *http.Request) { release() })
	mux.Handle("/", faulty(t, func(_ http.ResponseWriter, r *http.Request, _ []byte) bool {
		mu.Lock()
		wait, until := hold && isVectors(r), held
		mu.Unlock()
		if wait {
			select {
			case <-until:
			case <-r.Context().Done():
			}
		}
		return false
	}))
	page := open(t, serve(t, noStore(mux)).URL("/"))
	type round struct {
		Under       seenFault
		Rows, Total int  // while the worker is replaced
		Subset      bool // whether that answer's hits are in the answer at the end
		After       string
		Coverage    struct{ Rows, Total int }
		Again       string // the same query with filters on a field of added documents
		Workers     int
	}
	got := call[struct {
		Before, Again string
		Total         int
		Rounds        []round
	}](t, page, `async (query) => {
		const lib = await import('/lib/index.js');`+describeFault+countWorkers+`
		const vantage = await lib.Vantage.open('/collection/', { workers: 3, patience: 3000 });
		await vantage.ready;
		const ask = async (rest) => (await vantage.search({ query, k: 600, ...rest })).hits;
		const [best] = await ask();
		await vantage.add([{ id: 'gone', text: 'a' }, { id: 'note', text: query, metadata: { stance: 'unheard of', mood: 'calm' } }]);
		await vantage.add(Array.from({ length: 1100 }, (_, i) => ({ id: 'n' + i, text: 'b', metadata: { mood: 'grim' } }))); // at least two workers get some
		await vantage.remove(['gone', best.id]);
		const print = (hits) => JSON.stringify(hits);
		const calm = async () => print(await ask({ filter: { mood: 'calm' } })) + print(await ask({ filter: { mood: 'grim' }, mmr: 0.5, k: 5 }));
		const before = await ask();
		const out = { before: print(before), again: await calm(), total: vantage.coverage.total, rounds: [] };
		for (let i = 0; i < 3; i++) {
			// A replacement takes its worker's place: the last started worker replaces
			// the i-th.
			await fetch('/hold');
			started[i].terminate();
			const under = await ask().then(() => null, (error) => error);
			const vector = new Float32Array(vantage.info.dim).fill(0.1); // a vector, because the killed worker may have the encoder
			const result = await vantage.search({ query: vector, method: 'none', k: 5000 });
			const all = new Set();
			await fetch('/release');
			await vantage.ready;
			for (const hit of (await vantage.search({ query: vector, method: 'none', k: 5000 })).hits) all.add(hit.id + ' ' + hit.score);
			const after = await ask();
			out.rounds.push({
				under: describe(under), ...result.coverage, subset: result.hits.length === result.coverage.rows && result.hits.every((hit) => all.has(hit.id + ' ' + hit.score)),
				after: print(after), coverage: vantage.coverage, again: await calm(), workers: started.length,
			});
		}
		vantage.close();
		return out;
	}`, oppose)
	if len(got.Rounds) != 3 || got.Total != debatesRows+1100 || !strings.Contains(got.Before, `"note"`) || strings.Count(got.Again, `"rank"`) != 6 {
		t.Fatalf("%+v", got)
	}
	for i, r := range got.Rounds {
		if r.Under.Name != "LostInstanceError" {
			t.Errorf("worker %d: the call under way ends with %+v", i, r.Under)
		}
		if r.Rows < 100 || r.Rows >= r.Total || r.Total != got.Total || !r.Subset {
			t.Errorf("worker %d: while it is replaced, %d rows of %d are searched (%v)", i, r.Rows, r.Total, r.Subset)
		}
		if r.After != got.Before || r.Again != got.Again || r.Coverage.Rows != got.Total || r.Coverage.Total != got.Total {
			t.Errorf("worker %d: another answer afterwards, over %+v:\n%.300s\n%.300s", i, r.Coverage, r.After, got.Before)
		}
		if r.Workers != 4+i {
			t.Errorf("worker %d: %d workers were started, although only this one had to be replaced", i, r.Workers)
		}
	}
}

// noStore disables the browser's cache, so that files that are fetched again
// come from the host.
func noStore(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		next.ServeHTTP(w, r)
	})
}

// Vectors arrive slowly at several workers, always in the middle of an answer.
// The answer has exactly the rows that it claims to cover, and progress adds
// up.
func TestSeveralWorkersWhileStreaming(t *testing.T) {
	t.Parallel()
	gate := make(chan struct{}) // each value lets one vector file through
	mux := http.NewServeMux()
	mux.HandleFunc("/next", func(_ http.ResponseWriter, r *http.Request) {
		select {
		case gate <- struct{}{}:
		case <-r.Context().Done():
		}
	})
	mux.Handle("/", faulty(t, func(_ http.ResponseWriter, r *http.Request, _ []byte) bool {
		if isVectors(r) {
			select {
			case <-gate:
			case <-r.Context().Done():
			}
		}
		return false
	}))
	page := open(t, serve(t, noStore(mux)).URL("/"))
	type progress struct{ Loaded, Total, Rows, TotalRows int }
	type state struct{ Rows, Total, Hits, Worst, Distinct int }
	got := call[struct {
		States   []state
		Bytes    int
		Progress []progress
	}](t, page, `async (query) => {
		const { Vantage } = await import('/lib/index.js');
		let between = null; // runs before the first message of an answer's second step
		let sent = Promise.resolve();
		globalThis.Worker = class extends Worker {
			postMessage(message, options) {
				const second = message.call === 'ahead' || (message.call === 'rankPart' && message.args[1] !== null);
				const first = second ? between : null;
				if (second) between = null;
				sent = sent.then(() => first?.()).then(() => super.postMessage(message, options));
			}
		};
		const progress = [];
		const vantage = await Vantage.open('/collection/', { workers: 3, onProgress: (p) => progress.push(p) });
		const arrival = async () => {
			const { rows, total } = vantage.coverage;
			if (rows === total) return;
			await fetch('/next');
			while (vantage.coverage.rows === rows) await new Promise((resolve) => setTimeout(resolve, 5));
		};
		await arrival(); // without rows there are no hits to rank
		const states = [];
		for (const method of ['re-ranking', 'none', 're-ranking', 'none', 're-ranking', 'none']) {
			between = arrival;
			const { hits, coverage } = await vantage.search({ query, k: 2000, method, cosineRank: true });
			between = null;
			const worst = Math.max(0, ...hits.map((hit) => hit.explain.cosine_rank));
			states.push({ ...coverage, hits: hits.length, worst, distinct: new Set(hits.map((hit) => hit.explain.cosine_rank)).size });
		}
		await vantage.ready;
		const { bytes } = vantage.info;
		vantage.close();
		return { states, bytes, progress };
	}`, oppose)
	if len(got.States) != 6 || got.States[0].Rows == debatesRows || got.States[len(got.States)-1].Rows != debatesRows {
		t.Errorf("%+v", got.States)
	}
	for _, s := range got.States {
		if s.Total != debatesRows || s.Hits != s.Rows || s.Worst != s.Rows || s.Distinct != s.Rows {
			t.Errorf("while streaming: %+v: hits and their cosine ranks must be those of the loaded rows", s)
		}
	}
	last := progress{}
	for _, p := range got.Progress {
		if p.Loaded < last.Loaded || p.Rows < last.Rows || p.Loaded > p.Total || p.Rows > p.TotalRows {
			t.Errorf("progress goes from %+v to %+v", last, p)
		}
		last = p
	}
	if last.Loaded != last.Total || last.Rows != debatesRows || last.TotalRows != debatesRows || last.Total != got.Bytes {
		t.Errorf("progress ends at %+v, %d bytes in all", last, got.Bytes)
	}
}

// Rows are added and removed while queries run without pause. Every answer
// describes one state: rows that are added or removed together are in an answer
// together, and cosine ranks fit the rows.
func TestAnswersAreOfOneMoment(t *testing.T) {
	t.Parallel()
	page := open(t, serve(t, bare(worded(t))).URL("/"))
	got := call[struct {
		Asked  int
		Faults []string
	}](t, page, `async (query) => {
		const { Vantage } = await import('/lib/index.js');
		const vantage = await Vantage.open('/collection/', { workers: 3 });
		const faults = [];
		let asked = 0;
		let stop = false;
		const vector = (await vantage.encode(query)).vector;
		const asking = Array.from({ length: 4 }, async (_, i) => {
			const vectors = { query: vector, root: vector, perspectives: [vector], method: ['none', 're-ranking', 'pap'][i], lambda: 0.5 };
			while (!stop) {
				const { hits, coverage } = await vantage.search({ ...(i < 3 ? vectors : { query, hybrid: true }), k: 10_000, cosineRank: true });
				asked++;
				const ranks = new Set(hits.map((hit) => hit.explain.cosine_rank));
				const twins = hits.filter((hit) => hit.id.startsWith('twin')).length;
				if (hits.length !== coverage.rows || ranks.size !== hits.length || Math.max(...ranks, 0) > hits.length) faults.push('hits ' + hits.length + ', ranks ' + ranks.size + ' of ' + JSON.stringify(coverage));
				if (twins % 1500 !== 0) faults.push(twins + ' of 1500 that belong together');
			}
		});
		const twins = Array.from({ length: 1500 }, (_, i) => ({ id: 'twin' + i, text: 'x', vector: vector.map((x, j) => x + (j === i % 100 ? 0.01 : 0)) }));
		for (let i = 0; i < 5 || asked < 5; i++) {
			await vantage.add(twins);
			await vantage.remove(twins.map(({ id }) => id));
		}
		await vantage.ready;
		stop = true;
		await Promise.all(asking);
		vantage.close();
		return { asked, faults: faults.slice(0, 5) };
	}`, oppose)
	if got.Asked < 5 || len(got.Faults) > 0 {
		t.Errorf("%+v", got)
	}
}

// The page provides the workers, and one of them breaks.
func TestOwnWorkers(t *testing.T) {
	t.Parallel()
	mux := http.NewServeMux()
	mux.Handle("/", bare(debates(t)))
	mux.Handle("/test/", http.StripPrefix("/test/", http.FileServer(http.Dir("testdata"))))
	page := open(t, serve(t, harness.WithPolicy(mux)).URL("/"))
	page.Expect(`the test breaks the worker`)
	got := call[struct {
		Before, After []string
		Lost          seenFault
		Broken        bool
		Started       int
	}](t, page, `async (query) => {
		const lib = await import('/lib/index.js');`+describeFault+`
		const worker = Array.from({ length: 2 }, () => new Worker('/test/worker.js', { type: 'module' }));`+countWorkers+`
		const vantage = await lib.Vantage.open('/collection/', { worker });
		await vantage.ready;
		const ask = async () => (await vantage.search({ query })).hits.map((hit) => hit.id);
		const before = await ask();
		const broken = new Promise((resolve) => worker[1].addEventListener('error', () => resolve(true)));
		const lost = await new Promise((resolve) => {
			worker[1].postMessage('break');
			const again = () => ask().then(() => setTimeout(again, 1), resolve);
			again();
			broken.then(() => setTimeout(resolve, 2000)); // the worker may break between two queries
			setTimeout(resolve, 60_000);
		});
		await vantage.ready;
		const after = await ask();
		vantage.close();
		for (const each of worker) each.terminate();
		return { before, after, lost: lost ? describe(lost) : { name: 'LostInstanceError' }, broken: await Promise.race([broken, false]), started: started.length };
	}`, oppose)
	if !got.Broken || len(got.Before) != 10 || !slices.Equal(got.Before, got.After) || got.Lost.Name != "LostInstanceError" || got.Started != 0 {
		t.Errorf("%+v", got)
	}
}

// After a collection was opened, searched and closed fifty times with two
// workers each, neither workers nor memory remain.
func TestHundredWorkers(t *testing.T) {
	page := open(t, serve(t, bare(debates(t))).URL("/"))
	rounds := func(n int) int {
		return call[int](t, page, `async (n, query) => {
			const { Vantage } = await import('/lib/index.js');
			globalThis.running ??= 0;
			if (!globalThis.Plain) {
				globalThis.Plain = Worker;
				globalThis.Worker = class extends Plain {
					constructor(...args) { super(...args); running++; }
					terminate() { super.terminate(); running--; }
				};
			}
			for (let i = 0; i < n; i++) {
				const vantage = await Vantage.open('/collection/', { workers: 2 });
				if (i % 3 > 0) await vantage.ready; // otherwise it is closed while it loads
				await vantage.search({ query });
				vantage.close();
			}
			return running;
		}`, n, oppose)
	}
	rounds(10)
	before := heap(t, page)
	if left := rounds(40); left != 0 {
		t.Errorf("%d workers are left", left)
	}
	if after := heap(t, page); after > before+2<<20 {
		t.Errorf("%.1f MB more after 40 opens and closes, %.1f MB before", (after-before)/(1<<20), before/(1<<20))
	}
}

// If one shard of one worker is damaged, all others answer, including those of that
// worker.
func TestDamagedShardOfSeveralWorkers(t *testing.T) {
	t.Parallel()
	shards, err := filepath.Glob(filepath.Join(debates(t), "collection", "vectors", "*"))
	if err != nil || len(shards) < 5 {
		t.Fatal(len(shards), err)
	}
	bad := filepath.Base(shards[2])
	page := open(t, serve(t, faulty(t, when(func(r *http.Request) bool { return strings.HasSuffix(r.URL.Path, bad) }, flip))).URL("/"))
	got := call[struct {
		Error             seenFault
		Hits, Rows, Total int
	}](t, page, `async (query) => {
		const lib = await import('/lib/index.js');`+describeFault+`
		const vantage = await lib.Vantage.open('/collection/', { workers: 3 });
		const error = await vantage.ready.then(() => ({}), (error) => error);
		const { hits, coverage } = await vantage.search({ query, k: 2000 });
		vantage.close();
		return { error: describe(error), hits: hits.length, ...coverage };
	}`, oppose)
	if got.Error.Name != "IntegrityError" || !strings.Contains(got.Error.Message, bad) || got.Hits != got.Rows || got.Rows < 400 || got.Rows >= got.Total || got.Total != debatesRows {
		t.Errorf("%+v; the bad shard is %s", got, bad)
	}
}

// Engines that crash in the middle of a search are replaced, and crash again,
// because the shim in place of the kernel traps.
func TestCrashingEnginesOfSeveralWorkers(t *testing.T) {
	t.Parallel()
	page := open(t, serve(t, bare(debates(t))).URL("/"))
	got := call[[]seenFault](t, page, `async (query, kernel) => {
		const lib = await import('/lib/index.js');`+describeFault+`
		const vantage = await lib.Vantage.open('/collection/', { workers: 2, kernel }).catch((error) => error);
		if (vantage instanceof Error) return [describe(vantage)];
		await vantage.ready.catch(() => {});
		const out = [];
		for (let i = 0; i < 3; i++) out.push(describe(await vantage.search({ query }).catch((error) => error)));
		vantage.close();
		return out;
	}`, oppose, shimURL)
	for _, f := range got {
		if f.Name != "LostInstanceError" {
			t.Errorf("%+v", got)
		}
	}
}

func TestWorkersOption(t *testing.T) {
	t.Parallel()
	page := open(t, serve(t, bare(debates(t))).URL("/"))
	page.Expect(`Failed to load resource`)
	got := call[map[string]seenFault](t, page, `async (query) => {
		const lib = await import('/lib/index.js');`+describeFault+countWorkers+`
		const { Vantage } = lib;
		const out = {};
		const attempt = async (name, options) => {
			const vantage = await Vantage.open('/collection/', options).catch((error) => { out[name] = describe(error); });
			vantage?.close();
		};
		await attempt('none', { workers: 0 });
		await attempt('half', { workers: 1.5 });
		await attempt('many', { workers: 1000 });
		await attempt('text', { workers: '2' });
		await attempt('in the page', { workers: 2, worker: false });
		const one = new Worker('/lib/worker.js', { type: 'module' });
		await attempt('one given', { workers: 2, worker: one });
		await attempt('given twice', { worker: [one, one] });
		await attempt('too few', { workers: 3, worker: [one] });
		await attempt('none given', { worker: [] });
		await attempt('no workers', { worker: [{}, {}] });
		await attempt('no core', { workers: 2, core: '/lib/nowhere.wasm' });
		await attempt('no collection', { workers: 2 });
		one.terminate();
		await lib.Vantage.open('/nowhere/', { workers: 2 }).catch((error) => { out.nowhere = describe(error); });
		await lib.Vantage.open('/collection/', { workers: 2, maxBytes: 1 << 20 }).then((vantage) => vantage.ready).catch((error) => { out['little memory'] = describe(error); });
		await lib.Vantage.open('/collection/', { workers: 3, signal: AbortSignal.abort() }).catch((error) => { out.aborted = describe(error); });
		const late = new AbortController();
		const opening = lib.Vantage.open('/collection/', { workers: 3, signal: late.signal }).catch((error) => { out['aborted late'] = describe(error); });
		setTimeout(() => late.abort(), 30);
		(await opening)?.close();
		const vantage = await Vantage.open('/collection/', { workers: 3 });
		await vantage.ready;
		await vantage.search({ query: 'x', method: 'magic' }).catch((error) => { out.query = describe(error); });
		await vantage.search({ query, filter: { colour: 'red' } }).catch((error) => { out.filter = describe(error); });
		const memory = await vantage.memory();
		out.memory = { code: String(memory.used > 1e6 && memory.reserved >= memory.used) };
		const under = vantage.search({ query }).catch((error) => { out.closed = describe(error); });
		vantage.close();
		await under;
		await vantage.ready.catch((error) => { out['ready when closed'] = describe(error); });
		return out;
	}`, oppose)
	want := map[string]string{
		"none": "InputError", "half": "InputError", "many": "InputError", "text": "InputError", "in the page": "InputError",
		"one given": "InputError", "given twice": "InputError", "too few": "InputError", "none given": "InputError", "no workers": "InputError",
		"no core": "NetworkError", "nowhere": "InputError", "little memory": "LimitError", "aborted": "AbortError",
		"query": "QueryError", "filter": "QueryError", "closed": "ClosedError", "ready when closed": "ClosedError",
	}
	for name, class := range want {
		if got[name].Name != class {
			t.Errorf("%s: %+v, want %s", name, got[name], class)
		}
	}
	if got["memory"].Code != "true" {
		t.Errorf("memory: %+v", got["memory"])
	}
	if f, there := got["aborted late"]; there && f.Name != "AbortError" {
		t.Errorf("aborted while opening: %+v", f)
	}
	for name := range got {
		if want[name] == "" && name != "memory" && name != "aborted late" {
			t.Errorf("%s: %+v", name, got[name])
		}
	}
}

// An engine without a collection in several workers: added documents are
// shared, and ranked as by one worker.
func TestCreateWithWorkers(t *testing.T) {
	t.Parallel()
	_, all := splitCorpus(t, debatesRows)
	page := open(t, serve(t, withEncoder(t)).URL("/"))
	ask := `async (options, all, query) => {
		const { Vantage } = await import('/lib/index.js');
		const vantage = await Vantage.create({ ...options, encoder: '/model/' });
		for (const n of [0, 1, 2]) await vantage.add(all.map((document) => ({ ...document, id: document._id + n })));
		const out = [];
		for (const rest of [{}, { method: 're-ranking' }, { mmr: 0.4, k: 30 }, { filter: { stance: 'oppose' }, k: 2000 }]) {
			const { hits, coverage } = await vantage.search({ query, ...rest });
			out.push(JSON.stringify({ hits, coverage }));
		}
		const { hits } = await vantage.rerank(all.map(({ text }) => text), { query, mmr: 0.5 });
		out.push(JSON.stringify(hits));
		vantage.close();
		return out;
	}`
	one := call[[]string](t, page, ask, map[string]any{}, all, oppose)
	several := call[[]string](t, page, ask, map[string]any{"workers": 3}, all, oppose)
	if !slices.Equal(one, several) || strings.Count(strings.Join(one, ""), `"rank"`) < 100 {
		t.Errorf("\n%.400s\n%.400s", one, several)
	}
}

// Without explanations the hits are the same. Explanations contain no cosine rank unless
// the query asks for it.
func TestWithoutExplanations(t *testing.T) {
	t.Parallel()
	page := open(t, serve(t, bare(debates(t))).URL("/"))
	for _, workers := range []int{1, 2} {
		got := call[struct {
			With, Without []string
			Rerank        bool
			Wrong         []seenFault
		}](t, page, `async (workers, query) => {
			const lib = await import('/lib/index.js');`+describeFault+`
			const vantage = await lib.Vantage.open('/collection/', { workers });
			await vantage.ready;
			const out = { with: [], without: [] };
			for (const method of ['pap+', 're-ranking', 'none']) {
				for (const mmr of [null, 0.5]) {
					const ask = async (how) => (await vantage.search({ query, method, mmr, ...how })).hits;
					out.with.push(JSON.stringify((await ask({ cosineRank: true })).map(({ explain, ...hit }) => (explain.cosine_rank > 0 ? hit : null))));
					out.with.push(JSON.stringify((await ask({})).map(({ explain, ...hit }) => ('cosine_rank' in explain || !explain.norm ? null : hit))));
					for (let i = 0; i < 2; i++) out.without.push(JSON.stringify(await ask({ explain: false })));
				}
			}
			const { hits } = await vantage.rerank(['a train', 'a claim'], { query, explain: false });
			out.rerank = hits.length === 2 && !('explain' in hits[0]);
			out.wrong = [];
			for (const how of [{ explain: 'no' }, { cosineRank: 1 }, { explain: false, cosineRank: true }]) {
				out.wrong.push(describe(await vantage.search({ query, ...how }).catch((error) => error)));
			}
			vantage.close();
			return out;
		}`, workers, oppose)
		if !slices.Equal(got.With, got.Without) || len(got.With) != 12 || !got.Rerank || len(got.Wrong) != 3 || slices.ContainsFunc(got.Wrong, func(f seenFault) bool { return f.Name != "QueryError" }) {
			t.Errorf("%d workers: %+v", workers, got)
		}
	}
}

// The element shares its collection among as many workers as its attribute says.
func TestElementWithWorkers(t *testing.T) {
	t.Parallel()
	page := open(t, serve(t, bare(debates(t))).URL("/"))
	got := call[[]int](t, page, `async (query) => {`+countWorkers+`
		await import('/lib/vantage-search.js');
		const element = document.createElement('vantage-search');
		element.setAttribute('collection', '/collection/');
		element.setAttribute('workers', '3');
		const results = () => new Promise((resolve) => { element.addEventListener('vantage-results', ({ detail }) => resolve(detail.hits.length), { once: true }); });
		const ready = new Promise((resolve) => { element.addEventListener('vantage-ready', resolve, { once: true }); });
		document.body.append(element);
		await ready;
		await (await element.vantage).ready;
		element.value = query;
		const found = results();
		element.search();
		const out = [await found, started.length];
		element.remove();
		return out;
	}`, oppose)
	if !slices.Equal(got, []int{10, 3}) {
		t.Errorf("%v: hits and workers, want 10 and 3", got)
	}
}
