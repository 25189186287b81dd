package command

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/vantage-search/vantage/internal/testing/resident"

	"github.com/vantage-search/vantage/internal/testing/hostile"
)

// maxHostile bounds the bytes of memory that a collection of a megabyte may take beyond an ordinary one.
const maxHostile = 300 << 20

// Whatever a small collection contains, it does not take much memory.
func TestHostileCollections(t *testing.T) {
	t.Parallel()
	if _, err := os.Stat("/proc/self/status"); errors.Is(err, fs.ErrNotExist) {
		t.Skip("the system does not report a process's peak memory")
	}
	dir := t.TempDir()
	var lines strings.Builder
	for i := range 10 {
		fmt.Fprintf(&lines, "{\"_id\": \"d%d\", \"text\": \"school lunches are free in town %d\", \"metadata\": {\"n\": %d}}\n", i, i, i)
	}
	write(t, dir, "corpus.jsonl", lines.String())
	must(t, dir, "index", "--encoder", "light", "corpus.jsonl", "-o", "base", "--terms")
	commands := map[string][]string{
		"inspect --verify": {"inspect", "--verify"},
		"search":           {"search", "--hybrid", "--query", "school 00000 10000 20000 30000 40000 50000", "--json"},
		"headless":         {"search", "--engine", "headless", "--hybrid", "--query", "school 00000 10000 20000 30000 40000 50000", "--json"},
	}
	base := map[string]int64{}
	for name, args := range commands {
		r, peak := hungry(t, dir, append(args, "base")...)
		if r.code != done {
			t.Fatalf("%s: %s", name, r.stderr)
		}
		base[name] = peak
	}
	for i, c := range hostile.Collections {
		t.Run(c.Name, func(t *testing.T) {
			where := filepath.Join(dir, strings.ReplaceAll(c.Name, " ", "-"))
			if err := c.Write(filepath.Join(dir, "base"), where); err != nil {
				t.Fatal(err)
			}
			for name, args := range commands {
				if len(c.Refused) > 0 && name != "search" && i > 0 {
					continue // they open it in the same way
				}
				r, peak := hungry(t, dir, append(args, where)...)
				t.Logf("%s: %d MB more, exit code %d", name, (peak-base[name])>>20, r.code)
				if more := peak - base[name]; more > maxHostile {
					t.Errorf("%s: %d MB more than an ordinary collection", name, more>>20)
				}
				if r.code != done && r.code != input {
					t.Errorf("%s: exit code %d: %s", name, r.code, r.stderr)
				}
				if len(c.Refused) > 0 && r.code != input {
					t.Errorf("%s: exit code %d", name, r.code)
				}
				for _, part := range c.Refused {
					if !strings.Contains(r.stderr, part) {
						t.Errorf("%s: %q lacks %q", name, r.stderr, part)
					}
				}
			}
		})
	}
}

// hungry runs the command to its end, and returns its peak memory in bytes.
func hungry(t *testing.T, dir string, args ...string) (r result, peak int64) {
	t.Helper()
	cmd := weighed(dir, args...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	for {
		// The last measurement may miss allocations in the few milliseconds before the end.
		_, most, _ := resident.Of(cmd.Process.Pid) // 0 if it has just ended
		peak = max(peak, most)
		select {
		case err := <-ended:
			var exit *exec.ExitError
			if err != nil && !errors.As(err, &exit) {
				t.Fatal(err)
			}
			return result{stdout.String(), stderr.String(), cmd.ProcessState.ExitCode()}, peak
		case <-time.After(2 * time.Millisecond):
		}
	}
}
