// Command readers lists the tests that look into ../shared. Continuous integration runs them
// again without that folder, to see that they pass. The command prints a pattern for go test
// -run, and on a second line the packages.
//
// A test looks into ../shared if it uses package shared, or a package that imports it, either
// by itself or through functions of its own package.
package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

func main() {
	found, err := readers(".")
	if err != nil {
		fmt.Fprintln(os.Stderr, "readers:", err)
		os.Exit(1)
	}
	var dirs, tests []string
	for dir, names := range found {
		dirs, tests = append(dirs, "./"+filepath.ToSlash(dir)), append(tests, names...)
	}
	slices.Sort(dirs)
	slices.Sort(tests)
	fmt.Printf("^(%s)$\n%s\n", strings.Join(slices.Compact(tests), "|"), strings.Join(dirs, " "))
}

// readers returns the tests in the folders below root that look into ../shared, by
// folder.
func readers(root string) (map[string][]string, error) {
	folders := map[string]*folder{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".go" {
			if err == nil && d.IsDir() && path != root && strings.HasPrefix(d.Name(), ".") {
				return filepath.SkipDir
			}
			return err
		}
		dir, err := filepath.Rel(root, filepath.Dir(path))
		if err != nil {
			return err
		}
		if folders[dir] == nil {
			folders[dir] = &folder{uses: map[string]map[string]bool{}}
		}
		return folders[dir].read(path)
	})
	if err != nil {
		return nil, err
	}
	// Packages of helpers that import package shared count as that package.
	sources := map[string]bool{Package: true}
	for more := true; more; {
		more = false
		for dir, f := range folders {
			path := module + "/" + filepath.ToSlash(dir)
			if !sources[path] && slices.ContainsFunc(f.imports, func(i string) bool { return sources[i] }) {
				sources[path], more = true, true
			}
		}
	}
	found := map[string][]string{}
	for dir, f := range folders {
		if names := f.tests(sources); len(names) > 0 {
			found[dir] = names
		}
	}
	return found, nil
}
