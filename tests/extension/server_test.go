package extension

import (
	"context"
	"log/slog"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/model"
	"github.com/vantage-search/vantage/internal/model/modeltest"
	"github.com/vantage-search/vantage/internal/server"
	"github.com/vantage-search/vantage/internal/server/wire"
	"github.com/vantage-search/vantage/internal/testing/harness"
	"github.com/vantage-search/vantage/internal/testing/pages"
	"github.com/vantage-search/vantage/internal/testing/wait"
)

// recording is a small real model that remembers what it encodes. It waits while it is held.
type recording struct {
	model.Encoder
	mu    sync.Mutex
	texts []string
	held  chan struct{}
}

func (e *recording) Encode(ctx context.Context, texts []string, o encoder.Options) ([]encoder.Embedding, error) {
	e.mu.Lock()
	e.texts = append(e.texts, texts...)
	held := e.held
	e.mu.Unlock()
	if held != nil {
		select {
		case <-held:
		case <-ctx.Done():
		}
	}
	return e.Encoder.Encode(ctx, texts, o)
}

func (e *recording) seen() int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return len(e.texts)
}

// hold holds the answers until the result is called.
func (e *recording) hold() (release func()) {
	held := make(chan struct{})
	e.mu.Lock()
	e.held = held
	e.mu.Unlock()
	return func() {
		e.mu.Lock()
		e.held = nil
		e.mu.Unlock()
		close(held)
	}
}

// encodeServer is an encode server that can go down and come back.
type encodeServer struct {
	t       *testing.T
	model   *recording
	address string
	down    func()
}

const serverKey = "a key of the tests"

// serveModel starts an encode server that the extension's origin may use.
func serveModel(t *testing.T, origin string) *encodeServer {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "model")
	if err := modeltest.Write(dir, 1); err != nil {
		t.Fatal(err)
	}
	opened, err := model.Open(context.Background(), dir, model.Options{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { opened.Close() })
	s := &encodeServer{t: t, model: &recording{Encoder: opened}}
	s.up(origin)
	t.Cleanup(func() { s.down() })
	return s
}

// up starts the server, at the address that it had before.
func (s *encodeServer) up(origin string) {
	s.t.Helper()
	var listener net.Listener
	var err error
	if s.address == "" {
		listener, err = harness.Listen()
	} else {
		listener, err = net.Listen("tcp", s.address)
	}
	if err != nil {
		s.t.Fatal(err)
	}
	s.address = listener.Addr().String()
	running, err := server.New(s.model, server.Options{Limits: server.DefaultLimits(), Keys: []string{serverKey}, Origins: []string{origin}, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		s.t.Fatal(err)
	}
	web := &http.Server{Handler: running}
	go web.Serve(listener)
	s.down = sync.OnceFunc(func() {
		ended, cancel := context.WithCancel(context.Background())
		cancel() // it does not wait for anybody
		running.Close(ended)
		web.Close()
	})
}

// worker waits for the service worker.
func (s *session) worker(t *testing.T) (worker *harness.Page) {
	t.Helper()
	wait.Until(t, "a service worker", func() bool {
		worker = s.part("service_worker")
		return worker != nil
	})
	return worker
}

// store changes the extension's settings, as its options page does.
func (s *session) store(t *testing.T, settings map[string]any) {
	t.Helper()
	if _, err := harness.Call[any](s.worker(t), `(settings) => chrome.storage.local.set(settings)`, settings); err != nil {
		t.Fatal(err)
	}
}

// A server that the user names ranks in place of the bundled transformer. The bar shows when
// texts are on their way. When the server is down, the built-in encoder ranks and the bar says
// so; when it is back, it ranks again. Questions for a side stay on the machine.
func TestServer(t *testing.T) {
	s := chromium(t)
	server := serveModel(t, s.origin)
	s.store(t, map[string]any{"encoder": map[string]any{"kind": "server", "url": "ws://" + server.address + "/", "key": serverKey}})
	defer s.store(t, map[string]any{"encoder": map[string]any{"kind": "builtin"}})
	s.expect(`WebSocket connection|net::ERR|Failed to load resource`)

	x, results := ddg(t, "", 12)
	x.press("barSupporting")
	x.waitTitles(list, supporting(t, results))
	if n := server.model.seen(); n > 0 {
		t.Errorf("a question for a side sent %d texts", n)
	}
	x.press("barUndo")

	release := server.model.hold()
	x.enter("barPlace", "Germany")
	x.waitStatus(label(t, "barSending", server.address))
	release()
	x.waitStatus(label(t, "barRankedServer"))
	if strings.Contains(x.status(), label(t, "barSending", server.address)) {
		t.Errorf("after the answer the bar says %q", x.status())
	}
	if n := server.model.seen(); n < 12 {
		t.Errorf("the server saw %d texts", n)
	}

	// Its encoder may know other languages.
	german := open(t, s, pages.DuckDuckGo.URL(pages.Trains, "", "count", "6"))
	german.enter("barPlace", "Germany")
	german.waitStatus(label(t, "barRankedServer"))
	warning, _, _ := strings.Cut(label(t, "barForeign"), "$")
	if badges, said := german.badges(), german.status(); len(badges) != 6 || strings.Contains(said, warning) {
		t.Errorf("German results that the server ranked have %d badges, and the bar says %q", len(badges), said)
	}

	server.down()
	x.press("barUndo")
	x.waitTitles(list, titles(results))
	x.enter("barPlace", "France")
	x.waitStatus(label(t, "engineServerDown", server.address))
	x.waitStatus(label(t, "barRankedSides"))

	server.up(s.origin)
	places := []string{"Italy", "Spain"}
	for at, end := 0, time.Now().Add(time.Minute); ; at++ {
		x.press("barUndo")
		x.enter("barPlace", places[at%2])
		wait.Until(t, "an answer", func() bool {
			said := x.status()
			return strings.Contains(said, label(t, "barRankedServer")) || strings.Contains(said, label(t, "engineServerDown", server.address)) && strings.Contains(said, label(t, "barRankedSides"))
		})
		if strings.Contains(x.status(), label(t, "barRankedServer")) {
			break
		}
		if time.Now().After(end) {
			t.Fatalf("the server is back, and the bar says %q", x.status())
		}
	}
}

// A server that cannot be used says why: it may not know the key, not allow the extension, or have no model.
func TestServerRefuses(t *testing.T) {
	s := chromium(t)
	server := serveModel(t, s.origin)
	elsewhere := serveModel(t, "https://example.org")
	listener, err := harness.Listen()
	if err != nil {
		t.Fatal(err)
	}
	files := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Access-Control-Allow-Origin", "*") // as vantage serve without a model
		w.Header().Set("Access-Control-Allow-Headers", "*")
		if r.Method != http.MethodOptions {
			http.NotFound(w, r)
		}
	})}
	go files.Serve(listener)
	defer files.Close()
	defer s.store(t, map[string]any{"encoder": map[string]any{"kind": "builtin"}})
	s.expect(`WebSocket connection|net::ERR|Failed to load resource|CORS policy`)
	for place, refusal := range map[string]struct{ address, key, notice string }{
		"Germany": {server.address, "another key", "engineServerRefused"},
		"France":  {elsewhere.address, serverKey, "engineServerDown"},
		"Italy":   {listener.Addr().String(), serverKey, "engineServerFailed"},
	} {
		s.store(t, map[string]any{"encoder": map[string]any{"kind": "server", "url": "ws://" + refusal.address + "/", "key": refusal.key}})
		x, _ := ddg(t, "", 12)
		x.enter("barPlace", place)
		x.waitStatus(label(t, refusal.notice, refusal.address))
		x.waitStatus(label(t, "barRankedSides"))
	}
}

// A server that answers with anything but frames, with vectors that are none, or not at all costs its answer alone: the
// bar says so, and the bundled transformer ranks.
func TestServerGarbles(t *testing.T) {
	s := chromium(t)
	server := serveModel(t, s.origin)
	defer s.store(t, map[string]any{"encoder": map[string]any{"kind": "builtin"}})
	s.expect(`WebSocket connection|net::ERR|Failed to load resource`)
	vector := func(message []byte) bool { return len(message) > 32 && message[2] == byte(wire.TypeVector) }
	for place, garble := range map[string]func(message []byte) (kind int, garbled []byte){
		"Germany": func([]byte) (int, []byte) { return websocket.TextMessage, []byte(`{"vectors": [[1, 2], null]}`) },
		"France":  func(message []byte) (int, []byte) { return websocket.BinaryMessage, message[:len(message)-1] },
		"Italy": func(message []byte) (int, []byte) {
			if vector(message) {
				message[33] = 0x7e // the first component, a binary16, is not a number
			}
			return websocket.BinaryMessage, message
		},
		"Spain": func(message []byte) (int, []byte) {
			if vector(message) {
				return 0, nil
			}
			return websocket.BinaryMessage, message
		},
	} {
		address := garbled(t, server, garble)
		s.store(t, map[string]any{"encoder": map[string]any{"kind": "server", "url": "ws://" + address + "/", "key": serverKey}})
		x, results := ddg(t, "", 12)
		x.enter("barPlace", place)
		wait.Until(t, "the bar says what is wrong", func() bool {
			said := x.status()
			return strings.Contains(said, label(t, "engineServerFailed")) || strings.Contains(said, label(t, "engineServerDown"))
		})
		x.waitStatus(label(t, "barRankedSides"))
		if said := x.status(); strings.Contains(said, label(t, "barSending", address)) {
			t.Errorf("%s: afterwards the bar says %q", place, said)
		}
		x.press("barUndo")
		x.waitTitles(list, titles(results))
	}
}

// Content scripts are in the processes of pages, so the background does for them only what the bar needs: it tells none of
// them the server and its key, and does not end the engine that answers others.
func TestMessages(t *testing.T) {
	s := chromium(t)
	defer s.store(t, map[string]any{"encoder": map[string]any{"kind": "builtin"}})
	x, _ := ddg(t, "", 6)
	x.press("barSupporting")
	x.waitStatus(label(t, "barRankedSides"))
	s.store(t, map[string]any{"encoder": map[string]any{"kind": "server", "url": "wss://encode.example/", "key": serverKey}})
	ask := func(message string) string {
		t.Helper()
		answer, err := harness.Call[string](s.worker(t), `async (message, url) => {
			const tab = (await chrome.tabs.query({})).find((one) => one.url === url);
			const [{ result }] = await chrome.scripting.executeScript({
				target: { tabId: tab.id },
				args: [message],
				func: (type) => chrome.runtime.sendMessage({ to: 'background', type }).then((answer) => JSON.stringify(answer ?? null), () => 'none'),
			});
			return result;
		}`, message, call[string](x, `() => location.href`))
		if err != nil {
			t.Fatal(err)
		}
		return answer
	}
	if got := ask("engine"); got != "{}" {
		t.Errorf("engine: %s", got)
	}
	for _, message := range []string{"encoder", "idle", "other"} {
		if got := ask(message); got != "null" && got != "none" {
			t.Errorf("%s: %s", message, got)
		}
	}
	if s.part("background_page") == nil {
		t.Error("a content script has ended the engine")
	}
	options := s.options(t)
	if got := call[string](options, `() => chrome.runtime.sendMessage({ to: 'background', type: 'encoder' }).then(({ key }) => key)`); got != serverKey {
		t.Errorf("a document of the extension's is told %q", got)
	}
}

// garbled starts a proxy that changes what an encode server says after its welcome.
func garbled(t *testing.T, to *encodeServer, garble func(message []byte) (kind int, garbled []byte)) (address string) {
	t.Helper()
	listener, err := harness.Listen()
	if err != nil {
		t.Fatal(err)
	}
	plain := httputil.NewSingleHostReverseProxy(&url.URL{Scheme: "http", Host: to.address})
	upgrader := websocket.Upgrader{Subprotocols: []string{wire.Protocol}, CheckOrigin: func(*http.Request) bool { return true }}
	proxy := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !websocket.IsWebSocketUpgrade(r) {
			plain.ServeHTTP(w, r)
			return
		}
		dialer := websocket.Dialer{Subprotocols: websocket.Subprotocols(r)}
		server, _, err := dialer.Dial("ws://"+to.address+r.URL.Path, http.Header{"Origin": r.Header["Origin"]})
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		defer server.Close()
		client, err := upgrader.Upgrade(w, r, nil)
		if err != nil {
			return
		}
		defer client.Close()
		go func() {
			defer server.Close()
			for {
				kind, message, err := client.ReadMessage()
				if err != nil || server.WriteMessage(kind, message) != nil {
					return
				}
			}
		}()
		for first := true; ; first = false {
			kind, message, err := server.ReadMessage()
			if err != nil {
				return
			}
			if !first {
				kind, message = garble(message)
			}
			if kind != 0 && client.WriteMessage(kind, message) != nil {
				return
			}
		}
	})}
	go proxy.Serve(listener)
	t.Cleanup(func() { proxy.Close() })
	return listener.Addr().String()
}
