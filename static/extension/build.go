// Package extension builds the browser extension from the sources beside it: the files of its package for Chrome
// and for Firefox, and zips of them with the same bytes on every machine.
package extension

import (
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/vantage-search/vantage/static/internal/bundle"
)

// A Browser is what a package is for.
type Browser string

// The browsers that there is a package for. Chrome's is for all browsers with Chromium's engine.
const (
	Chrome  Browser = "chrome"
	Firefox Browser = "firefox"
)

// Browsers are all browsers.
var Browsers = []Browser{Chrome, Firefox}

// MaxZip is the limit of a zip in bytes.
const MaxZip = 15_000_000

// Files returns the files of the package by their paths. root is the root folder of this repository.
func Files(root string, browser Browser) (map[string][]byte, error) {
	static := filepath.Join(root, "static")
	built, err := bundle.Extension(static, browser == Firefox)
	if err != nil {
		return nil, err
	}
	for _, model := range []func(root string) (map[string][]byte, error){collection, light} {
		files, err := model(root)
		if err != nil {
			return nil, err
		}
		maps.Copy(built, files)
	}
	for _, from := range []struct{ pattern, folder, to string }{
		{"icons/*.png", "static/extension", ""},
		{"_locales/*/messages.json", "static/extension", ""},
		{"*.html", "static/extension", ""},
		{"*/*.html", "static/extension", ""},
		{"LICENSE", "", ""},
		{"*.js", "static/lib", "lib"},
		{"*.wasm*", "static/lib", "lib"},
	} {
		folder := filepath.Join(root, filepath.FromSlash(from.folder))
		found, err := filepath.Glob(filepath.Join(folder, filepath.FromSlash(from.pattern)))
		if err != nil {
			return nil, err
		}
		for _, file := range found {
			name, err := filepath.Rel(folder, file)
			if err != nil {
				return nil, err
			}
			content, err := os.ReadFile(file)
			if err != nil {
				return nil, err
			}
			built[path.Join(from.to, filepath.ToSlash(name))] = content
		}
	}
	if built["manifest.json"], err = manifest(filepath.Join(static, "extension"), browser); err != nil {
		return nil, err
	}
	return pick(built, browser)
}

// pick returns the files that the package contains.
func pick(files map[string][]byte, browser Browser) (map[string][]byte, error) {
	picked := map[string][]byte{}
	for _, pattern := range Contents(browser) {
		found := false
		for name, content := range files {
			if match, err := path.Match(pattern, name); err != nil {
				return nil, err
			} else if match {
				picked[name], found = content, true
			}
		}
		if !found {
			return nil, fmt.Errorf("the extension's package has no %s, which contents.go lists", pattern)
		}
	}
	return picked, nil
}

// Write builds both packages into the folder dir, each as a folder and as a zip beside it. It returns the sizes of
// the zips.
func Write(root, dir string) (map[Browser]int, error) {
	sizes := map[Browser]int{}
	for _, browser := range Browsers {
		files, err := Files(root, browser)
		if err != nil {
			return nil, err
		}
		if err := WriteFolder(filepath.Join(dir, string(browser)), files); err != nil {
			return nil, err
		}
		packed, err := Zip(files)
		if err != nil {
			return nil, err
		}
		if len(packed) > MaxZip {
			return nil, fmt.Errorf("the zip for %s has %d bytes, more than %d", browser, len(packed), MaxZip)
		}
		if err := os.WriteFile(filepath.Join(dir, "vantage-"+string(browser)+".zip"), packed, 0o644); err != nil {
			return nil, err
		}
		sizes[browser] = len(packed)
	}
	return sizes, nil
}

// WriteFolder makes the folder hold these files and no others.
func WriteFolder(dir string, files map[string][]byte) error {
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		target := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(target, files[name], 0o644); err != nil {
			return err
		}
	}
	return nil
}
