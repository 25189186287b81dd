package static

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Imports have no cycle: modules that need each other can neither be read nor
// loaded alone.
func TestImportsHaveNoCycle(t *testing.T) {
	imported := regexp.MustCompile(`(?m)(?:^import|\bfrom|\bimport\()\s*'(\.[^']+)'`)
	imports := map[string][]string{}
	n := 0
	for name, content := range scripts(t) {
		for _, match := range imported.FindAllStringSubmatch(content, -1) {
			imports[name] = append(imports[name], path.Join(path.Dir(name), match[1]))
			n++
		}
	}
	if n < 200 {
		t.Errorf("only %d imports found: the test checks nothing", n)
	}
	for _, cycle := range cycles(imports) {
		t.Errorf("modules import each other: %s", strings.Join(cycle, " -> "))
	}
}

// scripts returns the sources without comments, by their paths in this folder.
func scripts(t *testing.T) map[string]string {
	t.Helper()
	sources := os.DirFS(".")
	contents := map[string]string{}
	err := fs.WalkDir(sources, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || path.Ext(name) != ".js" || strings.HasPrefix(name, "lib/") || strings.HasPrefix(name, "site/") {
			return err
		}
		content, err := fs.ReadFile(sources, name)
		contents[name] = string(stripComments(content))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return contents
}

// cycles returns the cycles that a depth-first search finds, each ending with its
// first module.
func cycles(imports map[string][]string) (found [][]string) {
	done := map[string]bool{}
	var way []string
	var visit func(name string)
	visit = func(name string) {
		if at := slices.Index(way, name); at >= 0 {
			found = append(found, append(slices.Clone(way[at:]), name))
			return
		}
		if done[name] {
			return
		}
		done[name] = true
		way = append(way, name)
		for _, next := range imports[name] {
			visit(next)
		}
		way = way[:len(way)-1]
	}
	names := make([]string, 0, len(imports))
	for name := range imports {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		visit(name)
	}
	return found
}

// Another module or a test must import everything that a module exports.
func TestExportsAreUsed(t *testing.T) {
	exported := regexp.MustCompile(`(?m)^export (?:async )?(?:function|class|const|let) \*?(\w+)|^export \{([^}]*)\}(?: from '(\.[^']+)')?`)
	imported := regexp.MustCompile(`import\s*(?:\{([^}]*)\}|\* as (\w+))\s*from\s*'(\.[^']+)'|export \* from '(\.[^']+)'|import\('(\.[^']+)'\)`)
	public := []string{"src/index.js", "src/server.js", "src/transformers.js", "src/vantage-search.js", "src/words.js", "src/min/start.js"} // the last in place of src/start.js
	generated := []string{"src/engine/abi.js", "src/constants.js"}                                                                          // generated lists may have unused entries
	exports := map[string][]string{}
	used := map[string]bool{} // module and name; a module alone stands for all its names
	use := func(module, names string) {
		for name := range strings.SplitSeq(names, ",") {
			name, _, _ = strings.Cut(strings.TrimSpace(name), " as ")
			used[module+" "+name] = true
		}
	}
	for name, content := range scripts(t) {
		for _, m := range exported.FindAllStringSubmatch(content, -1) {
			for one := range strings.SplitSeq(m[1]+m[2], ",") {
				one = strings.TrimSpace(one)
				if _, as, renamed := strings.Cut(one, " as "); renamed {
					one = as
				}
				if one != "" {
					exports[name] = append(exports[name], one)
				}
			}
			if m[3] != "" {
				use(path.Join(path.Dir(name), m[3]), m[2])
			}
		}
		for _, m := range imported.FindAllStringSubmatch(content, -1) {
			if m[2]+m[4]+m[5] != "" {
				used[path.Join(path.Dir(name), m[3]+m[4]+m[5])] = true
			} else {
				use(path.Join(path.Dir(name), m[3]), m[1])
			}
		}
	}
	tests := ""
	for _, pattern := range []string{"../tests/*/*.go", "../tests/*/testdata/*.js", "extension/*/*_test.go"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			content, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			tests += string(content)
		}
	}
	n := 0
	for name, list := range exports {
		if slices.Contains(public, name) || slices.Contains(generated, name) || used[name] {
			continue
		}
		for _, one := range list {
			n++
			if !used[name+" "+one] && !(strings.Contains(tests, name) && regexp.MustCompile(`\b`+one+`\b`).MatchString(tests)) {
				t.Errorf("%s exports %s, which nothing imports", name, one)
			}
		}
	}
	if n < 150 {
		t.Errorf("only %d exports found: the test checks nothing", n)
	}
}
