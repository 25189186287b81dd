package browser

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
)

// drop drops a file on the page, like a visitor.
const drop = `async (name, content) => {
	const bytes = Uint8Array.from(atob(content ?? ''), (c) => c.charCodeAt(0));
	const dataTransfer = new DataTransfer();
	dataTransfer.items.add(new File([bytes], name));
	for (const type of ['dragover', 'drop']) document.body.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
}`

const gardenCSV = "id,title,text,year,side\r\n" +
	"1,\"Tomatoes, watered\",\"Tomatoes want deep watering twice a week,\nnot a sip a day.\",2020,for\r\n" +
	"2,Slugs,\"Slugs come at night and eat \"\"everything\"\" green.\",2021,against\r\n" +
	"3,Compost,Compost feeds the soil and holds water.,,for\r\n" +
	"4,Night trains,A night train saves a hotel and a flight.,2022,for\r\n"

// A file is searched in the page: nothing of it is sent, the ranking is the
// library's over the same documents, and the visitor can return to the page's
// collection.
func TestDemoFile(t *testing.T) {
	t.Parallel()
	dir := debates(t)
	var requests atomic.Int64
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet || r.URL.RawQuery != "" {
			requests.Add(1)
		}
		folder(dir).ServeHTTP(w, r)
	})
	page := openUnkept(t, serve(t, mux).Lab())
	waitFor(t, page, `document.getElementById('loading').hidden && document.querySelector('#chosen .hit')`)
	before := shown(t, page, "chosen")

	call[any](t, page, drop, "garden.csv", []byte(gardenCSV))
	waitFor(t, page, `document.getElementById('file-name').textContent.includes('garden.csv: 4 documents') && document.querySelectorAll('#plain .hit').length === 4`)
	call[any](t, page, set, "query", "watering the garden")
	waitFor(t, page, `document.querySelector('#plain h3')?.textContent === 'Tomatoes, watered'`)
	text := call[string](t, page, `() => document.querySelector('#plain .hit').textContent`)
	if !strings.Contains(text, "twice a week,\nnot a sip") || !strings.Contains(text, "2020") || !strings.Contains(text, "for") {
		t.Errorf("the page shows %q", text)
	}
	if same := call[bool](t, page, `async () => {
		const { Vantage } = await import('/lib/index.js');
		const other = await Vantage.open('/collection/');
		const titles = Array.from(document.querySelectorAll('#plain h3'), (h) => h.textContent);
		const documents = await window.vantage.documents([0, 1, 2, 3]);
		const { hits } = await other.rerank(documents.map(({ title, text }) => title + ' ' + text), { query: 'watering the garden', method: 'none' });
		other.close();
		return JSON.stringify(hits.map((hit) => documents[hit.index].title)) === JSON.stringify(titles);
	}`); !same {
		t.Error("the library ranks the same documents differently")
	}
	if examples := call[bool](t, page, `() => document.getElementById('examples').hidden`); !examples {
		t.Error("examples of another collection are offered")
	}
	link := call[string](t, page, `() => { document.getElementById('form').requestSubmit(); return decodeURIComponent(location.hash.replaceAll('+', ' ')); }`)
	if !strings.Contains(link, "in=garden.csv (4, vantage-static-en") {
		t.Errorf("the link does not name its file: %s", link)
	}

	// The file is kept on request, found by the next visit, and then deleted.
	call[any](t, page, `() => document.getElementById('file-keep').click()`)
	waitFor(t, page, `document.querySelector('#kept .kept')?.textContent.includes('garden.csv')`)
	call[any](t, page, `() => document.getElementById('file-back').click()`)
	call[any](t, page, `() => document.querySelector('.example').click()`)
	waitFor(t, page, `document.getElementById('file-now').hidden && /night (train|coach)/i.test(document.querySelector('#plain h3')?.textContent) && document.querySelector('#chosen .hit')`)
	if kind := call[string](t, page, `() => document.querySelector('#plain .hit .tag[title^="kind:"]')?.textContent ?? ''`); kind != "point" {
		t.Errorf("the kind of a point is shown as %q", kind)
	}
	// A point has no title: its text is the heading, and stands there once.
	if text := call[string](t, page, `() => document.querySelector('#plain .hit .text').hidden ? '' : 'not hidden'`); text != "" {
		t.Error("the text of a point stands below itself")
	}
	if got := shown(t, page, "chosen"); !slices.Equal(got, before) {
		t.Errorf("back at the collection the page shows %v, before %v", got, before)
	}
	if err := page.Navigate(call[string](t, page, `() => location.href.split('#')[0] + '?'`)); err != nil {
		t.Fatal(err)
	}
	waitFor(t, page, `document.getElementById('loading').hidden && document.querySelector('#kept .kept button')`)
	call[any](t, page, `() => document.querySelector('#kept .kept button').click()`)
	waitFor(t, page, `document.getElementById('file-name').textContent.includes('garden.csv: 4 documents') && document.querySelectorAll('#plain .hit').length === 4`)
	call[any](t, page, `() => document.querySelector('#kept .remove').click()`)
	waitFor(t, page, `document.getElementById('kept').hidden`)
	if n := call[int](t, page, `async () => (await (await import('/lib/index.js')).Vantage.saved()).length`); n != 0 {
		t.Errorf("%d files are still kept", n)
	}

	// Another file replaces it; it is compressed and has fields of mixed types.
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	for i := range 1000 {
		fmt.Fprintf(z, "{\"_id\": %d, \"text\": \"note number %d about trains\", \"mixed\": %s}\n", i, i, []string{"1", `"one"`, "true"}[i%3])
	}
	z.Close()
	call[any](t, page, drop, "notes.jsonl.gz", b.Bytes())
	waitFor(t, page, `document.getElementById('file-name').textContent.includes('notes.jsonl.gz: 1,000 documents') && document.querySelectorAll('#plain .hit').length === 10`)
	if n := requests.Load(); n != 0 {
		t.Errorf("%d requests were made beyond loading the page", n)
	}
}

// Kept files of one name stay apart. One that another tab has forgotten is no longer offered.
func TestDemoFileKeptAgain(t *testing.T) {
	t.Parallel()
	page := demo(t, debates(t))
	keep := func(content, kept string) {
		t.Helper()
		call[any](t, page, drop, "notes.csv", []byte(content))
		waitFor(t, page, fmt.Sprintf(`document.getElementById('file-name').textContent.includes('notes.csv: %d document')`, strings.Count(content, "\n")-1))
		call[any](t, page, `() => document.getElementById('file-keep').click()`)
		waitFor(t, page, `Array.from(document.querySelectorAll('#kept .example'), (open) => open.textContent).join() === '`+kept+`'`)
	}
	keep("id,text\n1,Cats sleep\n", "notes.csv")
	keep("id,text\n1,Dogs bark\n2,Cows moo\n", "notes.csv,notes.csv (2)")
	open := func(i int) {
		t.Helper()
		call[any](t, page, `(i) => document.querySelectorAll('#kept .example')[i].click()`, i)
	}
	open(0)
	waitFor(t, page, `document.getElementById('file-name').textContent.includes('notes.csv: 1 document,')`)
	open(1)
	waitFor(t, page, `document.getElementById('file-name').textContent.includes('notes.csv (2): 2 documents')`)
	call[any](t, page, `async () => {
		const { Vantage } = await import('/lib/index.js');
		await Vantage.forget((await Vantage.saved()).find((name) => name.endsWith('notes.csv')));
	}`)
	open(0)
	waitFor(t, page, `document.getElementById('file-fault').textContent === 'notes.csv is no longer kept in this browser' && document.querySelectorAll('#kept .example').length === 1`)

	// Without a query there is no answer, nor an earlier one.
	call[any](t, page, set, "query", "")
	call[any](t, page, `() => document.getElementById('file-back').click()`)
	waitFor(t, page, `document.getElementById('file-now').hidden && document.getElementById('results').hidden`)
	call[any](t, page, set, "query", "night trains")
	waitFor(t, page, `!document.getElementById('results').hidden && document.querySelector('#plain .hit')`)
}

// A file can be given up while the encoder loads.
func TestDemoFileCancelled(t *testing.T) {
	t.Parallel()
	site := &gated{Handler: folder(kingsSite(t)), parts: []string{"/encoder/"}}
	defer site.shut()()
	page := openUnkept(t, serve(t, site).Lab())
	waitFor(t, page, `globalThis.vantage`)
	call[any](t, page, drop, "garden.csv", []byte(gardenCSV))
	waitFor(t, page, `document.getElementById('file-text').textContent.startsWith('Encoding garden.csv')`)
	call[any](t, page, `() => document.getElementById('file-cancel').click()`)
	if call[bool](t, page, `() => !document.getElementById('file-progress').hidden`) {
		t.Error("a file that is given up is still shown as being read")
	}
	// So can what a page adds by the library.
	got := call[string](t, page, `async () => {
		const { Vantage } = await import('/lib/index.js');
		const other = await Vantage.create({ encoder: globalThis.vantage });
		const said = [];
		for (const vantage of [globalThis.vantage, other]) {
			const stop = new AbortController();
			const added = vantage.add([{ id: '1', text: 'A night train.' }], { signal: stop.signal, angles: true });
			setTimeout(() => stop.abort(new Error('given up')), 50);
			said.push(await Promise.race([added, new Promise((resolve) => setTimeout(() => resolve({ message: 'waits' }), 5000))]).catch((error) => error));
		}
		other.close();
		return said.map(({ message }) => message).join();
	}`)
	if got != "given up,given up" {
		t.Errorf("additions that are given up: %s", got)
	}
}

// A fault in a file is reported with its line and a remedy, and the previous
// collection can still be searched.
func TestDemoFileFaults(t *testing.T) {
	t.Parallel()
	page := demo(t, debates(t))
	before := shown(t, page, "chosen")
	for _, c := range []struct {
		name, content string
		words         []string
	}{
		{"a.csv", "id,text\n1,\"x\n", []string{"a.csv, line 2", "never closed", `""`}},
		{"a.csv", "id,body\n1,5\n", []string{"line 1", `no column "text"`, `"body"`}},
		{"a.jsonl", "{\"_id\": \"1\", \"text\": \"x\"}\n\n{\"_id\": \"1\", \"text\": \"y\"}", []string{"a.jsonl, line 3", "already taken by line 1", "id of its own"}},
		{"a.jsonl", "<html>", []string{"line 1", "not a JSON object"}},
		{"a.jsonl", "\n", []string{"no document"}},
		{"a.pdf", "x", []string{"unknown kind", ".csv"}},
		{"a.jsonl.gz", "\x1f\x8b\x08\x00broken", []string{"cannot be read", "again"}},
	} {
		call[any](t, page, `() => { document.getElementById('file-fault').textContent = ''; }`)
		call[any](t, page, drop, c.name, []byte(c.content))
		waitFor(t, page, `document.getElementById('file-fault').textContent !== ''`)
		said := call[string](t, page, `() => document.getElementById('file-fault').textContent`)
		for _, word := range c.words {
			if !strings.Contains(said, word) {
				t.Errorf("%s %q: %q is not in %q", c.name, c.content, word, said)
			}
		}
	}
	if got := shown(t, page, "chosen"); !slices.Equal(got, before) {
		t.Errorf("after the faults the page shows %v, before %v", got, before)
	}

	// Limits apply before memory runs out: too many documents, an endless record
	// or line, and a file that is too large.
	limits := call[[]string](t, page, `async () => {
		const { readFile } = await import('/static/demo/parts/corpus/read.js');
		const { Fault } = await import('/static/demo/parts/corpus/fault.js');
		const said = [];
		const many = Array.from({ length: 50001 }, (_, i) => i + ',x').join('\n');
		const long = 'x'.repeat((16 << 20) + 1);
		const lines = ('x'.repeat(1 << 20) + '\n').repeat(17);
		for (const [name, parts] of [['a.csv', ['id,text\n', many]], ['a.jsonl', ['\n{"_id": "', long]], ['a.csv', ['id,text\n1,a\n2,"', lines]]]) {
			let taken = 0;
			try {
				await readFile(new File(parts, name), { take: () => taken++ });
			} catch (error) {
				said.push(error instanceof Fault ? error.message + ' (' + taken + ')' : String(error.stack));
			}
		}
		const big = new File(['x'], 'a.csv');
		Object.defineProperty(big, 'size', { value: 3e8 });
		await readFile(big, { take() {} }).catch((error) => said.push(error.message));
		return said;
	}`)
	for i, want := range []string{"a.csv, line 50002: more than 50,000 documents", "a.jsonl, line 2: the line is longer than 16 MB", "a.csv, line 3: the record is longer than 16 MB", "at most 256 fit into a page: index it with"} {
		if i >= len(limits) || !strings.Contains(limits[i], want) {
			t.Fatalf("limit %d: %q", i, limits)
		}
	}
}

// Reading a file can be cancelled, and of two files the last one wins.
func TestDemoFileCancel(t *testing.T) {
	t.Parallel()
	page := demo(t, debates(t))
	corpus, err := os.ReadFile(debatesFile)
	if err != nil {
		t.Fatal(err)
	}
	before := shown(t, page, "chosen")
	var many bytes.Buffer
	for i := range 20 {
		many.Write(bytes.ReplaceAll(corpus, []byte(`{"_id": "`), fmt.Appendf(nil, `{"_id": "%d-`, i)))
	}
	call[any](t, page, drop, "many.jsonl", many.Bytes())
	waitFor(t, page, `document.getElementById('file-text').textContent.startsWith('Encoding many.jsonl')`)
	call[any](t, page, `() => document.getElementById('file-cancel').click()`)
	waitFor(t, page, `document.getElementById('file-progress').hidden`)
	if text := call[string](t, page, `() => document.getElementById('file-fault').textContent + document.getElementById('file-name').textContent`); text != "" {
		t.Errorf("after cancelling, the page says %q", text)
	}
	if got := shown(t, page, "chosen"); !slices.Equal(got, before) {
		t.Errorf("the page shows %v, before %v", got, before)
	}
	// Of two files, the last one wins.
	call[any](t, page, drop, "many.jsonl", many.Bytes())
	call[any](t, page, drop, "garden.csv", []byte(gardenCSV))
	waitFor(t, page, `document.getElementById('file-name').textContent.includes('garden.csv') && document.getElementById('file-progress').hidden`)
	if n := call[int](t, page, `() => window.vantage.coverage.rows`); n != 4 {
		t.Errorf("%d documents are searched", n)
	}
}
