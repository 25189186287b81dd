package command

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"github.com/vantage-search/vantage/client"
	"github.com/vantage-search/vantage/internal/model/modeltest"
	"github.com/vantage-search/vantage/internal/server/wire"
)

// newModel makes a folder and writes a small model into its folder "model".
func newModel(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	if err := modeltest.Write(filepath.Join(dir, "model"), 1); err != nil {
		t.Fatal(err)
	}
	return dir
}

// hello connects to a server's stream, and resumes the session of the token.
func (s *server) hello(t *testing.T, token wire.Token) (*websocket.Conn, *wire.Welcome) {
	t.Helper()
	d := websocket.Dialer{Subprotocols: []string{wire.Protocol}}
	ws, _, err := d.Dial("ws"+strings.TrimPrefix(s.url, "http")+"v1/stream", nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ws.Close() })
	if err := ws.WriteMessage(websocket.BinaryMessage, (&wire.Hello{Token: token}).Append(nil)); err != nil {
		t.Fatal(err)
	}
	return ws, frame(t, ws).(*wire.Welcome)
}

func frame(t *testing.T, ws *websocket.Conn) wire.Frame {
	t.Helper()
	ws.SetReadDeadline(time.Now().Add(time.Minute))
	_, b, err := ws.ReadMessage()
	if err != nil {
		t.Fatal(err)
	}
	f, err := wire.Parse(b)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// With the model of the site's vectors, the server also encodes, and the page names the
// server.
func TestServeModel(t *testing.T) {
	t.Parallel()
	dir := newCorpus(t)
	if err := modeltest.Write(filepath.Join(dir, "model"), 1); err != nil {
		t.Fatal(err)
	}
	must(t, dir, "index", "corpus.jsonl", "-o", "site", "--site", "--model", "model")
	must(t, dir, "index", "corpus.jsonl", "-o", "named", "--site", "--model", "model", "--server", "https://encode.example/")
	const ours, other = "./", "https://encode.example/"
	for folder, server := range map[string]string{"site": ours, "site/collection": ours, "named": other} {
		named := map[string]string{"/": `"server":"` + server + `"`, "/lab.html": `"server":"` + server + `"`}
		s := serve(t, dir, folder, "--model", "model", "--log", "off")
		for _, path := range []string{"/", "/index.html", "/lab.html", "/offline/files.js", "/lib/server.js"} {
			r, body := s.ask(t, "GET", path)
			tag := r.Header.Get("ETag")
			if again, _ := s.ask(t, "GET", path, "If-None-Match", tag); r.StatusCode != 200 || tag == "" || again.StatusCode != 304 {
				t.Errorf("%s: %s: %d %q, again %d", folder, path, r.StatusCode, tag, again.StatusCode)
			}
			if !strings.Contains(body, named[path]) {
				t.Errorf("%s: %s: %.600s", folder, path, body)
			}
			if path == "/offline/files.js" && !strings.Contains(body, `"lib/server.js"`) {
				t.Errorf("%s: the service worker does not store the server's module: %s", folder, body)
			}
		}
	}
	s := serve(t, dir, "site", "--model", "model", "--log", "off")
	for path, want := range map[string]string{"/healthz": "ok", "/readyz": "ready", "/v1/models": `"id":"model"`, "/metrics": "vantage_queue_tokens"} {
		if r, body := s.ask(t, "GET", path); r.StatusCode != 200 || !strings.Contains(body, want) {
			t.Errorf("%s: %d %s", path, r.StatusCode, body)
		}
	}
	r, err := http.Post(s.url+"v1/embeddings", "application/json", strings.NewReader(`{"input":"night trains","model":"model"}`))
	if err != nil {
		t.Fatal(err)
	}
	r.Body.Close()
	if r.StatusCode != 200 {
		t.Errorf("%d", r.StatusCode)
	}
	// It says how to write a page anew that it cannot change.
	must(t, dir, "index", "corpus.jsonl", "-o", "my site", "--site", "--model", "model")
	write(t, dir, "my site/lab.html", "changed by hand")
	changed := serve(t, dir, "my site", "--model", "model", "--log", "off")
	changed.stop(t, syscall.SIGTERM)
	if told := changed.stderr.String(); !strings.Contains(told, "with: vantage index CORPUS -o 'my site' --site\n") {
		t.Error(told)
	}
	changed.stderr.Reset()
}

// Flags override the environment, which overrides the file, and errors name
// their source.
func TestServeSettings(t *testing.T) {
	dir := newModel(t)
	write(t, dir, "keys", "# ours\none\n\ntwo\n")
	write(t, dir, "serve.yaml", "model: model\nlog: off\nkeys: keys\norigin: [https://a.example, https://b.example]\ntexts: 3\nrate: 0\n")
	t.Setenv("VANTAGE_TEXTS", "2")
	s := serve(t, dir, "--config", "serve.yaml")
	for body, want := range map[string]int{`{"input":["a","b"]}`: 200, `{"input":["a","b","c"]}`: 400} {
		for _, origin := range []string{"", "https://a.example", "https://b.example", "https://c.example"} {
			q, _ := http.NewRequest("POST", s.url+"v1/embeddings", strings.NewReader(body))
			q.Header.Set("Authorization", "Bearer two")
			q.Header.Set("Origin", origin)
			r, err := http.DefaultClient.Do(q)
			if err != nil {
				t.Fatal(err)
			}
			r.Body.Close()
			expected := want
			if strings.Contains(origin, "c.example") {
				expected = 403
			}
			if r.StatusCode != expected {
				t.Errorf("%s from %q: %d, want %d", body, origin, r.StatusCode, expected)
			}
		}
	}
	if r, _ := s.ask(t, "GET", "/v1/models"); r.StatusCode != 401 {
		t.Errorf("without a key: %d", r.StatusCode)
	}
	t.Setenv("VANTAGE_ORIGIN", "https://c.example,https://d.example") // replaces the file's
	several := serve(t, dir, "--config", "serve.yaml")
	for origin, want := range map[string]int{"https://a.example": 403, "https://d.example": 200} {
		if r, _ := several.ask(t, "GET", "/v1/models", "Authorization", "Bearer one", "Origin", origin); r.StatusCode != want {
			t.Errorf("from %s: %d", origin, r.StatusCode)
		}
	}
	fails(t, usage, dir, []string{"serve"}, "DIR is missing")
	fails(t, usage, dir, []string{"serve", "--config", "serve.yaml", "--texts", "0"}, "--texts 0")
	fails(t, usage, dir, []string{"serve", "--model", "model", "--tls-cert", "x"}, "--tls-key")
	fails(t, input, dir, []string{"serve", "--model", "nowhere"}, "nowhere")
	fails(t, input, dir, []string{"serve", "--model", "model", "--keys", "nokeys"}, "nokeys")
	for content, part := range map[string]string{"speed: 3": `"speed"`, "texts: {a: 1}": "line 1", "[": "YAML", "config: x": `"config"`,
		"texts: 1\ntexts: 2": "texts", "texts: [1, 2]": "one value", "origin: [[a]]": "line 1", "- a": "YAML", "log": "YAML"} {
		write(t, dir, "bad.yaml", content+"\n")
		fails(t, input, dir, []string{"serve", "--config", "bad.yaml"}, "bad.yaml", part)
	}
	for content, part := range map[string]string{"batch-wait: soon": "batch-wait", "queue-tokens: 1.5": "queue-tokens", "cors: perhaps": "cors", "log: loud": "log", "rate: -1": "--rate"} {
		write(t, dir, "bad.yaml", "model: model\n"+content+"\n")
		fails(t, usage, dir, []string{"serve", "--config", "bad.yaml"}, part)
	}
	for _, origin := range []string{"example.org", "https://example.org/", "https://example.org/page", "*", "null"} {
		fails(t, usage, dir, []string{"serve", "--model", "model", "--origin", origin}, "--origin", "https://example.org")
	}
	fails(t, usage, dir, []string{"serve", "--model", "model", "--trusted-proxy", "10.0.0.1"}, "--trusted-proxy", "127.0.0.1/32")
	t.Setenv("VANTAGE_TEXTS", "many")
	fails(t, usage, dir, []string{"serve", "--model", "model"}, "VANTAGE_TEXTS", "many")
}

// If the server is killed or stopped during a call and started again, every
// text is answered once, with the same vector.
func TestServeRestart(t *testing.T) {
	t.Parallel()
	dir := newModel(t)
	args := []string{"--model", "model", "--log", "off", "--pending-bytes", "4000"} // room for some twenty texts under way
	s := serve(t, dir, args...)
	args = append(args, "--listen", strings.TrimSuffix(strings.TrimPrefix(s.url, "http://"), "/"))
	c, err := client.Dial(context.Background(), "ws"+strings.TrimPrefix(s.url, "http")+"v1/stream", client.Options{Lost: func(err error) {
		if _, ok := errors.AsType[*client.ProtocolError](err); ok {
			t.Error(err)
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	texts := make([]string, 400)
	for i := range texts {
		texts[i] = fmt.Sprintf("claim %d that trains help", i)
	}
	ends := map[int]os.Signal{50: syscall.SIGKILL, 150: syscall.SIGTERM, 250: syscall.SIGKILL, 350: syscall.SIGTERM}
	got := map[int]client.Answer{}
	err = c.Each(context.Background(), texts, client.EncodeOptions{}, func(a client.Answer) {
		if _, twice := got[a.Index]; twice || a.Err != nil {
			t.Errorf("%+v, once more", a)
		}
		got[a.Index] = a
		switch signal := ends[len(got)]; signal {
		case nil:
			return
		case syscall.SIGKILL:
			s.cmd.Process.Signal(signal)
			s.cmd.Wait()
		default:
			s.stop(t, signal)
		}
		s = serve(t, dir, args...)
	})
	if err != nil || len(got) != len(texts) {
		t.Fatalf("%d of %d texts (%v)", len(got), len(texts), err)
	}
	again, err := c.Encode(context.Background(), texts, client.EncodeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for i, a := range again {
		if !slices.Equal(a.Vector, got[i].Vector) {
			t.Errorf("text %d has two vectors", i)
		}
	}
}

// After a signal, the server finishes accepted requests.
func TestServeDrains(t *testing.T) {
	t.Parallel()
	dir := newModel(t)
	s := serve(t, dir, "--model", "model", "--log", "off", "--batch-tokens", "16")
	const n = 400
	texts := make([][]byte, n)
	for i := range texts {
		texts[i] = fmt.Appendf(nil, "claim %d that trains help", i)
	}
	ws, _ := s.hello(t, wire.Token{})
	ws.WriteMessage(websocket.BinaryMessage, (&wire.Encode{ID: 2, DType: wire.F32, Texts: texts}).Append(nil))
	first, vectors := frame(t, ws), 0
	if _, ok := first.(*wire.Vector); ok {
		vectors++
	}
	s.cmd.Process.Signal(syscall.SIGTERM)
	for done := false; !done; {
		switch frame(t, ws).(type) {
		case *wire.Vector:
			vectors++
		case *wire.Done:
			done = true
		}
	}
	if vectors != n {
		t.Errorf("%d of %d vectors before the end", vectors, n)
	}
	_, _, err := ws.ReadMessage()
	if err == nil { // this was GOODBYE, unless that came before DONE
		_, _, err = ws.ReadMessage()
	}
	if !websocket.IsCloseError(err, websocket.CloseGoingAway) {
		t.Errorf("%v", err)
	}
	s.ended(t)
}

// Go's memory limit follows from the flags and the model, unless the operator has set a
// lower GOMEMLIMIT.
func TestServeMemoryLimit(t *testing.T) {
	dir := newModel(t)
	limit := func() int64 {
		t.Helper()
		s := serve(t, dir, "--model", "model", "--log", "off", "--session-bytes", "300000000", "--cache-bytes", "20000000")
		_, body := s.ask(t, "GET", "/metrics")
		m := regexp.MustCompile(`(?m)^go_gc_gomemlimit_bytes (\S+)$`).FindStringSubmatch(body)
		if m == nil {
			t.Fatal("/metrics has no go_gc_gomemlimit_bytes")
		}
		n, err := strconv.ParseFloat(m[1], 64)
		if err != nil {
			t.Fatal(err)
		}
		return int64(n)
	}
	const clients, model = 352_000_000, 200 << 20 // the clients' memory and a tenth; an upper bound of the small model
	t.Setenv("GOMEMLIMIT", "")
	if got := limit(); got < clients || got > clients+model {
		t.Errorf("by the flags: %d", got)
	}
	t.Setenv("GOMEMLIMIT", "4GiB")
	if got := limit(); got < clients || got > clients+model {
		t.Errorf("by the flags, below GOMEMLIMIT: %d", got)
	}
	t.Setenv("GOMEMLIMIT", "222MiB")
	if got := limit(); got != 222<<20 {
		t.Errorf("by GOMEMLIMIT: %d", got)
	}
}
