package client_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/vantage-search/vantage/internal/testing/wait"

	"github.com/vantage-search/vantage"
	"github.com/vantage-search/vantage/client"
	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/model"
	"github.com/vantage-search/vantage/internal/model/modeltest"
	"github.com/vantage-search/vantage/internal/server"
	"github.com/vantage-search/vantage/internal/server/servertest"
	"github.com/vantage-search/vantage/internal/server/wire"
)

// counted is a small real model that counts what it encodes.
type counted struct {
	model.Encoder
	mu    sync.Mutex
	times map[string]int
	hold  func(ctx context.Context) // before texts are encoded; nil: not at all
}

func (e *counted) Encode(ctx context.Context, texts []string, o encoder.Options) ([]encoder.Embedding, error) {
	e.mu.Lock()
	for _, text := range texts {
		e.times[text]++
	}
	hold := e.hold
	e.mu.Unlock()
	if hold != nil {
		hold(ctx)
	}
	return e.Encoder.Encode(ctx, texts, o)
}

// start runs a server on a real socket, whose address it returns.
func start(t testing.TB, change func(*server.Options)) (*counted, *httptest.Server) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "model")
	if err := modeltest.Write(dir, 1); err != nil {
		t.Fatal(err)
	}
	encoder, err := model.Open(context.Background(), dir, model.Options{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { encoder.Close() }) // after the server
	o := server.Options{Limits: server.DefaultLimits(), Log: slog.New(slog.DiscardHandler)}
	o.Limits.Rate, o.Limits.SocketsPerAddress = 0, o.Limits.Sockets
	if change != nil {
		change(&o)
	}
	e := &counted{Encoder: encoder, times: map[string]int{}}
	s, err := server.New(e, o)
	if err != nil {
		t.Fatal(err)
	}
	h := servertest.Serve(t, s)
	return e, h
}

func stream(h *httptest.Server) string {
	return "ws" + strings.TrimPrefix(h.URL, "http") + "/v1/stream"
}

func dial(t testing.TB, url string, o client.Options) *client.Client {
	t.Helper()
	c, err := client.Dial(context.Background(), url, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

func claims(prefix string, n int) []string {
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprint("claim ", prefix, i, " that night trains help")
	}
	return list
}

// Calls that share a connection, each larger than the server's limits, get the model's
// vectors. A text that cannot be encoded has its own error.
func TestEncode(t *testing.T) {
	e, h := start(t, func(o *server.Options) {
		o.Limits.Texts, o.Limits.PendingBytes, o.Limits.MessageBytes, o.Limits.TextBytes, o.Keys = 7, 4000, 700, 600, []string{"käy"}
	})
	if _, err := client.Dial(context.Background(), stream(h), client.Options{Key: "kay"}); !isStatus(err, 401) || !strings.Contains(err.Error(), "Authorization: Bearer KEY") {
		t.Errorf("without the key: %v", err)
	}
	c := dial(t, stream(h), client.Options{Key: "käy"})
	if f := c.Facts(); f.Model.Dim != 32 || f.Limits.Texts != 7 || f.Model.Prompts["query"] != "find: " {
		t.Errorf("%+v", f)
	}
	var all sync.WaitGroup
	for k := range 4 {
		all.Go(func() {
			list := append(claims(fmt.Sprint(k, " "), 50), "", "\xff", strings.Repeat("a", 601), strings.Repeat("night ", 90))
			want, err := e.Encoder.Encode(context.Background(), list, encoder.Options{Role: encoder.Query})
			if err != nil {
				t.Error(err)
				return
			}
			got, err := c.Encode(context.Background(), list, client.EncodeOptions{Role: vantage.RoleQuery})
			if err != nil {
				t.Error(err)
				return
			}
			for i, a := range got {
				var fault *client.Fault
				switch {
				case i == 51 || i == 52:
					if !errors.As(a.Err, &fault) || i == 51 && fault.Code != client.CodeInvalidText || i == 52 && fault.Code != client.CodeTooLarge {
						t.Errorf("text %d: %v", i, a.Err)
					}
				case a.Err != nil || fmt.Sprint(a.Vector) != fmt.Sprint(want[i].Vector) || a.Tokens != want[i].Tokens || a.Truncated != (i == 53):
					t.Errorf("text %d: %+v", i, a)
				}
			}
		})
	}
	all.Wait()
	short, err := c.Encode(context.Background(), []string{"night"}, client.EncodeOptions{DType: client.Int8, Dimensions: 5})
	if err != nil || len(short[0].Vector) != 5 {
		t.Errorf("%v (%v)", short, err)
	}
	for says, o := range map[string]client.EncodeOptions{
		"33 dimensions: choose 1 to 32": {Dimensions: 33}, "-1 dimensions": {Dimensions: -1}, "4294967301 dimensions": {Dimensions: 1<<32 + 5}, "-9223372036854775808 dimensions": {Dimensions: math.MinInt},
		"4 is not a type of components": {DType: 4}, `"magic" is not a role`: {Role: "magic"},
	} {
		if _, err := c.Encode(context.Background(), []string{"night"}, o); !errors.Is(err, vantage.ErrInput) || !strings.HasPrefix(err.Error(), says) {
			t.Errorf("%+v: %v", o, err)
		}
	}
	c.Close()
	if _, err := c.Encode(context.Background(), []string{"night"}, client.EncodeOptions{}); !errors.Is(err, client.ErrClosed) {
		t.Errorf("after Close: %v", err)
	}
}

// What is no address of a stream is refused by name, without its password.
func TestAddresses(t *testing.T) {
	const scheme = "it must begin with ws:// or wss://"
	for address, says := range map[string]string{
		"": scheme, "http://localhost:8080": `"http://localhost:8080" is not the address of a stream: ` + scheme, "localhost:8080": scheme, "ws:///v1/stream": scheme, "wss://%zz": "%zz",
		"ws://me:secret@localhost": "give the key as Options.Key",
	} {
		if _, err := client.Dial(t.Context(), address, client.Options{}); !errors.Is(err, vantage.ErrInput) || !strings.Contains(err.Error(), says) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%q: %v", address, err)
		}
	}
}

// A text that fits into no frame, or into no session beside its vector, has its own error, and the connection stays.
func TestTextBeyondFrame(t *testing.T) {
	const dim = 32
	for name, limits := range map[string]func(*server.Limits) int{ // the longest text that fits
		"frame":   func(l *server.Limits) int { l.MessageBytes = 1000; return 1000 - 2*wire.HeaderSize - 4 },
		"session": func(l *server.Limits) int { l.PendingBytes = 1000; return 1000 - wire.VectorSize(dim, wire.F32) },
	} {
		longest := 0
		_, h := start(t, func(o *server.Options) { longest = limits(&o.Limits) })
		lost := make(chan error, 1000)
		c := dial(t, stream(h), client.Options{Lost: func(err error) { lost <- err }})
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		got, err := c.Encode(ctx, []string{strings.Repeat("a", longest), strings.Repeat("a", longest+1), "night"}, client.EncodeOptions{})
		cancel()
		if err != nil || len(lost) > 0 {
			t.Fatalf("%s: %v, lost %d times", name, err, len(lost))
		}
		var fault *client.Fault
		if got[0].Err != nil || got[2].Err != nil || !errors.As(got[1].Err, &fault) || fault.Code != client.CodeTooLarge ||
			!strings.Contains(fault.Error(), fmt.Sprintf("at most %d", longest)) {
			t.Errorf("%s: %v, %v, %v", name, got[0].Err, got[1].Err, got[2].Err)
		}
	}
}

func isStatus(err error, status int) bool {
	e, ok := errors.AsType[*client.StatusError](err)
	return ok && e.Status == status
}

// Calls are cancelled at random. The other calls get all their answers. When the clients
// are closed, nothing has leaked: no goroutine, descriptor or byte.
func TestCancels(t *testing.T) {
	_, h := start(t, func(o *server.Options) { o.Limits.Resume = 10 * time.Millisecond })
	use := func(clients int) {
		var all sync.WaitGroup
		for k := range clients {
			all.Go(func() {
				random := rand.New(rand.NewPCG(uint64(k), 1))
				c := dial(t, stream(h), client.Options{})
				defer c.Close()
				var calls sync.WaitGroup
				for i := range 20 {
					ctx, cancel := context.WithCancel(context.Background())
					if random.IntN(2) == 0 {
						time.AfterFunc(time.Duration(random.IntN(3000))*time.Microsecond, cancel)
					}
					calls.Go(func() {
						defer cancel()
						answers, err := c.Encode(ctx, claims(fmt.Sprint(k, " ", i, " "), 20), client.EncodeOptions{DType: client.F16})
						if err != nil && ctx.Err() == nil {
							t.Error(err)
						}
						for _, a := range answers {
							if err == nil && (a.Err != nil || len(a.Vector) != 32) {
								t.Errorf("%+v", a)
							}
						}
					})
				}
				calls.Wait()
			})
		}
		all.Wait()
	}
	left := func() (goroutines, descriptors int, idle bool) {
		entries, err := os.ReadDir("/proc/self/fd")
		if err != nil {
			t.Skip("descriptors are counted on Linux only")
		}
		body := metrics(t, h)
		http.DefaultClient.CloseIdleConnections()
		idle = strings.Contains(body, "vantage_sockets 0\n") && strings.Contains(body, "vantage_session_bytes 0\n") && strings.Contains(body, "vantage_queue_tokens 0\n")
		return runtime.NumGoroutine(), len(entries), idle
	}
	use(2)
	wait.Until(t, "idle", func() bool { _, _, idle := left(); return idle })
	goroutines, descriptors, _ := left()
	use(30)
	wait.Until(t, "as before", func() bool {
		g, d, idle := left()
		return idle && g <= goroutines+2 && d <= descriptors+2
	})
}

func metrics(t testing.TB, h *httptest.Server) string {
	t.Helper()
	r, err := http.Get(h.URL + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	b, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// The client asks an overloaded server again until the server has room.
func TestOverloaded(t *testing.T) {
	e, h := start(t, func(o *server.Options) { o.Limits.QueueTokens, o.Limits.BatchTokens = 300, 50 })
	c := dial(t, stream(h), client.Options{})
	var all sync.WaitGroup
	for k := range 20 {
		all.Go(func() {
			if answers, err := c.Encode(context.Background(), claims(fmt.Sprint(k, " "), 10), client.EncodeOptions{}); err != nil || answers[9].Vector == nil {
				t.Errorf("%v", err)
			}
		})
	}
	all.Wait()
	if !strings.Contains(metrics(t, h), `status="overloaded"`) || len(e.times) != 200 {
		t.Errorf("%d texts, and never too many", len(e.times))
	}
}

// The server's model is an encoder for package vantage: it indexes, and encodes the
// queries of the collection that it made.
func TestEncoder(t *testing.T) {
	e, h := start(t, nil)
	c := dial(t, stream(h), client.Options{})
	m := c.Encoder().Model()
	if info := e.Info(); m.ID != info.ID || m.Dim != 32 || m.Prompts["query"] != "find: " {
		t.Errorf("%+v", m)
	}
	dir := filepath.Join(t.TempDir(), "collection")
	documents := func(yield func(vantage.Document, error) bool) {
		for i, text := range claims("", 5) {
			if !yield(vantage.Document{ID: fmt.Sprint(i), Text: text}, nil) {
				return
			}
		}
	}
	if _, err := vantage.Index(t.Context(), documents, dir, vantage.IndexOptions{Encoder: c.Encoder()}); err != nil {
		t.Fatal(err)
	}
	if e.times["find: claim 3 that night trains help"]+e.times["claim 3 that night trains help"] == 0 {
		t.Errorf("the server encoded %v", e.times)
	}
	opened, err := vantage.Open(t.Context(), dir, &vantage.OpenOptions{Encoder: c.Encoder()})
	if err != nil {
		t.Fatal(err)
	}
	defer opened.Close()
	query := "claim 3 that night trains help"
	r, err := opened.Search(t.Context(), vantage.Query{Query: vantage.Text{Text: query}, K: 5})
	if err != nil || len(r.Hits) != 5 || r.Texts[0].Tokens == 0 {
		t.Fatalf("%+v %v", r, err)
	}
	// A collection with other prompts refuses it.
	other := filepath.Join(t.TempDir(), "collection")
	if _, err := vantage.Index(t.Context(), documents, other, vantage.IndexOptions{Encoder: prompted{c.Encoder(), map[string]string{"query": "q: "}}}); err != nil {
		t.Fatal(err)
	}
	if _, err := vantage.Open(t.Context(), other, &vantage.OpenOptions{Encoder: c.Encoder()}); !errors.Is(err, vantage.ErrIntegrity) || !strings.Contains(err.Error(), `its prompt for the role query is "find: ", the collection's is "q: "`) {
		t.Errorf("other prompts: %v", err)
	}
	// Private contexts are not sent.
	private := vantage.Query{Query: vantage.Text{Text: query}, Contexts: []vantage.Text{{Text: "I have a secret."}}}
	if _, err := opened.Search(t.Context(), private); !errors.Is(err, vantage.ErrUnsupported) || e.times["find: I have a secret."]+e.times["I have a secret."] > 0 {
		t.Errorf("contexts: %v, the server encoded %v", err, e.times)
	}
	// Queries are encoded as queries, documents as documents.
	for role, want := range map[vantage.Role]encoder.Role{vantage.RoleQuery: encoder.Query, vantage.RoleDocument: encoder.Document} {
		direct, err := e.Encoder.Encode(t.Context(), []string{query}, encoder.Options{Role: want})
		if err != nil {
			t.Fatal(err)
		}
		got, err := opened.Encode(t.Context(), []string{query}, role)
		if err != nil || fmt.Sprint(got[0].Vector) != fmt.Sprint(direct[0].Vector) {
			t.Errorf("%s: another vector than the model's (%v)", role, err)
		}
	}
	if _, err := c.Encode(t.Context(), []string{query}, client.EncodeOptions{Role: "topic"}); err == nil || !strings.Contains(err.Error(), "perspective") {
		t.Errorf("an unknown role: %v", err)
	}
	if _, err := opened.Search(t.Context(), vantage.Query{Query: vantage.Text{Text: "\xff"}}); !errors.Is(err, vantage.ErrQuery) {
		t.Errorf("not UTF-8: %v", err)
	}
}

// prompted is an encoder that states other prompts.
type prompted struct {
	vantage.Encoder
	prompts map[string]string
}

func (p prompted) Model() vantage.Model {
	m := p.Encoder.Model()
	m.Prompts = p.prompts
	return m
}
