package browser

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/testing/harness"
)

// The example page runs by the commands in docs/papers/mvrag.md, on a recording and without
// a key.
func TestChatExample(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join(harness.Root(), "docs", "papers", "mvrag.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, lines, found := strings.Cut(string(text), "\nvantage index examples/debates")
	lines, _, closed := strings.Cut("vantage index examples/debates"+lines, "\n```")
	commands := strings.Split(lines, "\n")
	if !found || !closed || len(commands) != 3 {
		t.Fatalf("%q", commands)
	}
	dir := t.TempDir()
	if err := os.Symlink(filepath.Join(harness.Root(), "examples"), filepath.Join(dir, "examples")); err != nil {
		t.Fatal(err)
	}
	run := func(line string, more ...string) *exec.Cmd {
		words := append(strings.Fields(line), more...)
		if words[0] == "vantage" {
			words[0] = program(t)
		}
		cmd := exec.Command(words[0], words[1:]...)
		cmd.Dir = dir
		return cmd
	}
	for _, line := range commands[:2] {
		if out, err := run(line).CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", line, err, out)
		}
	}
	server := run(commands[2], "--listen", "127.0.0.1:0")
	out, err := server.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { server.Process.Kill(); server.Wait() })
	line, _ := bufio.NewReader(out).ReadString('\n')
	_, address, found := strings.Cut(strings.TrimSpace(line), " at ")
	if !found {
		t.Fatalf("the server printed %q", line)
	}
	page := tab(t)
	navigated(t, page, strings.TrimSuffix(address, "/")+"/perspectives.html")
	for n := range 3 {
		waitFor(t, page, `!document.getElementById('ask').disabled`)
		query := call[string](t, page, `(n) => {
			document.getElementById('query').selectedIndex = n;
			document.getElementById('ask').click();
			return document.getElementById('query').value;
		}`, n)
		waitFor(t, page, `!document.getElementById('ask').disabled`)
		got := call[[][]string](t, page, `() => ['said', 'vector', 'asked', 'found'].map((id) => Array.from(document.querySelectorAll('#' + id + ' li, p#' + id), ({ textContent }) => textContent))`)
		if got[0][0] != "Done." || strings.Join(got[1], "; ") != "information dissemination: 0.8; voter behavior: 0.3, not enough; regulatory policies: 0.6" || len(got[3]) < 6 {
			t.Errorf("%s: %q", query, got)
		}
		for _, view := range []string{"information dissemination: ", "regulatory policies: "} {
			if !strings.Contains(strings.Join(got[2], "\n"), view+query) || len(got[2]) != 2 {
				t.Errorf("%s: asked %q", query, got[2])
			}
		}
	}
	violations(t, page, axe(t), "example", contrast)
	for _, look := range looks {
		show(t, page, look.scheme, look.width)
		picture(t, page, fmt.Sprintf("chat-example-%s-%d", look.scheme, look.width))
	}
	for _, problem := range page.Problems() {
		t.Errorf("in the page: %s", problem)
	}
}
