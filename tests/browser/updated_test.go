package browser

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/collection"
	"github.com/vantage-search/vantage/internal/collection/corpus"
	"github.com/vantage-search/vantage/internal/model/builtin"
	"github.com/vantage-search/vantage/internal/testing/harness"
	"github.com/vantage-search/vantage/internal/wasm/shard"
)

// renewed is the folder of a site whose owner replaces the collection and deletes the files of the old one.
type renewed string

// renewable makes the site: its pages, and one that has the element.
func renewable(t *testing.T) (renewed, *harness.Server) {
	t.Helper()
	s := renewed(t.TempDir())
	if err := pages.Write(string(s)); err != nil {
		t.Fatal(err)
	}
	element := `<!doctype html><html lang="en"><meta charset="utf-8"><title>A page</title>` + elementScript + `<vantage-search collection="/collection/"></vantage-search>`
	if err := os.WriteFile(filepath.Join(string(s), "element.html"), []byte(element), 0o666); err != nil {
		t.Fatal(err)
	}
	s.publish(t, "First")
	return s, serve(t, noStore(folder(string(s))))
}

// publish replaces the collection by one in which every text begins with the name of its edition, so that no file of
// documents has the name of an old one. Each document has a file of its own, so that a page has read few of them.
func (s renewed) publish(t *testing.T, edition string) {
	t.Helper()
	content, err := os.ReadFile(debatesFile)
	if err != nil {
		t.Fatal(err)
	}
	content = bytes.Join(bytes.SplitAfterN(content, []byte("\n"), 121)[:120], nil)
	content = bytes.ReplaceAll(content, []byte(`"text": "`), []byte(`"text": "`+edition+` edition. `))
	if !bytes.Contains(content, []byte(edition)) {
		t.Fatal("the corpus is written otherwise")
	}
	file := filepath.Join(t.TempDir(), "corpus.jsonl")
	if err := os.WriteFile(file, content, 0o666); err != nil {
		t.Fatal(err)
	}
	c, err := corpus.Open(file, corpus.Options{})
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(string(s), "collection")
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	_, err = collection.Write(context.Background(), dir, c.Documents(), collection.Options{
		Name: edition, Rows: collection.Carried{Model: builtin.Builtin()}, DType: shard.I8, BlockDocuments: 1, Terms: true,
	})
	if err != nil {
		t.Fatal(err)
	}
}

const gone = `Failed to load resource.*404`

// The library says that the collection was updated. A file that is missing without an update is another fault.
func TestOutdatedError(t *testing.T) {
	t.Parallel()
	s, server := renewable(t)
	page := open(t, server.URL("/element.html"))
	page.Expect(gone)
	call[any](t, page, `async () => {
		const [{ Vantage }, { Words }] = await Promise.all([import('/lib/index.js'), import('/lib/words.js')]);
		Object.assign(globalThis, { vantage: await Vantage.open('/collection/'), words: await Words.open('/collection/') });
		await vantage.ready;
	}`)
	codes := func() string {
		return strings.Join(call[[]string](t, page, `async () => {
			const fault = ({ name, code, kind, message }) => [name, code, kind, /collection was updated.*reload the page/.test(message)].join(' ');
			return Promise.all([vantage.documents([7]), words.search({ query: 'homework' })].map((asked) => asked.then(() => 'an answer', fault)));
		}`), ", ")
	}
	docs := filepath.Join(string(s), "collection", "docs")
	if err := os.Rename(docs, docs+"-away"); err != nil {
		t.Fatal(err)
	}
	if got := codes(); got != "IntegrityError integrity integrity false, IntegrityError integrity integrity false" {
		t.Errorf("files are missing: %s", got)
	}
	s.publish(t, "Second")
	if got := codes(); got != "OutdatedError outdated integrity true, OutdatedError outdated integrity true" {
		t.Errorf("after an update: %s", got)
	}
}

// A page with the element that has been open since before an update continues with the new version. It does not open
// collections for ever if the host changes its files all the time.
func TestElementContinuesAfterUpdate(t *testing.T) {
	t.Parallel()
	s, server := renewable(t)
	page := open(t, server.URL("/element.html"))
	page.Expect(gone + `|<vantage-search>.*the collection was updated`)
	waitFor(t, page, ready)
	call[any](t, page, `async () => {
		const element = document.querySelector('vantage-search');
		await (await element.vantage).ready;
		globalThis.told = [];
		element.addEventListener('vantage-error', ({ detail }) => told.push(detail.code));
		element.addEventListener('vantage-ready', ({ detail }) => told.push(detail.info.name));
		element.value = 'homework';
		await element.search();
	}`)
	s.publish(t, "Second")
	const typed = `(query) => {
		const input = document.querySelector('vantage-search').shadowRoot.querySelector('input');
		input.value = query;
		input.dispatchEvent(new Event('input', { bubbles: true }));
	}`
	call[any](t, page, typed, "trains")
	waitFor(t, page, elementStatus+`.includes('“trains”') && document.querySelector('vantage-search').shadowRoot.querySelector('[part=text]').textContent.startsWith('Second edition.')`)
	if got := call[string](t, page, `() => told.join() + document.querySelector('vantage-search').shadowRoot.querySelector('[part=fault]').hidden`); got != "Secondtrue" {
		t.Errorf("after the update: %s", got)
	}

	// The folder is not replaced at once: a search that still reads it would find neither files nor manifest.
	call[any](t, page, `async () => {
		const element = document.querySelector('vantage-search');
		await (await element.vantage).ready;
		await element.search();
	}`)
	s.publish(t, "Third")
	call[any](t, page, `() => document.querySelector('vantage-search').addEventListener('vantage-ready', ({ detail }) => {
		detail.documents = () => Promise.reject(Object.assign(new Error('the collection was updated again'), { code: 'outdated' }));
	})`)
	call[any](t, page, typed, "bicycles")
	waitFor(t, page, `told.join() === 'Second,Third,outdated'`)
	if got := call[string](t, page, `() => document.querySelector('vantage-search').shadowRoot.querySelector('[part=fault]').textContent`); got != "the collection was updated again" {
		t.Errorf("the element says: %s", got)
	}
}

// If a result has the focus when the collection is opened again, the field gets it. The same is true if other results
// come while one has it.
func TestElementUpdateKeepsFocus(t *testing.T) {
	t.Parallel()
	s, server := renewable(t)
	page := open(t, server.URL("/element.html"))
	page.Expect(gone)
	waitFor(t, page, ready)
	call[any](t, page, `async () => {
		const element = document.querySelector('vantage-search');
		await (await element.vantage).ready;
		element.value = 'homework';
		await element.search();
	}`)
	const (
		enter = `() => document.querySelector('vantage-search').shadowRoot.querySelector('[part=title]').focus()`
		at    = `document.querySelector('vantage-search').shadowRoot.activeElement?.getAttribute('part')`
	)
	for i, edition := range []string{"First", "Second"} {
		call[any](t, page, enter)
		waitFor(t, page, at+` === 'title'`)
		if edition == "Second" {
			s.publish(t, edition)
		}
		call[any](t, page, `(k) => document.querySelector('vantage-search').setAttribute('k', k)`, fmt.Sprint(7+20*i))
		waitFor(t, page, fmt.Sprintf(elementStatus+`.startsWith('%d results for “homework”') && document.querySelector('vantage-search').shadowRoot.querySelector('[part=text]').textContent.startsWith('%s edition.')`, 7+20*i, edition))
		if got := call[string](t, page, `() => `+at); got != "input" {
			t.Errorf("%s: the focus is on %q", edition, got)
		}
	}
}

// The search page and the lab say that the site was updated, and load it again for the query that was typed.
func TestPagesSayThatTheSiteWasUpdated(t *testing.T) {
	t.Parallel()
	s, server := renewable(t)
	page := openUnkept(t, server.URL("/?q=homework"))
	page.Expect(gone)
	const (
		says   = `document.getElementById('fault').checkVisibility() && document.getElementById('fault').textContent.startsWith('This site was updated while this page was open. Reload the page')`
		reload = `() => document.querySelector('#fault button').click()`
	)
	waitFor(t, page, `globalThis.vantage && document.getElementById('summary').textContent.includes('by meaning')`)
	s.publish(t, "Second")
	call[any](t, page, typeQuery, "trains")
	waitFor(t, page, says+` && location.search === '?q=trains'`)
	// The next query fails, too. A screen reader has heard why.
	call[any](t, page, `() => {
		globalThis.repeated = 0;
		new MutationObserver(() => repeated++).observe(document.getElementById('fault'), { childList: true });
		const { search } = vantage;
		vantage.search = async (query) => search.call(vantage, query).finally(() => setTimeout(() => (globalThis.failed = query.query)));
	}`)
	call[any](t, page, typeQuery, "trains at night")
	waitFor(t, page, says+` && location.search === '?q=trains+at+night' && globalThis.failed === 'trains at night'`)
	if got := call[int](t, page, `() => repeated`); got != 0 {
		t.Errorf("the fault is announced %d times more", got)
	}
	// What helps the owner is folded.
	if got := call[string](t, page, `() => String(document.querySelector('#fault details').open) + document.querySelector('#fault details').textContent`); !strings.HasPrefix(got, "falseDetails for the owner of this site") || !strings.Contains(got, "OutdatedError: docs/") {
		t.Errorf("for the owner: %s", got)
	}
	call[any](t, page, reload)
	settles(t, page, `globalThis.vantage?.info.name === 'Second' && document.getElementById('query').value === 'trains at night' && document.querySelector('.result') && document.getElementById('fault').hidden`)

	lab := openUnkept(t, server.URL("/lab.html?q=homework"))
	lab.Expect(gone)
	waitFor(t, lab, answered+` && document.getElementById('query').value === 'homework'`)
	s.publish(t, "Third")
	call[any](t, lab, set, "query", "trains")
	call[any](t, lab, `() => document.getElementById('form').requestSubmit()`)
	waitFor(t, lab, says)
	call[any](t, lab, reload)
	settles(t, lab, answered+` && globalThis.vantage.info.name === 'Third' && document.getElementById('query').value === 'trains' && document.getElementById('fault').hidden`)
}
