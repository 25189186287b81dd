package corpus

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/vantage-search/vantage"
)

// What is wrong with a corpus is an error of kind input that names the file and the
// line, whether it is found before or while it is read.
func TestErrors(t *testing.T) {
	if _, err := Read("no-such.jsonl"); !errors.Is(err, vantage.ErrInput) || !strings.Contains(err.Error(), "no-such.jsonl") {
		t.Errorf("no file: %v", err)
	}
	path := filepath.Join(t.TempDir(), "c.jsonl")
	if err := os.WriteFile(path, []byte("{\"_id\":\"1\",\"text\":\"one\"}\n{\"_id\":\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	documents, err := Read(path)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 { // it is read again each time
		read := 0
		var broken error
		for d, err := range documents {
			if broken = err; err == nil && d.Text == "one" {
				read++
			}
		}
		if read != 1 || !errors.Is(broken, vantage.ErrInput) || !strings.Contains(broken.Error(), "c.jsonl:2") {
			t.Errorf("%d documents, then %v", read, broken)
		}
	}
}
