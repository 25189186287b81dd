package server

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/netip"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/vantage-search/vantage/internal/testing/wait"

	"github.com/gorilla/websocket"
	"github.com/prometheus/client_golang/prometheus/testutil/promlint"

	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/model/modeltest"
	"github.com/vantage-search/vantage/internal/server/wire"
)

func TestEmbeddings(t *testing.T) {
	r := start(t, nil, func(o *Options) { o.Limits.MessageBytes, o.Limits.TextBytes, o.Limits.Texts = 10_000, 1000, 20 })
	var answer struct {
		Data []struct {
			Embedding string
			Truncated bool
		}
	}
	_, body := r.post(t, `{"input": ["night", "`+strings.Repeat("work ", 100)+`"], "encoding_format": "base64", "role": "query"}`)
	if err := json.Unmarshal([]byte(body), &answer); err != nil || len(answer.Data) != 2 || answer.Data[0].Truncated || !answer.Data[1].Truncated {
		t.Fatalf("%s (%v)", body, err)
	}
	b, err := base64.StdEncoding.DecodeString(answer.Data[0].Embedding)
	want, _ := r.model.Encoder.Encode(context.Background(), []string{"night"}, encoder.Options{Role: encoder.Query})
	if err != nil || !bytes.Equal(b, wire.NewVector(0, 0, want[0].Vector, wire.F32).Payload) {
		t.Errorf("%x (%v)", b, err)
	}
	for body, parts := range map[string][]string{
		``:                                {"400", "input"},
		`{}`:                              {"400", "input is missing"},
		`{"input": []}`:                   {"400", "empty"},
		`{"input": [[]]}`:                 {"400", "text 0: an empty list"},
		`{"input": [[1], []]}`:            {"400", "text 1: an empty list"},
		`{"input": [1, 100257]}`:          {"400", "text 0: token 1 has the id 100257"},
		`{"input": [[1], [2, -1]]}`:       {"400", "text 1: token 1 is not a token id"},
		`{"input": [1.5]}`:                {"400", "token 0 is not a token id"},
		`{"input": [1, null]}`:            {"400", "token 1 is not a token id"},
		`{"input": [4294967296]}`:         {"400", "token 0 is not a token id"},
		`{"input": [1, "a"]}`:             {"400", "token 1 is not a token id"},
		`{"input": [[1], "a"]}`:           {"400", "not such lists"},
		`{"input": ["a", 1]}`:             {"400", "not texts"},
		`{"input": 1}`:                    {"400", "is not a text"},
		`{"input": [1], "role": "query"}`: {"400", "no prompt is added"},
		`{"input": [[1]` + strings.Repeat(`,[1]`, 20) + `]}`: {"400", "more than 20 texts"},
		`{"input": ["a", null]}`:                             {"400", "null"},
		`{"input": {"a": 1}}`:                                {"400", "is not a text"},
		`{"input": "a", "model": "gpt"}`:                     {"404", "gpt"},
		`{"input": "a", "dimensions": 33}`:                   {"400", "from 1 to 32"},
		`{"input": "a", "dimensions": 0}`:                    {"400", "from 1 to 32"},
		`{"input": "a", "dimensions": 2.5}`:                  {"400", "dimensions has to be a whole number"},
		`{"input": "a", "dimensions": "5"}`:                  {"400", "dimensions has to be a whole number"},
		`{"input": "a", "MODEL": ["b"]}`:                     {"400", "model has to be a text"},
		`["a"]`:                                              {"400", "the body is not the JSON"},
		`{"input": "a"} "b"`:                                 {"400", "the body is not the JSON"},
		`{"input": "a", "encoding_format": "int8"}`:          {"400", "base64"},
		`{"input": "a", "role": "x"}`:                        {"400", "role"},
		`{"input": "` + "\xff" + `"}`:                        {"400", "UTF-8"},
		`{"input": "` + strings.Repeat("a", 1001) + `"}`:     {"400", "1001 bytes"},
		`{"input": ["a"` + strings.Repeat(`,"a"`, 20) + `]}`: {"400", "more than 20 texts"},
		`{"input": "` + strings.Repeat("a", 10_001) + `"}`:   {"413", "10000 bytes"},
		`{"input": "panic"}`:                                 {"500", "failed"},
		`{"input": ` + strings.Repeat("[", 9000):             {"400", "JSON"},
	} {
		answer, text := r.post(t, body)
		var e struct {
			Error struct {
				Message, Type string
				Param, Code   *string
			}
		}
		err := json.Unmarshal([]byte(text), &e)
		shape := strings.Contains(text, `"param":`) && strings.Contains(text, `"code":`) && (e.Error.Param == nil || *e.Error.Param != "")
		if err != nil || fmt.Sprint(answer.StatusCode) != parts[0] || !strings.Contains(e.Error.Message, parts[1]) || e.Error.Type == "" || !shape {
			t.Errorf("%.60q: %d %s", body, answer.StatusCode, text)
		}
		if answer.Header.Get("X-Content-Type-Options") != "nosniff" || answer.Header.Get("Cache-Control") != "no-store" {
			t.Errorf("%.60q: %v", body, answer.Header)
		}
	}
}

// If a route does not take a method, the answer names those that it takes. A compressed body is refused with the reason.
func TestMethodsAndCodings(t *testing.T) {
	r := start(t, nil, nil)
	for _, c := range []struct {
		method, path, allow string
		status              int
	}{
		{"PUT", "/v1/embeddings", "POST, OPTIONS", 405}, {"GET", "/v1/embeddings", "POST, OPTIONS", 405}, {"HEAD", "/v1/sides", "POST, OPTIONS", 405},
		{"TRACE", "/v1/perspectives", "POST, OPTIONS", 405}, {"POST", "/v1/stream", "GET, OPTIONS", 405}, {"DELETE", "/v1/models", "GET, OPTIONS", 405},
		{"DELETE", "/v1/models/x", "GET, OPTIONS", 405}, {"POST", "/v1/x", "", 404}, {"POST", "/v1/embeddings/", "", 404}, {"HEAD", "/v1/models", "", 200},
		{"OPTIONS", "/v1/embeddings", "", 403},
	} {
		q, err := http.NewRequest(c.method, r.url+c.path, nil)
		if err != nil {
			t.Fatal(err)
		}
		answer, err := http.DefaultClient.Do(q)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if answer.StatusCode != c.status || answer.Header.Get("Allow") != c.allow || answer.Header.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s %s: %d %v", c.method, c.path, answer.StatusCode, answer.Header)
		}
	}
	for coding, want := range map[string]int{"gzip": 415, "br, gzip": 415, "identity": 200} {
		if answer, text := r.post(t, `{"input": "night"}`, "Content-Encoding", coding); answer.StatusCode != want || want == 415 && !strings.Contains(text, "Content-Encoding") {
			t.Errorf("%s: %d %s", coding, answer.StatusCode, text)
		}
	}
}

// Token ids give the vector of their text, in one list or several, and in batches with
// texts. The second time the vector comes from the cache. Token ids count in the queue.
func TestTokenIDs(t *testing.T) {
	gate := make(chan struct{})
	r := start(t, gate, func(o *Options) { o.Keys, o.Limits.QueueTokens = []string{"secret"}, 40 })
	type answered struct {
		Data  []struct{ Embedding []float64 }
		Usage struct {
			PromptTokens int `json:"prompt_tokens"`
		}
	}
	ask := func(input any) (answer answered, body string) {
		b, err := json.Marshal(map[string]any{"model": r.model.Info().ID, "input": input})
		if err != nil {
			t.Error(err)
		}
		response, body := r.post(t, string(b), "Authorization", "Bearer secret")
		if err := json.Unmarshal([]byte(body), &answer); err != nil || response.StatusCode != 200 {
			t.Errorf("%d %.99s %v", response.StatusCode, body, err)
		}
		return answer, body
	}
	vocabulary := modeltest.Vocabulary()
	id := func(token string) int64 { return int64(slices.Index(vocabulary, token)) }
	ids := []int64{id("[CLS]"), id("night"), id("trains"), id("[SEP]")}
	answers := make(chan answered)
	for i, input := range []any{"night trains", ids, [][]int64{ids, {5}}} {
		go func() {
			answer, _ := ask(input)
			answers <- answer
		}()
		if i == 0 {
			<-r.model.begun
		}
	}
	wait.Until(t, "both wait", func() bool { return r.engine.queue.tokens() == 4+5 })
	go func() {
		answer, body := ask([][]int64{make([]int64, 64), make([]int64, 65), {4}})
		if answer.Usage.PromptTokens != 48+48+1 || !strings.Contains(body, `"truncated":true`) {
			t.Errorf("%.99s", body)
		}
		answers <- answered{}
	}()
	wait.Until(t, "it waits", func() bool { return r.engine.queue.tokens() > 90 })
	if answer, body := r.post(t, `{"input": [9]}`, "Authorization", "Bearer secret"); answer.StatusCode != 429 || !strings.Contains(body, "overloaded") {
		t.Errorf("%d %s", answer.StatusCode, body)
	}
	close(gate)
	var first []float64
	for range 4 {
		answer := <-answers
		if answer.Data == nil {
			continue
		}
		if first == nil {
			first = answer.Data[0].Embedding
		}
		if !slices.Equal(answer.Data[0].Embedding, first) || answer.Usage.PromptTokens != 4+len(answer.Data)-1 {
			t.Errorf("%v, %+v", answer.Data[0].Embedding, answer.Usage)
		}
	}
	if ask(ids); r.model.times(fmt.Sprint(ids)) > 2 {
		t.Errorf("encoded %d times", r.model.times(fmt.Sprint(ids)))
	}
}

// If the queue is full, both protocols give the same answer and say when to try again.
// A client that fills its share through a socket leaves room for others.
func TestOverload(t *testing.T) {
	gate := make(chan struct{})
	r := start(t, gate, func(o *Options) {
		o.Limits.QueueTokens, o.Proxies = 20, []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}
	})
	c := r.dial(t, wire.Token{})
	c.send(&wire.Encode{ID: 1, DType: wire.F32, Texts: texts("first")})
	<-r.model.begun
	long := make([]string, 40) // larger than the queue: the request is accepted as a whole and split
	for i := range long {
		long[i] = fmt.Sprint("text ", i)
	}
	c.send(&wire.Encode{ID: 2, DType: wire.F32, Texts: texts(long...)})
	wait.Until(t, "it waits", func() bool { return r.engine.queue.tokens() > 20 })
	c.send(&wire.Encode{ID: 3, DType: wire.F32, Texts: texts("third")})
	if f, ok := c.next().(*wire.Fault); !ok || f.Code != wire.CodeOverloaded || f.Index != wire.WholeRequest || f.Retry == 0 {
		t.Errorf("%+v", f)
	}
	if n := r.counted(t, "refused_total", "reason", "overloaded"); n != 1 {
		t.Errorf("%v refusals are counted", n)
	}
	answer, body := r.post(t, `{"input": "fourth"}`)
	if answer.StatusCode != 429 || answer.Header.Get("Retry-After") == "" || !strings.Contains(body, `"rate_limit_error"`) {
		t.Errorf("%d %v %s", answer.StatusCode, answer.Header, body)
	}
	waiting, other := r.engine.queue.tokens(), make(chan int)
	go func() {
		answer, _ := r.post(t, `{"input": "fifth"}`, "X-Forwarded-For", "192.0.2.1")
		other <- answer.StatusCode
	}()
	wait.Until(t, "another address is admitted", func() bool { return r.engine.queue.tokens() > waiting })
	close(gate)
	if status := <-other; status != 200 {
		t.Errorf("another address: %d", status)
	}
	if vectors, _, _ := c.collect(2); len(vectors) != 40 {
		t.Errorf("%d vectors", len(vectors))
	}
	if answer, _ := r.post(t, `{"input": "text 7"}`); answer.StatusCode != 200 || r.model.times("text 7") != 1 {
		t.Errorf("%d; it was encoded %d times, with a cache", answer.StatusCode, r.model.times("text 7"))
	}
}

// No log contains texts or keys, and the metrics count requests.
func TestLogsAndMetrics(t *testing.T) {
	var mu sync.Mutex
	var log bytes.Buffer
	r := start(t, nil, func(o *Options) {
		o.Log = slog.New(slog.NewJSONHandler(writerFunc(func(b []byte) (int, error) {
			mu.Lock()
			defer mu.Unlock()
			return log.Write(b)
		}), nil))
	})
	r.post(t, `{"input": ["xylophone secret", "panic"], "model": ""}`, "Authorization", "Bearer xylophone")
	r.post(t, `{"input": "xylophone`)
	c := r.dial(t, wire.Token{})
	c.send(&wire.Encode{ID: 1, DType: wire.F32, Texts: texts("xylophone", "panic")})
	c.collect(1)
	c.ws.Close()
	wait.Until(t, "the connection is logged", func() bool {
		mu.Lock()
		defer mu.Unlock()
		return strings.Contains(log.String(), "/v1/stream")
	})
	wait.Until(t, "the socket is closed", func() bool { r.mu.Lock(); defer r.mu.Unlock(); return len(r.conns) == 0 })
	mu.Lock()
	text := log.String()
	mu.Unlock()
	if strings.Contains(text, "xylophone") || !strings.Contains(text, "encoding failed") {
		t.Errorf("%s", text)
	}
	answer, err := http.Get(r.url + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	var b bytes.Buffer
	b.ReadFrom(answer.Body)
	for _, want := range []string{"vantage_texts_total", "vantage_encode_failures_total", `vantage_requests_total{route="ENCODE",status="ok"} 1`, "vantage_queue_tokens 0", "vantage_sockets 0",
		`vantage_requests_total{route="POST /v1/embeddings",status="500"} 1`, `vantage_request_seconds_count{route="ENCODE"} 1`, `vantage_model_info{architecture="bert",model="001",revision="`} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %s in\n%s", want, b.String())
		}
	}
}

// Texts that the model does not encode in time are given up, with an answer that says so.
func TestSlowModel(t *testing.T) {
	gate := make(chan struct{})
	defer close(gate)
	r := start(t, gate, nil)
	r.workTime = 300 * time.Millisecond
	const said = "were not all encoded within 300ms: send fewer at a time"
	answer, text := r.post(t, `{"input": ["night", "trains"]}`)
	if answer.StatusCode != 503 || answer.Header.Get("Retry-After") != "1" || !strings.Contains(text, said) || !strings.Contains(text, `"code":"overloaded"`) {
		t.Errorf("%d %v: %s", answer.StatusCode, answer.Header, text)
	}
	if answer, text := r.post(t, `{"input": "in the queue"}`); answer.StatusCode != 503 || r.counted(t, "dropped_total", "reason", "deadline") != 1 {
		t.Errorf("a text in the queue: %d %s", answer.StatusCode, text)
	}
	wait.Until(t, "the count of both", func() bool { return r.counted(t, "requests_total", "status", "503") == 2 })
	held := make(chan struct{})
	s, pack, url := startPack(t, held, nil)
	defer close(held)
	s.workTime = 300 * time.Millisecond
	status, text, err := post(t.Context(), url, `{"root": "a mat", "texts": ["the cat sat"]}`)
	if err != nil || status != 503 || !strings.Contains(text, said) {
		t.Errorf("sides: %d %s (%v)", status, text, err)
	}
	<-pack.begun // it was asked
}

// Memory for bodies and answers counts with that of sessions. One address may have at
// most half of it.
func TestHTTPMemory(t *testing.T) {
	gate := make(chan struct{})
	one := `{"input": ["` + strings.Repeat(`a", "`, 9) + `a"]}`
	const each, headers = requestBase + 10*(textBytes+4*32), 2000
	r := start(t, gate, func(o *Options) {
		o.Limits.SessionBytes, o.Proxies = 2*(3*each+requestBase+4*headers), []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}
	})
	answers := make(chan int)
	for range 3 {
		go func() {
			answer, err := r.client().PostContext(context.Background(), one)
			if err != nil {
				t.Error(err)
			}
			answer.Body.Close()
			answers <- answer.StatusCode
		}()
	}
	wait.Until(t, "all are held", func() bool { return r.held() > 3*each })
	for body, what := range map[string]string{one: "its answer", `{"input": "` + strings.Repeat("a", 4*headers) + `"}`: "its body"} {
		if answer, text := r.post(t, body); answer.StatusCode != 429 || !strings.Contains(text, "this address has too many requests and answers in memory") || answer.Header.Get("Retry-After") == "" {
			t.Errorf("there is no room for %s: %d %s", what, answer.StatusCode, text)
		}
	}
	go func() {
		answer, _ := r.post(t, one, "X-Forwarded-For", "192.0.2.1")
		answers <- answer.StatusCode
	}()
	wait.Until(t, "another address is admitted", func() bool { return r.held() > 4*each })
	close(gate)
	for range 4 {
		if status := <-answers; status != 200 {
			t.Errorf("%d", status)
		}
	}
	wait.Until(t, "all memory is given back", func() bool { return r.held() == 0 })
	r.access.mu.Lock()
	defer r.access.mu.Unlock()
	for addr, v := range r.access.clients {
		if v.held != 0 {
			t.Errorf("%v holds %d bytes", addr, v.held)
		}
	}
}

// Many elements of few bytes are refused before they take memory.
func TestHTTPMemoryOfElements(t *testing.T) {
	r := start(t, nil, nil)
	bodies := []string{`""`, `[1]`, `[]`, `null`}
	for _, element := range bodies {
		body := []byte(`{"input": [` + strings.Repeat(element+",", 3<<20/(len(element)+1)))
		copy(body[len(body)-1:], "]")
		body = append(body, '}')
		input := struct{ Input json.RawMessage }{}
		if err := json.Unmarshal(body, &input); err != nil {
			t.Fatal(err)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := readInput(input.Input, r.limits.Texts)
		runtime.ReadMemStats(&after)
		if took := after.TotalAlloc - before.TotalAlloc; err == nil || took > 4<<20 {
			t.Errorf("%s: %d bytes for a body of %d (%v)", element, took, len(body), err)
		}
	}
	if answer, text := r.post(t, `{"input": [`+strings.Repeat(`"",`, 3000)+`""]}`); answer.StatusCode != 400 || !strings.Contains(text, "more than 2048 texts") {
		t.Errorf("%d %s", answer.StatusCode, text)
	}
}

// missed is the number of texts that were not in the cache.
func (r *running) missed(t *testing.T) float64 {
	t.Helper()
	families, err := r.metrics.registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range families {
		if f.GetName() == "vantage_cache_misses_total" {
			return f.GetMetric()[0].GetCounter().GetValue()
		}
	}
	t.Fatal("there is no such metric")
	return 0
}

// Many concurrent requests of one client get no larger share of a batch than a single
// request of another.
func TestHTTPIsFair(t *testing.T) {
	gate := make(chan struct{})
	r := start(t, gate, func(o *Options) {
		o.Limits.BatchTokens, o.Proxies = 100, []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}
	})
	var all sync.WaitGroup
	ask := func(text string, header ...string) {
		before := r.missed(t)
		all.Go(func() { r.post(t, `{"input": ["`+text+`a", "`+text+`b"]}`, header...) })
		wait.Until(t, "the request was accepted", func() bool { return r.missed(t) == before+2 })
	}
	for i := range 20 {
		ask(strings.Repeat("much ", 20) + fmt.Sprint(i))
	}
	ask("little ", "X-Forwarded-For", "192.0.2.1")
	close(gate)
	all.Wait()
	// Two batches were running, and may have finished in either order.
	if at := r.model.call("little a"); at > 3 || len(r.model.calls) < 10 {
		t.Errorf("the other client's text is in call %d of %d", at, len(r.model.calls))
	}
	if n := len(r.engine.queue.flows); n != 0 {
		t.Errorf("%d flows are left", n)
	}
}

// In a batch, short texts go to the model first, in whatever order they came.
func TestBatchesAreSorted(t *testing.T) {
	gate := make(chan struct{})
	r := start(t, gate, nil)
	var all sync.WaitGroup
	all.Go(func() { r.post(t, `{"input": "first"}`) })
	<-r.model.begun
	all.Go(func() { r.post(t, `{"input": ["night trains run", "night", "night trains"]}`) })
	wait.Until(t, "it waits", func() bool { return r.engine.queue.tokens() > 10 })
	close(gate)
	all.Wait()
	if got, want := fmt.Sprint(r.model.calls), "[[first] [night night trains night trains run]]"; got != want {
		t.Errorf("calls of %s, want %s", got, want)
	}
}

// Pages of an allowed origin may send the headers of OpenAI's client, and can read when
// to try again.
func TestPreflight(t *testing.T) {
	r := start(t, nil, func(o *Options) { o.Origins = []string{"https://example.org"} })
	for origin, want := range map[string]int{"https://example.org": 204, "https://example.com": 403, "": 403} {
		q, err := http.NewRequest("OPTIONS", r.url+"/v1/embeddings", nil)
		if err != nil {
			t.Fatal(err)
		}
		q.Header.Set("Origin", origin)
		q.Header.Set("Access-Control-Request-Method", "POST")
		q.Header.Set("Access-Control-Request-Headers", "authorization,content-type,x-stainless-lang")
		answer, err := http.DefaultClient.Do(q)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		allowed := answer.Header.Get("Access-Control-Allow-Headers") == "authorization,content-type,x-stainless-lang" && answer.Header.Get("Access-Control-Allow-Origin") == origin
		if answer.StatusCode != want || allowed != (want == 204) {
			t.Errorf("%q: %d %v", origin, answer.StatusCode, answer.Header)
		}
	}
	if answer, _ := r.post(t, `{"input": "night"}`, "Origin", "https://example.org"); answer.StatusCode != 200 || answer.Header.Get("Access-Control-Expose-Headers") != "Retry-After" {
		t.Errorf("%d %v", answer.StatusCode, answer.Header)
	}
}

// Metrics follow the naming rules of Prometheus.
func TestMetricNames(t *testing.T) {
	r := start(t, nil, nil)
	r.post(t, `{"input": "night"}`)
	answer, err := http.Get(r.url + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	problems, err := promlint.New(answer.Body).Lint()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range problems {
		t.Errorf("%s: %s", p.Metric, p.Text)
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(b []byte) (int, error) { return f(b) }

// Any body gets an answer in JSON.
func FuzzEmbeddings(f *testing.F) {
	r := start(f, nil, nil)
	for _, body := range []string{`{"input":"a"}`, `{"input":["a","b"],"encoding_format":"base64","dimensions":3,"role":"query"}`, `{"input":[1]}`, `{"input":[[1,2],[3]]}`, `{"input":null}`, "[", `{"dimensions":1e99,"input":""}`} {
		f.Add(body)
	}
	f.Fuzz(func(t *testing.T, body string) {
		answer, text := r.post(t, body)
		if !json.Valid([]byte(text)) || answer.StatusCode >= 500 && !strings.Contains(body, "panic") {
			t.Errorf("%q: %d %q", body, answer.StatusCode, text)
		}
	})
}

// After any bytes, the server still answers other clients.
func FuzzStream(f *testing.F) {
	r := start(f, nil, func(o *Options) { o.Limits.Resume = time.Millisecond })
	for _, frame := range []wire.Frame{&wire.Encode{ID: 1, DType: wire.F32, Texts: texts("a", "b")}, &wire.Cancel{ID: 1}, &wire.Ack{ID: 1}, &wire.Resume{ID: 1, Count: 2, Have: []byte{1}}, &wire.Ping{}, &wire.Hello{}} {
		f.Add(frame.Append(nil), frame.Append(nil))
	}
	f.Fuzz(func(t *testing.T, one, two []byte) {
		c := r.dial(t, wire.Token{})
		c.ws.WriteMessage(websocket.BinaryMessage, one)
		c.ws.WriteMessage(websocket.BinaryMessage, two)
		c.ws.NetConn().Close()
		if answer, body := r.post(t, `{"input":"a"}`); answer.StatusCode != 200 {
			t.Errorf("%d %s", answer.StatusCode, body)
		}
	})
}
