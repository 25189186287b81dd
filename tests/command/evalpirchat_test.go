package command

import (
	"encoding/json"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/testing/chatscript"
	"github.com/vantage-search/vantage/perspective"
)

// chatReport is what eval pir --extract says beside its figures.
type chatReport struct {
	Decomposition map[string]any
	Extraction    struct {
		By      string
		NoModel bool `json:"no_model"`
		Chat    *struct {
			Requests, Kept int
			Prompt         int `json:"prompt_tokens"`
			Reply          int `json:"reply_tokens"`
			Cost           float64
		}
	}
}

// A model that splits queries by their wording has the figures of --decompose, and so has
// a run without a model, which says so. A recording answers in place of the model.
func TestEvalPIRExtract(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	data := filepath.Dir(debates(t))
	model := chatscript.Serve(t, func(r chatscript.Request) chatscript.Reply {
		root, view, _ := perspective.Split(r.Text)
		content, _ := json.Marshal(map[string]string{"root": root, "perspective": view})
		return chatscript.Reply{Content: string(content)}
	})
	args := []string{"eval", "pir", data, "--retriever", "bm25", "--json", "-"}
	report := func(more ...string) (got chatReport, stderr string) {
		r := must(t, dir, append(args, more...)...)
		if err := json.Unmarshal([]byte(r.stdout), &got); err != nil {
			t.Fatal(err)
		}
		return got, r.stderr
	}
	want, _ := report("--decompose")
	if e := want.Extraction; e.By != "wording" || e.NoModel || e.Chat != nil {
		t.Errorf("%+v", e)
	}
	got, stderr := report("--extract")
	if e := got.Extraction; e.By != "wording" || !e.NoModel || !reflect.DeepEqual(got.Decomposition, want.Decomposition) || !strings.Contains(stderr, "no chat model is configured") {
		t.Errorf("without a model: %+v %s", got, stderr)
	}
	ask := []string{"--extract", "--chat-model", "parrot", "--chat-url", model.URL}
	report(append(ask, "--no-chat-cache")...)
	n := len(model.Asked())
	got, _ = report(append(ask, "--chat-price", "1,10", "--record", "replies.jsonl")...)
	e := got.Extraction
	if len(model.Asked()) != 2*n || e.By != "parrot" || e.NoModel || e.Chat == nil || e.Chat.Requests != n || n < 203 || e.Chat.Prompt != chatscript.PromptTokens*n || e.Chat.Reply != chatscript.ReplyTokens*n || e.Chat.Cost <= 0 {
		t.Errorf("%+v after %d requests", e, n)
	}
	if !reflect.DeepEqual(got.Decomposition, want.Decomposition) {
		t.Errorf("by a model %v, by wording %v", got.Decomposition, want.Decomposition)
	}
	model.Stop()
	for name, more := range map[string][]string{"kept": nil, "replayed": {"--replay", "replies.jsonl"}} {
		got, _ = report(append(ask, more...)...)
		if e := got.Extraction.Chat; e == nil || e.Requests != 0 || e.Kept != 203 || !reflect.DeepEqual(got.Decomposition, want.Decomposition) {
			t.Errorf("%s: %+v", name, e)
		}
	}
	table := must(t, dir, append([]string{"eval", "pir", data, "--retriever", "bm25"}, append(ask, "--replay", "replies.jsonl")...)...).stdout
	if !strings.Contains(table, "Perspective extraction by parrot") || !strings.Contains(table, "203 replies kept") {
		t.Errorf("%.3000s", table)
	}
	fails(t, usage, dir, append(args, "--chat-model", "parrot"), "--extract")
	fails(t, usage, dir, append(args, "--extract", "--replay", "replies.jsonl"), "--chat-model")
	fails(t, usage, dir, append(args, "--extract", "--chat-model", "parrot", "--chat-price", "1"), "two prices")
}
