package browser

import (
	"errors"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/vantage-search/vantage/internal/testing/quantized"
	"github.com/vantage-search/vantage/internal/wasm/kernel/dense"
	"github.com/vantage-search/vantage/internal/wasm/pack"
	"github.com/vantage-search/vantage/internal/wasm/packed"
	"github.com/vantage-search/vantage/internal/wasm/transformer"
	"github.com/vantage-search/vantage/perspective"
	"github.com/vantage-search/vantage/static"
)

// readerSite is a packSite whose pack has a reader of queries, of random weights: what it reads makes no
// sense, and differs from what the grammar reads.
type readerSite struct {
	*packSite
	queries          []string
	grammar, readers []reading // of the queries
	apart            int       // place of a query in which they find different roots
}

// reading is a Reading of the page; nil: the query asks for no perspective.
type reading *struct {
	Root, Perspective, Kind string
	Side                    *string
	Both                    bool
}

func readingOf(r perspective.Reading) reading {
	if r == (perspective.Reading{}) {
		return nil
	}
	out := reading(&struct {
		Root, Perspective, Kind string
		Side                    *string
		Both                    bool
	}{Root: r.Root, Perspective: r.Perspective, Kind: string(r.Kind), Both: r.Both})
	if r.Side != 0 {
		out.Side = ptr(map[bool]string{true: "for", false: "against"}[r.Side > 0])
	}
	return out
}

func sameReading(a, b reading) bool {
	return (a == nil) == (b == nil) && (a == nil || a.Root == b.Root && a.Perspective == b.Perspective && a.Kind == b.Kind && a.Both == b.Both &&
		(a.Side == nil) == (b.Side == nil) && (a.Side == nil || *a.Side == *b.Side))
}

func readingPacks(t *testing.T) *readerSite {
	t.Helper()
	shape := packShape
	shape.Branch.Layers = 5 // so that it has several files
	shape.Reader = transformer.QuantizedReader{States: []int{1, 3, 5}, Width: 150, Labels: len(quantized.ReaderLabels)}
	s := &readerSite{packSite: newPackSite(t, t.TempDir(), shape)}
	s.read(t)
	if len(s.rest) < 3 {
		t.Fatalf("the branch has only the files %q: the test needs another shape", s.rest)
	}
	return s
}

// read finds out how Go reads some queries, by the grammar and by the reader.
func (s *readerSite) read(t *testing.T) {
	t.Helper()
	s.queries = []string{
		"reasons against: the cat sat", "why school uniforms are bad", "what speaks for night trains?", "the cat", "", "zzz",
		"school uniforms, but from the side of people who work at night", "do night trains help or hurt the cost of a week?",
		"Find a claim that opposes the argument: night trains help people", "night trains in Japan: the argument", "ümlaut trains — a claim",
		strings.Repeat("trains ", 70), "why the cat is bad for a mat", "what speaks against red ships?", "a mat from the side of the dogs",
		"pros and cons of night trains and of the cost of a week", "arguments for school uniforms in a town by the sea", "red ships according to the people of a town",
	}
	native, err := packed.Open(s.pack[pack.FileName], nil, dense.NewPool(1))
	if err != nil {
		t.Fatal(err)
	}
	for _, section := range native.Manifest().Sections {
		for _, f := range section.Files {
			if err := native.File(section.Name, s.pack[f.Path]); err != nil {
				t.Fatal(err)
			}
		}
	}
	s.apart = -1
	for i, query := range s.queries {
		r, err := native.Read(query)
		if err != nil {
			t.Fatal(err)
		}
		s.grammar = append(s.grammar, readingOf(perspective.Read(query)))
		s.readers = append(s.readers, readingOf(r))
		if g := perspective.Read(query); g.Root != r.Root && g.Root != "" && r.Root != "" {
			s.apart = i
		}
	}
	if s.apart < 0 {
		t.Fatal("the reader reads as the grammar does: the test needs other weights")
	}
}

// expect compares what the page reads.
func (s *readerSite) expect(t *testing.T, when string, got, want []reading) {
	t.Helper()
	for i, query := range s.queries {
		if !sameReading(got[i], want[i]) {
			t.Errorf("%s, %q is read as %+v, want %+v", when, query, got[i], want[i])
		}
	}
}

const readerHelpers = packHelpers + `
	const { kept } = await import('/static/src/collection/kept.js');
	const forget = async () => {
		for (const name of await kept.storage.names()) await kept.storage.remove(name);
	};
	const readAll = (vantage, queries) => Promise.all(queries.map((one) => vantage.split(one)));
`

// The grammar reads queries while the encoder loads, and the pack's reader once it is there: as in Go. An
// answer by meaning is that of the reader.
func TestReader(t *testing.T) {
	t.Parallel()
	s := readingPacks(t)
	h := &packHost{Handler: bare(s.dir)}
	page := open(t, serve(t, h).URL("/"))
	type state struct {
		Readings []reading
		Progress struct{ Loaded, Total int }
		Answers  [3]string
	}
	for _, options := range []map[string]any{{"workers": 1}, {"workers": 2}, {"worker": false}} {
		gate := make(chan struct{})
		h.fresh(gate, nil)
		early := call[[]reading](t, page, `async (queries, options, apart) => {`+readerHelpers+`
			await forget();
			window.progress = null;
			window.vantage = await Vantage.open('/collection/', { ...options, onProgress: ({ encoder }) => (window.progress = { ...encoder }) });
			// It is asked before the encoder is there, which it waits for.
			window.texts = ['the cat sat', 'night trains help people', 'a school'];
			window.early = window.vantage.rerank(window.texts, { query: queries[apart] });
			return readAll(window.vantage, queries);
		}`, s.queries, options, s.apart)
		s.expect(t, "while the encoder loads", early, s.grammar)
		close(gate)
		got := call[state](t, page, `async (queries, apart) => {`+readerHelpers+`
			const text = queries[apart];
			const { vantage, texts, early } = window;
			await vantage.ready;
			const progress = window.progress;
			const brief = ({ method, kind, hits }) => JSON.stringify([method, kind, hits.map(({ index, score }) => [index, score])]);
			const { root, perspective } = await vantage.split(text);
			const answers = [
				brief(await early),
				brief(await vantage.rerank(texts, { query: text })),
				brief(await vantage.rerank(texts, { query: text, root, perspectives: perspective })),
			];
			const result = await vantage.search({ query: text });
			if (result.notice || result.method === 'bm25') throw new Error(JSON.stringify(result));
			const readings = await readAll(vantage, queries);
			vantage.close();
			return { readings, progress, answers };
		}`, s.queries, s.apart)
		s.expect(t, "with the encoder", got.Readings, s.readers)
		if all := s.bytes(append(slices.Clone(s.trunk), s.reads...)); got.Progress.Loaded != all || got.Progress.Total != all {
			t.Errorf("%v: progress %+v, want %d", options, got.Progress, all)
		}
		if a := got.Answers; a[0] != a[1] || a[1] != a[2] {
			t.Errorf("%v: asked while the encoder loads, afterwards, and with root and perspective:\n%s", options, strings.Join(a[:], "\n"))
		}
		if fetched := h.fetched(slices.Concat(s.trunk, s.reads)); slices.Max(fetched) != 1 || slices.Min(fetched) != 1 {
			t.Errorf("%v: fetched %v", options, fetched)
		}
	}

	// After a worker's death, another one loads the encoder. Meanwhile, the grammar reads.
	call[any](t, page, `async (queries, text, grammar, reader) => {`+readerHelpers+`
		const workers = [];
		globalThis.Worker = class extends Worker {
			constructor(...args) {
				super(...args);
				workers.push(this);
			}
		};
		const vantage = await Vantage.open('/collection/', { workers: 1, patience: 500 });
		await vantage.ready;
		workers.at(-1).terminate();
		for (;;) {
			const { root } = await vantage.split(text).catch((error) => {
				if (!(error instanceof lib.LostInstanceError)) throw error;
				return { root: grammar };
			});
			if (root === reader) break;
			if (root !== grammar) throw new Error(root);
			await new Promise((resolve) => setTimeout(resolve, 20));
		}
		// What is under way ends with the collection.
		const asked = readAll(vantage, queries);
		vantage.close();
		await asked.catch((error) => {
			if (!(error instanceof lib.ClosedError)) throw error;
		});
	}`, s.queries, s.queries[s.apart], s.grammar[s.apart].Root, s.readers[s.apart].Root)
}

// Without the reader's file, everything else works: the grammar reads, and a notice says why. If it could only
// not be fetched, the next query fetches it again.
func TestReaderFaults(t *testing.T) {
	t.Parallel()
	s := readingPacks(t)
	h := &packHost{Handler: bare(s.dir)}
	page := open(t, serve(t, h).URL("/"))
	page.Expect(`Failed to load resource`)
	name := path.Base(s.reads[0])
	type state struct {
		Readings      []reading
		Progress      struct{ Loaded, Total int }
		First, Second packAnswer
	}
	const visit = `async (queries) => {` + readerHelpers + `
		await forget();
		let progress = null;
		window.vantage = await Vantage.open('/collection/', { onProgress: ({ encoder }) => (window.progress = { ...encoder }) });
		await window.vantage.ready;
		progress = window.progress;
		const first = await ask(window.vantage);
		const second = await ask(window.vantage);
		return { readings: await readAll(window.vantage, queries), progress, first, second };
	}`
	lacks := func(what string, got packAnswer) {
		t.Helper()
		if got.By != "engine" || got.Method == "bm25" || got.Hits == 0 || !strings.Contains(got.Notice, "the reader of queries cannot be used") || !strings.Contains(got.Notice, name) {
			t.Errorf("%s: %+v", what, got)
		}
	}
	for what, treat := range map[string]answer{
		"damaged": when(always, func([]byte) []byte { return flip(slices.Clone(s.pack[s.reads[0]])) }),
		"missing": notFound(always),
		"broken":  breakOff(always),
	} {
		h.fresh(nil, map[string]answer{name: treat})
		got := call[state](t, page, visit, s.queries)
		s.expect(t, what, got.Readings, s.grammar)
		lacks(what, got.First)
		lacks(what, got.Second)
		if all := s.bytes(s.trunk); got.Progress.Loaded != all || got.Progress.Total != all {
			t.Errorf("%s: progress %+v, want %d", what, got.Progress, all)
		}
		tries := h.fetched(s.reads[:1])[0]
		if again := tries > 2; again != (what == "broken") { // a damaged file is fetched twice at once
			t.Errorf("%s: the reader was fetched %d times", what, tries)
		}
		if what != "broken" {
			call[any](t, page, `() => window.vantage.close()`)
			continue
		}
		// Another query needs the branch meanwhile. The engine reads one after the other.
		gates := [2]chan struct{}{make(chan struct{}), make(chan struct{})}
		hold := func(gate chan struct{}) answer {
			return func(_ http.ResponseWriter, r *http.Request, _ []byte) bool {
				select {
				case <-gate:
				case <-r.Context().Done():
				}
				return false
			}
		}
		h.fresh(nil, map[string]answer{name: hold(gates[0]), path.Base(s.rest[len(s.rest)-1]): hold(gates[1])})
		angles := call[int](t, page, `async () => {`+packHelpers+`
			await ask(window.vantage); // fetches the reader again
			window.angles = window.vantage.encode('the cat', 'query', { angle: true });
			return 0;
		}`)
		for _, gate := range gates {
			time.Sleep(300 * time.Millisecond) // as much as can comes meanwhile
			close(gate)
		}
		mended := call[state](t, page, `async (queries) => {`+readerHelpers+`
			await window.angles;
			let first;
			do first = await ask(window.vantage);
			while (first.notice);
			const readings = await readAll(window.vantage, queries);
			const progress = window.progress;
			window.vantage.close();
			return { readings, progress, first, second: first };
		}`, s.queries)
		s.expect(t, "mended", mended.Readings, s.readers)
		if all := s.bytes(slices.Concat(s.trunk, s.rest, s.reads)); angles != 0 || mended.Progress.Loaded != all || mended.Progress.Total != all {
			t.Errorf("mended: progress %+v, want %d", mended.Progress, all)
		}
	}
}

// The lab shows how it has read the query. When the encoder has come, it reads again unless the visitor has
// edited the reading.
func TestLabReadsAgain(t *testing.T) {
	t.Parallel()
	s := readingPacks(t)
	dir := t.TempDir()
	if err := errors.Join((static.Page{Name: "Trains"}).Write(dir), os.Symlink(filepath.Join(s.dir, "collection"), filepath.Join(dir, "collection"))); err != nil {
		t.Fatal(err)
	}
	query, grammar, reader := s.queries[s.apart], s.grammar[s.apart], s.readers[s.apart]
	h := &packHost{Handler: bare(dir), counts: map[string]int{}}
	type form struct{ Root, Perspective string }
	const look = `
		const look = () => ({
			root: document.querySelector('#form').elements.root.value,
			perspective: [...document.querySelectorAll('#perspectives input')].map((input) => input.value).join(),
		});
		const until = async (condition) => {
			while (!condition()) await new Promise((resolve) => setTimeout(resolve, 20));
			return look();
		};
	`
	host := serve(t, h)
	for _, edited := range []bool{false, true} {
		gate := make(chan struct{})
		h.fresh(gate, nil)
		page := openUnkept(t, host.URL("/lab.html"))
		early := call[form](t, page, `async (query, edited) => {`+look+`
			const { query: input, root } = document.querySelector('#form').elements;
			input.value = query;
			input.dispatchEvent(new Event('input', { bubbles: true }));
			await until(() => look().root);
			const first = look();
			if (edited) {
				root.value = 'a school';
				root.dispatchEvent(new Event('input', { bubbles: true }));
			}
			return first;
		}`, query, edited)
		if early != (form{grammar.Root, grammar.Perspective}) {
			t.Errorf("while the encoder loads: %+v, want %+v", early, *grammar)
		}
		close(gate)
		want := form{reader.Root, reader.Perspective}
		if edited {
			want = form{"a school", grammar.Perspective}
		}
		// The form reads again after the first answer with the encoder.
		late := call[form](t, page, `async (root) => {`+look+`
			await window.vantage.ready;
			return until(() => {
				const better = document.querySelector('#better-show');
				if (better.checkVisibility()) better.click();
				return document.querySelector('#chosen .hit') && look().root === root;
			});
		}`, want.Root)
		if late != want {
			t.Errorf("with the encoder, edited %v: %+v, want %+v", edited, late, want)
		}
	}
}
