package child

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/vantage-search/vantage/internal/encoder"
)

// grace is the time to wait for the last output of a process that has ended. Its own
// children may keep the pipes open.
const grace = time.Second

// process is a running child.
type process struct {
	in    *os.File // its stdin
	out   *os.File // its stdout
	words *lastWords
	info  encoder.Info
	kill  func() error
	ended chan struct{} // closed when the process has ended
	state error         // how the process ended, after ended is closed
}

// start starts a process and waits until the process has opened its model.
func start(ctx context.Context, o Options) (_ *process, err error) {
	config, err := json.Marshal(o.Config)
	if err != nil {
		return nil, err
	}
	open, err := endFrame(append(beginFrame(kindOpen, version), config...))
	if err != nil {
		return nil, err
	}
	p, err := launch(o)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			p.stop(0)
		}
	}()
	defer context.AfterFunc(ctx, func() { p.kill() })()
	var f frame
	if _, err = p.in.Write(open); err == nil {
		f, err = readFrame(p.out)
	}
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return nil, p.obituary(err)
	case (f.kind == kindError || f.kind == kindModel) && len(f.content) <= maxWords:
		if err = errors.New(strings.ToValidUTF8(string(f.content), "�")); f.kind == kindModel {
			err = &ModelError{err}
		}
		return nil, err
	case f.kind != kindReady || len(f.content) > maxInfo:
		return nil, fmt.Errorf("%w: kind %d before the model is open", errFrame, f.kind)
	}
	if p.info, err = described(f.content); err != nil {
		return nil, fmt.Errorf("%w: %w", errFrame, err)
	}
	if p.info.Dim < 1 || 4*p.info.Dim > maxFrame/2 {
		return nil, fmt.Errorf("%w: a model of %d dimensions", errFrame, p.info.Dim)
	}
	return p, nil
}

// launch starts a process.
func launch(o Options) (*process, error) {
	stdin, in, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	out, stdout, err := os.Pipe()
	if err != nil {
		return nil, errors.Join(err, stdin.Close(), in.Close())
	}
	p := &process{in: in, out: out, words: &lastWords{log: o.Log}, ended: make(chan struct{})}
	cmd := exec.Command(o.Command[0], o.Command[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr, cmd.WaitDelay = stdin, stdout, p.words, grace
	cmd.Env = append(os.Environ(), o.Env...)
	err = cmd.Start()
	closed := errors.Join(stdin.Close(), stdout.Close()) // the child has its own copies
	if err = errors.Join(err, closed); err != nil {
		return nil, errors.Join(err, in.Close(), out.Close())
	}
	p.kill = cmd.Process.Kill
	go func() {
		p.state = cmd.Wait()
		p.words.end()
		out.SetReadDeadline(time.Now().Add(grace))
		close(p.ended)
	}()
	return p, nil
}

// stop waits at most patience for the process to end, then kills it, and frees its
// resources. Nobody may read from the process afterwards.
func (p *process) stop(patience time.Duration) {
	p.in.Close()
	select {
	case <-p.ended:
	case <-time.After(patience):
		p.kill() // an error means that the process has ended
		<-p.ended
	}
	p.out.Close()
}

// obituary is an error with the way in which the process ended and its last output.
// reason says why nothing can be read from it: it has ended, or sent a bad frame.
func (p *process) obituary(reason error) error {
	if errors.Is(reason, errFrame) {
		return reason
	}
	select {
	case <-p.ended:
	case <-time.After(grace): // the process closed its pipes and still runs
		p.kill()
		<-p.ended
	}
	how := "it ended"
	if p.state != nil {
		how = p.state.Error()
	}
	if words := p.words.text(); words != "" {
		how += "; its last words:\n" + words
	}
	return errors.New(how)
}

// lastWords forwards a process's log line by line and keeps its last lines. It does not
// keep the pages of goroutines and registers that Go's runtime prints after a crash: they
// would push out the message of the library that crashed.
type lastWords struct {
	log func(line string)

	mu     sync.Mutex
	line   []byte
	last   [][]byte
	sealed bool // Go's runtime has reported a crash
}

// crashes are beginnings of the first line that Go's runtime prints in a crash.
var crashes = []string{"SIGABRT: ", "SIGSEGV: ", "SIGBUS: ", "SIGFPE: ", "SIGILL: ", "fatal error: ", "panic: "}

// The number of lines of the log that are kept, and the greatest length of a line.
const (
	rememberedLines = 20
	longestLine     = 1000
)

func (w *lastWords) Write(b []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	n := len(b)
	for len(b) > 0 {
		line, rest, found := bytes.Cut(b, []byte("\n"))
		w.line = append(w.line, line[:min(len(line), longestLine-min(len(w.line), longestLine))]...)
		if b = rest; found {
			w.flush()
		}
	}
	return n, nil
}

// flush ends a line.
func (w *lastWords) flush() {
	line := bytes.TrimRight(w.line, "\r")
	w.line = nil
	if len(line) == 0 {
		return
	}
	if !w.sealed {
		if w.last = append(w.last, line); len(w.last) > rememberedLines {
			w.last = w.last[1:]
		}
		w.sealed = slices.ContainsFunc(crashes, func(c string) bool { return bytes.HasPrefix(line, []byte(c)) })
	}
	if w.log != nil {
		w.log(strings.ToValidUTF8(string(line), "�"))
	}
}

func (w *lastWords) end() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.flush()
}

func (w *lastWords) text() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return strings.ToValidUTF8(string(bytes.Join(w.last, []byte("\n"))), "�")
}
