package command

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/vantage-search/vantage/internal/testing/wait"
)

const pullCommit = "89abcdef0123456789abcdef0123456789abcdef"

// hubServer is a hub with one small model. If slow is set, half of its weights
// arrive, and then nothing.
type hubServer struct {
	*httptest.Server
	files    map[string][]byte
	slow     atomic.Bool
	requests atomic.Int64
	ranges   atomic.Int64
}

func newHubServer(t *testing.T) *hubServer {
	t.Helper()
	h := &hubServer{files: map[string][]byte{
		"config.json":       []byte(`{"model_type": "bert"}`),
		"tokenizer.json":    []byte("{}"),
		"model.safetensors": bytes.Repeat([]byte("weights "), 100_000),
		"onnx/model.onnx":   []byte("not wanted"),
	}}
	h.Server = httptest.NewServer(h)
	t.Cleanup(func() { h.CloseClientConnections(); h.Close() })
	return h
}

func (h *hubServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h.requests.Add(1)
	switch r.URL.Path {
	case "/api/models/org/tiny/revision/main", "/api/models/org/tiny/revision/" + pullCommit:
		fmt.Fprintf(w, `{"sha": %q, "siblings": [{"rfilename": "config.json"}, {"rfilename": "tokenizer.json"}, {"rfilename": "model.safetensors"}, {"rfilename": "onnx/model.onnx"}]}`, pullCommit)
		return
	case "/api/models/org/gated/revision/main":
		w.Header().Set("X-Error-Code", "GatedRepo")
		w.WriteHeader(http.StatusForbidden)
		return
	case "/api/models/org/asks/revision/main":
		fmt.Fprintf(w, `{"sha": %q, "siblings": [{"rfilename": "config.json"}, {"rfilename": "tokenizer.json"}, {"rfilename": "model.safetensors"}]}`, pullCommit)
		return
	case "/org/asks/resolve/" + pullCommit + "/config.json", "/org/asks/resolve/" + pullCommit + "/tokenizer.json", "/org/asks/resolve/" + pullCommit + "/model.safetensors":
		w.Header().Set("X-Error-Code", "GatedRepo")
		w.WriteHeader(http.StatusUnauthorized)
		return
	case "/api/models/org/empty/revision/main":
		fmt.Fprintf(w, `{"sha": %q, "siblings": [{"rfilename": "onnx/model.onnx"}]}`, pullCommit)
		return
	}
	content, ok := h.files[strings.TrimPrefix(r.URL.Path, "/org/tiny/resolve/"+pullCommit+"/")]
	if !ok {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("ETag", fmt.Sprintf(`"%x"`, sha256.Sum256(content)))
	if r.Header.Get("Range") != "" {
		h.ranges.Add(1)
	}
	if r.Method == http.MethodGet && len(content) > 1000 && h.slow.Load() {
		w.Header().Set("Content-Length", fmt.Sprint(len(content)))
		w.Write(content[:len(content)/2])
		w.(http.Flusher).Flush()
		<-r.Context().Done()
		return
	}
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(content))
}

// pullCommand prepares `vantage pull` with a cache below dir.
func (h *hubServer) pullCommand(dir string, args ...string) *exec.Cmd {
	cmd := command(dir, append([]string{"pull"}, args...)...)
	cmd.Env = append(cmd.Env, "HF_ENDPOINT="+h.URL, "HF_HUB_CACHE="+filepath.Join(dir, "models"), "HF_HOME="+dir, "HF_TOKEN=", "HF_HUB_OFFLINE=0")
	return cmd
}

func TestPull(t *testing.T) {
	t.Parallel()
	h := newHubServer(t)
	dir := t.TempDir()
	folder := filepath.Join(dir, "models", "models--org--tiny", "snapshots", pullCommit)
	r := finish(t, h.pullCommand(dir, "org/tiny"))
	if r.code != done || r.stdout != folder+"\n" || !strings.HasPrefix(r.stderr, "pull: 800.0 kB, ") || strings.Count(r.stderr, "\n") != 1 {
		t.Fatalf("exit code %d, stdout %q, stderr %q", r.code, r.stdout, r.stderr)
	}
	type file struct {
		Path   string `json:"path"`
		Bytes  int    `json:"bytes"`
		SHA256 string `json:"sha256"`
	}
	type pulled struct {
		Name     string `json:"name"`
		Revision string `json:"revision"`
		Commit   string `json:"commit"`
		Dir      string `json:"dir"`
		Files    []file `json:"files"`
	}
	before := h.requests.Load()
	for _, revision := range []string{"main", pullCommit} {
		r := finish(t, h.pullCommand(dir, "org/tiny@"+revision, "--json"))
		p := decode[pulled](t, r.stdout)
		if p.Name != "org/tiny" || p.Revision != revision || p.Commit != pullCommit || p.Dir != folder {
			t.Errorf("%+v", p)
		}
		var want []file
		for _, name := range []string{"config.json", "model.safetensors", "tokenizer.json"} {
			want = append(want, file{name, len(h.files[name]), fmt.Sprintf("%x", sha256.Sum256(h.files[name]))})
		}
		if !slices.Equal(p.Files, want) {
			t.Errorf("files %v, want %v", p.Files, want)
		}
	}
	asked := h.requests.Load() - before
	if asked == 0 || asked > 4 { // the list and three HEADs; nothing for the commit
		t.Errorf("%d requests", asked)
	}
}

func TestPullFaults(t *testing.T) {
	t.Parallel()
	h := newHubServer(t)
	dir := t.TempDir()
	for _, c := range []struct {
		name  string
		code  int
		parts []string
	}{
		{"org/nosuch", input, []string{"org/nosuch@main", "404", "check the model's name"}},
		{"org/tiny@v9", input, []string{"org/tiny@v9", "404"}},
		{"org/empty", input, []string{"no weights"}},
		{"org/gated", input, []string{"403", h.URL + "/org/gated", "licence", "HF_TOKEN"}},
		{"org/asks", input, []string{"401", "HF_TOKEN"}}, // lists its files, and refuses them
		{"a/b/c", usage, []string{`"a/b/c"`, "ORGANISATION/NAME@REVISION"}},
		{"org/tiny@", usage, []string{"revision", "is empty"}},
		{"../x", usage, []string{`"../x"`}},
	} {
		args := []string{"pull", c.name}
		r := finish(t, h.pullCommand(dir, c.name))
		r.checkFailure(t, c.code, args, c.parts...)
		if r.stdout != "" {
			t.Errorf("%s: stdout %q", c.name, r.stdout)
		}
	}
	offline := h.pullCommand(dir, "org/tiny")
	offline.Env = append(offline.Env, "HF_HUB_OFFLINE=1")
	before := h.requests.Load()
	r := finish(t, offline)
	r.checkFailure(t, input, []string{"pull", "offline"}, "is not in the cache", "unset HF_HUB_OFFLINE")
	if h.requests.Load() != before {
		t.Error("offline it asked the hub")
	}
}

// Ctrl-C ends a download with one line, and the next download continues it.
func TestInterruptPull(t *testing.T) {
	t.Parallel()
	h := newHubServer(t)
	h.slow.Store(true)
	dir := t.TempDir()
	cmd := h.pullCommand(dir, "org/tiny")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	half := int64(len(h.files["model.safetensors"]) / 2)
	wait.Until(t, "half of the weights", func() bool {
		parts, _ := filepath.Glob(filepath.Join(dir, "models", "*", "blobs", "*.incomplete"))
		if len(parts) != 1 {
			return false
		}
		info, err := os.Stat(parts[0])
		return err == nil && info.Size() == half
	})
	cmd.Process.Signal(os.Interrupt)
	cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != failed || stderr.String() != "vantage: interrupted\n" {
		t.Errorf("exit code %d, stderr %q", code, stderr.String())
	}
	if _, err := os.Stat(filepath.Join(dir, "models", "models--org--tiny", "snapshots")); err == nil {
		t.Error("something is visible already")
	}
	h.slow.Store(false)
	r := finish(t, h.pullCommand(dir, "org/tiny"))
	if r.code != done || h.ranges.Load() != 1 {
		t.Errorf("exit code %d, %d requests for the rest: %s", r.code, h.ranges.Load(), r.stderr)
	}
	weights := read(t, filepath.Join(strings.TrimSpace(r.stdout), "model.safetensors"))
	if weights != string(h.files["model.safetensors"]) {
		t.Errorf("the weights, %d bytes, are not those of the hub", len(weights))
	}
}
