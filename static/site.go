package static

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// JudgementsFile is what the page measures itself on: queries with the documents
// that answer them. Here it is empty, and the page then does not speak of it.
const JudgementsFile = "judgements.json"

// Write writes the page and the library it runs on into dir, which is made
// where it is absent. The page expects its collection in dir/collection.
func (p Page) Write(dir string) error {
	for _, name := range []string{"core.wasm.gz", "kernel.wasm"} {
		if _, err := fs.Stat(Files, "lib/"+name); err != nil {
			return fmt.Errorf("the page's engine is not built into this program (%w): run `make core kernel` in the repository and build again", err)
		}
	}
	names, err := p.names()
	if err != nil {
		return err
	}
	for _, name := range names {
		content, err := p.read(name)
		if err != nil {
			return err
		}
		if err := write(dir, name, content); err != nil {
			return err
		}
	}
	list, err := p.list()
	if err != nil {
		return err
	}
	return write(dir, filesList, list)
}

func write(dir, name string, content []byte) error {
	target := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
		return err
	}
	return os.WriteFile(target, content, 0o644)
}
