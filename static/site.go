package static

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// JudgementsFile has the judged queries that the lab measures itself on. The
// built-in file is empty, and the lab then does not mention it.
const JudgementsFile = "judgements.json"

// ThemeFile has the owner's styles of the search page. The built-in file sets nothing.
const ThemeFile = "theme.css"

// Contents returns the files of the page and of its library, by their names in
// a site. The page expects its collection in the folder collection.
func (p Page) Contents() (map[string][]byte, error) {
	for _, name := range []string{"core.wasm.gz", "kernel.wasm", "kernel-relaxed.wasm"} {
		if _, err := fs.Stat(Files, "lib/"+name); err != nil {
			return nil, fmt.Errorf("the page's engine is not built into this program (%w): run `make core kernel` in the repository and build again", err)
		}
	}
	names, err := p.names()
	if err != nil {
		return nil, err
	}
	contents := map[string][]byte{}
	for _, name := range names {
		if contents[name], err = p.read(name); err != nil {
			return nil, err
		}
	}
	contents[FilesList], err = p.list()
	return contents, err
}

// Write writes the files of the page into dir, which it creates if necessary.
func (p Page) Write(dir string) error {
	contents, err := p.Contents()
	if err != nil {
		return err
	}
	for name, content := range contents {
		if err := write(dir, name, content); err != nil {
			return err
		}
	}
	return nil
}

func write(dir, name string, content []byte) error {
	target := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
		return err
	}
	return os.WriteFile(target, content, 0o644)
}
