package command

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/vantage-search/vantage/internal/testing/wait"

	"github.com/vantage-search/vantage/client"
	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/model"
)

// engineOf returns the process in which a server encodes, or 0 while there is none.
func engineOf(t *testing.T, s *server) int {
	t.Helper()
	tasks, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", s.cmd.Process.Pid))
	if err != nil || len(tasks) == 0 {
		t.Skip("the system does not list a process's children")
	}
	for _, file := range tasks {
		b, _ := os.ReadFile(file) // of a thread that may have ended
		if fields := strings.Fields(string(b)); len(fields) > 0 {
			pid, err := strconv.Atoi(fields[0])
			if err != nil {
				t.Fatal(err)
			}
			return pid
		}
	}
	return 0
}

// measured returns a server's goroutines, descriptors and sockets according to /metrics.
func measured(t *testing.T, s *server) (goroutines, files, sockets float64) {
	t.Helper()
	_, all := s.ask(t, "GET", "/metrics")
	for name, at := range map[string]*float64{"go_goroutines": &goroutines, "process_open_fds": &files, "vantage_sockets": &sockets} {
		_, after, _ := strings.Cut(all, "\n"+name+" ")
		value, _, _ := strings.Cut(after, "\n")
		n, err := strconv.ParseFloat(value, 64)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		*at = n
	}
	return goroutines, files, sockets
}

// If the engine's process is killed while clients send requests, by HTTP and on sockets,
// each request is answered once, as usual, and nothing is left behind. If the server is
// killed, its engine ends.
func TestServeProcess(t *testing.T) {
	t.Parallel()
	dir := newModel(t)
	s := serve(t, dir, "--model", "model", "--device", "process", "--log", "off", "--cache-bytes", "0", "--rate", "0")
	reference, err := model.Open(context.Background(), filepath.Join(dir, "model"), model.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer reference.Close()
	var asked, answered atomic.Int64
	var enough atomic.Bool // the askers go on until all engines are killed, however late this test sees what they do
	var all sync.WaitGroup
	const askers, kills = 4, 5
	goroutines, files, _ := measured(t, s)
	for g := range askers {
		all.Go(func() {
			ask := s.post
			if g%2 == 1 {
				c, err := client.Dial(context.Background(), "ws"+strings.TrimPrefix(s.url, "http")+"v1/stream", client.Options{Lost: func(err error) { t.Error(err) }})
				if err != nil {
					t.Error(err)
					return
				}
				defer c.Close()
				ask = func(text string) ([]float32, error) {
					answers, err := c.Encode(context.Background(), []string{text}, client.EncodeOptions{})
					return answers[0].Vector, cmp.Or(err, answers[0].Err)
				}
			}
			for i := 0; !enough.Load(); i++ {
				asked.Add(1)
				text := fmt.Sprintf("night trains help %d %d", g, i)
				want, err := reference.Encode(context.Background(), []string{text}, encoder.Options{})
				if err != nil {
					t.Error(err)
					return
				}
				got, err := ask(text)
				if err != nil || !slices.Equal(got, want[0].Vector) {
					t.Errorf("%q: %v, or another vector", text, err)
					return
				}
				answered.Add(1)
			}
		})
	}
	defer all.Wait()
	defer enough.Store(true) // if the test ends early
	for killed, next := 0, int64(5); killed < kills; killed++ {
		wait.Until(t, "an engine that has answered", func() bool {
			pid := engineOf(t, s)
			if pid == 0 || answered.Load() < next && !t.Failed() {
				return false
			}
			// A request that is under way at two deaths is refused, so those under way must
			// be answered before the next kill.
			next = answered.Load() + 2*askers + 4
			return syscall.Kill(pid, syscall.SIGKILL) == nil
		})
	}
	after := answered.Load() + 2*askers + 4
	wait.Until(t, "answers after the last kill", func() bool { return answered.Load() >= after || t.Failed() })
	enough.Store(true)
	all.Wait()
	if n := answered.Load(); n != asked.Load() {
		t.Errorf("%d requests were answered, want %d", n, asked.Load())
	}
	engine := 0
	wait.Until(t, "an engine", func() bool { engine = engineOf(t, s); return engine != 0 })
	http.DefaultClient.CloseIdleConnections()
	const slack = 4 // of the connection that requests the metrics
	wait.Until(t, "as little as before", func() bool {
		g, f, sockets := measured(t, s)
		return g <= goroutines+slack && f <= files+slack && sockets == 0
	})
	s.cmd.Process.Kill()
	s.cmd.Wait()
	wait.Until(t, "the engine's end", func() bool { return syscall.Kill(engine, 0) != nil || zombie(engine) })
	if n := strings.Count(s.stderr.String(), "has died and is started again"); n != kills {
		t.Errorf("the log reports %d deaths, want %d:\n%s", n, kills, s.stderr.String())
	}
	s.stderr.Reset()
}

// SIGTERM for the engine's process, which systemd sends to all processes of a unit, does not end it: the server still needs
// it for the requests that it has accepted, and ends it.
func TestServeProcessTerminated(t *testing.T) {
	t.Parallel()
	dir := newModel(t)
	s := serve(t, dir, "--model", "model", "--device", "process", "--log", "off", "--cache-bytes", "0")
	pid := engineOf(t, s)
	if pid == 0 { // a signal to 0 would also reach this process
		t.Fatal("the server has no engine")
	}
	for i := range 5 { // a second signal kills a command at once
		if err := syscall.Kill(pid, syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		if _, err := s.post(fmt.Sprint("night trains ", i)); err != nil {
			t.Error(err)
		}
	}
	if now := engineOf(t, s); now != pid {
		t.Errorf("the engine is now process %d, not %d", now, pid)
	}
	s.stop(t, syscall.SIGTERM)
	wait.Until(t, "the engine's end", func() bool { return syscall.Kill(pid, 0) != nil || zombie(pid) })
}

// post gets a text's vector by HTTP.
func (s *server) post(text string) ([]float32, error) {
	r, err := http.Post(s.url+"v1/embeddings", "application/json", strings.NewReader(fmt.Sprintf(`{"input":%q,"model":"model"}`, text)))
	if err != nil {
		return nil, err
	}
	defer r.Body.Close()
	var got struct {
		Data []struct{ Embedding []float32 }
	}
	if err := json.NewDecoder(r.Body).Decode(&got); err != nil {
		return nil, fmt.Errorf("status %d: %w", r.StatusCode, err)
	}
	if r.StatusCode != 200 || len(got.Data) != 1 {
		return nil, fmt.Errorf("status %d, %d vectors", r.StatusCode, len(got.Data))
	}
	return got.Data[0].Embedding, nil
}

// A server whose engine has given up fails its probes, so that it is taken out of rotation
// and replaced.
func TestServeProcessGivesUp(t *testing.T) {
	t.Parallel()
	dir := newModel(t)
	s := serve(t, dir, "--model", "model", "--device", "process", "--log", "off", "--cache-bytes", "0")
	probes := func(status int, words ...string) bool {
		for i, path := range []string{"/healthz", "/readyz"} {
			if r, body := s.ask(t, "GET", path); r.StatusCode != status || strings.TrimSpace(body) != words[i] {
				return false
			}
		}
		return true
	}
	if !probes(200, "ok", "ready") {
		t.Error("it is not ready")
	}
	config, err := os.ReadFile(filepath.Join(dir, "model", "config.json"))
	if err != nil {
		t.Fatal(err)
	}
	write(t, dir, "model/config.json", string(config)+"\n") // the revision is now another
	pid := engineOf(t, s)
	if pid == 0 { // a signal to 0 would also reach this process
		t.Fatal("the server has no engine")
	}
	syscall.Kill(pid, syscall.SIGKILL)
	const words = "the engine's process does not start any more, or has another model: see the log"
	wait.Until(t, "probes that fail", func() bool { return probes(503, words, words) })
	r, err := http.Post(s.url+"v1/embeddings", "application/json", strings.NewReader(`{"input":"night trains"}`))
	if err != nil {
		t.Fatal(err)
	}
	r.Body.Close()
	if r.StatusCode != 500 {
		t.Errorf("a text: %d", r.StatusCode)
	}
	s.stop(t, syscall.SIGTERM)
	if log := s.stderr.String(); !strings.Contains(log, "all is refused from now on") || !strings.Contains(log, "the model model is another one now") {
		t.Errorf("the log: %s", log)
	}
	s.stderr.Reset()
}

// zombie reports whether a process has ended but was not waited for.
func zombie(pid int) bool {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	_, state, _ := strings.Cut(string(b), ") ")
	return err == nil && strings.HasPrefix(state, "Z")
}

// A separate process gives the same vectors, and the same errors.
func TestDevice(t *testing.T) {
	t.Parallel()
	dir := newModel(t)
	texts := []string{"night trains", "school uniforms cost people"}
	r := tryWith(t, strings.Join(texts, "\n"), dir, "embed", "--model", "model", "--device", "process", "--role", "query")
	if r.code != done || r.stderr != "" {
		t.Fatal(r.code, r.stderr)
	}
	sameVectors(t, "process", embeddedLines(t, r.stdout), vectorsOf(t, filepath.Join(dir, "model"), model.Options{}, encoder.Options{Role: encoder.Query}, texts...))
	if r := tryWith(t, "x", dir, "embed", "--device", "process"); r.code != done { // a static model runs in the command's own process
		t.Error(r.stderr)
	}
	write(t, dir, "model/config.json", `{"model_type": "mamba"}`)
	fails(t, input, dir, []string{"embed", "--model", "model", "--device", "process"}, "is not supported")
	for want, args := range map[string][]string{
		"go build -tags cuda":      {"--device", "cuda:1"},
		"none of cpu, process":     {"--device", "tpu"},
		"cuda:NUMBER":              {"--device", "cuda:x"},
		"give --device cuda, too":  {"--bf16"},
		"give --device cuda, too ": {"--bf16", "--device", "process"},
	} {
		fails(t, usage, dir, append([]string{"embed", "--model", "model"}, args...), strings.TrimSpace(want))
	}
}
