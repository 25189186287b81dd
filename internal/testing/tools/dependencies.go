package tools

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// RootFiles is the environment variable in which make names the Go files of the root folder. In that folder git and make
// write all the time, and a folder that has changed makes go test run again what has opened it.
const RootFiles = "VANTAGE_ROOT_FILES"

const module = "github.com/vantage-search/vantage"

// GoPackage is the description of a package by go list.
type GoPackage struct {
	ImportPath string
	Name       string
	Dir        string
	GoFiles    []string
	EmbedFiles []string
	Imports    []string
}

// GoList lists packages by go list. The arguments are flags such as -deps, and patterns of import paths. environment may
// select another system, such as GOOS=js.
//
// It also opens the folders of this module's packages among them and of the files that these embed, and the folders
// above. go test caches a test's result until a file that the test opened changes, and does not know what go list reads.
// If RootFiles is set, it opens the root folder's Go files in place of that folder.
func GoList(t testing.TB, environment []string, arguments ...string) []GoPackage {
	t.Helper()
	packages, err := goList(environment, arguments...)
	if err != nil {
		t.Fatal(err)
	}
	return packages
}

func goList(environment []string, arguments ...string) ([]GoPackage, error) {
	cmd := exec.Command("go", append([]string{"list", "-json=ImportPath,Name,Dir,GoFiles,EmbedFiles,Imports"}, arguments...)...)
	cmd.Env = append(cmd.Environ(), environment...)
	var problems strings.Builder
	cmd.Stderr = &problems
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w\n%s", err, problems.String())
	}
	var packages []GoPackage
	opened := map[string]bool{}
	for decoder := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p GoPackage
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			return packages, nil
		} else if err != nil {
			return nil, err
		}
		packages = append(packages, p)
		if p.ImportPath != module && !strings.HasPrefix(p.ImportPath, module+"/") {
			continue
		}
		folders := []string{p.Dir}
		for _, file := range p.EmbedFiles {
			folders = append(folders, filepath.Dir(filepath.Join(p.Dir, file)))
		}
		for _, dir := range folders {
			for top := filepath.Clean(Root()); !opened[dir]; dir = filepath.Dir(dir) {
				opened[dir] = true
				if err := open(dir, dir == top); err != nil {
					return nil, err
				}
				if dir == top {
					break
				}
			}
		}
	}
}

// open opens a folder, or the Go files of the root folder.
func open(dir string, root bool) error {
	names := os.Getenv(RootFiles)
	if !root || names == "" {
		_, err := os.ReadDir(dir)
		return err
	}
	for _, name := range strings.Fields(names) {
		f, err := os.Open(filepath.Join(dir, name))
		if err != nil {
			return err
		}
		f.Close()
	}
	return nil
}

// Watch opens the folders of what the program pkg of this module links. A test that builds the program calls it, so that
// go test does not answer from its cache after the program has changed.
func Watch(pkg string, environment ...string) error {
	_, err := goList(environment, "-deps", module+"/"+pkg)
	return err
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
