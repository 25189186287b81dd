// Package webdriver drives browsers other than Chromium: Firefox over WebDriver
// BiDi, WebKitGTK over classic WebDriver. It implements what a smoke test needs:
// opening a page, and running a function in it. Firefox also runs the browser extension.
package webdriver

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"time"
)

// Browser is a browser with one page.
type Browser interface {
	// Version is the browser's name and version.
	Version() string
	// Navigate loads a page and waits for its load event.
	Navigate(url string) error
	// call runs the JavaScript expression, waits for its promise of a string, and
	// returns that.
	call(expression string) (string, error)
	// Close ends the browser and removes what it has stored.
	Close() error
}

// Call runs the JavaScript function in the page with arguments that can be JSON,
// waits for its promise, and decodes its result, which can be JSON.
func Call[T any](b Browser, function string, args ...any) (T, error) {
	var zero T
	encoded := make([]string, len(args))
	for i, arg := range args {
		text, err := json.Marshal(arg)
		if err != nil {
			return zero, err
		}
		encoded[i] = string(text)
	}
	text, err := b.call(fmt.Sprintf("Promise.resolve((%s)(%s)).then((value) => JSON.stringify(value ?? null))", function, strings.Join(encoded, ", ")))
	if err != nil {
		return zero, err
	}
	err = json.Unmarshal([]byte(text), &zero)
	return zero, err
}

// patience bounds the start of a browser and each call.
const patience = 2 * time.Minute

// process is a running browser, with all processes that it started.
type process struct {
	cmd   *exec.Cmd
	lines *lines
}

// start starts a program in its own process group, and keeps its output.
func start(dir, name string, args ...string) (*process, error) {
	p := &process{exec.Command(name, args...), &lines{}}
	p.cmd.Stdout, p.cmd.Stderr = p.lines, p.lines
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	p.cmd.Env = append(os.Environ(), "HOME="+dir, "XDG_CACHE_HOME="+dir, "XDG_DATA_HOME="+dir, "XDG_CONFIG_HOME="+dir)
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	return p, nil
}

// stop ends the program and the processes that it started.
func (p *process) stop() {
	syscall.Kill(-p.cmd.Process.Pid, syscall.SIGTERM)
	ended := make(chan struct{})
	go func() { p.cmd.Wait(); close(ended) }()
	select {
	case <-ended:
	case <-time.After(10 * time.Second):
	}
	syscall.Kill(-p.cmd.Process.Pid, syscall.SIGKILL)
	<-ended
}

// lines collects the output of a program.
type lines struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *lines) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(b)
}

func (l *lines) all() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Split(l.text.String(), "\n")
}

// wait waits for a line that contains the text, and returns the rest of that
// line.
func (l *lines) wait(text string) (string, error) {
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		for _, line := range l.all() {
			if _, rest, ok := strings.Cut(line, text); ok {
				return strings.TrimSpace(rest), nil
			}
		}
	}
	return "", fmt.Errorf("the browser does not start; its output:\n%s", strings.Join(l.all(), "\n"))
}
