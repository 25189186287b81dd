package command

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/gorilla/websocket"
	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	otlp "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"github.com/vantage-search/vantage/internal/server/wire"
)

// receiver is a collector of spans.
type receiver struct {
	*httptest.Server
	mu    sync.Mutex
	raw   bytes.Buffer
	spans []*otlp.Span
	about map[string]string // of the resource
	auth  string
}

func newReceiver(t *testing.T) *receiver {
	r := &receiver{about: map[string]string{}}
	r.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		var body io.Reader = q.Body
		if q.Header.Get("Content-Encoding") == "gzip" {
			var err error
			if body, err = gzip.NewReader(q.Body); err != nil {
				t.Error(err)
				return
			}
		}
		b, err := io.ReadAll(body)
		var request collector.ExportTraceServiceRequest
		if err != nil || q.Method != "POST" || q.URL.Path != "/v1/traces" || q.Header.Get("Content-Type") != "application/x-protobuf" || proto.Unmarshal(b, &request) != nil {
			t.Errorf("%s %s %v (%v)", q.Method, q.URL, q.Header, err)
			return
		}
		r.mu.Lock()
		defer r.mu.Unlock()
		r.raw.Write(b)
		r.auth = q.Header.Get("Authorization")
		for _, resource := range request.ResourceSpans {
			for _, a := range resource.Resource.Attributes {
				r.about[a.Key] = a.Value.GetStringValue()
			}
			for _, scope := range resource.ScopeSpans {
				r.spans = append(r.spans, scope.Spans...)
			}
		}
		answer, _ := proto.Marshal(&collector.ExportTraceServiceResponse{})
		w.Header().Set("Content-Type", "application/x-protobuf")
		w.Write(answer)
	}))
	t.Cleanup(r.Close)
	return r
}

// of returns the spans of a trace by their names.
func (r *receiver) of(trace string) map[string][]*otlp.Span {
	r.mu.Lock()
	defer r.mu.Unlock()
	spans := map[string][]*otlp.Span{}
	for _, s := range r.spans {
		if hex.EncodeToString(s.TraceId) == trace {
			spans[s.Name] = append(spans[s.Name], s)
		}
	}
	return spans
}

// A request and its processing form one trace, which continues the client's and
// contains no texts. Refused requests make no spans.
func TestServeTraces(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "keys", "secret\n")
	r := newReceiver(t)
	t.Setenv("OTEL_EXPORTER_OTLP_HEADERS", "authorization=Basic%20xyz")
	t.Setenv("OTEL_RESOURCE_ATTRIBUTES", "deployment.environment.name=test")
	t.Setenv("OTEL_BSP_SCHEDULE_DELAY", "50")
	const http1, http2, stream, unsampled = "11111111111111111111111111111111", "22222222222222222222222222222222", "33333333333333333333333333333333", "44444444444444444444444444444444"
	parent := func(trace, flags string) string { return "00-" + trace + "-00f067aa0ba902b7-" + flags }
	// Batches wait, so that all requests are in one.
	s := serve(t, dir, "--model", "static", "--log", "off", "--keys", "keys", "--otlp", r.URL, "--batch-wait", "500ms")
	var all sync.WaitGroup
	for trace, flags := range map[string]string{http1: "01", http2: "01", unsampled: "00"} {
		for _, key := range []string{"secret", "other"} {
			all.Go(func() {
				q, _ := http.NewRequest("POST", s.url+"v1/embeddings", strings.NewReader(fmt.Sprintf(`{"input":["xylophone %s","xylophone two"]}`, trace)))
				q.Header.Set("Authorization", "Bearer "+key)
				q.Header.Set("traceparent", parent(trace, flags))
				answer, err := http.DefaultClient.Do(q)
				if err != nil {
					t.Error(err)
					return
				}
				answer.Body.Close()
				if want := map[string]int{"secret": 200, "other": 401}[key]; answer.StatusCode != want {
					t.Errorf("%s: %d", key, answer.StatusCode)
				}
			})
		}
	}
	d := websocket.Dialer{Subprotocols: []string{wire.Protocol, wire.KeyProtocol + base64.RawURLEncoding.EncodeToString([]byte("secret"))}}
	ws, _, err := d.Dial("ws"+strings.TrimPrefix(s.url, "http")+"v1/stream", http.Header{"traceparent": {parent(stream, "01")}})
	if err != nil {
		t.Fatal(err)
	}
	defer ws.Close()
	for _, f := range []wire.Frame{&wire.Hello{}, &wire.Encode{ID: 1, DType: wire.F32, Texts: [][]byte{[]byte("xylophone three")}}} {
		if err := ws.WriteMessage(websocket.BinaryMessage, f.Append(nil)); err != nil {
			t.Fatal(err)
		}
	}
	for done := false; !done; {
		_, done = frame(t, ws).(*wire.Done)
	}
	all.Wait()
	ws.Close()
	s.stop(t, syscall.SIGTERM) // sends the remaining spans
	batches := 0
	for trace, name := range map[string]string{http1: "POST /v1/embeddings", http2: "POST /v1/embeddings", stream: "ENCODE"} {
		spans := r.of(trace)
		if len(spans[name]) != 1 || len(spans["queue"]) != 1 {
			t.Errorf("%s: %v", name, spans)
			continue
		}
		request, queue := spans[name][0], spans["queue"][0]
		if hex.EncodeToString(request.ParentSpanId) != "00f067aa0ba902b7" || request.Kind != otlp.Span_SPAN_KIND_SERVER || !bytes.Equal(queue.ParentSpanId, request.SpanId) {
			t.Errorf("%s: %v %v", name, request, queue)
		}
		if request.StartTimeUnixNano > queue.StartTimeUnixNano || queue.EndTimeUnixNano > request.EndTimeUnixNano || queue.EndTimeUnixNano < queue.StartTimeUnixNano {
			t.Errorf("%s: %v %v", name, request, queue)
		}
		batches += len(spans["batch"])
		for _, batch := range spans["batch"] {
			if len(spans["encode"]) == 0 || !bytes.Equal(spans["encode"][0].ParentSpanId, batch.SpanId) || !bytes.Equal(batch.ParentSpanId, request.SpanId) {
				t.Errorf("%s: %v", name, spans)
			}
		}
		if len(spans["batch"]) == 0 { // it was in another request's batch, and links to it
			linked := false
			for _, link := range request.Links {
				for _, batch := range r.of(hex.EncodeToString(link.TraceId))["batch"] {
					back := false
					for _, other := range batch.Links {
						back = back || bytes.Equal(other.SpanId, request.SpanId)
					}
					linked = linked || back && bytes.Equal(batch.SpanId, link.SpanId)
				}
			}
			if !linked {
				t.Errorf("%s: no batch, and no link to one: %v", name, request)
			}
		}
		attributes := map[string]string{}
		for _, a := range request.Attributes {
			attributes[a.Key] = a.Value.String()
		}
		if len(attributes["vantage.texts"]) == 0 || name != "ENCODE" && !strings.Contains(attributes["http.response.status_code"], "200") {
			t.Errorf("%s: %v", name, attributes)
		}
	}
	if batches == 0 || len(r.of(unsampled)) != 0 {
		t.Errorf("%d batches; spans that must not be sampled: %v", batches, r.of(unsampled))
	}
	if bytes.Contains(r.raw.Bytes(), []byte("xylophone")) || bytes.Contains(r.raw.Bytes(), []byte("secret")) {
		t.Error("a text or a key is in the spans")
	}
	if r.about["service.name"] != "vantage" || r.about["deployment.environment.name"] != "test" || r.auth != "Basic xyz" {
		t.Errorf("%v %q", r.about, r.auth)
	}
	fails(t, usage, dir, []string{"serve", "--model", "static", "--otlp", "localhost:4318"}, "--otlp", "http://localhost:4318")
}

// OpenTelemetry's variables alone turn tracing on and off. An unreachable
// collector does not disturb the server.
func TestServeTracesByEnvironment(t *testing.T) {
	r := newReceiver(t)
	for i, off := range []string{"", "TRUE"} {
		t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", r.URL)
		t.Setenv("OTEL_SERVICE_NAME", "encoder")
		t.Setenv("OTEL_SDK_DISABLED", off)
		s := serve(t, t.TempDir(), "--model", "static", "--log", "off")
		answer, err := http.Post(s.url+"v1/embeddings", "application/json", strings.NewReader(`{"input":"night"}`))
		if err != nil || answer.StatusCode != 200 {
			t.Fatal(answer, err)
		}
		answer.Body.Close()
		s.stop(t, syscall.SIGTERM)
		r.mu.Lock()
		if (len(r.spans) > 0) != (i == 0) || i == 0 && r.about["service.name"] != "encoder" {
			t.Errorf("disabled %q: %d spans of %v", off, len(r.spans), r.about)
		}
		r.spans = nil
		r.mu.Unlock()
	}
	t.Setenv("OTEL_SDK_DISABLED", "")
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:1")
	s := serve(t, t.TempDir(), "--model", "static", "--log", "off")
	if answer, err := http.Post(s.url+"v1/embeddings", "application/json", strings.NewReader(`{"input":"night"}`)); err != nil || answer.StatusCode != 200 {
		t.Error(answer, err)
	}
	s.stop(t, syscall.SIGTERM)
	if text := s.stderr.String(); !strings.Contains(text, "warning: traces") || strings.Contains(text, "night") {
		t.Errorf("%q", text)
	}
	s.stderr.Reset()
}

// What is wrong with OpenTelemetry's variables is said without their values, which may be keys. With --log json,
// warnings are lines of JSON, too.
func TestServeTracesFaults(t *testing.T) {
	t.Setenv("OTEL_EXPORTER_OTLP_HEADERS", "authorization: hush,key=hush%zz,ke y=hush")
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://hush:hush@host:port")
	dir := t.TempDir()
	for _, format := range []string{"text", "json"} {
		s := serve(t, dir, dir, "--model", "static", "--log", format)
		s.stop(t, syscall.SIGTERM)
		text := s.stderr.String()
		s.stderr.Reset()
		for line := range strings.Lines(text) {
			if strings.Contains(line, "hush") || strings.HasPrefix(line, "{") != (format == "json") {
				t.Errorf("%s: %s", format, line)
			}
		}
		if strings.Count(text, "check the variables OTEL_") < 3 || !strings.Contains(text, "holds neither a page") {
			t.Errorf("%s: %s", format, text)
		}
	}
}
