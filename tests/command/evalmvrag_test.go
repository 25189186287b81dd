package command

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/testing/chatscript"
)

// mvragReport is a part of what eval mvrag writes as JSON.
type mvragReport struct {
	By      string
	NoModel bool `json:"no_model"`
	Seed    uint64
	Systems []struct {
		Name  string
		Means map[string]float64
		F1    float64
	}
	Chat    *struct{ Requests, Kept int }
	Answers []struct{ Text string }
	Steps   []struct{ Name string }
}

// eval mvrag asks a chat model, records its replies and repeats the figures from them. It
// says if it had no model.
func TestEvalMVRAG(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	data := filepath.Dir(debates(t))
	domain := "name: debates\nperspectives:\n- name: money\n  description: what it costs\n- name: health\n  description: whom it makes ill\n"
	if err := os.WriteFile(filepath.Join(dir, "debates.yaml"), []byte(domain), 0o600); err != nil {
		t.Fatal(err)
	}
	model := chatscript.Serve(t, func(r chatscript.Request) chatscript.Reply {
		switch r.Schema {
		case "weights":
			return chatscript.Reply{Content: `{"scores": [{"perspective": "money", "score": 0.9}, {"perspective": "health", "score": 0.6}]}`}
		case "rewritten":
			content, _ := json.Marshal(map[string]string{"query": r.Text + " and its cost"})
			return chatscript.Reply{Content: string(content)}
		}
		return chatscript.Reply{Content: `{"text": "It depends.", "sources": [2]}`}
	})
	args := []string{"eval", "mvrag", data, "--domain", "./debates.yaml", "--queries", "12", "--without", "health", "--rounds", "50", "--seed", "7"}
	report := func(more ...string) (got mvragReport) {
		r := must(t, dir, append(args, append(more, "--json", "-")...)...)
		if err := json.Unmarshal([]byte(r.stdout), &got); err != nil {
			t.Fatal(err)
		}
		return got
	}
	ask := []string{"--chat-model", "parrot", "--answers", "2", "--chat-url", model.URL}
	asked := report(append(ask, "--no-chat-cache", "--record", "replies.jsonl")...)
	if asked.By != "parrot" || asked.NoModel || asked.Seed != 7 || asked.Chat.Requests != 12*4 || len(asked.Systems) != 3 || len(asked.Answers) != 12 || asked.Answers[0].Text != "It depends." {
		t.Errorf("%+v", asked)
	}
	replayed := report("--chat-model", "parrot", "--answers", "2", "--replay", "replies.jsonl")
	if replayed.Chat.Requests != 0 || replayed.Chat.Kept != 12*4 {
		t.Errorf("%+v", replayed.Chat)
	}
	for i, s := range asked.Systems {
		if r := replayed.Systems[i]; r.F1 != s.F1 || r.Means["R@100"] != s.Means["R@100"] || s.Means["R@100"] <= 0 {
			t.Errorf("%+v, replayed %+v", s, r)
		}
	}
	if without := report(); without.By != "static list" || !without.NoModel || without.Chat != nil || len(model.Asked()) != 12*4 {
		t.Errorf("%+v", without)
	}
	r := must(t, dir, append(args, "--csv", "out.csv", "--markdown", "out.md", "--latex", "out.tex")...)
	for _, want := range []string{"12 queries drawn from 203 (seed 7)", "MVRAG without health", "plain query", "No chat model was asked", "What each step took"} {
		if !strings.Contains(r.stdout, want) {
			t.Errorf("%q is not in the tables:\n%s", want, r.stdout)
		}
	}
	if !strings.Contains(r.stderr, "no chat model is configured") || !strings.Contains(r.stderr, "rewrite: 12 queries") {
		t.Errorf("%s", r.stderr)
	}
	for _, name := range []string{"out.csv", "out.md", "out.tex"} {
		if !strings.Contains(read(t, filepath.Join(dir, name)), "MVRAG without health") {
			t.Errorf("%s lacks a row", name)
		}
	}
	fails(t, usage, dir, args[:3], "--domain is missing")
	fails(t, usage, dir, append(args[:3:3], "--domain", "cooking"), "the domains are biology")
	fails(t, usage, dir, append(args, "--without", "moon"), "its perspectives are money, health")
	fails(t, usage, dir, append(args, "--replay", "replies.jsonl"), "add --chat-model")
	fails(t, usage, dir, append(args, "--csv", "debates.yaml"), "debates.yaml is read")
	fails(t, usage, dir, append(args, "--chat-model", "parrot", "--replay", "replies.jsonl", "--csv", "replies.jsonl"), "replies.jsonl is read")
	fails(t, usage, dir, append(args, "--chat-model", "parrot", "--record", "new.jsonl", "--csv", "new.jsonl"), "--record and --csv both write new.jsonl")
	fails(t, usage, dir, append(args, "--chat-model", "parrot", "--record", "debates.yaml"), "debates.yaml is read")
	if err := os.WriteFile(filepath.Join(dir, "debates.yaml"), []byte(domain+"  weight: 2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	fails(t, input, dir, args, "debates.yaml:7: perspectives[1].weight: no such field")
}
