package tools

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// Dependencies lists the packages that a program links if it imports pkg, by import path. environment may select
// another system, such as GOOS=js.
//
// It also opens the folders of this module's packages among them. go test caches a test's result until a file that
// the test opened changes, and does not know what go list reads.
func Dependencies(t testing.TB, pkg string, environment ...string) []string {
	t.Helper()
	const module = "github.com/vantage-search/vantage"
	cmd := exec.CommandContext(t.Context(), "go", "list", "-deps", "-f", "{{.ImportPath}} {{.Dir}}", module+"/"+pkg)
	cmd.Env = append(cmd.Environ(), environment...)
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var linked []string
	for line := range strings.Lines(string(out)) {
		name, dir, _ := strings.Cut(strings.TrimSpace(line), " ")
		linked = append(linked, name)
		if name == module || strings.HasPrefix(name, module+"/") {
			if _, err := os.ReadDir(dir); err != nil {
				t.Fatal(err)
			}
		}
	}
	return linked
}
