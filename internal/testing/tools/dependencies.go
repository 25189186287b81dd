package tools

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const module = "github.com/vantage-search/vantage"

// GoPackage is the description of a package by go list.
type GoPackage struct {
	ImportPath string
	Name       string
	Dir        string
	GoFiles    []string
	Imports    []string
}

// GoList lists packages by go list. The arguments are flags such as -deps, and patterns of import paths. environment may
// select another system, such as GOOS=js.
//
// It also opens the folders of this module's packages among them, and the folders above. go test caches a test's result
// until a file that the test opened changes, and does not know what go list reads.
func GoList(t testing.TB, environment []string, arguments ...string) []GoPackage {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", append([]string{"list", "-json=ImportPath,Name,Dir,GoFiles,Imports"}, arguments...)...)
	cmd.Env = append(cmd.Environ(), environment...)
	var problems strings.Builder
	cmd.Stderr = &problems
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, problems.String())
	}
	var packages []GoPackage
	opened := map[string]bool{}
	for decoder := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p GoPackage
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			return packages
		} else if err != nil {
			t.Fatal(err)
		}
		packages = append(packages, p)
		if p.ImportPath != module && !strings.HasPrefix(p.ImportPath, module+"/") {
			continue
		}
		for dir, top := p.Dir, filepath.Clean(Root()); !opened[dir]; dir = filepath.Dir(dir) {
			opened[dir] = true
			if _, err := os.ReadDir(dir); err != nil {
				t.Fatal(err)
			}
			if dir == top {
				break
			}
		}
	}
}

// Dependencies lists the packages that a program links if it imports the package pkg of this module ("" is its
// root), by import path. environment may select another system, such as GOOS=js.
func Dependencies(t testing.TB, pkg string, environment ...string) []string {
	t.Helper()
	path := strings.TrimSuffix(module+"/"+pkg, "/")
	var linked []string
	for _, p := range GoList(t, environment, "-deps", path) {
		linked = append(linked, p.ImportPath)
	}
	if len(linked) == 0 || linked[len(linked)-1] != path {
		t.Fatalf("go list -deps of %s does not end with it", path)
	}
	return linked
}
