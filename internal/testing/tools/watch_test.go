package tools

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// go test writes down what a test opens. After Watch it has the folders of the command, of a package that this links, and
// of the files that are embedded.
func TestWatch(t *testing.T) {
	const inner = "VANTAGE_TEST_WATCH"
	if os.Getenv(inner) != "" {
		if err := Watch("cmd/vantage"); err != nil {
			t.Fatal(err)
		}
		return
	}
	opened := filepath.Join(t.TempDir(), "opened")
	test := exec.Command(os.Args[0], "-test.run=^TestWatch$", "-test.testlogfile="+opened)
	test.Env = append(test.Environ(), inner+"=1")
	if out, err := test.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	log, err := os.ReadFile(opened)
	if err != nil {
		t.Fatal(err)
	}
	root, err := filepath.Abs(Root())
	if err != nil {
		t.Fatal(err)
	}
	for _, folder := range []string{"cmd/vantage", "internal/search", "static/lib"} {
		if line := "open " + filepath.Join(root, folder) + "\n"; !strings.Contains(string(log), line) {
			t.Errorf("the test's log lacks %q", line)
		}
	}
}
