package chat

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/wasm/fault"
)

func TestCache(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "cache")
	s := serve(t, says(red))
	ask := func(want int, s2 Settings, q Question) {
		t.Helper()
		s2.URL, s2.Cache = s.URL, dir
		if reply, err := open(t, s2).Ask(t.Context(), q); err != nil || string(reply) != red || len(s.asked()) != want {
			t.Errorf("%s %v after %d requests, want %d", reply, err, len(s.asked()), want)
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

	files, err := filepath.Glob(filepath.Join(dir, "*.json"))
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
}

func TestRecordAndReplay(t *testing.T) {
	t.Setenv(KeyVariable, "secret")
	s := serve(t, says(red))
	path := filepath.Join(t.TempDir(), "replies.jsonl")
	c := open(t, Settings{URL: s.URL, Record: path})
	if _, err := c.Ask(t.Context(), question); err != nil {
		t.Fatal(err)
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil || strings.Count(string(data), "\n") != 1 || strings.Contains(string(data), "secret") {
		t.Errorf("%s %v", data, err)
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
