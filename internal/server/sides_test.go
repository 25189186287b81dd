package server

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/encoder/packmodel"
	"github.com/vantage-search/vantage/internal/server/servertest"
	"github.com/vantage-search/vantage/internal/testing/packmodeltest"
	"github.com/vantage-search/vantage/internal/testing/quantized"
	"github.com/vantage-search/vantage/internal/testing/wait"
)

// heldPack is a pack that can be blocked.
type heldPack struct {
	*packmodel.Encoder
	begun chan string   // receives the first text of each call
	gate  chan struct{} // a call takes one
}

func (h *heldPack) EncodeParts(ctx context.Context, texts []string, o encoder.Options, parts encoder.Parts) ([]encoder.PartVectors, error) {
	h.begun <- texts[0]
	<-h.gate
	return h.Encoder.EncodeParts(ctx, texts, o, parts)
}

// startPack runs a server with a tiny pack that tells sides apart.
func startPack(t *testing.T, gate chan struct{}, change func(*Options)) (*Server, *heldPack, string) {
	t.Helper()
	files, err := quantized.TinyFS(1, true)
	if err != nil {
		t.Fatal(err)
	}
	about := files["pack.json"]
	about.Data = []byte(strings.Replace(string(about.Data), `"sections"`, `"texts":{"for":["the cat "],"against":["dogs "]},"sections"`, 1))
	e := packmodeltest.Open(t, files)
	o := Options{Limits: DefaultLimits(), Log: slog.New(slog.DiscardHandler)}
	o.Limits.Rate = 0
	if change != nil {
		change(&o)
	}
	held := &heldPack{e, make(chan string, 100), gate}
	var model encoder.Encoder = e
	if gate != nil {
		model = held
	}
	s, err := New(model, o)
	if err != nil {
		t.Fatal(err)
	}
	return s, held, servertest.Serve(t, s).URL + "/v1/sides"
}

// A request that was accepted before the server stops is answered, although it encodes twice; a later one is refused.
func TestSidesWhileStopping(t *testing.T) {
	gate := make(chan struct{})
	s, held, url := startPack(t, gate, nil)
	const question = `{"root": "a mat", "texts": ["the cat sat"]}`
	accepted := make(chan string, 1)
	go func() {
		status, body, err := post(t.Context(), url, question)
		accepted <- fmt.Sprint(status, body, err)
	}()
	<-held.begun
	closed := make(chan struct{})
	go func() {
		s.Close(t.Context())
		close(closed)
	}()
	wait.Until(t, "it stops", s.draining.Load)
	if status, body, err := post(t.Context(), url, question); err != nil || status != http.StatusServiceUnavailable || !strings.Contains(body, "shutting_down") {
		t.Errorf("a later request: %d %s (%v)", status, body, err)
	}
	close(gate)
	if answer := <-accepted; !strings.HasPrefix(answer, "200") {
		t.Errorf("the accepted request: %s", answer)
	}
	<-closed
}

func post(ctx context.Context, url, body string, header ...string) (int, string, error) {
	q, err := http.NewRequestWithContext(ctx, "POST", url, strings.NewReader(body))
	if err != nil {
		return 0, "", err
	}
	for i := 0; i < len(header); i += 2 {
		q.Header.Set(header[i], header[i+1])
	}
	answer, err := http.DefaultClient.Do(q)
	if err != nil {
		return 0, "", err
	}
	defer answer.Body.Close()
	b, err := io.ReadAll(answer.Body)
	return answer.StatusCode, string(b), err
}

// Wrong requests get an error that names what is wrong. What is right is counted, kept in
// the cache, and leaves no memory behind.
func TestSides(t *testing.T) {
	s, _, url := startPack(t, nil, func(o *Options) {
		o.Keys = []string{"secret"}
		o.Limits.MessageBytes, o.Limits.TextBytes, o.Limits.Texts = 10_000, 1000, 20
	})
	key := []string{"Authorization", "Bearer secret"}
	const good = `{"root": "a mat", "texts": ["the cat sat", "dogs ran", "the cat sat"]}`
	if status, _, err := post(t.Context(), url, good); status != 401 {
		t.Errorf("without a key: %d, %v", status, err)
	}
	var first string
	for range 2 {
		status, body, err := post(t.Context(), url, good, key...)
		var answer struct {
			Data   []side
			Counts counts
			Model  string
			Usage  usage
		}
		if e := json.Unmarshal([]byte(body), &answer); err != nil || e != nil || status != 200 || len(answer.Data) != 3 || answer.Model != "test" || answer.Usage.PromptTokens < 20 {
			t.Fatalf("%d %s: %v, %v", status, body, err, e)
		}
		d, n := answer.Data, answer.Counts
		if d[0].Side == "" || d[0].Slant == 0 || d[0].Probability == 0 || d[2].Index != 2 || d[0].Slant != d[2].Slant || n.For+n.Neither+n.Against+n.OffSubject != 3 {
			t.Errorf("%s", body)
		}
		if first == "" {
			first = body
		}
		if body != first {
			t.Errorf("the second time\n%s\nnot\n%s", body, first)
		}
	}
	if n := s.engine.cache.Bytes(); n == 0 {
		t.Error("nothing is in the cache")
	}
	for body, parts := range map[string][]string{
		``:                                              {"400", "root"},
		`{"texts": ["a"]}`:                              {"400", "root is missing"},
		`{"root": " \n", "texts": ["a"]}`:               {"400", "root is missing or empty"},
		`{"root": 1, "texts": ["a"]}`:                   {"400", "root, a text"},
		`{"root": "a"}`:                                 {"400", "texts is missing"},
		`{"root": "a", "texts": "b"}`:                   {"400", "not a list"},
		`{"root": "a", "texts": []}`:                    {"400", "texts is empty"},
		`{"root": "a", "texts": ["b", null]}`:           {"400", "text 1 is null"},
		`{"root": "a", "texts": ["b", 1]}`:              {"400", "not texts"},
		`{"root": "a", "texts": ["` + "\xff\"]}":        {"400", "UTF-8"},
		`{"root": "a", "texts": ["b"], "model": "gpt"}`: {"404", "gpt"},
		`{"root": "` + strings.Repeat("a", 1001) + `", "texts": ["b"]}`:     {"400", "1001 bytes"},
		`{"root": "a", "texts": ["` + strings.Repeat("a", 1001) + `"]}`:     {"400", "1001 bytes"},
		`{"root": "a", "texts": ["a"` + strings.Repeat(`,"a"`, 20) + `]}`:   {"400", "more than 20 texts"},
		`{"root": "a", "texts": ["` + strings.Repeat("a", 10_001) + `"]}`:   {"413", "10000 bytes"},
		`{"root": "a", "texts": ` + strings.Repeat("[", 9000) + `, "b": 1}`: {"400", "JSON"},
	} {
		status, text, err := post(t.Context(), url, body, key...)
		var e struct {
			Error struct{ Message, Type string }
		}
		if json.Unmarshal([]byte(text), &e) != nil || err != nil || fmt.Sprint(status) != parts[0] || !strings.Contains(e.Error.Message, parts[1]) || e.Error.Type != invalidRequest {
			t.Errorf("%.60q: %d %s %v", body, status, text, err)
		}
	}
	if answer, err := http.Get(url); err != nil || answer.StatusCode != http.StatusMethodNotAllowed {
		t.Errorf("GET: %v, %v", answer, err)
	}
	wait.Until(t, "memory is given back", func() bool { return s.sessions.bytes.Load() == 0 })
}

// If a client leaves while its texts are encoded, others are answered, and its memory is given
// back. A full queue is said to be full.
func TestSidesInTheQueue(t *testing.T) {
	gate := make(chan struct{})
	s, pack, url := startPack(t, gate, func(o *Options) { o.Limits.QueueTokens = 100 })
	ctx, leave := context.WithCancel(t.Context())
	left := make(chan error)
	const question = `{"root": "a mat", "texts": ["the cat sat", "dogs ran"]}`
	go func() {
		_, _, err := post(ctx, url, question)
		left <- err
	}()
	if text := <-pack.begun; text != "a mat" {
		t.Errorf("the first text is %q", text)
	}
	gate <- struct{}{} // the root and its sides; the texts are next
	<-pack.begun
	waiting := make(chan int)
	for i := 1; i <= 2; i++ { // both wait: they do not fill a batch, so none begins beside the first
		go func() {
			status, _, _ := post(t.Context(), url, fmt.Sprintf(`{"root": "dogs ran %d", "texts": ["a mat"]}`, i))
			waiting <- status
		}()
		wait.Until(t, "another waits", func() bool { return s.engine.queue.tokens() == 15*i })
	}
	long := strings.Repeat("the cat sat ", 40)
	soon, cancel := context.WithTimeout(t.Context(), 10*time.Second) // if it were let in, it would wait for the gate
	status, body, err := post(soon, url, `{"root": "`+long+`", "texts": ["a"]}`)
	cancel()
	if status != http.StatusTooManyRequests || !strings.Contains(body, "overloaded") {
		t.Errorf("%d %s %v", status, body, err)
	}
	leave()
	if err := <-left; err == nil {
		t.Error("an answer after the client has left")
	}
	close(gate)
	for range 2 {
		if status := <-waiting; status != 200 {
			t.Errorf("another client's status is %d", status)
		}
	}
	wait.Until(t, "memory is given back", func() bool { return s.sessions.bytes.Load() == 0 })
}
