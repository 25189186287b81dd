package command

import (
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/vantage-search/vantage/client"
	"github.com/vantage-search/vantage/internal/testing/chatscript"
)

// vantage serve asks a chat model only if clients have keys or budgets. It logs no texts and
// keeps none.
func TestServePerspectives(t *testing.T) {
	dir := newModel(t)
	t.Setenv("OPENAI_API_KEY", "a-chat-key")
	write(t, dir, "cooking.yaml", "name: cooking\nperspectives:\n- {name: taste, description: what it tastes of}\n- {name: cost, description: what it costs}\n")
	model := chatscript.Serve(t, func(r chatscript.Request) chatscript.Reply {
		if r.Schema == "weights" {
			return chatscript.Reply{Content: `{"scores": [{"perspective": "taste", "score": 0.2}, {"perspective": "cost", "score": 0.8}]}`}
		}
		return chatscript.Reply{Content: `{"query": "what does borscht cost"}`}
	})
	args := []string{"--model", "model", "--chat-model", "parrot", "--chat-url", model.URL, "--domain", "./cooking.yaml"}
	s := serve(t, dir, append(args, "--chat-requests", "2", "--chat-tokens", "100000")...)
	c, err := client.Dial(t.Context(), "ws"+strings.TrimPrefix(s.url, "http")+"v1/stream", client.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	var order []string
	used, err := c.Perspectives(t.Context(), "borscht", client.PerspectivesOptions{}, func(w []client.PerspectiveWeight) error {
		order = append(order, w[1].Name)
		return nil
	}, func(q client.PerspectiveQuery) error { order = append(order, q.Query); return nil })
	if err != nil || used.Requests != 2 || strings.Join(order, "; ") != "cost; what does borscht cost" {
		t.Errorf("%v %+v %v", order, used, err)
	}
	if asked := model.Asked(); len(asked) != 2 || asked[0].Key != "Bearer a-chat-key" {
		t.Errorf("%+v", asked)
	}
	for _, want := range []int{http.StatusOK, http.StatusTooManyRequests} {
		r, err := http.Post(s.url+"v1/perspectives", "application/json", strings.NewReader(`{"query": "borscht", "domain": "cooking"}`))
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(r.Body)
		r.Body.Close()
		if err != nil || r.StatusCode != want || want == http.StatusTooManyRequests && r.Header.Get("Retry-After") == "" {
			t.Errorf("%d, want %d: %s %v", r.StatusCode, want, body, err)
		}
	}
	c.Close()
	s.stop(t, syscall.SIGTERM)
	log := s.stderr.String()
	s.stderr.Reset()
	if !strings.Contains(log, "/v1/perspectives") || strings.Contains(log, "borscht") || strings.Contains(log, "a-chat-key") {
		t.Errorf("%s", log)
	}
	filepath.WalkDir(filepath.Join(cacheDir, "vantage", "chat"), func(path string, entry os.DirEntry, err error) error {
		if err == nil && !entry.IsDir() && strings.Contains(read(t, path), "borscht") {
			t.Errorf("%s has a text", path)
		}
		return err
	})
	fails(t, usage, dir, append([]string{"serve"}, args...), "everybody could spend")
	fails(t, usage, dir, append([]string{"serve", "--chat-requests", "5"}, args...), "everybody could spend")
	fails(t, usage, dir, []string{"serve", "--model", "model", "--chat-requests", "5"}, "--chat-model NAME")
	fails(t, usage, dir, []string{"serve", "--model", "model", "--replay", "replies.jsonl"}, "--chat-model NAME")
	fails(t, usage, dir, append([]string{"serve", "--chat-tokens", "-1"}, args...), "must not be negative")
	fails(t, usage, dir, append([]string{"serve", "--chat-requests", "5", "--chat-tokens", "5"}, args[2:]...), "DIR is missing")
	budget := append([]string{"serve", "--chat-requests", "5", "--chat-tokens", "5"}, args...)
	fails(t, usage, dir, append(budget, "--domain", "./cooking.yaml"), "another domain is called cooking")
	fails(t, usage, dir, append(budget, "--domain", "moon"), "there is no domain")
	fails(t, usage, dir, append(budget, "--chat-url", "ftp://x"), "must be like")
	fails(t, input, dir, append(budget, "--chat-prompts", "nowhere"), "nowhere")
}
