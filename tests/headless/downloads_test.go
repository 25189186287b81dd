package headless_test

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/testing/tools"
)

// A program that reads many collections in one process remembers a bounded number of files, and
// still counts again a file that it knows.
func TestDownloadsAreBounded(t *testing.T) {
	t.Parallel()
	cmd := exec.Command(tools.Node(t), "--input-type=module", "-e", `
		const { note, downloads } = await import('./static/src/collection/downloads.js');
		for (let i = 0; i < 10_100; i++) note('file:///' + i, 1);
		note('file:///0', 2);
		const files = downloads();
		console.log(files.length, files[0].url, files[0].bytes, files.at(-1).url);`)
	cmd.Dir = tools.Root()
	out, err := cmd.CombinedOutput()
	if got, want := strings.TrimSpace(string(out)), "10000 file:///0 2 file:///9999"; err != nil || got != want {
		t.Errorf("%q, %v; want %q", got, err, want)
	}
}
