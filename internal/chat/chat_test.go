package chat

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/vantage-search/vantage/internal/testing/chatscript"
	"github.com/vantage-search/vantage/internal/testing/wait"
	"github.com/vantage-search/vantage/internal/wasm/fault"
)

var colour = NewSchema("colour", `{"type":"object","additionalProperties":false,"required":["colour"],"properties":{"colour":{"type":"string"}}}`)

var question = Question{Instructions: "Name a colour.", Text: "a tomato", Schema: colour, Accept: func(reply json.RawMessage) error {
	if !strings.Contains(string(reply), "red") {
		return errors.New("the colour was not offered")
	}
	return nil
}}

const red = `{"colour": "red"}`

func open(t *testing.T, s Settings) *Client {
	t.Helper()
	if s.Model == "" {
		s.Model = "m"
	}
	if s.MaxTokens == 0 {
		s.MaxTokens = 64
	}
	s.Anew = s.Cache == ""
	c, err := Open(s)
	if err != nil {
		t.Fatal(err)
	}
	c.policy.Attempts, c.policy.Delay, c.policy.Most, c.patience = 3, time.Millisecond, time.Millisecond, 5*time.Second
	return c
}

// parameters are those of a request that hosts understand differently.
type parameters struct {
	Model     string
	MaxTokens int `json:"max_tokens"`
	Format    struct {
		Type   string
		Schema struct {
			Strict bool
			Schema any
		} `json:"json_schema"`
		Object any `json:"schema"`
	} `json:"response_format"`
}

func parametersOf(t *testing.T, r chatscript.Request) (p parameters) {
	t.Helper()
	if err := json.Unmarshal(r.Body, &p); err != nil {
		t.Fatal(err)
	}
	return p
}

func TestRequest(t *testing.T) {
	t.Setenv(KeyVariable, "secret")
	s := serve(t, says(red))
	c := open(t, Settings{URL: s.URL + "/", Price: Price{1, 10}})
	reply, err := c.Ask(t.Context(), question)
	if err != nil || string(reply) != red {
		t.Fatalf("%s %v", reply, err)
	}
	r := s.Asked()[0]
	p := parametersOf(t, r)
	if r.Path != "/v1/chat/completions" || r.Key != "Bearer secret" || p.Model != "m" || p.MaxTokens != 64 || p.Format.Type != "json_schema" || r.Schema != "colour" || !p.Format.Schema.Strict || p.Format.Schema.Schema == nil {
		t.Errorf("%+v %+v", r, p)
	}
	if len(r.Messages) != 2 || r.Messages[0].Role != "system" || !strings.HasPrefix(r.Messages[0].Content, "Name a colour.\n") || !strings.Contains(r.Messages[0].Content, colour.text) ||
		r.Messages[1].Role != "user" || r.Messages[1].Content != "```\na tomato\n```" {
		t.Errorf("%+v", r.Messages)
	}
	if u := c.Usage(); u != (Usage{Model: "m", Requests: 1, PromptTokens: chatscript.PromptTokens, ReplyTokens: chatscript.ReplyTokens, Cost: 300e-6}) {
		t.Errorf("%+v", u)
	}
}

// Replies that do not fit are repaired once.
func TestRepair(t *testing.T) {
	for _, c := range []struct{ name, wrong, said string }{
		{"garbage", "Red, I think.", "it is not JSON"},
		{"cut", `{"colour": "r`, "it is not JSON, or not all of it"},
		{"empty", " ", "it is empty"},
		{"nothing", "", "it is empty"},
		{"two", red + red, "it is not JSON"},
		{"another schema", `{"shade": "red"}`, "missing property 'colour'"},
		{"another type", `{"colour": ["red"]}`, "at /colour: got array, want string"},
		{"not offered", `{"colour": "blue"}`, "the colour was not offered"},
		{"long", strings.Repeat("red", 10_000), "it is not JSON"},
	} {
		s := serve(t, says(c.wrong), says(red))
		client := open(t, Settings{URL: s.URL})
		if reply, err := client.Ask(t.Context(), question); err != nil || string(reply) != red {
			t.Errorf("%s: %s %v", c.name, reply, err)
			continue
		}
		m := s.Asked()[1].Messages
		if c.wrong == "" {
			c.wrong = "(nothing)"
		}
		if len(m) != 4 || m[2].Role != "assistant" || !strings.HasPrefix(c.wrong, strings.TrimSuffix(m[2].Content, "…")) || len(m[2].Content) > maxRepeat+3 || m[3].Role != "user" || !strings.Contains(m[3].Content, c.said) {
			t.Errorf("%s: the model is told %.300v", c.name, m[2:])
		}
		s = serve(t, says(strings.TrimSuffix(c.wrong, "(nothing)")))
		_, err := open(t, Settings{URL: s.URL}).Ask(t.Context(), question)
		if e, ok := errors.AsType[*ReplyError](err); !ok || !strings.Contains(e.Reason, c.said) || fault.Of(err) != fault.Integrity || len(s.Asked()) != 2 {
			t.Errorf("%s, twice: %v after %d requests", c.name, err, len(s.Asked()))
		}
	}
}

// A reply that the bound on tokens cuts is asked for once more, shorter. If that is cut too,
// there is no reply: the case is counted, and a remark names the flag to change. The other
// questions of a run are still asked.
func TestCut(t *testing.T) {
	s := serve(t, cut(`{"colour": "a long`), says(red))
	if reply, err := open(t, Settings{URL: s.URL}).Ask(t.Context(), question); err != nil || string(reply) != red {
		t.Fatalf("%s %v", reply, err)
	}
	if m := s.Asked()[1].Messages; len(m) != 4 || m[2].Content != `{"colour": "a long` || !strings.Contains(m[3].Content, "it was cut off after 64 tokens") || !strings.Contains(m[3].Content, "fewer words") {
		t.Errorf("the model is told %+v", m[2:])
	}
	// What fits is not cut: some models add blanks to the end.
	s = serve(t, cut(red+"  "))
	c := open(t, Settings{URL: s.URL})
	if reply, err := c.Ask(t.Context(), question); err != nil || string(reply) != red+"  " || len(s.Asked()) != 1 || c.Usage().Cut != 0 {
		t.Errorf("%s %v after %d requests", reply, err, len(s.Asked()))
	}

	s = chatscript.Serve(t, func(r chatscript.Request) chatscript.Reply {
		if r.Text == "a tomato" {
			return says(red)
		}
		return cut("")
	})
	c = open(t, Settings{URL: s.URL})
	before := c.Usage()
	replies, err := c.AskAll(t.Context(), 6, func(i int) Question {
		q := question
		q.Text = strings.Repeat("sky", i)
		if i == 5 {
			q.Text = "a tomato"
		}
		return q
	}, func(int) {})
	if err != nil || len(replies) != 6 || string(replies[5]) != red || len(s.Asked()) != 2*5+1 {
		t.Fatalf("%s %v after %d requests", replies, err, len(s.Asked()))
	}
	for i, reply := range replies[:5] {
		if reply != nil {
			t.Errorf("%d: %s", i, reply)
		}
	}
	u := c.Usage()
	const remark = "5 replies are cut off at the bound on tokens, even when asked to be shorter: allow more with --chat-max-tokens"
	if u.Cut != 5 || u.Since(before).Cut != 5 || u.Since(u).Cut != 0 || u.Remark() != remark || !strings.HasSuffix(u.String(), "; "+remark) || strings.Contains((Usage{}).String(), "cut") {
		t.Errorf("%+v: %s", u, u)
	}
	var warned []string
	warn := func(format string, args ...any) { warned = append(warned, fmt.Sprintf(format, args...)) }
	if err := errors.Join(c.Close(nil, warn), open(t, Settings{URL: s.URL}).Close(nil, warn)); err != nil || len(warned) != 1 || warned[0] != remark {
		t.Errorf("%q %v", warned, err)
	}
}

// A run goes on without replies that cannot be used, and tells how many there are and why.
func TestRefusedIsTold(t *testing.T) {
	t.Setenv(KeyVariable, "secret")
	s := serve(t, says(red), chatscript.Reply{Finish: "content_filter"}, raw(200, `{"choices": [{"message": {"refusal": "not a secret\u001b[2J"}}]}`))
	c := open(t, Settings{URL: s.URL})
	ask := func(text string) {
		q := question
		q.Text = text
		_, _ = c.Ask(t.Context(), q)
	}
	ask("sky")
	if u := c.Usage(); u.Refused != 0 || u.Remark() != "" {
		t.Errorf("%+v", u)
	}
	ask("sea")
	before := c.Usage()
	ask("sun")
	u := c.Usage()
	const remark = "2 replies cannot be used, the last for this reason: the model declines: not a (the key)"
	if u.Refused != 2 || !strings.HasPrefix(u.Remark(), remark) || strings.Contains(u.Remark(), "\x1b") || u.Since(before).Refused != 1 || u.Since(before).Reason != u.Reason || u.Since(u).Remark() != "" {
		t.Errorf("%+v: %s", u, u)
	}
	if before.Reason != "the host's content filter holds the reply back" {
		t.Errorf("%+v", before)
	}
}

// What a host says never has the key in it, nor a half of one that its end would cut.
func TestKeyIsNotTold(t *testing.T) {
	t.Setenv(KeyVariable, "secret-0123456789")
	for _, said := range []string{"secret-0123456789", strings.Repeat("x", maxReason-8) + "secret-0123456789"} {
		for name, answer := range map[string]chatscript.Reply{
			"refusal": raw(200, `{"choices": [{"message": {"refusal": "`+said+`"}}]}`),
			"filter":  raw(400, `{"error": {"message": "`+said+`", "code": "content_filter"}}`),
			"reply":   says(`{"colour": "red", "` + said + `": 1}`),
		} {
			c := open(t, Settings{URL: serve(t, answer).URL})
			_, err := c.Ask(t.Context(), question)
			if err == nil || strings.Contains(err.Error(), "secret") || strings.Contains(c.Usage().Remark(), "secret") {
				t.Errorf("%s of %d bytes: %v; %s", name, len(said), err, c.Usage().Remark())
			}
		}
	}
}

// Some hosts do not report tokens. A figure that is too low is told as such.
func TestUncounted(t *testing.T) {
	c := open(t, Settings{URL: serve(t, chatscript.Reply{Content: "no", Silent: true}, says(red)).URL, Price: Price{1, 1}})
	if _, err := c.Ask(t.Context(), question); err != nil {
		t.Fatal(err)
	}
	u := c.Usage()
	if u.Requests != 2 || u.Uncounted != 1 || u.PromptTokens != chatscript.PromptTokens || u.Since(u).Uncounted != 0 || !strings.Contains(u.String(), "the host reports no tokens for 1 request") {
		t.Errorf("%+v: %s", u, u)
	}
}

// Requests that end without an answer are counted, and neither those that the host refuses nor those that are never sent.
func TestUnanswered(t *testing.T) {
	s := serve(t, chatscript.Reply{Status: 503}, chatscript.Reply{Write: func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }},
		says(red), chatscript.Reply{Wait: time.Minute})
	c := open(t, Settings{URL: s.URL})
	if _, err := c.Ask(t.Context(), question); err != nil {
		t.Fatal(err)
	}
	before := c.Usage()
	if before.Requests != 1 || before.Unanswered != 1 {
		t.Errorf("%+v", before)
	}
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		wait.Until(t, "the request that waits", func() bool { return len(s.Asked()) == 4 })
		cancel()
	}()
	if _, err := c.Ask(ctx, question); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if u := c.Usage().Since(before); u.Requests != 0 || u.Unanswered != 1 {
		t.Errorf("%+v", u)
	}
	if _, err := c.Ask(ctx, question); err == nil || c.Usage().Unanswered != 2 {
		t.Errorf("%v, %+v", err, c.Usage())
	}
}

// Faults of the host have kinds. After a temporary one, the request is repeated.
func TestFaults(t *testing.T) {
	t.Setenv(KeyVariable, "secret")
	echo := `{"error": {"message": "no such key: secret\u001b[2J"}}`
	for _, c := range []struct {
		name   string
		answer chatscript.Reply
		kind   fault.Kind
		asked  int
		said   string
	}{
		{"busy", raw(429, echo, "Retry-After", "0"), fault.Unavailable, 3, "status 429: no such key: (the key)"},
		{"busy for long", raw(429, echo, "Retry-After", "3600"), fault.Unavailable, 1, "it asks to wait 1h0m0s"},
		{"broken", raw(500, "oops"), fault.Unavailable, 3, "status 500"},
		{"key", raw(401, echo), fault.Input, 1, "status 401"},
		{"model", raw(404, echo), fault.Input, 1, "status 404"},
		{"long", raw(413, echo), fault.Limit, 1, "status 413"},
		{"not the API", raw(200, "<html>", "Content-Type", "text/html"), fault.Integrity, 1, "does not speak"},
		{"garbage", raw(200, "}{"), fault.Integrity, 1, "does not speak"},
		{"cut", raw(200, `{"choices": [`), fault.Unavailable, 3, "cut off"},
		{"short", raw(200, `{"choices": [`, "Content-Length", "100"), fault.Unavailable, 3, "cut off"},
		{"no choice", raw(200, `{"choices": []}`), fault.Integrity, 1, "the host sends no reply"},
		{"error for a reply", raw(200, echo), fault.Unavailable, 3, "in place of a reply: "},
		{"no error", raw(200, `{"error": null}`), fault.Integrity, 1, "the host sends no reply"},
		{"nothing", raw(200, `{}`), fault.Integrity, 1, "the host sends no reply"},
		{"reply filtered", chatscript.Reply{Finish: "content_filter"}, fault.Integrity, 1, "content filter holds the reply back"},
		{"reply filtered, with a reason", raw(200, `{"choices": [{"finish_reason": "content_filter: SAFETY", "message": {"refusal": "violence"}}]}`), fault.Integrity, 1, "content filter holds the reply back: violence"},
		{"question filtered", raw(400, `{"error": {"code": "content_filter", "message": "no secret"}}`), fault.Integrity, 1, "content filter refuses the question: no (the key)"},
		{"a tool", chatscript.Reply{Finish: "tool_calls"}, fault.Integrity, 2, "it is empty"},
		{"declined", raw(200, `{"choices": [{"finish_reason": "stop", "message": {"refusal": "I would rather not"}}]}`), fault.Integrity, 1, "the model declines: I would rather not"},
		{"too few tokens", cut(`{"col`), fault.Integrity, 2, "it was cut off after 64 tokens: allow more with --chat-max-tokens"},
		{"endless", chatscript.Reply{Write: endless(false)}, fault.Limit, 1, "more than 1048576 bytes"},
		{"endless error", chatscript.Reply{Write: func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(500); endless(false)(w, r) }}, fault.Limit, 1, "more than 1048576 bytes"},
		{"packed", chatscript.Reply{Write: packed}, fault.Limit, 1, "more than 1048576 bytes"},
		{"a stream", raw(200, "data: {}\n\n", "Content-Type", "text/event-stream"), fault.Integrity, 1, "does not speak"},
		{"elsewhere", raw(307, "", "Location", "http://127.0.0.1:1/"), fault.Input, 1, "leads to another"},
	} {
		s := serve(t, c.answer)
		_, err := open(t, Settings{URL: s.URL}).Ask(t.Context(), question)
		if fault.Of(err) != c.kind || len(s.Asked()) != c.asked || !strings.Contains(fmt.Sprint(err), c.said) || strings.ContainsAny(fmt.Sprint(err), "\x1b") || strings.Contains(fmt.Sprintf("%+v", err), "secret") {
			t.Errorf("%s: %q (%s) after %d requests", c.name, err, fault.Of(err), len(s.Asked()))
		}
	}
	s := serve(t, raw(503, ""), raw(429, "", "Retry-After", "0"), says(red))
	if reply, err := open(t, Settings{URL: s.URL}).Ask(t.Context(), question); err != nil || string(reply) != red || len(s.Asked()) != 3 {
		t.Errorf("after two faults: %s %v", reply, err)
	}
	s.Stop()
	if _, err := open(t, Settings{URL: s.URL}).Ask(t.Context(), question); fault.Of(err) != fault.Unavailable {
		t.Errorf("no host: %v", err)
	}
}

// A host that is silent is asked again. One that sends without an end is not, and silence and sending together may take no
// longer than one bound.
func TestDeadline(t *testing.T) {
	silent := chatscript.Reply{Wait: time.Hour}
	stuck := chatscript.Reply{Write: func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, " ")
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	}}
	late := func(w http.ResponseWriter, r *http.Request) { // keeps the connection with white space until it has its reply
		w.Header().Set("Content-Type", "application/json")
		for range 20 {
			io.WriteString(w, " ")
			w.(http.Flusher).Flush()
			time.Sleep(75 * time.Millisecond)
		}
		io.WriteString(w, `{"choices": [{"finish_reason": "stop", "message": {"content": "{\"colour\": \"red\"}"}}]}`)
	}
	for name, c := range map[string]struct {
		answer          chatscript.Reply
		patience, whole time.Duration
		asked           int
		said            string
	}{
		"silent":              {silent, 200 * time.Millisecond, time.Minute, 3, "has sent nothing for 200ms (tried 3 times)"},
		"stuck":               {stuck, 200 * time.Millisecond, time.Minute, 3, "has sent nothing for 200ms (tried 3 times)"},
		"endless":             {chatscript.Reply{Write: endless(true)}, time.Minute, 500 * time.Millisecond, 1, "has not finished a reply within 500ms, in one attempt: use a faster"},
		"silent for too long": {silent, time.Minute, 500 * time.Millisecond, 1, "has not finished a reply within 500ms, in one attempt: "},
		"waits for too long": {raw(503, "", "Retry-After", "60"), time.Minute, 500 * time.Millisecond, 1,
			"within 500ms, in one attempt, of which one failed because the chat model's host answers with status 503"},
	} {
		s := serve(t, c.answer)
		client := open(t, Settings{URL: s.URL})
		client.patience, client.whole, client.policy.Wait = c.patience, c.whole, time.Hour
		if _, err := client.Ask(t.Context(), question); fault.Of(err) != fault.Unavailable || len(s.Asked()) != c.asked || !strings.Contains(err.Error(), c.said) {
			t.Errorf("%s: %v after %d requests", name, err, len(s.Asked()))
		}
	}
	s := serve(t, chatscript.Reply{Write: late})
	c := open(t, Settings{URL: s.URL})
	c.patience = time.Second // less than the whole answer takes
	if reply, err := c.Ask(t.Context(), question); err != nil || string(reply) != red || len(s.Asked()) != 1 {
		t.Errorf("late: %s (%v) after %d requests", reply, err, len(s.Asked()))
	}
	s = serve(t, silent)
	c = open(t, Settings{URL: s.URL})
	left := errors.New("the user left")
	ctx, cancel := context.WithCancelCause(t.Context())
	c.patience = time.Minute
	time.AfterFunc(50*time.Millisecond, func() { cancel(left) })
	if _, err := c.Ask(ctx, question); !errors.Is(err, left) {
		t.Errorf("%v", err)
	}
}

// Who allows a longer reply allows more time for it.
func TestTimeForTokens(t *testing.T) {
	for tokens, want := range map[int]time.Duration{1: 5 * time.Minute, DefaultMaxTokens: 5 * time.Minute, 4 * DefaultMaxTokens: 20 * time.Minute, 1 << 62: 24 * time.Hour} {
		c, err := Open(Settings{URL: DefaultURL, Model: "m", MaxTokens: tokens, Anew: true})
		if err != nil {
			t.Fatal(err)
		}
		if off := c.whole - want; off < -time.Second || off > time.Second || c.patience > c.whole || c.patience < 2*time.Minute {
			t.Errorf("%d tokens: %v, and %v of silence, want %v", tokens, c.whole, c.patience, want)
		}
	}
}

func TestCost(t *testing.T) {
	s := serve(t, says("no"), says(red))
	size := len(question.Instructions) + 2*len(colour.text) + len(Fence(question.Text)) // the schema is also in response_format
	// The first request is affordable, and the longer one that would repair its reply is not.
	_, err := open(t, Settings{URL: s.URL, Price: Price{1, 0}, MaxCost: float64(size+templateTokens+100) / 1e6}).Ask(t.Context(), question)
	if fault.Of(err) != fault.Limit || len(s.Asked()) != 1 {
		t.Errorf("%v after %d requests", err, len(s.Asked()))
	}
	_, err = open(t, Settings{URL: s.URL, Price: Price{0, 1}, MaxCost: 63e-6}).Ask(t.Context(), question)
	if fault.Of(err) != fault.Limit || len(s.Asked()) != 1 {
		t.Errorf("%v after %d requests", err, len(s.Asked()))
	}
	// The schema of response_format counts, too.
	_, err = open(t, Settings{URL: s.URL, Price: Price{1, 0}, MaxCost: float64(size+templateTokens-1) / 1e6}).Ask(t.Context(), question)
	if fault.Of(err) != fault.Limit || len(s.Asked()) != 1 {
		t.Errorf("the schema of response_format: %v after %d requests", err, len(s.Asked()))
	}
	var p Price
	if err := p.Set("0.15,0.6"); err != nil || p != (Price{0.15, 0.6}) || p.String() != "0.15,0.6" || (&Price{}).String() != "" {
		t.Errorf("%v %v", p, err)
	}
	for _, bad := range []string{"", "1", "1,", "-1,1", "1,NaN", "1,Inf", "1,2,3"} {
		if err := p.Set(bad); fault.Of(err) != fault.Query {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

func TestSettings(t *testing.T) {
	t.Setenv(KeyVariable, "")
	dir := t.TempDir()
	empty, two, good := filepath.Join(dir, "empty"), filepath.Join(dir, "two"), filepath.Join(dir, "good")
	for path, text := range map[string]string{empty: " \n", two: "secret\nsecret", good: "\ufeffsecret\n", filepath.Join(dir, "extract.txt"): "\ufeffMine.", filepath.Join(dir, "blank.txt"): "\n", filepath.Join(dir, "mark.txt"): "\ufeff"} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	fine := Settings{URL: DefaultURL, Model: "m", MaxTokens: 1, KeyFile: good, Prompts: dir}
	c, err := Open(fine)
	if err != nil || c.key != "secret" {
		t.Fatal(err)
	}
	if text, err := c.Instructions("extract"); err != nil || text != "Mine." {
		t.Errorf("%q %v", text, err)
	}
	for _, name := range []string{"blank", "mark", "absent"} {
		if _, err := c.Instructions(name); fault.Of(err) != fault.Input || !strings.Contains(err.Error(), name+".txt") {
			t.Errorf("%v", err)
		}
	}
	gone := fine
	gone.Record = filepath.Join(dir, "gone", "replies")
	if _, err := Open(gone); fault.Of(err) != fault.Unavailable || !strings.Contains(err.Error(), gone.Record) {
		t.Errorf("a recording in no folder: %v", err)
	}
	for name, change := range map[string]func(s *Settings){
		"scheme": func(s *Settings) { s.URL = "ftp://secret" },
		"user":   func(s *Settings) { s.URL = "https://secret:secret@host/v1" },
		"query":  func(s *Settings) { s.URL = "https://host/v1?key=secret" },
		"escape": func(s *Settings) { s.URL = "https://host/%secret" },
		"model":  func(s *Settings) { s.Model = "" },
		"tokens": func(s *Settings) { s.MaxTokens = -1 },
		"both":   func(s *Settings) { s.Record, s.Replay = "a", "b" },
		"few":    func(s *Settings) { s.Kept.Entries = -1 },
		"small":  func(s *Settings) { s.Kept.Bytes = -1 },
		"price":  func(s *Settings) { s.MaxCost = 1 },
		"bound":  func(s *Settings) { s.MaxCost = -1 },
		"absent": func(s *Settings) { s.KeyFile = filepath.Join(dir, "absent") },
		"empty":  func(s *Settings) { s.KeyFile = empty },
		"two":    func(s *Settings) { s.KeyFile = two },
		"replay": func(s *Settings) { s.Replay = good },
	} {
		s := fine
		change(&s)
		if _, err := Open(s); (fault.Of(err) != fault.Query && fault.Of(err) != fault.Input) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
