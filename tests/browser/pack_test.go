package browser

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/vantage-search/vantage/internal/collection"
	"github.com/vantage-search/vantage/internal/collection/store"
	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/encoder/packmodel"
	"github.com/vantage-search/vantage/internal/testing/quantized"
	"github.com/vantage-search/vantage/internal/wasm/kernel/dense"
	"github.com/vantage-search/vantage/internal/wasm/pack"
	"github.com/vantage-search/vantage/internal/wasm/pack/packfile"
	"github.com/vantage-search/vantage/internal/wasm/transformer"
)

// packSite is a site without a page, with two collections that carry the same pack. Its
// trunk has several files.
type packSite struct {
	dir   string
	pack  packfile.Files
	model *packmodel.Encoder
	trunk []string // names of its vocabulary's and trunk's files, in order
	rest  []string // of its branch
	reads []string // of its reader of queries
}

// packShape is the shape of the pack of a packSite.
var packShape = transformer.QuantizedConfig{Hidden: 192, Layers: 5, Heads: 3, Intermediate: 768, Positions: 70, Types: 2, Epsilon: 1e-12,
	Activation: dense.GELU, Normalize: true, Branch: transformer.QuantizedBranch{From: 1, Layers: 1, Out: 48}}

// packs is a packSite that tests share, made once.
var packs struct {
	sync.Mutex
	site *packSite
}

func carryingPacks(t *testing.T) *packSite {
	t.Helper()
	packs.Lock()
	defer packs.Unlock()
	if packs.site == nil {
		dir, err := os.MkdirTemp("", "vantage-packs-") // TestMain removes it
		if err != nil {
			t.Fatal(err)
		}
		packs.site = newPackSite(t, dir, packShape)
	}
	return packs.site
}

func newPackSite(t *testing.T, dir string, shape transformer.QuantizedConfig) *packSite {
	t.Helper()
	files, err := quantized.TinyPack(shape, 1)
	if err != nil {
		t.Fatal(err)
	}
	var about map[string]any
	if err := json.Unmarshal(files[pack.FileName], &about); err != nil {
		t.Fatal(err)
	}
	about["prompts"] = map[string]string{"query": "the ", "passage": "a mat "}
	if files[pack.FileName], err = json.Marshal(about); err != nil {
		t.Fatal(err)
	}
	for path, content := range files {
		writeFile(t, filepath.Join(dir, "pack", path), content)
	}
	s := &packSite{dir: dir, pack: files}
	if s.model, err = packmodel.OpenFolder(t.Context(), filepath.Join(dir, "pack"), 2); err != nil {
		t.Fatal(err)
	}
	m := s.model.Manifest()
	for _, section := range m.Sections {
		to := map[string]*[]string{pack.BranchSection: &s.rest, pack.ReaderSection: &s.reads}[section.Name]
		if to == nil {
			to = &s.trunk
		}
		for _, f := range section.Files {
			*to = append(*to, f.Path)
		}
	}
	if len(s.trunk) < 4 {
		t.Fatalf("the pack has only the files %q", s.trunk)
	}
	s.write(t, "collection", 40)
	s.write(t, "other", 12)
	if err := os.Symlink(filepath.Join(debates(t), "lib"), filepath.Join(dir, "lib")); err != nil {
		t.Fatal(err)
	}
	return s
}

func writeFile(t *testing.T, path string, content []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, content, 0o666); err != nil {
		t.Fatal(err)
	}
}

// write makes a collection of n short documents that carries the pack.
func (s *packSite) write(t *testing.T, name string, n int) {
	t.Helper()
	words := strings.Fields("the cat sat on a mat and dogs ran far from red and blue ships")
	documents := func(yield func(store.Document, error) bool) {
		for i := range n {
			text := fmt.Sprintf("%s %s the %s %d", words[i%len(words)], words[i*5%len(words)], words[i*3%len(words)], i)
			if !yield(store.Document{ID: fmt.Sprint("d", i), Text: text}, nil) {
				return
			}
		}
	}
	if _, err := collection.Write(t.Context(), filepath.Join(s.dir, name), documents, collection.Options{Rows: collection.Pack{Model: s.model}, Terms: true}); err != nil {
		t.Fatal(err)
	}
}

// edit changes the manifest of a collection.
func (s *packSite) edit(t *testing.T, name string, change func(root map[string]any)) {
	t.Helper()
	path := filepath.Join(s.dir, name, "manifest.json")
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var root map[string]any
	if err := json.Unmarshal(content, &root); err != nil {
		t.Fatal(err)
	}
	change(root)
	if content, err = json.Marshal(root); err != nil {
		t.Fatal(err)
	}
	writeFile(t, path, content)
}

// packHost serves a packSite, counts the requests for files of encoders, and treats some
// of them as the test says.
type packHost struct {
	http.Handler
	mu     sync.Mutex
	counts map[string]int // by the last part of the path
	treat  map[string]answer
	gate   chan struct{} // closed: answers go out
}

func (h *packHost) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name := path.Base(r.URL.Path)
	if strings.Contains(r.URL.Path, "/encoder/") {
		w.Header().Set("Cache-Control", "no-store") // so that every request comes here
		h.mu.Lock()
		h.counts[name]++
		treat, gate := h.treat[name], h.gate
		h.mu.Unlock()
		if gate != nil {
			select {
			case <-gate:
			case <-r.Context().Done():
				return
			}
		}
		if treat != nil && treat(w, r, []byte(strings.Repeat("x", 1000))) {
			return
		}
	}
	h.Handler.ServeHTTP(w, r)
}

// fresh begins to count anew. treat is for requests from now on, by the last part of
// their path.
func (h *packHost) fresh(gate chan struct{}, treat map[string]answer) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.counts, h.treat, h.gate = map[string]int{}, treat, gate
}

// fetched returns how often each payload file was fetched, in their order.
func (h *packHost) fetched(files []string) (counts []int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, f := range files {
		counts = append(counts, h.counts[path.Base(f)])
	}
	return counts
}

// While the encoder loads, the search box lists what words find. When it has come, nothing
// that a reader looks at moves; a button shows the answer by vectors.
func TestComponentImproves(t *testing.T) {
	t.Parallel()
	s := carryingPacks(t)
	gate := make(chan struct{})
	h := &packHost{Handler: bare(s.dir)}
	h.fresh(gate, nil)
	page := open(t, serve(t, h).URL("/"))
	type box struct {
		Status  string
		Titles  []string
		Tops    []float64
		Offered bool
	}
	const look = `
		const look = () => {
			const root = document.querySelector('vantage-search').shadowRoot;
			const titles = [...root.querySelectorAll('[part=title]')];
			return {
				status: root.querySelector('[part=status]').textContent,
				titles: titles.map((title) => title.textContent),
				tops: titles.map((title) => title.getBoundingClientRect().top),
				offered: root.querySelector('[part=better]').checkVisibility(),
			};
		};
		const until = async (condition) => {
			while (!condition()) await new Promise((resolve) => setTimeout(resolve, 20));
			return look();
		};
	`
	words := call[box](t, page, `async () => {`+look+`
		await import('/lib/vantage-search.js');
		const element = document.createElement('vantage-search');
		element.setAttribute('collection', '/collection/');
		element.value = 'the cat sat';
		document.body.append(element);
		const words = await until(() => element.shadowRoot.querySelector('[part=title]'));
		await new Promise((resolve) => setTimeout(resolve, 1000)); // a reader has begun to read
		return words;
	}`)
	if len(words.Titles) != 10 || !strings.Contains(words.Status, "only by their words") || words.Offered {
		t.Errorf("while the encoder loads: %+v", words)
	}
	close(gate)
	offered := call[box](t, page, `async () => {`+look+`
		return until(() => look().offered);
	}`)
	if offered.Offered = false; !reflect.DeepEqual(offered, words) {
		t.Errorf("when the encoder has come: %+v, before %+v", offered, words)
	}
	better := call[box](t, page, `async () => {`+look+`
		const { status } = look();
		document.querySelector('vantage-search').shadowRoot.querySelector('[part=better]').click();
		return until(() => look().status !== status);
	}`)
	if better.Offered || slices.Equal(better.Titles, words.Titles) || better.Status != "10 results for “the cat sat”" {
		t.Errorf("as asked for: %+v", better)
	}
}

func always(*http.Request) bool { return true }

// packAnswer is what a page learns of a search.
type packAnswer struct {
	Method, Notice, By string
	Hits               int
}

const packHelpers = `
	const lib = await import('/lib/index.js');
	const { Vantage } = lib;` + describeFault + `
	const query = 'reasons against: the cat sat';
	const ask = async (vantage) => {
		const { method, notice = '', encodedBy = '', hits } = await vantage.search({ query });
		return { method, notice, by: encodedBy, hits: hits.length };
	};
`

// A collection's pack is read file by file: words answer until it is there, a load that
// broke goes on with the first file that is missing, and files are kept for all
// collections of the origin.
func TestPack(t *testing.T) {
	t.Parallel()
	s := carryingPacks(t)
	h := &packHost{Handler: bare(s.dir)}
	page := open(t, serve(t, h).URL("/"))
	page.Expect(`Failed to load resource`)
	n := len(s.trunk)

	// The load breaks in the last file of the trunk. Words answer before and after, and the
	// next query that needs the encoder fetches only this file.
	gate := make(chan struct{})
	h.fresh(gate, map[string]answer{path.Base(s.trunk[n-1]): breakOff(always)})
	before := call[packAnswer](t, page, `async () => {`+packHelpers+`
		window.progress = [];
		window.vantage = await Vantage.open('/collection/', { onProgress: (progress) => window.progress.push(structuredClone(progress)) });
		return ask(window.vantage);
	}`)
	if before.Method != "bm25" || !strings.Contains(before.Notice, "the encoder is still loading") || before.Hits == 0 {
		t.Errorf("while the encoder loads: %+v", before)
	}
	close(gate)
	fault := call[seenFault](t, page, `async () => {`+packHelpers+`
		return describe(await window.vantage.ready.then(() => null, (error) => error));
	}`)
	if fault.Name != "NetworkError" || !strings.Contains(fault.Message, path.Base(s.trunk[n-1])) {
		t.Errorf("a broken load: %+v", fault)
	}
	if got := h.fetched(append(slices.Clone(s.trunk), s.rest...)); !slices.Equal(got, append(slices.Repeat([]int{1}, n), make([]int, len(s.rest))...)) {
		t.Errorf("a broken load fetched %v", got)
	}
	again := call[packAnswer](t, page, `async () => {`+packHelpers+`
		const { message } = await window.vantage.encode('a').then(() => ({ message: '' }), (error) => error); // tries again
		return { ...(await ask(window.vantage)), by: message };
	}`)
	if again.Method != "bm25" || !strings.Contains(again.Notice, "could not be fetched, and is being fetched again") || !strings.Contains(again.By, path.Base(s.trunk[n-1])) {
		t.Errorf("while the host breaks off: %+v", again)
	}
	h.fresh(nil, nil)
	mended := call[packAnswer](t, page, `async () => {`+packHelpers+`
		for (;;) { // words answer until the file has come
			const answer = await ask(window.vantage);
			if (answer.method === 'bm25') continue;
			window.vantage.close();
			return { ...answer, notice: JSON.stringify(window.progress.at(-1).encoder) };
		}
	}`)
	if all := s.bytes(s.trunk); mended.Method != "tri-sum" || mended.Notice != fmt.Sprintf(`{"loaded":%d,"total":%d}`, all, all) || mended.By != "engine" {
		t.Errorf("when the host is mended: %+v", mended)
	}
	if got, want := h.fetched(s.trunk), append(make([]int, n-1), 1); !slices.Equal(got, want) {
		t.Errorf("the load that went on fetched %v, want %v", got, want)
	}

	// Another collection of the origin fetches none of them, and only one of its engines
	// holds the model. Roles have their prompts.
	h.fresh(nil, nil)
	texts := []string{"the cat sat", "dogs", "", strings.Repeat("mat ", 100), "zzz ümlaut 12"}
	type encoding struct {
		Vector, Angle   []float32
		Tokens, Unknown int
		Truncated       bool
		EncodedBy       string
	}
	encoded := call[map[string][]encoding](t, page, `async (texts) => {`+packHelpers+`
		window.progress = [];
		window.vantage = await Vantage.open('/other/', { workers: 2, onProgress: (progress) => window.progress.push(structuredClone(progress)) });
		await window.vantage.ready;
		window.atFirst = window.progress.at(-1);
		const plain = ({ vector, angle = [], ...rest }) => ({ vector: [...vector], angle: [...angle], ...rest });
		const out = {};
		for (const role of ['query', 'root', 'perspective', 'document']) out[role] = (await window.vantage.encode(texts, role)).map(plain);
		return out;
	}`, texts)
	if got := h.fetched(append(slices.Clone(s.trunk), s.rest...)); slices.Max(got) != 0 {
		t.Errorf("another collection fetched %v", got)
	}
	if got := h.fetched([]string{s.json()}); got[0] != 1 {
		t.Errorf("pack.json was fetched %d times", got[0])
	}
	angles := call[[]encoding](t, page, `async (texts) => {`+packHelpers+`
		const answers = await window.vantage.encode(texts, 'query', { angle: true });
		const answer = await ask(window.vantage);
		if (answer.by !== 'engine' || answer.notice) throw new Error(JSON.stringify(answer));
		// While it encodes many texts, the engine answers other calls.
		let all = false;
		const encoding = window.vantage.encode(Array(200).fill('the cat sat on a mat')).then(() => (all = true));
		await window.vantage.split(query);
		if (all) throw new Error('a call waited until all texts were encoded');
		await encoding;
		return answers.map(({ vector, angle, ...rest }) => ({ vector: [...vector], angle: [...angle], ...rest }));
	}`, texts)
	if got := h.fetched(s.rest); !slices.Equal(got, slices.Repeat([]int{1}, len(s.rest))) {
		t.Errorf("the branch was fetched %v times", got)
	}
	for role, list := range encoded {
		prompt := "the "
		if role == "document" {
			prompt = "a mat "
		}
		wants, err := s.model.EncodeParts(t.Context(), texts, encoder.Options{Prompt: &prompt}, encoder.Trunk|encoder.Branch)
		if err != nil {
			t.Fatal(err)
		}
		for i, e := range list {
			if want := wants[i]; !slices.Equal(e.Vector, want.Trunk) || e.EncodedBy != "engine" || e.Truncated != want.Truncated || len(e.Angle) != 0 {
				t.Errorf("%s %.20q: %+v", role, texts[i], e)
			}
			if role == "query" && (!slices.Equal(angles[i].Vector, wants[i].Trunk) || !slices.Equal(angles[i].Angle, wants[i].Branch)) {
				t.Errorf("with the angle, %.20q: %+v", texts[i], angles[i])
			}
		}
	}
	type part struct{ Loaded, Total int }
	type told struct {
		Loaded, Total int
		Encoder       part
	}
	progress := call[[]told](t, page, `() => [window.atFirst, window.progress.at(-1)]`)
	first, last := progress[0], progress[1]
	if first.Encoder != (part{s.bytes(s.trunk), s.bytes(s.trunk)}) || first.Loaded != first.Total || first.Loaded <= first.Encoder.Loaded {
		t.Errorf("progress of the trunk: %+v", first)
	}
	if all := s.bytes(append(slices.Clone(s.trunk), s.rest...)); last.Encoder != (part{all, all}) || last.Loaded != last.Total {
		t.Errorf("progress with the branch: %+v", last)
	}

	// Answers have the same bits as in Go and under wazero.
	call[any](t, page, `() => window.vantage.close()`)
	e := expect(t, s.dir, questions()[:6])
	e.equals(t, call[[]string](t, page, ask, "/collection/", e.queries(), map[string]any{}))
	if got := h.fetched(s.trunk); slices.Max(got) != 0 {
		t.Errorf("the first collection fetched %v again", got)
	}

	// A kept file that is not what it was is fetched again.
	spoilt := sha(s.pack[s.trunk[1]])
	call[any](t, page, `async (name) => {`+packHelpers+`
		const { kept } = await import('/static/src/collection/kept.js');
		const content = await kept.storage.load(name);
		content[7] ^= 1;
		await kept.storage.store(name, content);
		const vantage = await Vantage.open('/collection/');
		await vantage.ready;
		await vantage.encode('a');
		vantage.close();
	}`, spoilt)
	want := make([]int, n)
	want[1] = 1
	if got := h.fetched(s.trunk); !slices.Equal(got, want) {
		t.Errorf("with a spoilt file: fetched %v, want %v", got, want)
	}
}

// A pack that cannot be used is an error that says what is wrong and, except for canaries, names
// the file. Words answer.
func TestPackFaults(t *testing.T) {
	t.Parallel()
	s := carryingPacks(t)
	last := path.Base(s.trunk[len(s.trunk)-1])
	swap := func(root map[string]any) {
		files := root["encoder"].(map[string]any)["files"].([]any)
		files[1], files[2] = files[2], files[1]
	}
	h := &packHost{Handler: bare(s.dir)}
	page := open(t, serve(t, h).URL("/"))
	page.Expect(`Failed to load resource`)
	for i, c := range []struct {
		name     string
		treat    answer
		lie      func(root map[string]any)
		maxBytes int
		want     string   // class
		message  []string // what the message must name
		fetched  bool     // payload files
	}{
		{"damaged", when(always, func([]byte) []byte { return flip(slices.Clone(s.pack[s.trunk[len(s.trunk)-1]])) }), nil, 0, "IntegrityError", []string{last, "SHA-256", "upload the folder again"}, true},
		{"missing", notFound(always), nil, 0, "IntegrityError", []string{last, "404", "upload the whole folder"}, true},
		{"swapped files", nil, swap, 0, "IntegrityError", []string{".json", "other files", "upload the whole folder"}, false},
		{"another pack", nil, func(root map[string]any) { root["model"].(map[string]any)["revision"] = "x" }, 0, "IntegrityError", []string{".json", "the manifest's model is test x"}, false},
		{"no room", nil, nil, 2 << 20, "LimitError", []string{".json", "out of memory", "maxBytes"}, false},
		{"canaries of another", nil, func(root map[string]any) {
			vector := root["canaries"].([]any)[0].(map[string]any)["vector"].([]any)
			slices.Reverse(vector)
		}, 0, "EncoderMismatchError", []string{"cosine"}, true},
	} {
		h.fresh(nil, map[string]answer{last: c.treat})
		name := "other"
		if c.lie != nil {
			name = fmt.Sprint("lie", i)
			if err := os.CopyFS(filepath.Join(s.dir, name), os.DirFS(filepath.Join(s.dir, "other"))); err != nil {
				t.Fatal(err)
			}
			s.edit(t, name, c.lie)
		}
		got := call[struct {
			Fault  seenFault
			Answer packAnswer
		}](t, page, `async (name, maxBytes) => {`+packHelpers+`
			const { kept } = await import('/static/src/collection/kept.js');
			for (const name of await kept.storage.names()) await kept.storage.remove(name);
			const vantage = await Vantage.open('/' + name + '/', maxBytes ? { maxBytes } : {});
			const fault = describe(await vantage.ready.then(() => null, (error) => error));
			while (vantage.coverage.rows === 0) await new Promise((resolve) => setTimeout(resolve, 5));
			const answer = await ask(vantage);
			vantage.close();
			return { fault, answer };
		}`, name, c.maxBytes)
		for _, part := range c.message {
			if got.Fault.Name != c.want || !got.Fault.Typed || !strings.Contains(got.Fault.Message, part) {
				t.Errorf("%s: %+v, want %s naming %q", c.name, got.Fault, c.want, part)
			}
		}
		if got.Answer.Method != "bm25" || got.Answer.Hits == 0 || !strings.Contains(got.Answer.Notice, got.Fault.Message) {
			t.Errorf("%s: words answer %+v", c.name, got.Answer)
		}
		if fetched := slices.Max(h.fetched(s.trunk)) > 0; fetched != c.fetched {
			t.Errorf("%s: fetched %v", c.name, h.fetched(s.trunk))
		}
	}

	// A pack that announces a tensor of 400 MB, of which one file is there, takes no memory for it.
	s.announce(t)
	h.fresh(nil, nil)
	got := call[struct {
		Fault    seenFault
		Answer   packAnswer
		Reserved int
	}](t, page, `async () => {`+packHelpers+`
		const vantage = await Vantage.open('/announced/');
		const fault = describe(await vantage.ready.then(() => null, (error) => error));
		const answer = await ask(vantage);
		const { reserved } = await vantage.memory();
		vantage.close();
		return { fault, answer, reserved };
	}`)
	if got.Fault.Name != "IntegrityError" || !strings.Contains(got.Fault.Message, "404") || got.Answer.Method != "bm25" || got.Answer.Hits == 0 || got.Reserved > quantized.AnnouncedBytes/4 {
		t.Errorf("a pack that announces too much: %d MB were reserved, %+v", got.Reserved>>20, got)
	}

	// A worker that dies while it loads the pack is replaced. Words answer while the new
	// one loads it, and what was kept is not fetched again.
	gate := make(chan struct{})
	hold := func(w http.ResponseWriter, r *http.Request, _ []byte) bool {
		select {
		case <-gate:
		case <-r.Context().Done():
		}
		return false
	}
	h.fresh(nil, map[string]answer{last: hold})
	words := call[packAnswer](t, page, `async () => {`+packHelpers+`
		const { kept } = await import('/static/src/collection/kept.js');
		for (const name of await kept.storage.names()) await kept.storage.remove(name);
		const workers = [];
		globalThis.Worker = class extends Worker {
			constructor(...args) {
				super(...args);
				workers.push(this);
			}
		};
		window.vantage = await Vantage.open('/other/', { patience: 500 });
		for (;;) { // all but the last file
			const files = await Promise.all((await kept.storage.names()).map((name) => kept.storage.load(name)));
			if (files.filter(({ length }) => length > 0).length === 3) break;
			await new Promise((resolve) => setTimeout(resolve, 10));
		}
		workers.at(-1).terminate();
		await ask(window.vantage).catch((error) => {
			if (!(error instanceof lib.LostInstanceError)) throw error;
		});
		return ask(window.vantage);
	}`)
	if words.Method != "bm25" || !strings.Contains(words.Notice, "the encoder is still loading") || words.Hits == 0 {
		t.Errorf("after the worker's death: %+v", words)
	}
	close(gate)
	vectors := call[packAnswer](t, page, `async () => {`+packHelpers+`
		await window.vantage.ready;
		return ask(window.vantage);
	}`)
	counts := h.fetched(s.trunk)
	if vectors.Method != "tri-sum" || vectors.By != "engine" || !slices.Equal(counts[:len(counts)-1], []int{1, 1, 1}) {
		t.Errorf("with a new worker: %+v, fetched %v", vectors, counts)
	}

	// A load that the page cancels ends with an AbortError.
	gate = make(chan struct{})
	h.fresh(nil, map[string]answer{last: hold})
	cancelled := call[seenFault](t, page, `async () => {`+packHelpers+`
		window.vantage.close();
		const { kept } = await import('/static/src/collection/kept.js');
		await kept.storage.remove('`+sha(s.pack[s.trunk[len(s.trunk)-1]])+`');
		const stop = new AbortController();
		const vantage = await Vantage.open('/other/', { signal: stop.signal });
		setTimeout(() => stop.abort(), 100);
		const { name, message } = await vantage.ready.then(() => ({}), (error) => error);
		vantage.close();
		return { name, message };
	}`)
	close(gate)
	if cancelled.Name != "AbortError" {
		t.Errorf("a cancelled load: %+v", cancelled)
	}

	// Once many files are kept, those of all encoders but the one in use are forgotten.
	names := call[[]string](t, page, `async () => {`+packHelpers+`
		const { kept } = await import('/static/src/collection/kept.js');
		await Promise.all(Array.from({ length: 160 }, (_, i) => kept.storage.store('old' + i, new Uint8Array(1))));
		const vantage = await Vantage.open('/other/');
		await vantage.ready;
		await vantage.encode('a');
		vantage.close();
		let names;
		do names = await kept.storage.names();
		while (names.some((name) => name.startsWith('old')));
		return names;
	}`)
	var want []string
	for _, path := range s.trunk {
		want = append(want, sha(s.pack[path]))
	}
	if slices.Sort(want); !slices.Equal(names, want) {
		t.Errorf("kept: %q, want %q", names, want)
	}

	// Without storage, everything works, and each visit downloads.
	if err := page.Navigate(call[string](t, page, `() => location.href`)); err != nil {
		t.Fatal(err)
	}
	h.fresh(nil, nil)
	for range 2 {
		stored := call[packAnswer](t, page, `async () => {`+packHelpers+`
			delete FileSystemFileHandle.prototype.createWritable;
			Object.defineProperty(globalThis, 'indexedDB', { value: undefined, configurable: true });
			const vantage = await Vantage.open('/other/', { worker: false });
			await vantage.ready;
			const answer = await ask(vantage);
			vantage.close();
			return answer;
		}`)
		if stored.By != "engine" {
			t.Errorf("without storage: %+v", stored)
		}
	}
	if got := h.fetched(s.trunk); !slices.Equal(got, slices.Repeat([]int{2}, len(s.trunk))) {
		t.Errorf("without storage: fetched %v", got)
	}
}

// announce makes a collection that carries quantized.Announced.
func (s *packSite) announce(t *testing.T) {
	t.Helper()
	const dim = 192
	files, err := quantized.Announced(dim)
	if err != nil {
		t.Fatal(err)
	}
	about, err := pack.Parse(files[pack.FileName])
	if err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(filepath.Join(s.dir, "announced"), os.DirFS(filepath.Join(s.dir, "other"))); err != nil {
		t.Fatal(err)
	}
	listed := func(path, sha string, bytes int) map[string]any {
		return map[string]any{"path": "encoder/" + path, "sha256": sha, "bytes": bytes, "stored": bytes}
	}
	var payload []any
	for _, f := range packfile.Payload(about) {
		payload = append(payload, listed(f.Path, f.SHA256, f.Bytes))
		if content, ok := files[f.Path]; ok {
			writeFile(t, filepath.Join(s.dir, "announced", "encoder", f.Path), content)
		}
	}
	json := files[pack.FileName]
	name := sha(json)[:16] + ".json"
	writeFile(t, filepath.Join(s.dir, "announced", "encoder", name), json)
	s.edit(t, "announced", func(root map[string]any) {
		delete(root, "angles")
		root["encoder"] = map[string]any{"pack": listed(name, sha(json), len(json)), "files": payload}
		model := root["model"].(map[string]any)
		model["revision"] = about.Revision
	})
}

// json is the name of pack.json in a collection.
func (s *packSite) json() string {
	return sha(s.pack[pack.FileName])[:16] + ".json"
}

func sha(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}

// bytes is the length of pack.json and some payload files together.
func (s *packSite) bytes(paths []string) int {
	n := len(s.pack[pack.FileName])
	for _, path := range paths {
		n += len(s.pack[path])
	}
	return n
}
