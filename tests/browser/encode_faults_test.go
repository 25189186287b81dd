package browser

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// load makes calls of several sizes at random times, each with its own texts. It
// returns the outcome of each call: vectors, or an error.
const load = `async ({ url, options, calls, abort, wait }) => {
	const { ServerEncoder } = await import('/lib/server.js');
	const encoder = new ServerEncoder(url, options);
	const states = [];
	encoder.addEventListener('state', () => states.push(encoder.state));
	let seed = 7;
	const random = (n) => (seed = (seed * 48271) % 2147483647) % n;
	const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
	const under = [];
	let unique = 0;
	for (let i = 0; i < calls; i++) {
		const texts = Array.from({ length: 1 + random(i % 5 === 0 ? 60 : 4) }, () => 'claim ' + unique++ + ' about night trains'.repeat(1 + random(5)));
		const stop = new AbortController();
		if (abort && random(2)) setTimeout(() => stop.abort(), random(30));
		under.push({ texts, result: encoder.encode(texts, ['query', 'document', 'root'][random(3)], { signal: stop.signal }).catch((error) => error) });
		await pause(random(wait ?? 10));
	}
	const results = await Promise.all(under.map(({ result }) => result));
	encoder.close();
	return { results: results.map((result) => (result instanceof Error ? result.code + ' ' + result.name + ': ' + result.message : result.map((v) => [...v].join()))), texts: under.map(({ texts }) => texts), unique, states };
}`

// check gets the vectors of the same texts from a plain client and compares.
const check = `async (direct, { results, texts }) => {
	const { ServerEncoder } = await import('/lib/server.js');
	const encoder = new ServerEncoder(direct);
	const out = { right: 0, wrong: [], errors: {} };
	for (let i = 0; i < texts.length; i++) {
		if (typeof results[i] === 'string') {
			out.errors[results[i]] = (out.errors[results[i]] ?? 0) + 1;
			continue;
		}
		const want = (await encoder.encode(texts[i], 'query')).map((v) => [...v].join());
		if (JSON.stringify(results[i]) === JSON.stringify(want)) out.right++;
		else out.wrong.push(i);
	}
	encoder.close();
	return out;
}`

type loaded struct {
	Results any      `json:"results"`
	Texts   any      `json:"texts"`
	Unique  int      `json:"unique"`
	States  []string `json:"states"`
}

type checked struct {
	Right  int
	Wrong  []int
	Errors map[string]int
}

func (c checked) aborted() (n int) {
	for message, times := range c.Errors {
		if strings.Contains(message, "AbortError") {
			n += times
		}
	}
	return n
}

// Connections that break at random bytes lose nothing: every text is encoded
// once, and its vector arrives once. Cancelled calls end.
func TestServerEncoderSurvivesTornConnections(t *testing.T) {
	t.Parallel()
	page, origin := asking(t, debates(t), nil)
	page.Expect("WebSocket connection|net::ERR")
	for name, c := range map[string]struct {
		abort bool
		life  int64
		args  []string
	}{
		"whole calls":    {false, 50_000, nil},
		"many requests":  {false, 50_000, []string{"--pending-bytes", "20000", "--texts", "5"}},
		"calls given up": {true, 15_000, []string{"--pending-bytes", "40000", "--texts", "7"}},
	} {
		t.Run(name, func(t *testing.T) {
			s := serveModel(t, origin, append([]string{"--model", "static", "--cache-bytes", "0", "--rate", "0", "--batch-wait", "20ms"}, c.args...)...)
			r := rand.New(rand.NewPCG(1, 2))
			proxy := tear(t, s.Addr, func() (int64, bool) { return 500 + r.Int64N(c.life), false })
			got := call[loaded](t, page, load, map[string]any{"url": proxy.URL(), "calls": 24, "abort": c.abort, "options": map[string]any{}})
			if n := s.Metric("texts_total"); n != got.Unique && !(c.abort && n < got.Unique) {
				t.Errorf("%d texts were encoded of %d", n, got.Unique)
			}
			ok := call[checked](t, page, check, s.URL(), got)
			if ok.Right+ok.aborted() != 24 || (ok.aborted() > 5) != c.abort || proxy.Lost() < 3 {
				t.Errorf("%+v, %d connections lost, states %q", ok, proxy.Lost(), got.States)
			}
		})
	}
}

// A call is cancelled while the client reconnects: nothing is thrown, and the server
// gets the cancellation once it is reachable.
func TestServerEncoderCancelsWhileItConnects(t *testing.T) {
	t.Parallel()
	page, origin := asking(t, debates(t), nil)
	page.Expect("WebSocket connection|net::ERR")
	s := serveModel(t, origin, "--model", "static", "--cache-bytes", "0", "--rate", "0", "--batch-wait", "1s")
	lives := []int64{5000, 0, forever} // breaks in the second text; never opens; stays open
	proxy := tear(t, s.Addr, func() (int64, bool) {
		life := lives[0]
		lives = lives[min(1, len(lives)-1):]
		return life, life == 0
	})
	call[any](t, page, `async (url) => {
		const { ServerEncoder } = await import('/lib/server.js');
		globalThis.encoder = new ServerEncoder(url, { patience: 5000 });
		await encoder.reach({});
		globalThis.stop = new AbortController();
		globalThis.given = encoder.encode(['given up'], 'query', { signal: stop.signal }).catch((error) => error.name);
		globalThis.kept = encoder.encode(['night trains '.repeat(1000)]);
	}`, proxy.URL())
	for range 500 {
		if proxy.Lost() == 2 {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	got := call[struct {
		Thrown, Given string
		Kept          int
	}](t, page, `async () => {
		let thrown = '';
		try {
			stop.abort();
		} catch (error) {
			thrown = String(error);
		}
		const [vector] = await kept;
		encoder.close();
		return { thrown, given: await given, kept: vector.length };
	}`)
	if got.Thrown != "" || got.Given != "AbortError" || got.Kept == 0 || proxy.Lost() != 2 {
		t.Errorf("%+v, %d connections lost", got, proxy.Lost())
	}
	if n := s.Metric("texts_total"); n != 1 {
		t.Errorf("%d texts were encoded, one was given up and one was not", n)
	}
}

// A connection that falls silent is replaced, and calls under way continue.
func TestServerEncoderNoticesSilence(t *testing.T) {
	t.Parallel()
	page, origin := asking(t, debates(t), nil)
	s := serveModel(t, origin, "--model", "static", "--cache-bytes", "0", "--rate", "0")
	lives := []int64{5000, 400, forever}
	proxy := tear(t, s.Addr, func() (int64, bool) {
		life := lives[0]
		lives = lives[min(1, len(lives)-1):]
		return life, true
	})
	got := call[loaded](t, page, load, map[string]any{"url": proxy.URL(), "calls": 10, "options": map[string]any{"patience": 300}})
	if n := s.Metric("texts_total"); n != got.Unique {
		t.Errorf("%d texts were encoded of %d", n, got.Unique)
	}
	if ok := call[checked](t, page, check, s.URL(), got); ok.Right != 10 || proxy.Lost() < 2 || !slices.Contains(got.States, "connecting") {
		t.Errorf("%+v, %d connections silent, states %q", ok, proxy.Lost(), got.States)
	}
}

// If a server is killed or stopped during requests and started again, all
// requests are answered.
func TestServerEncoderSurvivesRestarts(t *testing.T) {
	t.Parallel()
	page, origin := asking(t, debates(t), nil)
	page.Expect("WebSocket connection|net::ERR|CORS policy")
	s := serveModel(t, origin, "--model", "static", "--cache-bytes", "0", "--rate", "0", "--batch-wait", "30ms")
	done := started[loaded](page, load, map[string]any{"url": s.URL(), "calls": 100, "options": map[string]any{}, "wait": 20})
	for _, stop := range []func(){s.Kill, func() {
		s.Signal(syscall.SIGTERM)
		s.Wait()
	}} {
		s.Until("texts_total", func(n int) bool { return n > 5 })
		stop()
		s.Start()
	}
	got := (<-done).must(t)
	if ok := call[checked](t, page, check, s.URL(), got); ok.Right != 100 || !slices.Contains(got.States, "connecting") {
		t.Errorf("%+v, states %q", ok, got.States)
	}
}

// Calls that are cancelled at random times end immediately; the others are
// answered, and nothing is left in the server.
func TestServerEncoderCancels(t *testing.T) {
	t.Parallel()
	page, origin := asking(t, debates(t), nil)
	s := serveModel(t, origin, "--model", "static", "--cache-bytes", "0", "--rate", "0", "--batch-wait", "15ms")
	got := call[loaded](t, page, load, map[string]any{"url": s.URL(), "calls": 100, "abort": true, "options": map[string]any{}})
	ok := call[checked](t, page, check, s.URL(), got)
	if aborted := ok.aborted(); ok.Right+aborted != 100 || aborted < 10 || ok.Right < 10 || len(ok.Wrong) > 0 {
		t.Errorf("%+v", ok)
	}
	for _, name := range []string{"session_bytes", "queue_tokens", "sockets"} {
		s.Until(name, func(n int) bool { return n == 0 })
	}
}

// The server's limits make the client split requests and send texts again
// later; calls that cannot wait get an error.
func TestServerEncoderMeetsLimits(t *testing.T) {
	t.Parallel()
	page, origin := asking(t, debates(t), nil)
	for name, limits := range map[string][]string{
		"small requests":  {"--texts", "3", "--rate", "0"},
		"small frames":    {"--message-bytes", "300", "--rate", "0"},
		"little room":     {"--pending-bytes", "3000", "--rate", "0"},
		"slowly":          {"--rate", "50", "--texts", "20"},
		"a short queue":   {"--queue-tokens", "60", "--batch-tokens", "20", "--rate", "0"},
		"all at one time": {"--session-bytes", "36000", "--pending-bytes", "5000", "--rate", "0"}, // the socket takes 24,576 of these
	} {
		t.Run(name, func(t *testing.T) {
			s := serveModel(t, origin, append([]string{"--model", "static", "--cache-bytes", "0"}, limits...)...)
			got := call[loaded](t, page, load, map[string]any{"url": s.URL(), "calls": 20, "options": map[string]any{}})
			if n := s.Metric("texts_total"); n != got.Unique {
				t.Errorf("%d texts were encoded of %d", n, got.Unique)
			}
			if ok := call[checked](t, page, check, s.URL(), got); ok.Right != 20 {
				t.Errorf("%+v", ok)
			}
		})
	}
	s := serveModel(t, origin, "--model", "static", "--rate", "1", "--text-bytes", "100")
	faults := call[[]string](t, page, `async (url) => {
		const { ServerEncoder } = await import('/lib/server.js');
		const encoder = new ServerEncoder(url, { deadline: 700 });
		const told = (error) => error.code + ' ' + (error.fault ?? error.limit ?? '');
		for (const wrong of [{ dtype: 'f64' }, { deadline: 0 }, { patience: 2 ** 31 }]) {
			try {
				new ServerEncoder(url, wrong);
				throw new Error(JSON.stringify(wrong) + ' is taken');
			} catch (error) {
				if (error.code !== 'input') throw error;
			}
		}
		const out = [await encoder.encode(['a', 'x'.repeat(101)]).catch(told)];
		for (let i = 0; i < 3; i++) out.push(await encoder.encode(['b' + i]).then(() => 'ok', told));
		out.push(await encoder.encode(['c'], 'speaker').catch(told), await encoder.encode([1]).catch(told));
		encoder.close();
		out.push(await encoder.encode(['d']).catch(told), await encoder.ready.catch(told), encoder.state);
		return out;
	}`, s.URL())
	if faults[0] != "limit 100" || !slices.Contains(faults[1:4], "unavailable rate_limited") || !slices.Equal(faults[4:], []string{"query ", "query ", "closed ", "closed ", "closed"}) {
		t.Errorf("%q", faults)
	}
}

// Whatever a server sends, every call ends with vectors or a typed error, and
// the page keeps working.
func TestServerEncoderBearsGarbage(t *testing.T) {
	t.Parallel()
	page, origin := asking(t, debates(t), nil)
	page.Expect("WebSocket connection|net::ERR|CORS policy")
	s := serveModel(t, origin, "--model", "static", "--cache-bytes", "0", "--rate", "0")
	got := call[loaded](t, page, load, map[string]any{"url": garble(t, s, 25), "calls": 120, "wait": 25, "options": map[string]any{"patience": 300, "deadline": 3000}})
	kinds := map[string]int{}
	for _, result := range got.Results.([]any) {
		kind := "vectors"
		if message, failed := result.(string); failed {
			kind, _, _ = strings.Cut(message, " ")
		}
		kinds[kind]++
	}
	if kinds["wire"] < 5 || kinds["vectors"]+kinds["wire"]+kinds["unavailable"]+kinds["query"]+kinds["limit"] != 120 {
		t.Errorf("%v: %s", kinds, fmt.Sprint(got.States))
	}
}

// A request that the server says it does not know is sent again only after a pause.
func TestUnknownRequestIsSentAgainAfterAPause(t *testing.T) {
	t.Parallel()
	got := call[[]float64](t, library(t), `async () => {
		const { Exchange } = await import('/static/src/server/exchange.js');
		const { Job } = await import('/static/src/server/job.js');
		const { CODE, WHOLE_REQUEST } = await import('/static/src/constants.js');
		const delays = [];
		const exchange = new Exchange((piece, delay = 0) => delays.push(piece.places.length, delay));
		exchange.socket = { welcomed: true, send() {} };
		const limits = { message_bytes: 1e6, text_bytes: 1e6, texts: 100, pending_bytes: 1e6 };
		exchange.welcome({ type: 'welcome', resumed: false, token: new Uint8Array(), facts: { model: { id: 'x', dim: 2 }, limits } });
		const job = new Job(['a', 'b'], { role: 'query', dtype: 'f32', deadline: 60_000, hasty: false }, () => {});
		exchange.send({ job, places: [0, 1] });
		exchange.receive({ type: 'fault', id: 1, index: WHOLE_REQUEST, code: CODE.unknown_request, retry: 1, message: '' });
		return delays;
	}`)
	if len(got) != 2 || got[0] != 2 || got[1] < 50 {
		t.Errorf("%v: texts, and milliseconds of the pause", got)
	}
}
