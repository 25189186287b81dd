// Package command tests the vantage command as users run it: the real binary,
// on real files and sockets.
package command

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/vantage-search/vantage/internal/testing/tools"
)

// Exit codes of the command.
const (
	done   = 0
	failed = 1
	usage  = 2
	input  = 3
)

var (
	vantage  string // the command under test
	cacheDir string // its cache and home, unless a test sets others
)

func TestMain(m *testing.M) { os.Exit(runTests(m)) }

func runTests(m *testing.M) int {
	dir, err := os.MkdirTemp("", "vantage-command-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	vantage, cacheDir = filepath.Join(dir, "vantage"), filepath.Join(dir, "cache")
	build := exec.Command("go", "build", "-ldflags=-s -w", "-o", vantage, "../../cmd/vantage")
	build.Stdout, build.Stderr = os.Stderr, os.Stderr
	if err := build.Run(); err != nil {
		fmt.Fprintln(os.Stderr, "building the command:", err)
		return 1
	}
	return m.Run()
}

// watched is the error of watching the sources of the command. It runs within a test, because go test does not note what
// is opened before.
var watched = sync.OnceValue(func() error { return tools.Watch("cmd/vantage") })

// result is the outcome of a run of the command.
type result struct {
	stdout, stderr string
	code           int
}

// command prepares a run in a folder.
func command(dir string, args ...string) *exec.Cmd {
	if err := watched(); err != nil {
		panic(err)
	}
	cmd := exec.Command(vantage, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "XDG_CACHE_HOME="+cacheDir, "HOME="+cacheDir)
	return cmd
}

// weighed prepares a run whose memory is measured. It collects garbage as a user's does, whatever GOGC the tests have.
func weighed(dir string, args ...string) *exec.Cmd {
	cmd := command(dir, args...)
	cmd.Env = append(cmd.Env, "GOGC=100")
	return cmd
}

// try runs the command to its end.
func try(t *testing.T, dir string, args ...string) result {
	t.Helper()
	return finish(t, command(dir, args...))
}

// tryWith is try with stdin.
func tryWith(t *testing.T, stdin, dir string, args ...string) result {
	t.Helper()
	cmd := command(dir, args...)
	cmd.Stdin = strings.NewReader(stdin)
	return finish(t, cmd)
}

func finish(t *testing.T, cmd *exec.Cmd) result {
	t.Helper()
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	r := result{stdout.String(), stderr.String(), cmd.ProcessState.ExitCode()}
	r.checkStreams(t, cmd.Args[1:])
	return r
}

// must runs the command and fails the test unless it succeeds.
func must(t *testing.T, dir string, args ...string) result {
	t.Helper()
	r := try(t, dir, args...)
	if r.code != done {
		t.Fatalf("vantage %s: exit code %d\n%s", strings.Join(args, " "), r.code, r.stderr)
	}
	return r
}

// fails runs the command, which must fail with this exit code and with one
// error that contains all of the parts.
func fails(t *testing.T, code int, dir string, args []string, parts ...string) result {
	t.Helper()
	r := try(t, dir, args...)
	r.checkFailure(t, code, args, parts...)
	return r
}

func (r *result) checkFailure(t *testing.T, code int, args []string, parts ...string) {
	t.Helper()
	if r.code != code {
		t.Errorf("vantage %s: exit code %d, want %d\n%s", strings.Join(args, " "), r.code, code, r.stderr)
	}
	message := ""
	for line := range strings.Lines(r.stderr) {
		if strings.HasPrefix(line, "vantage: ") && !strings.HasPrefix(line, "vantage: warning: ") {
			message += line
		}
	}
	if strings.Count(message, "\n") != 1 {
		t.Errorf("vantage %s: want one line of error, got %q", strings.Join(args, " "), r.stderr)
	}
	for _, part := range parts {
		if !strings.Contains(message, part) {
			t.Errorf("vantage %s: error %q lacks %q", strings.Join(args, " "), message, part)
		}
	}
}

// control matches control characters, which must not occur in output that does
// not go to a terminal.
var control = regexp.MustCompile(`[\x00-\x09\x0b-\x1f\x7f]`)

// checkStreams checks what must hold for every run.
func (r *result) checkStreams(t *testing.T, args []string) {
	t.Helper()
	name := "vantage " + strings.Join(args, " ")
	if at := control.FindString(r.stderr); at != "" {
		t.Errorf("%s: control character %q on stderr, which is not a terminal: %q", name, at, r.stderr)
	}
	if strings.Contains(r.stderr, "Flags:") {
		t.Errorf("%s: help on stderr:\n%s", name, r.stderr)
	}
	if strings.Contains(r.stderr, "panic") || strings.Contains(r.stderr, "goroutine ") {
		t.Errorf("%s: panic:\n%s", name, r.stderr)
	}
	if hint := strings.Contains(r.stderr, "--help' for usage."); hint != (r.code == usage) {
		t.Errorf("%s: exit code %d, hint at --help: %v\n%s", name, r.code, hint, r.stderr)
	}
}

// decode reads JSON, which must be one value in one line.
func decode[T any](t *testing.T, text string) T {
	t.Helper()
	var v T
	if strings.Count(text, "\n") != 1 || !strings.HasSuffix(text, "\n") {
		t.Fatalf("want one line of JSON, got %q", text)
	}
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatalf("%v in %q", err, text)
	}
	return v
}

// write writes a file below dir and returns its path.
func write(t *testing.T, dir, name, content string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func read(t testing.TB, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// list returns the files below a folder, with their contents.
func list(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		name, err := filepath.Rel(dir, path)
		files[filepath.ToSlash(name)] = read(t, path)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func names(files map[string]string) []string { return slices.Sorted(maps.Keys(files)) }
