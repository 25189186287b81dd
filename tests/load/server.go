package main

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// serverProcess is a running `vantage serve`.
type serverProcess struct {
	*exec.Cmd
	url string
}

var servingAt = regexp.MustCompile(`^serving .* at (http://\S+/)\n$`)

// startServer starts the server with this many threads for the model; the server
// adds those for sockets.
func startServer(vantage string, threads int, flags ...string) (*serverProcess, error) {
	s := &serverProcess{Cmd: exec.Command(vantage, append([]string{"serve", "--listen", "127.0.0.1:0"}, flags...)...)}
	s.Env = append(os.Environ(), "GOMAXPROCS="+strconv.Itoa(threads))
	s.Stderr = os.Stderr
	out, err := s.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := s.Start(); err != nil {
		return nil, err
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	m := servingAt.FindStringSubmatch(line)
	if err != nil || m == nil {
		s.kill()
		return nil, fmt.Errorf("the server printed %q (%v)", line, err)
	}
	s.url = m[1]
	return s, nil
}

func (s *serverProcess) stream() string {
	return "ws" + strings.TrimPrefix(s.url, "http") + "v1/stream"
}

func (s *serverProcess) kill() {
	if s.ProcessState == nil {
		s.Process.Kill()
		s.Wait()
	}
}

// stop ends the server with the signal that operators use.
func (s *serverProcess) stop() error {
	s.Process.Signal(syscall.SIGTERM)
	return s.Wait()
}

// state has the server's metrics.
type state struct {
	Memory, Goroutines, Files, Sockets, Encoded, Cached, CPU float64
	Requests, Encoding                                       float64 // seconds, of all together
}

func (s *serverProcess) state() (state, error) {
	r, err := http.Get(s.url + "metrics")
	if err != nil {
		return state{}, err
	}
	defer r.Body.Close()
	defer http.DefaultClient.CloseIdleConnections()
	b, err := io.ReadAll(r.Body)
	if err != nil {
		return state{}, err
	}
	var now state
	for name, at := range map[string]*float64{"process_resident_memory_bytes": &now.Memory, "go_goroutines": &now.Goroutines, "process_open_fds": &now.Files,
		"vantage_sockets": &now.Sockets, "vantage_texts_total": &now.Encoded, "vantage_cache_hits_total": &now.Cached, "process_cpu_seconds_total": &now.CPU,
		`vantage_request_seconds_sum{route="ENCODE"}`: &now.Requests, "vantage_encode_seconds_sum": &now.Encoding} {
		m := regexp.MustCompile(`(?m)^` + regexp.QuoteMeta(name) + ` (\S+)$`).FindSubmatch(b)
		if m == nil {
			return state{}, fmt.Errorf("/metrics has no %s", name)
		}
		if *at, err = strconv.ParseFloat(string(m[1]), 64); err != nil {
			return state{}, err
		}
	}
	return now, nil
}

// cpu returns the processor time of this process in seconds.
func cpu() float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()).Seconds()
}

// raiseFiles raises the limit of open files for this process and its children, or
// returns why it cannot.
func raiseFiles(n uint64) string {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		return fmt.Sprintf("the limit of open files is unknown: %v", err)
	}
	if limit.Cur >= n {
		return ""
	}
	if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &syscall.Rlimit{Cur: n, Max: max(n, limit.Max)}); err != nil {
		return fmt.Sprintf("%d open files are allowed, %d would be needed: ulimit -n %d", limit.Cur, n, n)
	}
	return ""
}
