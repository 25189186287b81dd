//go:build unix

package command

import (
	"bytes"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// pipe replaces a file by a named pipe to which nobody writes.
func pipe(t *testing.T, path string) {
	t.Helper()
	if err := os.RemoveAll(path); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
}

// No command waits for a pipe in place of a file of a collection or a site.
func TestPipesAreRefused(t *testing.T) {
	t.Parallel()
	dir := newSite(t)
	write(t, dir, "site/lib/index.js", "changed by hand")
	pipe(t, filepath.Join(dir, "site/demo.js"))
	s := serve(t, dir, "site") // the page is checked, and served unchanged
	if response, _ := s.ask(t, "GET", "/demo.js"); response.StatusCode != 404 {
		t.Errorf("a pipe in the page: status %d", response.StatusCode)
	}
	if err := os.Rename(filepath.Join(dir, "site/collection"), filepath.Join(dir, "c")); err != nil {
		t.Fatal(err)
	}
	manifest := filepath.Join(dir, "c/manifest.json")
	pipe(t, manifest)
	for _, args := range [][]string{{"search", "c", "--query", "x"}, {"inspect", "c"}, {"serve", "c", "--listen", "127.0.0.1:0"}} {
		fails(t, input, dir, args, "manifest.json", "regular file")
	}
	fails(t, failed, dir, []string{"index", "--encoder", "light", "corpus.jsonl", "-o", "c"}, "manifest.json is not that of a collection")
	if err := os.Remove(manifest); err != nil {
		t.Fatal(err)
	}
	pipe(t, filepath.Join(dir, "vectors.npy"))
	fails(t, input, dir, []string{"index", "corpus.jsonl", "-o", "c", "--vectors", "vectors.npy"}, "vectors.npy", "not a file")
	pipe(t, filepath.Join(dir, "corpus.jsonl"))
	fails(t, input, dir, []string{"index", "--encoder", "light", "corpus.jsonl", "-o", "c"}, "write the corpus to a file first")
}

// Pipes that the user names are read, and a signal ends the wait for them. If a
// read ignores its context, the process exits after a while anyway.
func TestSignalEndsWaiting(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	pipe(t, filepath.Join(dir, "pipe"))
	write(t, dir, "qrels", "q 0 d 1\n")
	for _, c := range []struct {
		args []string
		most time.Duration
	}{
		{[]string{"eval", "trec", "--qrels", "pipe", "--run", "qrels"}, 8 * time.Second},
		{[]string{"serve", "--model", "static", "--keys", "pipe", "--listen", "127.0.0.1:0"}, 8 * time.Second},
		{[]string{"eval", "pir", "pipe", "--retriever", "bm25"}, time.Minute},
	} {
		cmd := command(dir, c.args...)
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Second) // until it waits for the pipe
		cmd.Process.Signal(syscall.SIGTERM)
		start := time.Now()
		late := time.AfterFunc(c.most, func() { cmd.Process.Kill() })
		cmd.Wait()
		late.Stop()
		if code := cmd.ProcessState.ExitCode(); code != failed || stderr.String() != "vantage: interrupted\n" {
			t.Errorf("%v: exit code %d after %v, stderr %q", c.args, code, time.Since(start), stderr.String())
		}
	}
}
