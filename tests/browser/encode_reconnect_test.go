package browser

import (
	"bufio"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/vantage-search/vantage/internal/testing/harness"
)

// If an encoder is closed while it has no connection, all calls end immediately, and it
// does not connect when the server is back, even if an event wakes the page.
func TestServerEncoderClosesWhileItConnects(t *testing.T) {
	t.Parallel()
	page, origin := asking(t, debates(t), nil)
	page.Expect("WebSocket connection|net::ERR|CORS policy")
	call[any](t, page, `() => {
		globalThis.made = 0;
		globalThis.WebSocket = class extends WebSocket {
			constructor(...args) {
				super(...args);
				made++;
			}
		};
	}`)
	for _, c := range []struct {
		state  string
		silent bool // connections never open; otherwise they are lost immediately
		hasty  string
	}{
		{"connecting", true, "ClosedError"},
		{"down", false, "UnavailableError"},
	} {
		t.Run(c.state, func(t *testing.T) {
			s := serveModel(t, origin, "--model", "static", "--cache-bytes", "0", "--rate", "0", "--batch-wait", "5s")
			var back atomic.Bool
			first := true
			proxy := tear(t, s.Addr, func() (int64, bool) {
				switch {
				case first:
					first = false
					return 5000, false // breaks in the last text
				case back.Load():
					return forever, false
				}
				return 0, c.silent
			})
			call[any](t, page, `async (url, state) => {
				const { ServerEncoder } = await import('/lib/server.js');
				globalThis.encoder = new ServerEncoder(url, { patience: 60_000 });
				await encoder.reach({});
				globalThis.states = [];
				encoder.addEventListener('state', () => states.push(encoder.state));
				const ended = (promise) => promise.then(() => 'resolved', (error) => error.name);
				globalThis.calls = {
					sent: ended(encoder.encode(['sent'])),
					hasty: ended(encoder.ask(['hasty'], 'query', { hasty: true })),
					torn: ended(encoder.encode(['night trains '.repeat(1000)])),
				};
				while (encoder.state !== state) await new Promise((resolve) => encoder.addEventListener('state', resolve, { once: true }));
				calls.reaching = ended(encoder.reach({}));
				calls.queued = ended(encoder.encode(['queued']));
			}`, proxy.URL(), c.state)
			for end := time.Now().Add(time.Minute); proxy.Lost() < 2 && time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
			}
			got := call[struct {
				Thrown string
				Ended  map[string]string
				States []string
			}](t, page, `async () => {
				let thrown = '';
				try {
					encoder.close();
					encoder.close();
				} catch (error) {
					thrown = String(error);
				}
				const ended = {};
				for (const [name, call] of Object.entries(calls)) ended[name] = await call;
				return { thrown, ended, states };
			}`)
			if want := []string{"connecting", c.state, "closed"}; got.Thrown != "" || !slices.Equal(got.States, slices.Compact(want)) {
				t.Errorf("thrown: %q, states %q", got.Thrown, got.States)
			}
			for name, how := range got.Ended {
				want := "ClosedError"
				if name == "hasty" {
					want = c.hasty
				}
				if how != want {
					t.Errorf("%s: %s, want %s", name, how, want)
				}
			}
			back.Store(true)
			after := call[[]string](t, page, `async () => {
				const before = made;
				for (let i = 0; i < 10; i++) {
					await new Promise((resolve) => setTimeout(resolve, 200));
					dispatchEvent(new Event('online'));
					document.dispatchEvent(new Event('visibilitychange'));
				}
				return [encoder.state, encoder.error.name, await encoder.encode(['late']).catch((error) => error.name), await encoder.ready.catch((error) => error.name), states.at(-1), made - before + ' sockets'];
			}`)
			if want := []string{"closed", "ClosedError", "ClosedError", "ClosedError", "closed", "0 sockets"}; !slices.Equal(after, want) {
				t.Errorf("%q, want %q", after, want)
			}
			s.Until("sockets", func(n int) bool { return n == 0 })
		})
	}
}

// hanging is a listener that closes every connection without an answer.
type hanging struct {
	url      string
	mu       sync.Mutex
	attempts []time.Time // to open a stream
}

func hang(t testing.TB) *hanging {
	t.Helper()
	listener, err := harness.Listen()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	h := &hanging{url: "http://" + listener.Addr().String() + "/"}
	go func() {
		for {
			c, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				if line, _ := bufio.NewReader(c).ReadString('\n'); strings.Contains(line, "/v1/stream") {
					h.mu.Lock()
					h.attempts = append(h.attempts, time.Now())
					h.mu.Unlock()
				}
			}()
		}
	}()
	return h
}

// times returns the times of the attempts so far.
func (h *hanging) times() []time.Time {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Clone(h.attempts)
}

// If a server is lost again and again, attempts become rarer: each waits a random
// share of a bound, and the bound doubles.
func TestServerEncoderBacksOff(t *testing.T) {
	t.Parallel()
	page, _ := asking(t, debates(t), nil)
	page.Expect("WebSocket connection|net::ERR|Failed to load resource|CORS policy")
	const many = 5
	h := hang(t)
	call[any](t, page, `async (url) => {
		Math.random = () => 0.5;
		const { ServerEncoder } = await import('/lib/server.js');
		globalThis.encoder = new ServerEncoder(url);
	}`, h.url)
	for end := time.Now().Add(time.Minute); len(h.times()) < many; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%d attempts", len(h.times()))
		}
	}
	call[any](t, page, `() => encoder.close()`)
	attempts := h.times()
	for i, least := 1, 125*time.Millisecond; i < len(attempts); i, least = i+1, 2*least {
		if gap := attempts[i].Sub(attempts[i-1]); gap < least-10*time.Millisecond { // timers round
			t.Errorf("attempt %d comes %v after the one before, not %v", i, gap, least)
		}
	}
}

// Pauses are random below a bound that doubles up to 30 seconds, so two encoders do not
// wait equally long. The page's clock runs a thousand times as fast.
func TestServerEncoderSpreadsAttempts(t *testing.T) {
	t.Parallel()
	page, origin := asking(t, debates(t), nil)
	type waits struct{ Chances, Delays []float64 }
	got := call[[]waits](t, page, `async (url, many) => {
		const patience = 123_456;
		const [chance, later] = [Math.random, setTimeout];
		let run;
		Math.random = () => (run.chances.push(chance()), run.chances.at(-1));
		globalThis.setTimeout = (then, ms) => {
			if (ms !== patience) run.delays.push(ms);
			return later(then, ms / 1000);
		};
		globalThis.WebSocket = class { // of an unreachable server
			constructor() {
				later(() => this.onclose?.({ code: 1006, reason: '' }));
			}
			close() {}
		};
		globalThis.fetch = () => Promise.reject(new TypeError('away'));
		const { ServerEncoder } = await import('/lib/server.js');
		const runs = [];
		for (let i = 0; i < 2; i++) {
			runs.push((run = { chances: [], delays: [] }));
			const encoder = new ServerEncoder(url, { patience });
			while (run.delays.length < many) await new Promise((resolve) => later(resolve, 1));
			encoder.close();
		}
		return runs;
	}`, origin, 12)
	for _, run := range got {
		bound := 250.
		for i, delay := range run.Delays {
			if !slices.ContainsFunc(run.Chances, func(chance float64) bool { return delay == chance*bound }) {
				t.Errorf("wait %d is %g ms, not the random share of %g", i, delay, bound)
			}
			bound = min(2*bound, 30_000)
		}
	}
	for i, delay := range got[0].Delays {
		if slices.Contains(got[1].Delays, delay) {
			t.Errorf("both wait %g ms (%d)", delay, i)
		}
	}
}
