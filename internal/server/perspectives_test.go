package server

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/vantage-search/vantage/internal/chat"
	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/mvrag"
	"github.com/vantage-search/vantage/internal/server/wire"
	"github.com/vantage-search/vantage/internal/testing/chatscript"
)

// withChat lets a server ask a scripted model about geography and law.
func withChat(t testing.TB, s *chatscript.Server, b Budget, change func(*Options)) *running {
	t.Helper()
	var domains []*mvrag.Domain
	for _, name := range []string{"geography", "law"} {
		d, err := mvrag.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		domains = append(domains, d)
	}
	return start(t, nil, func(o *Options) {
		o.Perspectives = &Perspectives{Chat: chat.Settings{URL: s.URL, Model: "parrot"}, Domains: domains, Budget: b}
		if change != nil {
			change(o)
		}
	})
}

// geographer gives the perspectives of geography the scores 0.9, 0.3 and 0.6.
func geographer(r chatscript.Request) chatscript.Reply {
	if r.Schema == "weights" {
		return chatscript.Reply{Content: `{"scores": [{"perspective": "climate change", "score": 0.9}, {"perspective": "urban development", "score": 0.3}, {"perspective": "biodiversity", "score": 0.6}]}`}
	}
	return chatscript.Reply{Content: `{"query": "` + viewOf(r) + `: night"}`}
}

// viewOf is the perspective that a request to rewrite names.
func viewOf(r chatscript.Request) string {
	_, view, _ := strings.Cut(r.System, "The perspective, of geography:\n- ")
	view, _, _ = strings.Cut(view, ":")
	return view
}

// answerLine is any line of the answer.
type answerLine struct {
	Object, Domain, Query string
	Chat                  string `json:"chat_model"`
	Threshold             float64
	Perspectives          []weighted
	Refused               bool
	Index                 int
	Weight                float64
	Embedding             json.RawMessage
	Usage                 chatUsage
	Error                 struct{ Message, Code string }
}

// askViews sends a request and calls each with every line as it arrives.
func (r *running) askViews(ctx context.Context, body string, each func(answerLine), header ...string) (*http.Response, string, error) {
	q, err := http.NewRequestWithContext(ctx, "POST", r.url+"/v1/perspectives", strings.NewReader(body))
	if err != nil {
		return nil, "", err
	}
	for i := 0; i < len(header); i += 2 {
		q.Header.Set(header[i], header[i+1])
	}
	answer, err := http.DefaultClient.Do(q)
	if err != nil {
		return nil, "", err
	}
	defer answer.Body.Close()
	var all strings.Builder
	lines := bufio.NewScanner(answer.Body)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		all.WriteString(lines.Text() + "\n")
		if each != nil && answer.StatusCode == http.StatusOK {
			var l answerLine
			if err := json.Unmarshal(lines.Bytes(), &l); err != nil {
				return answer, all.String(), err
			}
			each(l)
		}
	}
	return answer, all.String(), lines.Err()
}

// linesOf are the lines of an answer that is complete.
func (r *running) linesOf(t *testing.T, body string) (lines []answerLine) {
	t.Helper()
	answer, text, err := r.askViews(t.Context(), body, func(l answerLine) { lines = append(lines, l) })
	if err != nil || answer.StatusCode != http.StatusOK || answer.Header.Get("Content-Type") != "application/x-ndjson" {
		t.Fatalf("%v %s %v", answer, text, err)
	}
	return lines
}

// vectorOf is a text's vector as the model gives it.
func (r *running) vectorOf(t *testing.T, text string) []float32 {
	t.Helper()
	got, err := r.model.Encoder.Encode(t.Context(), []string{text}, encoder.Options{Role: encoder.Query})
	if err != nil {
		t.Fatal(err)
	}
	return got[0].Vector
}

// The vector comes first, then each weighted perspective's query with its embedding, then
// what was used.
func TestPerspectives(t *testing.T) {
	s := chatscript.Serve(t, geographer)
	r := withChat(t, s, Budget{}, nil)
	lines := r.linesOf(t, `{"query": "night", "domain": "geography"}`)
	if len(lines) != 4 {
		t.Fatalf("%+v", lines)
	}
	want := []weighted{{"climate change", 0.9, 0.9}, {"urban development", 0.3, 0}, {"biodiversity", 0.6, 0.6}}
	if v := lines[0]; v.Object != "vector" || v.Domain != "geography" || v.Chat != "parrot" || v.Threshold != 0.5 || !slices.Equal(v.Perspectives, want) || v.Refused {
		t.Errorf("%+v", v)
	}
	slices.SortFunc(lines[1:3], func(a, b answerLine) int { return a.Index - b.Index })
	for i, at := range []int{0, 2} {
		l := lines[1+i]
		text := want[at].Name + ": night"
		var vector []float32
		if err := json.Unmarshal(l.Embedding, &vector); err != nil || l.Object != "query" || l.Index != at || l.Weight != want[at].Weight || l.Query != text || !slices.Equal(vector, r.vectorOf(t, text)) {
			t.Errorf("%+v %v", l, err)
		}
	}
	if u := lines[3]; u.Object != "done" || u.Usage != (chatUsage{3, 3 * chatscript.PromptTokens, 3 * chatscript.ReplyTokens}) {
		t.Errorf("%+v", u)
	}
	if n := len(s.Asked()); n != 3 {
		t.Errorf("%d requests", n)
	}

	lines = r.linesOf(t, `{"query": "night", "domain": "geography", "threshold": 0.8, "encoding_format": "base64"}`)
	var packed string
	if err := json.Unmarshal(lines[1].Embedding, &packed); err != nil || len(lines) != 3 || lines[0].Perspectives[2].Weight != 0 {
		t.Fatalf("%+v %v", lines, err)
	}
	b, err := base64.StdEncoding.DecodeString(packed)
	if vector := wire.NewVector(0, 0, r.vectorOf(t, "climate change: night"), wire.F32); err != nil || !bytes.Equal(b, vector.Payload) {
		t.Errorf("%x %v", b, err)
	}

	lines = r.linesOf(t, `{"query": "night", "domain": "geography", "threshold": 0.95}`)
	if len(lines) != 3 || lines[1].Index != mvrag.Plain || lines[1].Weight != 1 || lines[1].Query != "night" || lines[2].Usage.Requests != 1 {
		t.Errorf("%+v", lines)
	}
	if u := lines[2].Usage; u.PromptTokens != chatscript.PromptTokens { // of this request alone: earlier ones used the same chat client
		t.Errorf("%+v", u)
	}
}

// The first query is on the wire while the last is still being written.
func TestPerspectivesStream(t *testing.T) {
	seen := make(chan struct{})
	s := chatscript.Serve(t, func(r chatscript.Request) chatscript.Reply {
		if r.Schema != "weights" && viewOf(r) == "biodiversity" {
			<-seen
		}
		return geographer(r)
	})
	r := withChat(t, s, Budget{}, nil)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	var order []string
	_, text, err := r.askViews(ctx, `{"query": "night", "domain": "geography"}`, func(l answerLine) {
		if order = append(order, fmt.Sprint(l.Object, l.Index)); l.Object == "query" && l.Index == 0 {
			close(seen)
		}
	})
	if err != nil || !slices.Equal(order, []string{"vector0", "query0", "query2", "done0"}) {
		t.Errorf("%v %s %v", order, text, err)
	}
}

// BenchmarkPerspectives measures the time from the last token of a rewritten query to its vector at the client. The goal is
// 50 ms.
func BenchmarkPerspectives(b *testing.B) {
	var mu sync.Mutex
	written := map[string]time.Time{}
	s := chatscript.Serve(b, func(r chatscript.Request) chatscript.Reply {
		reply := geographer(r)
		if r.Schema == "rewritten" {
			reply.Content = `{"query": "` + viewOf(r) + " " + r.Text + `"}`
			mu.Lock()
			defer mu.Unlock()
			written[viewOf(r)+" "+r.Text] = time.Now()
		}
		return reply
	})
	r := withChat(b, s, Budget{}, nil)
	var took []time.Duration
	for i := 0; b.Loop(); i++ {
		_, text, err := r.askViews(b.Context(), fmt.Sprintf(`{"query": "night %d", "domain": "geography"}`, i), func(l answerLine) {
			if l.Object == "query" {
				mu.Lock()
				defer mu.Unlock()
				took = append(took, time.Since(written[l.Query]))
			}
		})
		if err != nil {
			b.Fatal(text, err)
		}
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2])/float64(time.Millisecond), "median-ms")
	b.ReportMetric(float64(took[len(took)-1])/float64(time.Millisecond), "slowest-ms")
}

// The list of models names the domains, so that a page knows whether to offer them.
func TestPerspectivesDomains(t *testing.T) {
	s := chatscript.Serve(t, geographer)
	for want, r := range map[string]*running{`"domains":["geography","law"]`: withChat(t, s, Budget{}, nil), `"domains":[]`: start(t, nil, nil)} {
		answer, err := http.Get(r.url + "/v1/models")
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(answer.Body)
		answer.Body.Close()
		if err != nil || !strings.Contains(string(body), want) {
			t.Errorf("%s lacks %s %v", body, want, err)
		}
	}
}

func TestPerspectivesRefusals(t *testing.T) {
	s := chatscript.Serve(t, geographer)
	r := withChat(t, s, Budget{}, nil)
	for body, want := range map[string]string{
		`{`:                                   "not the JSON of a request for perspectives",
		`[1]`:                                 "not the JSON",
		`{"domain": "law"}`:                   "query is missing or empty",
		`{"query": " ", "domain": "law"}`:     "query is missing or empty",
		`{"query": "a", "domain": "cooking"}`: "domain is one of geography, law",
		`{"query": "a"}`:                      "domain is one of geography, law",
		`{"query": "a", "domain": "law", "threshold": 1}`:                      "threshold is from 0 to below 1",
		`{"query": "a", "domain": "law", "encoding_format": 1}`:                "not the JSON",
		`{"query": "a", "domain": "law", "encoding_format": "x"}`:              "encoding_format is float or base64",
		`{"query": "` + strings.Repeat("a", 256<<10+1) + `", "domain": "law"}`: "query has 262145 bytes, at most 262144",
		"{\"query\": \"a\xff\", \"domain\": \"law\"}":                          "not UTF-8",
	} {
		answer, text, err := r.askViews(t.Context(), body, nil)
		if err != nil || answer.StatusCode != http.StatusBadRequest || !strings.Contains(text, want) {
			t.Errorf("%.60s: %v %s %v", body, answer, text, err)
		}
	}
	if answer, text, _ := r.askViews(t.Context(), `{"query": "a", "domain": "law", "model": "other"}`, nil); answer.StatusCode != http.StatusNotFound || !strings.Contains(text, "model_not_found") {
		t.Errorf("%s", text)
	}
	if n := len(s.Asked()); n != 0 {
		t.Errorf("%d requests", n)
	}
	off := start(t, nil, nil)
	if answer, text, _ := off.askViews(t.Context(), `{"query": "a", "domain": "law"}`, nil); answer.StatusCode != http.StatusNotFound || !strings.Contains(text, "no_chat_model") {
		t.Errorf("%s", text)
	}
	keyed := withChat(t, s, Budget{}, func(o *Options) { o.Keys = []string{"secret"} })
	if answer, text, _ := keyed.askViews(t.Context(), `{"query": "a", "domain": "law"}`, nil); answer.StatusCode != http.StatusUnauthorized {
		t.Errorf("%s", text)
	}
}
