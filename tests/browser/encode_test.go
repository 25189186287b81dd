package browser

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/vantage-search/vantage/internal/testing/harness"
	"github.com/vantage-search/vantage/internal/testing/tools"
)

// command is the vantage command, built once.
var command struct {
	sync.Once
	dir string
	err error
}

func program(t testing.TB) string {
	t.Helper()
	command.Do(func() {
		if command.err = tools.Watch("cmd/vantage"); command.err != nil {
			return
		}
		if command.dir, command.err = os.MkdirTemp("", "vantage-command-"); command.err != nil { // all tests use it; TestMain removes it
			return
		}
		build := exec.Command("go", "build", "-ldflags=-s -w", "-o", command.dir, "./cmd/vantage")
		build.Dir = harness.Root()
		if out, err := build.CombinedOutput(); err != nil {
			command.err = fmt.Errorf("%w\n%s", err, out)
		}
	})
	if command.err != nil {
		t.Fatal(command.err)
	}
	return filepath.Join(command.dir, "vantage")
}

// encodeServer is a running `vantage serve --model`.
type encodeServer struct {
	t      testing.TB
	args   []string
	cmd    *exec.Cmd
	Addr   string // host:port, the same after a restart
	stderr bytes.Buffer
}

// serveModel starts an encode server. If an origin is given, its pages may use the server too.
func serveModel(t testing.TB, origin string, args ...string) *encodeServer {
	t.Helper()
	listener, err := harness.Listen()
	if err != nil {
		t.Fatal(err)
	}
	listener.Close() // the process listens on its port
	s := &encodeServer{t: t, Addr: listener.Addr().String(), args: []string{"--log", "off"}}
	if origin != "" {
		s.args = append(s.args, "--origin", strings.TrimSuffix(origin, "/"))
	}
	s.args = append(s.args, args...)
	s.Start()
	t.Cleanup(func() { s.Kill() })
	return s
}

// Start starts the process, at the address that it had before.
func (s *encodeServer) Start() {
	s.t.Helper()
	s.cmd = exec.Command(program(s.t), append([]string{"serve", "--listen", s.Addr}, s.args...)...)
	s.cmd.Stderr = &s.stderr
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		s.t.Fatal(err)
	}
	if err := s.cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	line, _ := bufio.NewReader(out).ReadString('\n')
	_, addr, found := strings.Cut(strings.TrimSpace(line), " at http://")
	if !found {
		s.Kill()
		s.t.Fatalf("the server printed %q\n%s", line, s.stderr.String())
	}
	s.Addr = strings.TrimSuffix(addr, "/")
}

// Kill kills the process.
func (s *encodeServer) Kill() {
	s.cmd.Process.Kill()
	s.cmd.Wait()
}

// Signal sends a signal to the process.
func (s *encodeServer) Signal(signal os.Signal) { s.cmd.Process.Signal(signal) }

// Wait waits for the process to end.
func (s *encodeServer) Wait() { s.cmd.Wait() }

func (s *encodeServer) URL() string { return "http://" + s.Addr + "/" }

// Lab is the address of the page that compares methods, if the server serves a site.
func (s *encodeServer) Lab() string { return s.URL() + "lab.html" }

// Metric reads a figure of /metrics.
func (s *encodeServer) Metric(name string) int {
	s.t.Helper()
	r, err := http.Get(s.URL() + "metrics")
	if err != nil {
		s.t.Fatal(err)
	}
	defer r.Body.Close()
	b, err := io.ReadAll(r.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	m := regexp.MustCompile(`(?m)^vantage_` + name + ` (\S+)$`).FindSubmatch(b)
	if m == nil {
		s.t.Fatalf("no %s in\n%s", name, b)
	}
	value, err := strconv.ParseFloat(string(m[1]), 64)
	if err != nil {
		s.t.Fatal(err)
	}
	return int(value)
}

// Until waits until a figure has a value.
func (s *encodeServer) Until(name string, reached func(int) bool) {
	s.t.Helper()
	for end := time.Now().Add(time.Minute); !reached(s.Metric(name)); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			s.t.Fatalf("%s stays at %d", name, s.Metric(name))
		}
	}
}

// asking opens a blank page with the library and a collection. Each value of the
// channel answers one of its requests for /next.
func asking(t testing.TB, dir string, next <-chan struct{}) (page *harness.Page, origin string) {
	t.Helper()
	mux := http.NewServeMux()
	mux.Handle("/collection/", folder(dir))
	mux.Handle("/lib/", harness.Static())
	mux.HandleFunc("/favicon.ico", harness.NoIcon)
	mux.HandleFunc("/{$}", harness.Blank)
	mux.HandleFunc("/next", func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-next:
		case <-r.Context().Done():
		}
	})
	origin = serve(t, mux).URL("/")
	return open(t, origin), origin
}

// let answers the next request for /next of a call. If the call ends instead, so does the test, with what the
// call says.
func let[T any](t testing.TB, next chan<- struct{}, call <-chan outcome[T]) {
	t.Helper()
	select {
	case next <- struct{}{}:
	case ended := <-call:
		t.Fatalf("the call ended with %+v before it asked for /next", ended.must(t))
	}
}
