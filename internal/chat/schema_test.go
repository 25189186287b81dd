package chat

import (
	"os"
	"path/filepath"
	"testing"
)

// Schemas are made when the program starts, which may be in a folder that has been removed.
func TestSchemaInNoFolder(t *testing.T) {
	gone := filepath.Join(t.TempDir(), "gone")
	if err := os.Mkdir(gone, 0o700); err != nil {
		t.Fatal(err)
	}
	t.Chdir(gone)
	if err := os.Remove(gone); err != nil {
		t.Skipf("the working directory cannot be removed here: %v", err)
	}
	if err := NewSchema("colour", colour.text).check([]byte(`{"colour":"red"}`)); err != nil {
		t.Error(err)
	}
}
