package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/testing/tools"
)

var (
	goTest   = regexp.MustCompile("go test( [^`#]*)")
	testFunc = regexp.MustCompile(`(?m)^func ((?:Test|Benchmark|Fuzz|Example)\w*)\(`)
)

// The tests and benchmarks that documents name exist, so that no figure has a command that prints nothing.
func TestNamedTests(t *testing.T) {
	root := tools.Root()
	named := 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && path != root && (d.Name() == "build" || d.Name() == "node_modules" || strings.HasPrefix(d.Name(), ".")) {
			return fs.SkipDir
		}
		if err != nil || d.IsDir() || filepath.Ext(path) != ".md" {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, m := range goTest.FindAllStringSubmatch(string(text), -1) {
			command, _, _ := strings.Cut(m[1], "\n\n")
			named += check(t, root, filepath.Base(path), strings.Fields(command))
		}
		return nil
	})
	if err != nil || named < 30 {
		t.Errorf("%d names of tests in the documents, %v", named, err)
	}
}

// check looks for what a command names in its packages. It returns the number of names.
func check(t *testing.T, root, page string, words []string) (named int) {
	t.Helper()
	names, patterns := "", []string{}
	for i, word := range words {
		if dir, ok := strings.CutPrefix(strings.TrimRight(word, ",.)"), "./"); ok || word == "." {
			files, _ := filepath.Glob(filepath.Join(root, dir, "*_test.go"))
			for _, file := range files {
				content, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				for _, f := range testFunc.FindAllStringSubmatch(string(content), -1) {
					names += f[1] + "\n"
				}
			}
		}
		if i > 0 && (words[i-1] == "-run" || words[i-1] == "-bench" || words[i-1] == "-fuzz") {
			patterns = append(patterns, strings.Trim(word, "'"))
		}
	}
	for _, p := range patterns {
		if p == "^$" {
			continue
		}
		if named++; !regexp.MustCompile("(?m)" + p).MatchString(names) {
			t.Errorf("%s: go test %s: nothing is called %s", page, strings.Join(words, " "), p)
		}
	}
	return named
}
