package static

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// JudgementsFile is what the page measures itself on: queries with the documents
// that answer them. Here it is empty, and the page then does not speak of it.
const JudgementsFile = "judgements.json"

// WriteSite writes the page and the library it runs on into dir, which is made
// where it is absent. The page expects its collection in dir/collection.
func WriteSite(dir string) error {
	for _, name := range []string{"core.wasm.gz", "kernel.wasm", "shim.wasm"} {
		if _, err := fs.Stat(Files, "lib/"+name); err != nil {
			return fmt.Errorf("the page's engine is not built into this program (%w): run `make core kernel` in the repository and build again", err)
		}
	}
	return errors.Join(copyTree(dir, "demo"), copyTree(filepath.Join(dir, "lib"), "lib"))
}

// loaded says whether a page can load the file: types and what describes the
// npm package stay behind.
func loaded(name string) bool {
	if name == "demo/"+JudgementsFile {
		return true
	}
	switch path.Ext(name) {
	case ".html", ".css", ".js", ".svg", ".wasm", ".gz":
		return true
	}
	return false
}

func copyTree(dir, from string) error {
	return fs.WalkDir(Files, from, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		target := filepath.Join(dir, filepath.FromSlash(strings.TrimPrefix(name, from)))
		if entry.IsDir() {
			return os.MkdirAll(target, 0o755)
		}
		if !loaded(name) {
			return nil
		}
		content, err := Files.ReadFile(name)
		if err != nil {
			return err
		}
		return os.WriteFile(target, content, 0o644)
	})
}
