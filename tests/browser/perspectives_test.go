package browser

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httputil"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/vantage-search/vantage/internal/mvrag"
	"github.com/vantage-search/vantage/internal/testing/chatscript"
	"github.com/vantage-search/vantage/internal/testing/harness"
	"github.com/vantage-search/vantage/internal/testing/wait"
)

// mergedHit is a document of a merged ranking in JavaScript.
type mergedHit struct {
	Index       uint32
	Rel         float64
	Perspective int
}

// The merged ranking, the shares and the prompt are Go's, to the bit, with ties, documents
// that several perspectives find, and rankings that are shorter than their share.
func TestPerspectivesMerge(t *testing.T) {
	t.Parallel()
	page := library(t)
	r := rand.New(rand.NewPCG(7, 11))
	type input struct {
		Views    []map[string]any
		Rankings [][]map[string]any
		K        int
		Query    string
		Texts    []string
	}
	type output struct {
		Found  []mergedHit
		Shares []int
		Prompt string
	}
	var inputs []input
	var want []output
	pieces := []string{"a", "`", "```", "\n", "ü", "````\nDocument 2:\n", " "}
	text := func() (s string) {
		for range r.IntN(12) {
			s += pieces[r.IntN(len(pieces))]
		}
		return s
	}
	for range 400 {
		in := input{K: 1 + r.IntN(30), Query: text(), Texts: []string{}}
		var views []mvrag.View
		var rankings [][]mvrag.Hit
		for i := range 1 + r.IntN(6) {
			v := mvrag.View{Perspective: i, Weight: 1 - r.Float64()}
			if r.IntN(2) == 0 {
				v.Weight = float64(1+r.IntN(10)) / 10 // for ties
			}
			views = append(views, v)
			in.Views = append(in.Views, map[string]any{"perspective": i, "weight": v.Weight})
			ranking, hits := []mvrag.Hit{}, []map[string]any{}
			for _, document := range r.Perm(40)[:r.IntN(31)] {
				h := mvrag.Hit{Document: uint32(document), Score: float64(r.IntN(9)-4) / 4}
				if r.IntN(2) == 0 {
					h.Score = 2*r.Float64() - 1
				}
				ranking = append(ranking, h)
				hits = append(hits, map[string]any{"index": document, "score": h.Score})
			}
			rankings, in.Rankings = append(rankings, ranking), append(in.Rankings, hits)
		}
		for range r.IntN(4) {
			in.Texts = append(in.Texts, text())
		}
		out := output{[]mergedHit{}, mvrag.Share(views, in.K), mvrag.Prompt(in.Query, in.Texts)}
		for _, f := range mvrag.Merge(views, rankings, in.K) {
			out.Found = append(out.Found, mergedHit{f.Document, f.Rel, f.Perspective})
		}
		inputs, want = append(inputs, in), append(want, out)
	}
	got := call[[]output](t, page, `async (inputs) => {
		const { mergePerspectives, perspectiveShares, readerPrompt } = await import('/static/lib/server.js');
		return inputs.map(({ Views, Rankings, K, Query, Texts }) => ({
			Found: mergePerspectives(Views, Rankings, K), Shares: perspectiveShares(Views, K), Prompt: readerPrompt(Query, Texts),
		}));
	}`, inputs)
	several, ties := 0, 0
	for i := range want {
		if fmt.Sprintf("%#v", got[i]) != fmt.Sprintf("%#v", want[i]) {
			t.Fatalf("%+v:\n%+v, want\n%+v", inputs[i], got[i], want[i])
		}
		for j, f := range want[i].Found {
			if j > 0 && f.Rel == want[i].Found[j-1].Rel {
				ties++
			}
		}
		for _, n := range want[i].Shares {
			several += n
		}
		several -= len(want[i].Found)
	}
	if ties < 100 || several < 100 {
		t.Errorf("%d ties, %d documents that are there twice or missing: the test compares too little", ties, several)
	}
	for _, bad := range []string{`[[], [], 0]`, `[[], [], 1.5]`, `[[{ perspective: 0, weight: 0 }], [], 1]`, `[[{ perspective: 0, weight: NaN }], [], 1]`, `[[{ perspective: 0, weight: 1e308 }, { perspective: 1, weight: 1e308 }], [], 1]`, `[[{ perspective: 0, weight: 1 }], [[{ index: 0, score: NaN }]], 1]`} {
		if code := call[string](t, page, `async () => {
			const { mergePerspectives } = await import('/static/lib/server.js');
			try { return String(mergePerspectives(...`+bad+`)); } catch (error) { return error.code; }
		}`); code != "query" {
			t.Errorf("%s: %q", bad, code)
		}
	}
}

// lawScores are the scores of the perspectives of law that the scripted chat model gives.
// All but the third are above the threshold.
var lawScores = []struct {
	name  string
	score float64
}{{"fundamental facts", .75}, {"focus of dispute", .75}, {"application of law", .25}, {"penalty", .625}}

// weighted is how many of them count.
const weighted = 3

// lawyer is what the scripted chat model says.
func lawyer(r chatscript.Request) chatscript.Reply {
	if r.Schema == "weights" {
		var all []string
		for _, p := range lawScores {
			all = append(all, fmt.Sprintf(`{"perspective": %q, "score": %g}`, p.name, p.score))
		}
		return chatscript.Reply{Content: `{"scores": [` + strings.Join(all, ", ") + `]}`}
	}
	return chatscript.Reply{Content: fmt.Sprintf(`{"query": %q}`, rewritten(perspectiveOf(r), r.Text))}
}

// perspectiveOf is the perspective that a request to rewrite names.
func perspectiveOf(r chatscript.Request) string {
	_, name, _ := strings.Cut(r.System, "The perspective, of law:\n- ")
	name, _, _ = strings.Cut(name, ":")
	return name
}

func rewritten(perspective, query string) string { return "the " + perspective + " of " + query }

// withChat are the flags of a server with a scripted chat model.
func withChat(s *chatscript.Server, more ...string) []string {
	return append([]string{"--model", "static", "--rate", "0", "--chat-model", "parrot", "--chat-url", s.URL, "--chat-requests", "1000", "--chat-tokens", "1000000"}, more...)
}

const askPerspectives = `async (query, options) => {
	const said = [];
	try {
		for await (const { vector, ...event } of window.encoder.perspectives(query, options)) {
			said.push(JSON.stringify(event));
			if (vector) said.push(String(vector.every((x, i) => x === window.plain[event.query][i])));
		}
	} catch (error) {
		said.push([error.name, error.status, error.reason, error.retryAfter, error.message].join('|'));
	}
	return said;
}`

// The library's calls against a real server: the domains, every event, vectors that equal
// those of the stream, and errors in words. A call that is left or aborted, or whose client
// is closed, cancels the calls of the chat model.
func TestPerspectivesLibrary(t *testing.T) {
	t.Parallel()
	hold, next := make(chan struct{}), make(chan struct{}, 3)
	var begun atomic.Int32
	s := chatscript.Serve(t, func(r chatscript.Request) chatscript.Reply {
		switch {
		case r.Schema == "weights":
		case strings.Contains(r.Text, "endless"):
			if begun.Add(1)%weighted == 0 {
				next <- struct{}{} // all queries are being written
			}
			return chatscript.Reply{Wait: time.Minute}
		case strings.Contains(r.Text, "garbage"):
			return chatscript.Reply{Content: "{"}
		case strings.Contains(r.Text, "forbidden"):
			return chatscript.Reply{Status: 403, Body: r.Text}
		case strings.Contains(r.Text, "slow") && perspectiveOf(r) == "penalty":
			<-hold
		}
		return lawyer(r)
	})
	release := sync.OnceFunc(func() { close(hold) })
	t.Cleanup(release)
	page, origin := asking(t, debates(t), next)
	page.Expect(noServer + `|status of 4`)
	server := serveModel(t, origin, withChat(s, "--domain", "law", "--domain", "geography")...)
	connect := func(url, key string) {
		call[any](t, page, `async (url, key) => {
			const { ServerEncoder } = await import('/lib/server.js');
			window.encoder = new ServerEncoder(url, key ? { key } : {});
		}`, url, key)
	}
	connect(server.URL(), "")
	if got := call[string](t, page, `async () => String(await window.encoder.domains())`); got != "law,geography" {
		t.Errorf("domains: %s", got)
	}
	ask := func(query string, options map[string]any) []string {
		t.Helper()
		return call[[]string](t, page, askPerspectives, query, options)
	}
	law := map[string]any{"domain": "law"}
	var texts []string
	for _, p := range lawScores {
		texts = append(texts, rewritten(p.name, "night trains"))
	}
	call[any](t, page, `async (texts) => {
		const vectors = await window.encoder.encode(texts);
		window.plain = Object.fromEntries(texts.map((text, i) => [text, vectors[i]]));
	}`, append(texts, "night trains"))
	got := ask("night trains", law)
	if len(got) < 6 || !strings.HasPrefix(got[0], `{"type":"vector","domain":"law","chatModel":"parrot","model":`) || !strings.Contains(got[0], `"threshold":0.5,"perspectives":[{"name":`) || !strings.HasPrefix(got[len(got)-1], `{"type":"done","usage":{"requests":`) {
		t.Fatalf("%q", got)
	}
	for i := 1; i < len(got)-1; i += 2 {
		if !strings.HasPrefix(got[i], `{"type":"query","perspective":`) || got[i+1] != "true" {
			t.Errorf("%q", got[i:i+2])
		}
	}
	if got := ask("night trains", map[string]any{"domain": "law", "threshold": 0.9}); len(got) != 4 || !strings.HasPrefix(got[1], `{"type":"query","perspective":-1,"weight":1,"query":"night trains"`) || got[2] != "true" {
		t.Errorf("%q", got)
	}
	if got := ask("garbage", law); !strings.HasPrefix(got[1], `{"type":"refused","perspective":`) {
		t.Errorf("%q", got)
	}
	if got := ask("forbidden", law); got[len(got)-1] != "BusyError|502|chat_model||the encode server says: the chat model could not be asked" {
		t.Errorf("%q", got)
	}
	for _, c := range []struct {
		query   string
		options map[string]any
		want    string
	}{
		{"night trains", map[string]any{"domain": "cooking"}, "QueryError|400|||the encode server says: domain is one of law, geography"},
		{" ", law, "QueryError|400|||the encode server says: query is missing or empty"},
		{"night trains", map[string]any{"domain": "law", "threshold": 1}, "QueryError|400|||the encode server says: threshold is from 0 to below 1"},
	} {
		if got := ask(c.query, c.options); len(got) != 1 || got[0] != c.want {
			t.Errorf("%v: %q", c.options, got)
		}
	}

	// The vector is there before any query is written, and a query before the last.
	for _, how := range []string{`stop.abort(new Error('enough'))`, `break`, `window.encoder.close()`} {
		left := s.Left() // a call that a fault of another has ended may count, too
		got := call[string](t, page, `async () => {
			const stop = new AbortController();
			try {
				for await (const { type } of window.encoder.perspectives('endless', { domain: 'law', signal: stop.signal })) {
					if (type !== 'vector') throw new Error(type);
					await fetch('/next');
					`+how+`;
				}
				return 'left';
			} catch (error) {
				return error.message;
			}
		}`)
		if want := map[string]string{"b": "left", "s": "enough", "w": "the encode server's client was closed"}[how[:1]]; got != want {
			t.Errorf("%s: %q", how, got)
		}
		wait.Until(t, "the calls are cancelled after "+how, func() bool { return s.Left() >= left+weighted })
	}
	connect(server.URL(), "")
	call[any](t, page, `() => {
		window.events = [];
		(async () => {
			for await (const { type } of window.encoder.perspectives('slow', { domain: 'law' })) window.events.push(type);
		})();
	}`)
	waitFor(t, page, fmt.Sprintf(`window.events.length === %d`, weighted))
	release()
	waitFor(t, page, `window.events.at(-1) === 'done'`)

	// Budgets, and servers without a chat model.
	poor := serveModel(t, origin, slices.Concat(withChat(s), []string{"--chat-requests", "1"})...)
	connect(poor.URL(), "")
	ask("night trains", law)
	if got := ask("night trains", law); len(got) != 1 || !strings.HasPrefix(got[0], "BusyError|429|budget_exceeded|") || strings.Contains(got[0], "exceeded||") {
		t.Errorf("%q", got)
	}
	without := serveModel(t, origin, "--model", "static", "--rate", "0")
	connect(without.URL(), "")
	if got := call[int](t, page, `async () => (await window.encoder.domains()).length`); got != 0 {
		t.Errorf("%d domains without a chat model", got)
	}
	if got := ask("night trains", map[string]any{}); len(got) != 1 || !strings.HasPrefix(got[0], "UnsupportedError|404|no_chat_model||this encode server asks no chat model") {
		t.Errorf("%q", got)
	}
}

// stripped serves the answers of a server without their last line feed, as gateways may, and those to some queries
// without their last byte, too.
func stripped(t *testing.T, server *encodeServer) *harness.Server {
	t.Helper()
	proxy := httputil.NewSingleHostReverseProxy(&url.URL{Scheme: "http", Host: server.Addr})
	proxy.ModifyResponse = func(response *http.Response) error {
		if response.StatusCode == http.StatusSwitchingProtocols {
			return nil
		}
		content, err := io.ReadAll(response.Body)
		if err != nil {
			return err
		}
		content = bytes.TrimSuffix(content, []byte("\n"))
		if bytes.Contains(content, []byte("cut off")) {
			content = content[:len(content)-1]
		}
		response.Body = io.NopCloser(bytes.NewReader(content))
		response.ContentLength = int64(len(content))
		response.Header.Set("Content-Length", strconv.Itoa(len(content)))
		return nil
	}
	return serve(t, proxy)
}

// The last line of an answer counts without a line feed, and one that was cut off is no line.
func TestPerspectivesWithoutLineFeed(t *testing.T) {
	t.Parallel()
	s := chatscript.Serve(t, lawyer)
	page, origin := asking(t, debates(t), nil)
	page.Expect(`status of 4`)
	gateway := stripped(t, serveModel(t, origin, withChat(s, "--domain", "law")...))
	got := call[[]string](t, page, `async (url) => {
		const { ServerEncoder } = await import('/lib/server.js');
		const encoder = new ServerEncoder(url);
		const last = async (query, domain) => {
			let said = '';
			try {
				for await (const { type } of encoder.perspectives(query, { domain })) said = type;
				return said;
			} catch (error) {
				return error.name + ': ' + error.message;
			}
		};
		const domains = await encoder.domains().then(String, (error) => error.name + ': ' + error.message);
		return [domains, await last('night trains', 'law'), await last('night trains', 'cooking'), await last('cut off', 'law')];
	}`, gateway.URL("/"))
	want := []string{
		"law", "done", "QueryError: the encode server says: domain is one of law",
		"UnavailableError: the answer of the encode server ended too early",
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// A gateway's status that may pass is a BusyError, as package client tries it again.
func TestPerspectivesByStatus(t *testing.T) {
	t.Parallel()
	page, origin := asking(t, debates(t), nil)
	page.Expect(`status of \d`)
	server := serveModel(t, origin, "--model", "static", "--rate", "0")
	proxy := httputil.NewSingleHostReverseProxy(&url.URL{Scheme: "http", Host: server.Addr})
	var status atomic.Int64
	proxy.ModifyResponse = func(response *http.Response) error {
		if response.Request.Method == http.MethodGet && response.StatusCode == http.StatusOK {
			response.StatusCode = int(status.Load())
		}
		return nil
	}
	gateway := serve(t, proxy).URL("/")
	for code, want := range map[int]string{
		400: "QueryError", 403: "RefusedError", 404: "UnsupportedError", 405: "UnsupportedError", 408: "BusyError", 409: "InputError", 413: "LimitError", 429: "BusyError", 503: "BusyError",
	} {
		status.Store(int64(code))
		got := call[string](t, page, `async (url) => {
			const { ServerEncoder } = await import('/lib/server.js');
			const encoder = new ServerEncoder(url);
			return encoder.domains().then(String, (error) => error.name + ': ' + error.message).finally(() => encoder.close());
		}`, gateway)
		name, message, _ := strings.Cut(got, ": ")
		if name != want {
			t.Errorf("%d: %s, want %s", code, got, want)
		}
		if address := fmt.Sprintf("the encode server answers %d: check its address", code); name == "UnsupportedError" && !strings.HasPrefix(message, address) {
			t.Errorf("%d: %s, want %s", code, got, address)
		}
	}
}

// A document with very many runs of backticks is fenced like others.
func TestPromptOfManyBackticks(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("` ", 200_000) + "````"
	got := call[string](t, library(t), `async (text) => {
		const { readerPrompt } = await import('/static/lib/server.js');
		return readerPrompt('q', [text]);
	}`, text)
	if got != mvrag.Prompt("q", []string{text}) {
		t.Errorf("%.40q ... %q", got, got[max(0, len(got)-40):])
	}
}

// If the connection is lost in the list of domains, the server counts as out of reach. Who closes the client or aborts
// ends the request.
func TestDomainsOfALostServer(t *testing.T) {
	t.Parallel()
	page, origin := asking(t, debates(t), nil)
	page.Expect(`Failed to load resource`)
	server := serveModel(t, origin, "--model", "static", "--rate", "0")
	proxy := httputil.NewSingleHostReverseProxy(&url.URL{Scheme: "http", Host: server.Addr})
	var hang atomic.Bool
	begun, ended := make(chan struct{}, 9), make(chan struct{}, 9)
	gateway := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet || !strings.HasSuffix(r.URL.Path, "/v1/models") {
			proxy.ServeHTTP(w, r)
			return
		}
		w.Header().Set("Access-Control-Allow-Origin", "*")
		w.Header().Set("Content-Length", "1000")
		fmt.Fprint(w, `{"data": [`)
		w.(http.Flusher).Flush()
		if hang.Load() {
			begun <- struct{}{}
			<-r.Context().Done()
			ended <- struct{}{}
		}
		panic(http.ErrAbortHandler)
	}))
	ask := func(then string) <-chan outcome[string] {
		return started[string](page, `async (url) => {
			const { ServerEncoder } = await import('/lib/server.js');
			const encoder = new ServerEncoder(url);
			const stop = new AbortController();
			const asked = encoder.domains({ signal: stop.signal }).then(String, (error) => error.name + ': ' + error.message);
			`+then+`
			return asked.finally(() => encoder.close());
		}`, gateway.URL("/"))
	}
	if got := (<-ask("")).must(t); !strings.HasPrefix(got, "UnavailableError: the encode server cannot be reached: ") {
		t.Errorf("%q", got)
	}
	hang.Store(true)
	for then, want := range map[string]string{
		"stop.abort(new Error('enough'))": "Error: enough",
		"encoder.close()":                 "ClosedError: the encode server's client was closed",
	} {
		answer := ask("setTimeout(() => " + then + ", 1000);")
		select {
		case <-begun:
		case got := <-answer:
			t.Fatalf("%s: the call ended with %q before its request began", then, got.must(t))
		}
		select {
		case got := <-answer:
			if said := got.must(t); said != want {
				t.Errorf("%s: %q, want %q", then, said, want)
			}
			select {
			case <-ended:
			case <-time.After(20 * time.Second):
				t.Fatalf("%s: the request goes on", then)
			}
		case <-time.After(20 * time.Second):
			t.Fatalf("%s: the request goes on", then)
		}
	}
}

// A list of models that is other JSON is a fault of the server.
func TestDomainsOfOtherJSON(t *testing.T) {
	t.Parallel()
	got := call[map[string]string](t, library(t), `async () => {
		const { domains } = await import('/static/src/server/perspectives.js');
		const said = {};
		for (const json of ['{}', 'null', '{"data": 5}', '{"data": "text"}', '{"data": {}}', '{"data": []}', '{"data": [null]}', '{"data": [{"domains": ["law"]}]}', '{"data": [{"domains": 5}]}']) {
			globalThis.fetch = async () => new Response(json);
			said[json] = await domains('/v1/models', { headers: {}, life: new AbortController().signal }).then(String, (error) => error.name + ': ' + error.message);
		}
		return said;
	}`)
	const lists, names = "WireError: the server does not list its models", "WireError: the server's domains are not a list"
	want := map[string]string{
		"{}": lists, "null": lists, `{"data": 5}`: lists, `{"data": "text"}`: lists, `{"data": {}}`: lists,
		`{"data": []}`: "", `{"data": [null]}`: "", `{"data": [{"domains": ["law"]}]}`: "law", `{"data": [{"domains": 5}]}`: names,
	}
	if !maps.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// An answer without a body, and an error without its status, are faults of the server.
func TestPerspectivesMalformed(t *testing.T) {
	t.Parallel()
	got := call[[]string](t, library(t), `async () => {
		const { domains, perspectives } = await import('/static/src/server/perspectives.js');
		const life = new AbortController().signal;
		const said = [];
		const hear = (asked) => asked.then(String, (error) => said.push(error.name + ': ' + error.message));
		const ask = async () => {
			for await (const event of perspectives({ url: '/v1/perspectives', headers: {}, model: { dim: 1 }, life }, 'q', {})) said.push(event.type);
		};
		globalThis.fetch = async () => new Response(null, { status: 204 });
		await hear(domains('/v1/models', { headers: {}, life }));
		await hear(ask());
		for (const line of ['{"object":"error"}', '{"object":"error","status":"many"}', '{"object":"error","status":200}', '{"object":"error","status":429}']) {
			globalThis.fetch = async () => new Response(line + '\n');
			await hear(ask());
		}
		return said;
	}`)
	const empty, without = "WireError: the encode server's answer is empty", "WireError: an error without its status"
	want := []string{empty, empty, without, without, without, "BusyError: the encode server answers 429"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
