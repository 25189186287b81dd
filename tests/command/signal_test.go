package command

import (
	"bufio"
	"bytes"
	"io"
	"maps"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/vantage-search/vantage/internal/testing/wait"
)

// longDocuments is a number of documents that keeps the command busy for a while.
const longDocuments = 20_000

// startIndex starts a long run of index and waits until it begins to write.
func startIndex(t *testing.T, dir string, args ...string) (*exec.Cmd, *bytes.Buffer) {
	t.Helper()
	cmd := command(dir, append([]string{"index", "--encoder", "light", "long.jsonl"}, args...)...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	wait.Until(t, "index begins to write", func() bool {
		staged, _ := filepath.Glob(filepath.Join(dir, "*", ".vantage-staging", "*"))
		below, _ := filepath.Glob(filepath.Join(dir, "*", "*", ".vantage-staging", "*"))
		return len(staged)+len(below) > 0
	})
	return cmd, &stderr
}

// If index is killed at any point, the old collection remains, and the next run
// cleans up.
func TestKillLeavesOldCollection(t *testing.T) {
	t.Parallel()
	dir := newCollection(t)
	write(t, dir, "long.jsonl", longCorpus(longDocuments, "Lisbon"))
	old := must(t, dir, "search", "c", "--json", "--query", "sleeping cats").stdout
	for _, delay := range []time.Duration{0, 50 * time.Millisecond, 200 * time.Millisecond, 500 * time.Millisecond} {
		cmd, _ := startIndex(t, dir, "-o", "c")
		time.Sleep(delay)
		cmd.Process.Kill()
		if err := cmd.Wait(); err == nil {
			t.Fatalf("after %v the run had ended already", delay)
		}
		must(t, dir, "inspect", "c", "--verify")
		if now := must(t, dir, "search", "c", "--json", "--query", "sleeping cats").stdout; now != old {
			t.Fatalf("killed after %v: %s", delay, now)
		}
	}
	indexJSON(t, dir, "--encoder", "light", "corpus.jsonl", "-o", "c")
	fresh := newCollection(t)
	if got, want := list(t, filepath.Join(dir, "c")), list(t, filepath.Join(fresh, "c")); !maps.Equal(got, want) {
		t.Errorf("after a whole run there is %v, want %v", names(got), names(want))
	}
}

// Ctrl-C, SIGTERM and the end of the terminal end a run cleanly: one line, nothing left behind.
func TestInterruptIndex(t *testing.T) {
	t.Parallel()
	dir := newSite(t)
	write(t, dir, "long.jsonl", longCorpus(longDocuments, "Porto"))
	before := list(t, filepath.Join(dir, "site"))
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) { // by nohup
		signals = append(signals, syscall.SIGHUP)
	}
	for _, signal := range signals {
		cmd, stderr := startIndex(t, dir, "-o", "site", "--site")
		cmd.Process.Signal(signal)
		for range 5 { // the shell of a closed terminal and the system both send it
			if signal == syscall.SIGHUP {
				cmd.Process.Signal(signal)
				time.Sleep(time.Millisecond)
			}
		}
		cmd.Wait()
		if code := cmd.ProcessState.ExitCode(); code != failed {
			t.Errorf("%v: exit code %d", signal, code)
		}
		if text := stderr.String(); text != "vantage: interrupted\n" {
			t.Errorf("%v: stderr %q", signal, text)
		}
		if after := list(t, filepath.Join(dir, "site")); !maps.Equal(before, after) {
			t.Errorf("%v: files %v, before %v", signal, names(after), names(before))
		}
	}
	cmd, _ := startIndex(t, dir, "-o", "new", "--site")
	cmd.Process.Signal(os.Interrupt)
	cmd.Wait()
	if _, err := os.Lstat(filepath.Join(dir, "new")); err == nil {
		t.Errorf("a new site that was interrupted has left its folder with %v", names(list(t, filepath.Join(dir, "new"))))
	}
}

// A run that was started with nohup goes on when its terminal ends.
func TestNohup(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, dir, "long.jsonl", longCorpus(longDocuments, "Faro"))
	cmd := command(dir, "index", "--encoder", "light", "long.jsonl", "-o", "c")
	cmd.Args = append([]string{"sh", "-c", `trap "" HUP; exec "$@"`, "sh", cmd.Path}, cmd.Args[1:]...)
	var err error
	if cmd.Path, err = exec.LookPath("sh"); err != nil {
		t.Skip("there is no sh")
	}
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	wait.Until(t, "index begins to write", func() bool {
		staged, _ := filepath.Glob(filepath.Join(dir, "c", ".vantage-staging", "*"))
		return len(staged) > 0
	})
	cmd.Process.Signal(syscall.SIGHUP)
	if err := cmd.Wait(); err != nil {
		t.Errorf("%v: %s", err, stderr.String())
	}
	must(t, dir, "inspect", "c", "--verify")
}

// A killed run of index --site leaves a working site, or none. The next run
// removes its leftovers, which are hidden, so that vantage serve does not serve
// them.
func TestKillLeavesNothingInSite(t *testing.T) {
	t.Parallel()
	dir := newSite(t)
	site := filepath.Join(dir, "site")
	fresh := list(t, site)
	beside := len(list(t, dir)) - len(fresh)
	staged := func(place string) func() bool {
		return func() bool {
			entries, _ := os.ReadDir(filepath.Join(dir, place, ".vantage-staging"))
			return len(entries) > 0
		}
	}
	after := func(pause time.Duration) func() bool {
		var end time.Time
		return func() bool {
			if end.IsZero() {
				end = time.Now().Add(pause)
			}
			return time.Now().After(end)
		}
	}
	type moment struct {
		output string
		come   func() bool
	}
	moments := []moment{
		{"site", staged("site")}, {"site", staged("site/collection")}, {"site", staged("site")}, {"new", staged("new/collection")}, {"new", staged("new")},
	}
	for pause := 20 * time.Millisecond; pause < time.Second; pause *= 2 {
		moments = append(moments, moment{"site", after(pause)}, moment{"new", after(pause)})
	}
	killed := 0
	for i, m := range moments {
		if m.output == "new" {
			if err := os.RemoveAll(filepath.Join(dir, "new")); err != nil {
				t.Fatal(err)
			}
		}
		cmd := command(dir, "index", "--encoder", "light", "corpus.jsonl", "-o", m.output, "--site", "--quantize", []string{"f16", "int8"}[i%2])
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		ended := make(chan struct{})
		go func() { cmd.Wait(); close(ended) }()
		running := true
		for running && !m.come() {
			select {
			case <-ended:
				running = false
			case <-time.After(time.Millisecond):
			}
		}
		cmd.Process.Kill()
		<-ended
		if running {
			killed++
		}
		if _, err := os.Lstat(filepath.Join(dir, m.output)); err != nil {
			continue // killed before it made the folder
		}
		files := list(t, filepath.Join(dir, m.output))
		for name := range files {
			if strings.Contains(name, ".vantage") && !strings.Contains("/"+name, "/.vantage-staging/") {
				t.Errorf("moment %d: %s was left", i, name)
			}
		}
		if _, complete := files["index.html"]; complete {
			must(t, dir, "search", m.output, "--query", "sleeping cats", "--json")
		}
	}
	if killed < 5 {
		t.Errorf("only %d runs were killed before their end", killed)
	}
	for _, output := range []string{"site", "new"} {
		must(t, dir, "index", "--encoder", "light", "corpus.jsonl", "-o", output, "--site")
		if got := list(t, filepath.Join(dir, output)); !maps.Equal(got, fresh) {
			t.Errorf("%s has %v, want %v", output, names(got), names(fresh))
		}
	}
	if files := list(t, dir); len(files) != 2*len(fresh)+beside {
		t.Errorf("beside the sites there is more than the corpus: %v", names(files))
	}
}

// interruptAfter runs a command, interrupts it once its first line reports the given
// stage, and waits for its end.
func interruptAfter(t *testing.T, cmd *exec.Cmd, began string) {
	t.Helper()
	pipe, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	stderr := bufio.NewReader(pipe)
	if line, err := stderr.ReadString('\n'); err != nil || !strings.HasPrefix(line, began) {
		t.Errorf("after the first stage: %q %v", line, err)
	}
	cmd.Process.Signal(os.Interrupt)
	rest, err := io.ReadAll(stderr)
	cmd.Wait()
	if err != nil || cmd.ProcessState.ExitCode() != failed || !strings.HasSuffix(string(rest), "vantage: interrupted\n") {
		t.Errorf("exit code %d, stderr %q (%v)", cmd.ProcessState.ExitCode(), rest, err)
	}
}

func TestInterruptFit(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, dir, "long.jsonl", longCorpus(longDocuments, "Braga"))
	interruptAfter(t, command(dir, "fit", "long.jsonl", "-o", "model"), "read: ")
	if files := list(t, dir); len(files) != 1 {
		t.Errorf("left behind: %v", names(files))
	}
}

// An interrupted batch does not change an older run file.
func TestInterruptBatch(t *testing.T) {
	t.Parallel()
	dir := newCollection(t)
	write(t, dir, "out", "an older run")
	cmd := command(dir, "search", "c", "--queries", "-", "--run", "out")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	pipe, err := cmd.StdinPipe() // queries that never end
	if err != nil {
		t.Fatal(err)
	}
	defer pipe.Close()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	// This is more than a pipe holds: once it is written, the command has begun to
	// read.
	if _, err := pipe.Write([]byte(strings.Repeat(" ", 1<<20))); err != nil {
		t.Fatal(err)
	}
	cmd.Process.Signal(os.Interrupt)
	ended := make(chan struct{})
	go func() { cmd.Wait(); close(ended) }()
	select {
	case <-ended:
	case <-time.After(20 * time.Second):
		t.Error("it does not end")
		cmd.Process.Kill()
		<-ended
	}
	if code := cmd.ProcessState.ExitCode(); code != failed || stderr.String() != "vantage: interrupted\n" {
		t.Errorf("exit code %d, stderr %q", code, stderr.String())
	}
	if got := read(t, filepath.Join(dir, "out")); got != "an older run" {
		t.Errorf("the older run became %q", got)
	}
}
