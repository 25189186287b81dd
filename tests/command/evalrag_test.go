package command

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/testing/chatscript"
)

// ragReport is the JSON of eval rag.
type ragReport struct {
	Model   string
	NoModel bool `json:"no_model"`
	Seed    uint64
	Sample  int
	Tasks   []struct {
		Name, Kind string
		Queries    int
		Rows       []struct {
			Source, Method  string
			Polarity        *struct{ R, P float64 }
			ContextPolarity *struct{ R, P float64 } `json:"context_polarity"`
			Replies         []struct{ Query, Text string }
			Refused         int
		}
	}
	Chat  *struct{ Requests, Kept, Cut int }
	Steps []struct {
		Source   string
		Requests int
		Seconds  *float64
		Cost     float64
	}
}

// The command writes its report in every form. Without a model it says so.
func TestEvalRAG(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.Symlink(filepath.Join(root(t), "examples"), filepath.Join(dir, "examples")); err != nil {
		t.Fatal(err)
	}
	s := chatscript.Serve(t, scripted(t))
	report := func(args ...string) (got ragReport, stderr string) {
		t.Helper()
		r := must(t, dir, append([]string{"eval", "rag", "examples/debates", "--sample", "6", "--seed", "3", "--json", "-"}, args...)...)
		if err := json.Unmarshal([]byte(r.stdout), &got); err != nil {
			t.Fatal(err)
		}
		return got, r.stderr
	}
	got, stderr := report()
	if !got.NoModel || got.Chat != nil || got.Tasks[0].Queries != 6 || len(got.Tasks[0].Rows) != 5 || !strings.Contains(stderr, "no chat model is configured") {
		t.Errorf("%+v %s", got, stderr)
	}
	ask := []string{"--chat-model", "scripted", "--chat-url", s.URL, "--chat-price", "1,10", "-r", "bm25", "-r", "static", "--methods", "pap"}
	got, _ = report(append(ask, "--csv", "rag.csv", "--markdown", "rag.md", "--latex", "rag.tex")...)
	rows := got.Tasks[0].Rows
	if got.NoModel || got.Model != "scripted" || got.Seed != 3 || got.Sample != 6 || got.Tasks[0].Kind != "essays" || len(rows) != 4 || rows[2].Source != "bm25" || rows[3].Method != "vec_projection" ||
		len(rows[3].Replies) != 6 || len(got.Steps) != 4 || got.Steps[0].Cost <= 0 || got.Steps[0].Seconds == nil || got.Chat.Requests != len(s.Asked()) {
		t.Errorf("%+v", got)
	}
	// Without texts, the script's essays follow their stance.
	if p := rows[0].Polarity; p == nil || p.R < .99 || p.P > .05 {
		t.Errorf("%+v", p)
	}
	for name, want := range map[string]string{"rag.csv": "table5,", "rag.md": "| no |", "rag.tex": `\begin{table}`} {
		if text := read(t, filepath.Join(dir, name)); !strings.Contains(text, want) {
			t.Errorf("%q is not in %s: %.500s", want, name, text)
		}
	}
	before := len(s.Asked())
	if again, stderr := report(ask...); len(s.Asked()) != before || again.Chat.Requests != 0 || !strings.Contains(stderr, "of an earlier run") {
		t.Errorf("%+v %s", again.Chat, stderr)
	}

	// Replies that are cut off are reported, and the run goes on.
	endless := chatscript.Serve(t, chatscript.InTurn(chatscript.Reply{Content: `{"essay": "On and on`, Finish: "length"}))
	got, stderr = report("--chat-model", "scripted", "--chat-url", endless.URL, "--no-chat-cache", "-r", "bm25", "--chat-max-tokens", "5")
	if n := got.Chat.Cut; n == 0 || n*2 != got.Chat.Requests || got.Tasks[0].Rows[0].Refused != 6 || !strings.Contains(stderr, fmt.Sprintf("warning: %d replies are cut off at the bound on tokens, even when asked to be shorter: allow more with --chat-max-tokens", n)) {
		t.Errorf("%+v %+v %s", got.Chat, got.Tasks[0].Rows[0], stderr)
	}

	fails(t, usage, dir, []string{"eval", "rag"}, "DATA is missing")
	fails(t, usage, dir, []string{"eval", "rag", "examples/debates", "--replay", "x"}, "--chat-model")
	fails(t, usage, dir, []string{"eval", "rag", "examples/debates", "--methods", "best"}, "best")
	fails(t, input, dir, []string{"eval", "rag", "examples/debates", "--answers", "none.jsonl"}, "none.jsonl")
	write(t, dir, "answers.jsonl", "")
	fails(t, usage, dir, []string{"eval", "rag", "examples/debates", "--answers", "answers.jsonl", "--json", "answers.jsonl"}, "answers.jsonl is read")
}
