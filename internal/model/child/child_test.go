//go:build unix

package child

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/model"
	"github.com/vantage-search/vantage/internal/model/modeltest"
)

// settings of the child process in the tests.
type settings struct {
	Dir    string
	Poison string // a text that kills the process
	Broken string // the process exits at its start while this file exists
	Lost   bool   // the process finds no device
}

// TestMain is also the main function of the child process.
func TestMain(m *testing.M) {
	if os.Getenv("VANTAGE_TEST_CHILD") == "" {
		os.Exit(m.Run())
	}
	err := Serve(os.Stdin, os.Stdout, func(ctx context.Context, config []byte) (model.Encoder, error) {
		var s settings
		if err := json.Unmarshal(config, &s); err != nil {
			return nil, err
		}
		if _, err := os.Stat(s.Broken); err == nil {
			fmt.Fprintln(os.Stderr, "the driver is not what it was")
			syscall.Kill(os.Getpid(), syscall.SIGKILL)
			select {}
		}
		if s.Lost {
			return nil, errors.New("no such device")
		}
		e, err := model.Open(ctx, s.Dir, model.Options{Threads: 1})
		if err != nil {
			return nil, &ModelError{err}
		}
		return poisonable{e, s.Poison}, nil
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// poisonable is a model that one text kills.
type poisonable struct {
	model.Encoder
	poison string
}

func (p poisonable) Encode(ctx context.Context, texts []string, o encoder.Options) ([]encoder.Embedding, error) {
	if p.poison != "" && slices.Contains(texts, p.poison) {
		fmt.Fprintln(os.Stderr, "F0101 00:00:00 Check failed: poison")
		syscall.Kill(os.Getpid(), syscall.SIGABRT)
		select {}
	}
	return p.Encoder.Encode(ctx, texts, o)
}

func (p poisonable) EncodeIDs(ctx context.Context, ids [][]uint32) ([]encoder.Embedding, error) {
	return p.Encoder.(encoder.IDEncoder).EncodeIDs(ctx, ids)
}

func folder(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "m")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := modeltest.Write(dir, 1); err != nil {
		t.Fatal(err)
	}
	return dir
}

func options(t *testing.T, s settings) Options {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return Options{Command: []string{program}, Env: []string{"VANTAGE_TEST_CHILD=1"}, Config: s, pause: time.Millisecond}
}

func mustStart(t *testing.T, o Options) *Engine {
	t.Helper()
	e, err := Start(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	return e
}

func local(t *testing.T, dir string) model.Encoder {
	t.Helper()
	e, err := model.Open(context.Background(), dir, model.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	return e
}

func same(got, want []encoder.Embedding) error {
	if len(got) != len(want) {
		return fmt.Errorf("%d embeddings, want %d", len(got), len(want))
	}
	for i, w := range want {
		if g := got[i]; !slices.Equal(g.Vector, w.Vector) || g.Tokens != w.Tokens || g.Truncated != w.Truncated {
			return fmt.Errorf("text %d has another embedding", i)
		}
	}
	return nil
}

// children are the child processes of this one, including those that have ended and are not reaped yet.
func children(t *testing.T) (pids []int) {
	t.Helper()
	tasks, err := filepath.Glob("/proc/self/task/*/children")
	if err != nil || len(tasks) == 0 {
		t.Skip("the system does not tell a process's children")
	}
	for _, file := range tasks {
		b, _ := os.ReadFile(file) // the thread may have ended
		for _, field := range strings.Fields(string(b)) {
			pid, err := strconv.Atoi(field)
			if err != nil {
				t.Fatal(err)
			}
			pids = append(pids, pid)
		}
	}
	return pids
}

// held are the numbers of descriptors, goroutines and children of this process.
func held(t *testing.T) string {
	t.Helper()
	files, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Skip("the system does not tell a process's descriptors")
	}
	return fmt.Sprintf("%d descriptors, %d goroutines, %d children", len(files), runtime.NumGoroutine(), len(children(t)))
}

// The process is killed repeatedly while several goroutines encode. Every text is
// answered once, with the same bits as in this process, and nothing is left behind.
func TestKilled(t *testing.T) {
	dir := folder(t)
	reference := local(t, dir)
	before := held(t)
	e, err := Start(context.Background(), options(t, settings{Dir: dir}))
	if err != nil {
		t.Fatal(err)
	}
	const askers, asks, kills = 6, 60, 12
	var answered atomic.Int64
	var all sync.WaitGroup
	for g := range askers {
		all.Go(func() {
			random := rand.New(rand.NewPCG(7, uint64(g)))
			for i := range asks {
				texts := make([]string, 1+random.IntN(40))
				for j := range texts {
					texts[j] = strings.Repeat("night trains help ", random.IntN(12)) + fmt.Sprint(g, i, j)
				}
				want, err := reference.Encode(context.Background(), texts, encoder.Options{Role: encoder.Query})
				if err != nil {
					t.Error(err)
					return
				}
				got, err := e.Encode(context.Background(), texts, encoder.Options{Role: encoder.Query})
				if err == nil {
					err = same(got, want)
				}
				if err != nil {
					t.Errorf("goroutine %d, request %d: %v", g, i, err)
					return
				}
				answered.Add(1)
			}
		})
	}
	done := make(chan struct{})
	go func() { all.Wait(); close(done) }()
	killed := 0
	// Running requests must be answered before the next kill, or they would count as
	// its cause.
	for next := int64(5); killed < kills; {
		select {
		case <-done:
			t.Fatalf("all was answered after %d kills", killed)
		case <-time.After(time.Duration(rand.IntN(1000)) * time.Microsecond):
		}
		if pids := children(t); answered.Load() >= next && len(pids) > 0 {
			if syscall.Kill(pids[0], syscall.SIGKILL) == nil {
				killed++
				next = answered.Load() + askers + 2*window
			}
		}
	}
	<-done
	if n := answered.Load(); n != askers*asks {
		t.Errorf("%d requests were answered, want %d", n, askers*asks)
	}
	if len(e.flying) != 0 || len(e.waiting) != 0 {
		t.Errorf("%d requests are under way and %d wait when all are answered", len(e.flying), len(e.waiting))
	}
	if err := e.Close(); err != nil {
		t.Error(err)
	}
	if _, err := e.Encode(context.Background(), []string{"x"}, encoder.Options{}); !errors.Is(err, errClosed) {
		t.Errorf("after its end: %v", err)
	}
	// Ended processes are reaped after some time.
	for end := time.Now().Add(5 * time.Second); held(t) != before && time.Now().Before(end); {
		time.Sleep(time.Millisecond)
	}
	if after := held(t); after != before {
		t.Errorf("%s before, %s after", before, after)
	}
}

// A text that kills the process twice gets an error with the process's last output.
// Other texts get their vectors.
func TestPoison(t *testing.T) {
	dir := folder(t)
	e, reference := mustStart(t, options(t, settings{Dir: dir, Poison: "poison"})), local(t, dir)
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			texts := []string{fmt.Sprint("night trains ", i)}
			if i == 3 {
				texts = append(texts, "poison")
			}
			got, err := e.Encode(context.Background(), texts, encoder.Options{})
			if i == 3 {
				if err == nil || !strings.Contains(err.Error(), "died twice") || !strings.Contains(err.Error(), "Check failed: poison") {
					t.Errorf("the poison: %v", err)
				}
				return
			}
			want, _ := reference.Encode(context.Background(), texts, encoder.Options{})
			if err == nil {
				err = same(got, want)
			}
			if err != nil {
				t.Errorf("text %d: %v", i, err)
			}
		})
	}
	all.Wait()
}

// Requests of any size, token ids, errors of the model and cancellation work as without
// a child process.
func TestAnswers(t *testing.T) {
	dir := folder(t)
	e, reference := mustStart(t, options(t, settings{Dir: dir})), local(t, dir)
	if got, want := e.Info(), reference.Info(); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	texts := make([]string, 2*requestTexts+7)
	for i := range texts {
		texts[i] = fmt.Sprint("help ", i)
	}
	prompt := "find: "
	prompts := make([]string, len(texts))
	for i := range prompts {
		prompts[i] = strings.Repeat(prompt, i%3)
	}
	for _, o := range []encoder.Options{{}, {Role: encoder.Query}, {Prompt: &prompt}, {Prompts: prompts}} {
		want, err := reference.Encode(context.Background(), texts, o)
		if err != nil {
			t.Fatal(err)
		}
		got, err := e.Encode(context.Background(), texts, o)
		if err == nil {
			err = same(got, want)
		}
		if err != nil {
			t.Errorf("%+v: %v", o, err)
		}
	}
	ids := [][]uint32{{2, 40, 50, 3}, {2, 3}}
	want, _ := reference.(encoder.IDEncoder).EncodeIDs(context.Background(), ids)
	got, err := e.EncodeIDs(context.Background(), ids)
	if err == nil {
		err = same(got, want)
	}
	if err != nil {
		t.Errorf("ids: %v", err)
	}
	if got, err := e.Encode(context.Background(), nil, encoder.Options{}); len(got) != 0 || err != nil {
		t.Errorf("no texts: %v, %v", got, err)
	}
	if _, err := e.Encode(context.Background(), texts, encoder.Options{Prompts: prompts[1:]}); err == nil || !strings.Contains(err.Error(), "give one for each") {
		t.Errorf("a prompt too few: %v", err)
	}
	_, wrong := reference.Encode(context.Background(), []string{"x"}, encoder.Options{Role: "clustering"})
	if _, err := e.Encode(context.Background(), []string{"x"}, encoder.Options{Role: "clustering"}); err == nil || err.Error() != wrong.Error() {
		t.Errorf("an unknown prompt: %v, want %v", err, wrong)
	}
	if _, err := e.Encode(context.Background(), []string{strings.Repeat("x", maxFrame)}, encoder.Options{}); err == nil || !strings.Contains(err.Error(), "at most") {
		t.Errorf("a text that is too long: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(time.Millisecond, cancel)
	for err == nil {
		_, err = e.Encode(ctx, texts, encoder.Options{})
	}
	if !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if _, err := e.Encode(context.Background(), texts[:1], encoder.Options{}); err != nil {
		t.Errorf("after a cancellation: %v", err)
	}
}

// A process that does not start gives an error with its own output: immediately at the
// first start, and after some attempts later.
func TestStarts(t *testing.T) {
	dir := folder(t)
	broken := filepath.Join(t.TempDir(), "broken")
	s := settings{Dir: dir, Broken: broken}
	e := mustStart(t, options(t, s))
	if err := os.WriteFile(broken, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		s     settings
		model bool // the model is at fault
		want  []string
	}{
		{s, false, []string{"signal: killed", "the driver is not what it was"}},
		{settings{Dir: dir, Lost: true}, false, []string{"no such device"}},
		{settings{Dir: broken}, true, []string{"broken is a file"}},
	} {
		_, err := Start(context.Background(), options(t, c.s))
		if _, blamed := errors.AsType[*ModelError](err); blamed != c.model {
			t.Errorf("%+v: %T", c.s, err)
		}
		for _, part := range c.want {
			if err == nil || !strings.Contains(err.Error(), part) {
				t.Errorf("%+v: %v, want %q", c.s, err, part)
			}
		}
	}
	o := options(t, s)
	o.Command = []string{filepath.Join(dir, "none")}
	if _, err := Start(context.Background(), o); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no program: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Start(ctx, options(t, settings{Dir: dir})); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if err := e.Ready(); err != nil {
		t.Errorf("an engine that works: %v", err)
	}
	for _, pid := range children(t) {
		syscall.Kill(pid, syscall.SIGKILL)
	}
	for range 2 {
		if _, err := e.Encode(context.Background(), []string{"x"}, encoder.Options{}); err == nil || !strings.Contains(err.Error(), "8 times in a row") || !strings.Contains(err.Error(), "the driver is not what it was") {
			t.Errorf("a process that does not start again: %v", err)
		}
		if err := e.Ready(); err != errGivenUp {
			t.Errorf("an engine that has given up: %v", err)
		}
	}
}

// The process ends when its parent has ended, whatever it is doing, and refuses input
// that breaks the protocol.
func TestServe(t *testing.T) {
	dir := folder(t)
	opened := func(context.Context, []byte) (model.Encoder, error) {
		return model.Open(context.Background(), dir, model.Options{})
	}
	open, _ := endFrame(beginFrame(kindOpen, version))
	other, _ := endFrame(beginFrame(kindOpen, version+1))
	early, _ := (&work{texts: []string{"x"}}).frame(1)
	never := func(ctx context.Context, _ []byte) (model.Encoder, error) { select {} }
	for name, c := range map[string]struct {
		in   []byte
		open func(context.Context, []byte) (model.Encoder, error)
		want string
	}{
		"a parent that goes while the model is opened": {open, never, ""},
		"a parent that says nothing":                   {nil, opened, "EOF"},
		"another version":                              {other, opened, "same version"},
		"a request before the model is open":           {slices.Concat(open, early), never, "before the model is open"},
		"a frame that is cut":                          {open[:len(open)-1], opened, "EOF"},
		"something else":                               {[]byte("GET / HTTP/1.1\r\n\r\n"), opened, errFrame.Error()},
	} {
		err := Serve(bytes.NewReader(c.in), io.Discard, c.open)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}
