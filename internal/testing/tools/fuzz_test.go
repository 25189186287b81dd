package tools

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// scripts/fuzz.sh fails if a package does not exist, does not compile or has no fuzzer, instead of fuzzing nothing.
func TestFuzzScript(t *testing.T) {
	script, err := os.ReadFile(filepath.Join(Root(), "scripts", "fuzz.sh"))
	if err != nil {
		t.Fatal(err)
	}
	const header = "package p\n\nimport \"testing\"\n\n"
	dir := t.TempDir()
	for name, content := range map[string]string{
		"go.mod":            "module p\n\ngo 1.24\n",
		"scripts/fuzz.sh":   string(script),
		"good/p_test.go":    header + "func FuzzGood(f *testing.F) { f.Fuzz(func(t *testing.T, b byte) {}) }\n",
		"bad/p_test.go":     header + "func FuzzBad(f *testing.F) { f.Fuzz(func(t *testing.T, b byte) { t.Error(b) }) }\n",
		"broken/p_test.go":  header + "func FuzzBroken(f *testing.F) { f.Fuzz(func(t *testing.T, b byte) { lost() }) }\n",
		"without/p_test.go": header + "func TestIt(t *testing.T) {}\n",
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for pattern, want := range map[string]struct {
		says string
		ok   bool
	}{
		"./good":    {"== p/good FuzzGood", true},
		"./bad":     {"--- FAIL: FuzzBad", false},
		"./broken":  {"undefined: lost", false},
		"./without": {"./without has no fuzzer", false},
		"./nowhere": {"nowhere", false},
	} {
		cmd := exec.Command("bash", filepath.Join(dir, "scripts", "fuzz.sh"), "1x", pattern)
		cmd.Env = append(cmd.Environ(), "GOFLAGS=", "GOWORK=off")
		out, err := cmd.CombinedOutput()
		if (err == nil) != want.ok || !strings.Contains(string(out), want.says) {
			t.Errorf("%s: %v, want %q in\n%s", pattern, err, want.says, out)
		}
	}
}
