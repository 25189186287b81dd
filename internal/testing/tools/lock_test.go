package tools

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Every lockfile has a hash of each npm package and names no registry, and every
// package.json asks for exact versions.
func TestPackagesAreLocked(t *testing.T) {
	locks, err := filepath.Glob(filepath.Join(Root(), "scripts", "npm", "*", "package-lock.json"))
	if err != nil || len(locks) < 8 {
		t.Fatalf("%q (%v)", locks, err)
	}
	exact := regexp.MustCompile(`^(npm:[@a-z/-]+@)?\d+\.\d+\.\d+(-[\w.-]+)?$`)
	for _, name := range locks {
		content, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var lock struct {
			Packages map[string]struct{ Integrity, Resolved, Version string }
		}
		if err := json.Unmarshal(content, &lock); err != nil {
			t.Fatal(err)
		}
		for path, p := range lock.Packages {
			if path != "" && (!strings.HasPrefix(p.Integrity, "sha512-") || p.Resolved != "") {
				t.Errorf("%s: %s has the hash %q and the address %q", name, path, p.Integrity, p.Resolved)
			}
		}
		content, err = os.ReadFile(filepath.Join(filepath.Dir(name), "package.json"))
		if err != nil {
			t.Fatal(err)
		}
		var asked struct {
			Dependencies, DevDependencies, OptionalDependencies, Overrides map[string]string
		}
		if err := json.Unmarshal(content, &asked); err != nil {
			t.Fatal(err)
		}
		for _, list := range []map[string]string{asked.Dependencies, asked.DevDependencies, asked.OptionalDependencies, asked.Overrides} {
			for dependency, version := range list {
				if !exact.MatchString(version) {
					t.Errorf("%s: %s has the version range %q, want an exact version", filepath.Dir(name), dependency, version)
				}
			}
		}
	}
}
