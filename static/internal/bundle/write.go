package bundle

import (
	"os"
	"path/filepath"
)

// Built lists the built files under dir, the folder static, by their paths in it.
func Built(dir string) (names []string, err error) {
	for _, pattern := range []string{"lib/*.js", "site/*.js", "site/*.css", "site/*/*.js"} {
		found, err := filepath.Glob(filepath.Join(dir, filepath.FromSlash(pattern)))
		if err != nil {
			return nil, err
		}
		for _, file := range found {
			name, err := filepath.Rel(dir, file)
			if err != nil {
				return nil, err
			}
			names = append(names, filepath.ToSlash(name))
		}
	}
	return names, nil
}

// Write builds into dir, the folder static, and deletes other files of earlier
// builds.
func Write(dir string) error {
	files, err := Build(dir)
	if err != nil {
		return err
	}
	earlier, err := Built(dir)
	if err != nil {
		return err
	}
	for _, name := range earlier {
		if files[name] != nil {
			continue
		}
		if err := os.Remove(filepath.Join(dir, filepath.FromSlash(name))); err != nil {
			return err
		}
	}
	for name, content := range files {
		target := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(target, content, 0o644); err != nil {
			return err
		}
	}
	return nil
}
