// Package jsonfile reads the files of expected values that tests compare with.
package jsonfile

import (
	"encoding/json"
	"os"
	"testing"
)

// Read parses the file into the value, which is a pointer. A file that cannot be read fails the test.
func Read(t testing.TB, path string, into any) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b, into); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
}
