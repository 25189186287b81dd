package chat

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/vantage-search/vantage/internal/testing/chatscript"
	"github.com/vantage-search/vantage/internal/wasm/fault"
)

func TestCache(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "cache")
	s := serve(t, says(red))
	ask := func(want int, s2 Settings, q Question) {
		t.Helper()
		s2.URL, s2.Cache = s.URL, dir
		if reply, err := open(t, s2).Ask(t.Context(), q); err != nil || string(reply) != red || len(s.Asked()) != want {
			t.Errorf("%s %v after %d requests, want %d", reply, err, len(s.Asked()), want)
		}
	}
	ask(1, Settings{}, question)
	ask(1, Settings{}, question)
	ask(2, Settings{Model: "other"}, question)
	ask(3, Settings{MaxTokens: 65}, question)
	other := question
	other.Text = "an apple"
	ask(4, Settings{}, other)
	other.Instructions = "Name another."
	ask(5, Settings{}, other)

	files, err := filepath.Glob(filepath.Join(dir, "*", "*.json"))
	if err != nil || len(files) != 5 {
		t.Fatalf("%v %v", files, err)
	}
	for _, path := range files {
		if err := os.WriteFile(path, []byte(`{"colour": "blue"}`), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	ask(6, Settings{}, question) // a damaged reply is asked for again,
	ask(6, Settings{}, question) // once
	info, err := os.Stat(dir)
	if err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("%v %v", info.Mode(), err)
	}
	below := Settings{URL: s.URL, Cache: filepath.Join(files[0], "cache")} // a file is no folder
	if reply, err := open(t, below).Ask(t.Context(), question); fault.Of(err) != fault.Unavailable || !strings.Contains(err.Error(), "--no-chat-cache") || string(reply) != red {
		t.Errorf("%s %v", reply, err)
	}
}

// A cache stays within its bounds. What was used longest ago goes first.
func TestCacheBounds(t *testing.T) {
	name := func(i int) string { return fmt.Sprintf("%02x", i) + strings.Repeat("0", 62) }
	for _, bounds := range []Bounds{{Entries: 3}, {Bytes: 30}, {3, 30}, {1, 1 << 20}} {
		c := newCache(filepath.Join(t.TempDir(), "cache"), bounds)
		for i := range 20 {
			if err := c.put(name(i), []byte("0123456789")); err != nil {
				t.Fatal(err)
			}
			kept, err := c.look()
			if err != nil || len(kept) > c.Entries || 10*len(kept) > c.Bytes {
				t.Fatalf("%+v: %d replies after %d: %v", bounds, len(kept), i+1, err)
			}
			if got, ok := c.get(name(i)); !ok || string(got) != "0123456789" {
				t.Fatalf("%+v: the newest is not there", bounds)
			}
		}
	}

	dir := filepath.Join(t.TempDir(), "cache")
	c := newCache(dir, Bounds{Entries: 32})
	hour := time.Now().Add(-time.Hour)
	for i := range 32 {
		if err := c.put(name(i), []byte("x")); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(c.path(name(i)), hour, hour.Add(time.Duration(i)*time.Second)); err != nil {
			t.Fatal(err)
		}
	}
	foreign, leftover := filepath.Join(dir, "00", "notes.json"), filepath.Join(dir, "00", "."+name(0)+".json.vantage-0000002a")
	for _, path := range []string{foreign, leftover} {
		if err := os.WriteFile(path, []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	c.get(name(0)) // used now
	another := newCache(dir, Bounds{Entries: 32})
	if err := another.put(name(32), []byte("x")); err != nil {
		t.Fatal(err)
	}
	for i := range 33 {
		if _, ok := c.get(name(i)); ok != (i == 0 || i > 3) {
			t.Errorf("reply %d is there: %v", i, ok)
		}
	}
	if _, err := os.Stat(foreign); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(leftover); err == nil {
		t.Error("a leftover stays")
	}
	if err := newCache(dir, Bounds{Bytes: 2}).put(name(40), []byte("xyz")); err != nil {
		t.Fatal(err)
	}
	if _, ok := c.get(name(40)); ok {
		t.Error("a reply above the bound is kept")
	}
}

// Two caches in a folder see each other's replies before long.
func TestCacheShared(t *testing.T) {
	dir := t.TempDir()
	a, b := newCache(dir, Bounds{Entries: 64}), newCache(dir, Bounds{Entries: 64})
	for i := range 300 {
		c := a
		if i%2 == 1 {
			c = b
		}
		if err := c.put(fmt.Sprintf("%064x", i*7919), []byte("x")); err != nil {
			t.Fatal(err)
		}
		if kept, err := a.look(); err != nil || len(kept) > 64+5 {
			t.Fatalf("%d replies, %v", len(kept), err)
		}
	}
}

func TestRecordAndReplay(t *testing.T) {
	t.Setenv(KeyVariable, "secret")
	s := serve(t, says(red))
	path := filepath.Join(t.TempDir(), "replies.jsonl")
	c := open(t, Settings{URL: s.URL, Record: path})
	if _, err := c.Ask(t.Context(), question); err != nil {
		t.Fatal(err)
	}
	if err := c.Close(nil, t.Logf); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil || strings.Count(string(data), "\n") != 1 || strings.Contains(string(data), "secret") {
		t.Errorf("%s %v", data, err)
	}

	// Work that fails before it asks anything leaves the recording as it is.
	if err := open(t, Settings{URL: s.URL, Record: path}).Close(nil, t.Logf); err != nil {
		t.Fatal(err)
	}
	if after, err := os.ReadFile(path); err != nil || string(after) != string(data) {
		t.Errorf("%q became %q, %v", data, after, err)
	}

	c = open(t, Settings{URL: "http://127.0.0.1:1", Replay: path})
	if reply, err := c.Ask(t.Context(), question); err != nil || string(reply) != `{"colour":"red"}` || c.Usage() != (Usage{Model: "m", Kept: 1}) {
		t.Errorf("%s %v", reply, err)
	}
	other := question
	other.Text = "an apple"
	if _, err := c.Ask(t.Context(), other); fault.Of(err) != fault.Input || !strings.Contains(err.Error(), path) {
		t.Errorf("%v", err)
	}
	if err := os.WriteFile(path, []byte(strings.Replace(string(data), "red", "blue", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := open(t, Settings{URL: s.URL, Replay: path}).Ask(t.Context(), question); !fault.Is[*ReplyError](err) {
		t.Errorf("a recorded reply that does not fit: %v", err)
	}
	if err := os.WriteFile(path, append(data, "{}\n"...), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(Settings{URL: s.URL, Model: "m", MaxTokens: 1, Replay: path}); fault.Of(err) != fault.Input || !strings.Contains(err.Error(), "line 2") {
		t.Errorf("%v", err)
	}
}

// A run in which a reply could not be used can be replayed, too.
func TestReplayedRefusal(t *testing.T) {
	t.Setenv(KeyVariable, "secret")
	path := filepath.Join(t.TempDir(), "replies.jsonl")
	c := open(t, Settings{URL: serve(t, says("no secret")).URL, Record: path})
	_, want := c.Ask(t.Context(), question)
	if !fault.Is[*ReplyError](want) {
		t.Fatal(want)
	}
	if err := c.Close(nil, t.Logf); err != nil {
		t.Fatal(err)
	}
	if _, err := open(t, Settings{URL: "http://127.0.0.1:1", Replay: path}).Ask(t.Context(), question); !fault.Is[*ReplyError](err) || err.Error() != want.Error() {
		t.Errorf("%v, not %v", err, want)
	}
	if data, err := os.ReadFile(path); err != nil || strings.Contains(string(data), "secret") {
		t.Errorf("%s %v", data, err)
	}

	// If the question is asked again and answered, the reply counts.
	c = open(t, Settings{URL: serve(t, says("no"), says("no"), says(red), says("no"), says("no")).URL, Record: path})
	for range 3 {
		_, _ = c.Ask(t.Context(), question)
	}
	if err := c.Close(nil, t.Logf); err != nil {
		t.Fatal(err)
	}
	if reply, err := open(t, Settings{URL: "http://127.0.0.1:1", Replay: path}).Ask(t.Context(), question); err != nil || string(reply) != `{"colour":"red"}` {
		t.Errorf("%s %v", reply, err)
	}
}

// A run in which the model gave no reply that can be used, or declined, can be repeated, and tells the same.
func TestRecordRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "replies.jsonl")
	for _, said := range []chatscript.Reply{says(`{"colour":"blue"}`), says(""), says("I cannot say."), cut(`{"col`), {Finish: "content_filter"}} {
		s := serve(t, said)
		c := open(t, Settings{URL: s.URL, Record: path})
		_, first := c.Ask(t.Context(), question)
		if err := c.Close(nil, t.Logf); err != nil || !fault.Is[*ReplyError](first) {
			t.Fatalf("%+v: %v, %v", said, first, err)
		}
		again := open(t, Settings{URL: "http://127.0.0.1:1", Replay: path})
		if _, err := again.Ask(t.Context(), question); !fault.Is[*ReplyError](err) || err.Error() != first.Error() {
			t.Errorf("%+v: %v, replayed: %v", said, first, err)
		}
		if live, replayed := c.Usage(), again.Usage(); live.Cut+live.Refused != 1 || live.Cut != replayed.Cut || live.Refused != replayed.Refused || live.Reason != replayed.Reason {
			t.Errorf("%+v: %+v, replayed: %+v", said, live, replayed)
		}
		if err := again.Close(nil, t.Logf); err != nil {
			t.Error(err)
		}
	}
}

// A recording of any size can be replayed, because the replies have cost money. Only its lines are bounded.
func TestRecordingSize(t *testing.T) {
	path := filepath.Join(t.TempDir(), "replies.jsonl")
	c := open(t, Settings{URL: "http://127.0.0.1:1", Record: path})
	long := `{"colour":"` + strings.Repeat("<", maxReply-20) + `"}` // JSON writes "<" with six bytes
	for i := range 12 {
		if _, err := c.keep(fmt.Sprintf("%064d", i), json.RawMessage(long), false); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := c.keep(c.keyOf(&question), json.RawMessage(red), false); err != nil {
		t.Fatal(err)
	}
	if err := c.Close(nil, t.Logf); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(path); err != nil || info.Size() < 64<<20 {
		t.Fatalf("the recording is too short for this test: %v %v", info, err)
	}
	c = open(t, Settings{URL: "http://127.0.0.1:1", Replay: path})
	if reply, err := c.Ask(t.Context(), question); err != nil || string(reply) != `{"colour":"red"}` {
		t.Errorf("%s %v", reply, err)
	}
	if err := c.Close(nil, t.Logf); err != nil {
		t.Error(err)
	}

	for text, want := range map[string]string{
		"\n" + strings.Repeat(" ", 1<<20):                                   "line 1: not a key",
		`{"key":"` + strings.Repeat("0", 65) + `","reply":{}}`:              "line 1: not a key",
		`{"key":"` + strings.Repeat("0", 64) + `"}`:                         "line 1: not a key",
		`{"key":"` + strings.Repeat("0", 64) + `","reply":1,"refused":"x"}`: "line 1: not a key",
		`{"key":"` + strings.Repeat("0", 64) + `","reply":{}}` + "\n[]\n":   "line 2: not a key",
		strings.Repeat(" ", maxLine+1):                                      "line 1: longer than the 6292480 bytes",
		`{"key":"` + strings.Repeat("0", 64) + `","reply":{}}` + "\n\n{}\n": "line 2: not a key",
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := openRecording(path); err == nil || !strings.Contains(err.Error(), path+", "+want) {
			t.Errorf("%.90q: %v, want %q", text, err, want)
		}
	}
}

// A recording that changes while it is replayed gives an error and no reply to another question.
func TestRecordingChanges(t *testing.T) {
	path := filepath.Join(t.TempDir(), "replies.jsonl")
	c := open(t, Settings{URL: "http://127.0.0.1:1", Record: path})
	if _, err := c.keep(c.keyOf(&question), json.RawMessage(red), false); err != nil {
		t.Fatal(err)
	}
	if err := c.Close(nil, t.Logf); err != nil {
		t.Fatal(err)
	}
	c = open(t, Settings{URL: "http://127.0.0.1:1", Replay: path})
	defer c.Close(nil, t.Logf)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(strings.Replace(string(data), c.keyOf(&question), strings.Repeat("0", 64), 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Ask(t.Context(), question); fault.Of(err) != fault.Input || !strings.Contains(err.Error(), "has changed") {
		t.Errorf("%v", err)
	}
}

// Work that fails in the middle adds to an earlier recording, and loses nothing of it. Work that is done replaces it.
func TestRecordOfFailedWork(t *testing.T) {
	path := filepath.Join(t.TempDir(), "replies.jsonl")
	of := func(text string) Question { return Question{Text: text, Schema: colour} }
	warned := ""
	record := func(work error, reply string, texts ...string) error {
		t.Helper()
		c := open(t, Settings{URL: serve(t, says(reply)).URL, Record: path})
		for _, text := range texts {
			if _, err := c.Ask(t.Context(), of(text)); err != nil {
				t.Fatal(err)
			}
		}
		return c.Close(work, func(format string, args ...any) { warned = fmt.Sprintf(format, args...) })
	}
	check := func(want map[string]string) {
		t.Helper()
		c := open(t, Settings{URL: "http://127.0.0.1:1", Replay: path})
		for text, reply := range want {
			if got, err := c.Ask(t.Context(), of(text)); err != nil || string(got) != reply {
				t.Errorf("%s: %s %v, want %s", text, got, err, reply)
			}
		}
		if err := c.Close(nil, t.Logf); err != nil || len(c.replayed.lines) != len(want) {
			t.Errorf("%d replies, want %d; %v", len(c.replayed.lines), len(want), err)
		}
	}
	const red, green = `{"colour":"red"}`, `{"colour":"green"}`
	if err := record(nil, red, "a rose", "an apple"); err != nil {
		t.Fatal(err)
	}
	if err := record(context.Canceled, green, "an apple", "grass"); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	check(map[string]string{"a rose": red, "an apple": red, "grass": green})
	if err := record(nil, green, "an apple"); err != nil {
		t.Fatal(err)
	}
	check(map[string]string{"an apple": green})

	// What is no recording stays, too, and a warning says so.
	if err := os.WriteFile(path, []byte("notes"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := record(context.Canceled, green, "grass"); !errors.Is(err, context.Canceled) || !strings.Contains(warned, path) {
		t.Errorf("%v, %q", err, warned)
	}
	if data, err := os.ReadFile(path); err != nil || string(data) != "notes" {
		t.Errorf("%q %v", data, err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := record(context.Canceled, red, "a rose"); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	check(map[string]string{"a rose": red})
}

// In a recorded run a question has one reply, even if it is asked twice at the same time and the model answers differently.
func TestRecordOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "replies.jsonl")
	both := make(chan struct{})
	s := chatscript.Serve(t, func(r chatscript.Request) chatscript.Reply {
		if r.Number == 2 {
			close(both)
		}
		<-both
		return says(fmt.Sprintf(`{"colour":"%d"}`, r.Number))
	})
	q := Question{Text: "a rose", Schema: colour}
	c := open(t, Settings{URL: s.URL, Record: path, Cache: t.TempDir()})
	replies, err := c.AskAll(t.Context(), 2, func(int) Question { return q }, func(int) {})
	if err != nil {
		t.Fatal(err)
	}
	third, err := c.Ask(t.Context(), q)
	if err != nil || len(s.Asked()) != 2 {
		t.Fatalf("%v after %d requests", err, len(s.Asked()))
	}
	if err := c.Close(nil, t.Logf); err != nil {
		t.Fatal(err)
	}
	replayed, err := open(t, Settings{URL: s.URL, Replay: path}).Ask(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	for _, reply := range []json.RawMessage{replies[0], replies[1], third} {
		if string(reply) != string(replayed) {
			t.Errorf("%s, replayed: %s", reply, replayed)
		}
	}
}

// A recording does not replace what the same run reads.
func TestRecordOverInput(t *testing.T) {
	path := filepath.Join(t.TempDir(), "answers.jsonl")
	if err := os.WriteFile(path, []byte("answers"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := Settings{URL: "http://127.0.0.1:1", Model: "parrot", MaxTokens: 10, Record: path}
	if _, err := OpenNamed(s, "data", path); fault.Of(err) != fault.Query || !strings.Contains(err.Error(), path) {
		t.Error(err)
	}
	s.KeyFile = path
	if _, err := Open(s); fault.Of(err) != fault.Query {
		t.Error(err)
	}
	s.KeyFile = ""
	c, err := OpenNamed(s, "data")
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Close(nil, t.Logf); err != nil {
		t.Error(err)
	}
}
