package extension

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
)

// manifest returns the manifest of a browser: manifest.json in dir, into which firefox.json is merged for Firefox.
func manifest(dir string, browser Browser) ([]byte, error) {
	whole, err := readObject(filepath.Join(dir, "manifest.json"))
	if err != nil {
		return nil, err
	}
	if browser == Firefox {
		differs, err := readObject(filepath.Join(dir, "firefox.json"))
		if err != nil {
			return nil, err
		}
		merge(whole, differs)
	}
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	err = encoder.Encode(whole)
	return out.Bytes(), err
}

func readObject(file string) (map[string]any, error) {
	content, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var object map[string]any
	if err := json.Unmarshal(content, &object); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return object, nil
}

// merge changes an object as RFC 7396 says: objects are merged, null deletes, anything else replaces.
func merge(into, differs map[string]any) {
	for key, value := range differs {
		object, isObject := value.(map[string]any)
		switch {
		case value == nil:
			delete(into, key)
		case isObject:
			inner, ok := into[key].(map[string]any)
			if !ok {
				inner = map[string]any{}
			}
			merge(inner, object)
			into[key] = inner
		default:
			into[key] = value
		}
	}
}
