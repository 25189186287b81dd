package browser

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/vantage-search/vantage/internal/mvrag"
	"github.com/vantage-search/vantage/internal/search"
	"github.com/vantage-search/vantage/internal/testing/chatscript"
	"github.com/vantage-search/vantage/internal/testing/harness"
	"github.com/vantage-search/vantage/internal/testing/wait"
	"github.com/vantage-search/vantage/perspective"
)

const (
	click      = `(id) => document.getElementById(id).click()`
	domainSaid = `document.getElementById('domain-said').textContent.startsWith(%q)`
	// documentsOf lists the documents of a list.
	documentsOf = `(selector) => Array.from(document.querySelectorAll(selector + ' > li'), (item) => Number(item.dataset.index))`
)

// withDomains opens the fold of the domains in a lab.
func withDomains(t *testing.T, page *harness.Page, lab string) {
	t.Helper()
	navigated(t, page, lab)
	waitFor(t, page, answered)
	waitFor(t, page, `!document.getElementById('domain-section').hidden`)
	call[any](t, page, `() => { document.getElementById('domain-fold').open = true; }`)
}

// lawViews are the rankings by cosine of the perspectives that count, in Go, and the hits of
// all of them by their indexes.
func lawViews(t *testing.T, collection *search.Collection, query string, k int, off ...string) (views []mvrag.View, rankings [][]mvrag.Hit, hits map[int]search.Hit) {
	t.Helper()
	hits = map[int]search.Hit{}
	for i, p := range lawScores {
		if p.score > mvrag.DefaultThreshold && !slices.Contains(off, p.name) {
			views = append(views, mvrag.View{Perspective: i, Weight: p.score, Query: rewritten(p.name, query)})
		}
	}
	if len(views) == 0 {
		views = []mvrag.View{{Perspective: mvrag.Plain, Weight: 1, Query: query}}
	}
	for _, v := range views {
		result, err := collection.Search(t.Context(), search.Query{Query: search.Text{Text: v.Query}, Method: "none", Score: perspective.Cosine, K: k})
		if err != nil {
			t.Fatal(err)
		}
		var ranking []mvrag.Hit
		for _, h := range result.Hits {
			ranking = append(ranking, mvrag.Hit{Document: uint32(h.Index), Score: float64(h.Score)})
			hits[h.Index] = h
		}
		rankings = append(rankings, ranking)
	}
	return views, rankings, hits
}

// timed says when a rewritten query went through the page, in milliseconds of the clock.
type timed struct {
	Query                   string
	Line, Ranked, Documents float64
	Asked, Shown, Painted   float64
}

// since says what each step took after the query's last token.
func (q timed) since(last float64) string {
	return fmt.Sprintf("%.0f ms from its last token to its hits in the page, %.0f to the screen: encoded and sent %.1f, read by the page %.1f, ranked %.1f, documents %.1f, put into the page %.1f, painted %.1f",
		q.Shown-last, q.Painted-last, q.Line-last, q.Asked-q.Line, q.Ranked-q.Asked, q.Documents-q.Ranked, q.Shown-q.Documents, q.Painted-q.Shown)
}

// timeQueries notes when the page has the line of each query, asks the worker for its hits,
// has them and their documents, shows them and has painted them.
const timeQueries = `() => {
	const now = () => performance.timeOrigin + performance.now();
	window.times = [];
	const documents = [];
	const { parse } = JSON;
	JSON.parse = (...args) => {
		const value = parse(...args);
		if (value?.object === 'query') {
			const vector = new Float32Array(Uint8Array.from(atob(value.embedding), (c) => c.charCodeAt(0)).buffer);
			window.times.push({ query: value.query, vector: vector.slice(0, 8).join(), line: now() });
		}
		return value;
	};
	const { postMessage } = Worker.prototype;
	Worker.prototype.postMessage = function (message, ...rest) {
		const { id, call, args } = message;
		const one = call === 'rank' && window.times.find(({ vector }) => args[0].query?.slice(0, 8).join() === vector);
		if (one) one.asked = now();
		const answered = call === 'documents' ? { indexes: args[0].join(), at: 0 } : null;
		if (answered) documents.push(answered);
		if (one || answered) {
			this.addEventListener('message', function done({ data, timeStamp }) {
				if (data.id !== id) return;
				const at = performance.timeOrigin + timeStamp; // the page's own listener comes first
				if (answered) answered.at = at;
				else Object.assign(one, { ranked: at, hits: data.result.hits.map(({ document }) => document).join() });
				this.removeEventListener('message', done);
			});
		}
		return postMessage.call(this, message, ...rest);
	};
	new MutationObserver(() => {
		for (const view of document.querySelectorAll('#domain-views section')) {
			const one = window.times.find(({ query }) => query === view.querySelector('p').textContent);
			if (!one || one.shown || !view.querySelector('li')) continue;
			one.shown = now();
			requestAnimationFrame(() => setTimeout(() => {
				one.painted = now();
				one.documents = documents.findLast(({ indexes }) => indexes === one.hits).at;
			}));
		}
	}).observe(document.getElementById('domain-views'), { childList: true, subtree: true });
	new MutationObserver(([{ target }]) => {
		if (!target.textContent.startsWith('Done.')) return;
		window.done = window.times.filter(({ shown }) => shown).length;
		window.ahead = documents.some(({ indexes }) => indexes.split(',').length === 30);
	}).observe(document.getElementById('domain-said'), { childList: true });
}`

// The lab shows the perspective vector before the last query is written, searches by each
// query as it arrives, and merges as Go does; switching perspectives off asks nobody. The
// time from a query's last token to its hits on the screen is printed.
func TestDemoDomain(t *testing.T) {
	t.Parallel()
	hold := make(chan struct{})
	var mu sync.Mutex
	written := map[string]time.Time{}
	s := chatscript.Serve(t, func(r chatscript.Request) chatscript.Reply {
		if r.Schema == "rewritten" {
			time.Sleep(time.Second / 2) // models write for longer
			if perspectiveOf(r) == "penalty" {
				<-hold
			}
			mu.Lock()
			defer mu.Unlock()
			written[rewritten(perspectiveOf(r), r.Text)] = time.Now()
		}
		return lawyer(r)
	})
	release := sync.OnceFunc(func() { close(hold) })
	t.Cleanup(release)
	dir := debates(t)
	collection := native(t, filepath.Join(dir, "collection"))
	server := serveModel(t, "", append([]string{dir}, withChat(s, "--domain", "law")...)...)
	page := blankPage(t, looks[0].scheme, looks[0].width)
	defer page.Close()
	if err := page.WithoutServiceWorkers(); err != nil {
		t.Fatal(err)
	}
	withDomains(t, page, server.Lab())
	waitFor(t, page, `document.getElementById('domain').value === 'law' && !document.getElementById('domain-ask').hidden`)
	const query = "prison sentences for night trains"
	call[any](t, page, set, "query", query)
	waitFor(t, page, `document.getElementById('chosen').textContent.includes('rison')`)
	call[any](t, page, timeQueries)
	call[any](t, page, click, "domain-run")

	// The vector is there, and two perspectives have found something, while the third query is being written.
	waitFor(t, page, `document.querySelectorAll('#domain-vector li').length === 4 && document.querySelectorAll('#domain-views li').length === 20`)
	bars := call[string](t, page, `() => Array.from(document.querySelectorAll('#domain-vector li'), (item) => [item.querySelector('label').textContent.trim(), item.querySelector('.share').textContent, item.querySelector('input').checked, Math.round(100 * item.querySelector('.gauge-level').offsetWidth / item.querySelector('.gauge').offsetWidth), item.querySelector('.gauge-level').offsetHeight > 4].join()).join('; ')`)
	if bars != "fundamental facts,0.75,true,75,true; focus of dispute,0.75,true,75,true; application of law,0.25, not above 0.5,false,25,true; penalty,0.63,true,63,true" {
		t.Errorf("bars: %s", bars)
	}
	if got := call[string](t, page, `() => document.querySelector('#domain-views section:last-child').textContent`); got != "penaltyThis query is being written …" {
		t.Errorf("the last view: %s", got)
	}
	if got := call[[]int](t, page, documentsOf, "#domain-merged"); len(got) == 0 {
		t.Error("nothing is merged before the last query is written")
	}
	release()
	waitFor(t, page, fmt.Sprintf(domainSaid, "Done."))
	waitFor(t, page, `document.querySelectorAll('#domain-views li').length === 30`)

	same := func(state string, off ...string) {
		t.Helper()
		views, rankings, hits := lawViews(t, collection, query, 10, off...)
		var want []int
		var texts []string
		for _, f := range mvrag.Merge(views, rankings, 10) {
			want = append(want, int(f.Document))
			if h := hits[int(f.Document)]; len(texts) < 5 {
				texts = append(texts, strings.TrimPrefix(h.Title+"\n"+h.Text, "\n"))
			}
		}
		waitFor(t, page, fmt.Sprintf(`Array.from(document.querySelectorAll('#domain-merged > li'), (item) => item.dataset.index).join() === %q`, strings.Trim(strings.Join(strings.Fields(fmt.Sprint(want)), ","), "[]")))
		if got := call[string](t, page, `() => document.getElementById('domain-prompt').textContent`); got != mvrag.Prompt(query, texts) {
			t.Errorf("%s: the prompt is\n%s\nwant\n%s", state, got, mvrag.Prompt(query, texts))
		}
	}
	_, rankings, _ := lawViews(t, collection, query, 10)
	for i, ranking := range rankings {
		var want []int
		for _, h := range ranking {
			want = append(want, int(h.Document))
		}
		if got := call[[]int](t, page, documentsOf, fmt.Sprintf("#domain-views section:nth-child(%d) ol", i+1)); !slices.Equal(got, want) {
			t.Errorf("perspective %d finds %v, want %v", i, got, want)
		}
	}
	same("all")
	source := axe(t)
	violations(t, page, source, "domain", contrast)
	for _, look := range looks {
		show(t, page, look.scheme, look.width)
		call[any](t, page, `() => document.getElementById('domain-section').scrollIntoView()`)
		picture(t, page, fmt.Sprintf("domain-%s-%d", look.scheme, look.width))
	}
	asked := len(s.Asked())
	toggle := func(i int) {
		call[any](t, page, `(i) => document.querySelectorAll('#domain-vector input')[i].click()`, i)
	}
	toggle(1)
	same("without the dispute", "focus of dispute")
	toggle(3)
	same("facts alone", "focus of dispute", "penalty")
	toggle(0)
	same("nothing", "focus of dispute", "penalty", "fundamental facts")
	toggle(1)
	same("dispute alone", "penalty", "fundamental facts")
	if n := len(s.Asked()); n != asked {
		t.Errorf("the chat model was asked %d times more", n-asked)
	}
	if got := call[string](t, page, `() => JSON.stringify(performance.getEntriesByType('resource').map(({ name }) => name)) + location.search`); strings.Contains(got, "prison") {
		t.Errorf("a text is in an address: %s", got)
	}
	all := call[[]timed](t, page, `() => window.times`)
	if len(all) != weighted || call[int](t, page, `() => window.done`) != weighted || !call[bool](t, page, `() => window.ahead`) {
		t.Errorf("the page said that it was done before all hits were there, or read no texts ahead: %+v", all)
	}
	mu.Lock()
	for _, one := range all {
		last := float64(written[one.Query].UnixMicro()) / 1000
		t.Logf("%s: %s", one.Query, one.since(last))
	}
	mu.Unlock()
	for _, problem := range page.Problems() {
		t.Errorf("in the page: %s", problem)
	}
}

// A new query, the button, folding and leaving cancel the calls of the chat model.
func TestDemoDomainCancelled(t *testing.T) {
	t.Parallel()
	s := chatscript.Serve(t, func(r chatscript.Request) chatscript.Reply {
		if r.Schema == "rewritten" {
			return chatscript.Reply{Wait: 5 * time.Minute}
		}
		return lawyer(r)
	})
	server := serveModel(t, "", append([]string{debates(t)}, withChat(s, "--domain", "law")...)...)
	page := tab(t)
	if err := page.WithoutServiceWorkers(); err != nil {
		t.Fatal(err)
	}
	withDomains(t, page, server.Lab())
	for n, how := range []string{
		`document.getElementById('domain-stop').focus(); document.activeElement.click()`,
		`document.getElementById('domain-fold').open = false`,
		`(` + set + `)('query', 'day trains')`,
		`location.href = 'eval.html'`,
	} {
		call[any](t, page, `() => { document.getElementById('domain-fold').open = true; }`)
		waitFor(t, page, `!document.getElementById('domain-ask').hidden && !document.getElementById('domain-run').hidden`)
		call[any](t, page, click, "domain-run")
		waitFor(t, page, `document.querySelectorAll('#domain-views section').length === 3`)
		wait.Until(t, "all queries are being written", func() bool { return len(s.Asked()) == (n+1)*(1+weighted) })
		call[any](t, page, `() => { `+how+`; }`)
		wait.Until(t, "the calls are cancelled by "+how, func() bool { return s.Left() == (n+1)*weighted })
		if n == 0 {
			waitFor(t, page, fmt.Sprintf(domainSaid, "Cancelled."))
			got := call[string](t, page, `() => document.activeElement.id + ' ' + document.querySelector('#domain-views section').textContent`)
			if !strings.HasPrefix(got, "domain-run ") || !strings.HasSuffix(got, "This query was not written.") {
				t.Errorf("%s", got)
			}
		}
	}
}

// The page says why nothing is offered, that a budget is used up, and that a chat model
// does not answer.
func TestDemoDomainRefused(t *testing.T) {
	t.Parallel()
	s := chatscript.Serve(t, func(r chatscript.Request) chatscript.Reply {
		if strings.Contains(r.Text, "forbidden") {
			return chatscript.Reply{Status: 403}
		}
		return lawyer(r)
	})
	dir := debates(t)
	page := tab(t)
	page.Expect(`Failed to load resource|WebSocket connection`)
	if err := page.WithoutServiceWorkers(); err != nil {
		t.Fatal(err)
	}
	lacks := func(start string) {
		t.Helper()
		waitFor(t, page, fmt.Sprintf(`document.getElementById('domain-lack').textContent.startsWith(%q) && document.getElementById('domain-ask').hidden`, start))
	}
	withDomains(t, page, serveModel(t, "", dir, "--model", "static", "--rate", "0").Lab())
	lacks("Not offered here: the encode server has no chat model.")

	site := t.TempDir()
	keys := filepath.Join(t.TempDir(), "keys")
	host := serve(t, folder(site))
	if err := os.WriteFile(keys, []byte("secret\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	keyed := serveModel(t, host.URL(""), withChat(s, "--keys", keys)...)
	withServer := pages
	withServer.Server = keyed.URL()
	if err := errors.Join(os.CopyFS(site, os.DirFS(dir)), withServer.Write(site)); err != nil {
		t.Fatal(err)
	}
	withDomains(t, page, host.Lab())
	lacks("Not offered now: The encode server wants a key that this page does not have.")

	withDomains(t, page, serveModel(t, "", append([]string{dir}, withChat(s, "--chat-requests", "2", "--domain", "law")...)...).Lab())
	waitFor(t, page, `!document.getElementById('domain-ask').hidden`)
	faults := func(query, start string) {
		t.Helper()
		call[any](t, page, set, "query", query)
		call[any](t, page, click, "domain-run")
		waitFor(t, page, fmt.Sprintf(`!document.getElementById('domain-fault').hidden && document.getElementById('domain-fault').textContent.startsWith(%q)`, start))
	}
	call[any](t, page, `() => document.getElementById('domain').replaceChildren(new Option('cooking'))`) // as if the server had dropped it
	faults("night trains", "The encode server says: domain is one of law.")
	call[any](t, page, `() => document.getElementById('domain').replaceChildren(new Option('law'))`)
	faults("forbidden trains", "The chat model cannot be asked now. Try again later.")
	call[any](t, page, set, "query", "day trains")
	call[any](t, page, click, "domain-run")
	waitFor(t, page, fmt.Sprintf(domainSaid, "Done."))
	faults("slow trains", "What you may ask the chat model in a day is used up. Try again in ")
}
