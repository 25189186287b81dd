package static

import (
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Modules import each other in one direction only: of two that need each other,
// neither can be read or loaded by itself.
func TestImportsHaveNoCycle(t *testing.T) {
	imported := regexp.MustCompile(`(?m)(?:^import|\bfrom|\bimport\()\s*'(\.[^']+)'`)
	imports := map[string][]string{}
	n := 0
	sources := os.DirFS(".")
	err := fs.WalkDir(sources, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || path.Ext(name) != ".js" || strings.HasPrefix(name, "lib/") || strings.HasPrefix(name, "site/") {
			return err
		}
		content, err := fs.ReadFile(sources, name)
		if err != nil {
			return err
		}
		for _, match := range imported.FindAllSubmatch(stripComments(content), -1) {
			imports[name] = append(imports[name], path.Join(path.Dir(name), string(match[1])))
			n++
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if n < 200 {
		t.Errorf("only %d imports found: the test looks at nothing", n)
	}
	for _, cycle := range cycles(imports) {
		t.Errorf("modules import each other: %s", strings.Join(cycle, " -> "))
	}
}

// cycles are those that a search in depth comes upon, each with its first module again
// at its end.
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
