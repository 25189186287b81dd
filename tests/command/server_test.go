package command

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// server is a running `vantage serve`.
type server struct {
	cmd    *exec.Cmd
	url    string
	stderr bytes.Buffer
}

var servingAt = regexp.MustCompile(`^serving .* at (https?://\S+/)\n$`)

// serve starts a server on a free port and stops it when the test ends.
func serve(t testing.TB, dir string, args ...string) *server {
	t.Helper()
	return await(t, command(dir, append([]string{"serve", "--listen", "127.0.0.1:0"}, args...)...))
}

// serveWithin is serve with a limit on the server's file descriptors.
func serveWithin(t testing.TB, descriptors int, dir string, args ...string) *server {
	t.Helper()
	cmd := command(dir, append([]string{"serve", "--listen", "127.0.0.1:0"}, args...)...)
	limited := exec.Command("sh", append([]string{"-c", `ulimit -n "$0" && exec "$@"`, strconv.Itoa(descriptors)}, cmd.Args...)...)
	limited.Dir, limited.Env = cmd.Dir, cmd.Env
	return await(t, limited)
}

// await starts a server and waits until it prints its address.
func await(t testing.TB, cmd *exec.Cmd) *server {
	t.Helper()
	s := &server{cmd: cmd}
	s.cmd.Stderr = &s.stderr
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	m := servingAt.FindStringSubmatch(line)
	if err != nil || m == nil {
		s.cmd.Process.Kill()
		s.cmd.Wait()
		t.Fatalf("the server printed %q (%v)\n%s", line, err, s.stderr.String())
	}
	s.url = m[1]
	t.Cleanup(func() {
		s.stop(t, syscall.SIGTERM)
		if s.stderr.Len() > 0 {
			t.Errorf("on stderr: %s", s.stderr.String())
		}
	})
	return s
}

// stop sends a signal and fails the test unless the server exits cleanly.
func (s *server) stop(t testing.TB, signal os.Signal) {
	t.Helper()
	if s.cmd.ProcessState != nil {
		return
	}
	s.cmd.Process.Signal(signal)
	s.ended(t)
}

// ended waits for a server that was told to stop.
func (s *server) ended(t testing.TB) {
	t.Helper()
	if err := s.cmd.Wait(); err != nil {
		t.Errorf("the server ended with %v", err)
	}
}

// ask sends a request; redirects are not followed.
func (s *server) ask(t *testing.T, method, path string, header ...string) (*http.Response, string) {
	t.Helper()
	r, err := http.NewRequest(method, s.url+strings.TrimPrefix(path, "/"), nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	r.Header.Set("Accept-Encoding", "identity")
	response, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response, string(body)
}

// raw sends a request line unchanged, which clients would normalise.
func (s *server) raw(t *testing.T, line string) string {
	t.Helper()
	host := strings.TrimSuffix(strings.TrimPrefix(s.url, "http://"), "/")
	c, err := net.Dial("tcp", host)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	c.SetDeadline(time.Now().Add(30 * time.Second))
	fmt.Fprintf(c, "%s\r\nHost: %s\r\nConnection: close\r\n\r\n", line, host)
	answer, err := io.ReadAll(c)
	if err != nil {
		t.Fatal(err)
	}
	return string(answer)
}
