package tools

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// go test writes down what a test opens. After Watch it has the folders of the command, of a package that this links, and
// of the files that are embedded. Of the root folder it has the files that RootFiles names, or the folder if that is not set.
func TestWatch(t *testing.T) {
	const inner = "VANTAGE_TEST_WATCH"
	if os.Getenv(inner) != "" {
		if err := Watch("cmd/vantage"); err != nil {
			t.Fatal(err)
		}
		return
	}
	root, err := filepath.Abs(Root())
	if err != nil {
		t.Fatal(err)
	}
	for names, of := range map[string][2]string{"": {"", "go.mod"}, "go.mod sides.go": {"go.mod", ""}} { // what is opened in the root folder, and what is not
		opened := filepath.Join(t.TempDir(), "opened")
		test := exec.Command(os.Args[0], "-test.run=^TestWatch$", "-test.testlogfile="+opened)
		test.Env = append(test.Environ(), inner+"=1", RootFiles+"="+names)
		if out, err := test.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		log, err := os.ReadFile(opened)
		if err != nil {
			t.Fatal(err)
		}
		has := func(path string) bool {
			return strings.Contains(string(log), "open "+filepath.Join(root, path)+"\n")
		}
		for _, folder := range []string{"cmd/vantage", "internal/search", "static/lib", of[0]} {
			if !has(folder) {
				t.Errorf("%s=%q: the test's log lacks %q", RootFiles, names, folder)
			}
		}
		if has(of[1]) {
			t.Errorf("%s=%q: the test's log has %q", RootFiles, names, of[1])
		}
	}
}
