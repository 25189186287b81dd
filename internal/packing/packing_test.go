package packing

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/console"
	"github.com/vantage-search/vantage/internal/model/packer"
)

// At most MaxSamples samples are read, and a warning says so only if there are more.
func TestSamples(t *testing.T) {
	for texts, warned := range map[int]bool{packer.MaxSamples - 1: false, packer.MaxSamples: false, packer.MaxSamples + 1: true, packer.MaxSamples + 5000: true} {
		path := filepath.Join(t.TempDir(), "samples.txt")
		if err := os.WriteFile(path, []byte(strings.Repeat("night trains help\n", texts)), 0o600); err != nil {
			t.Fatal(err)
		}
		var says strings.Builder
		j := &Job{Samples: path, Console: console.New(&says)}
		if err := j.read(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got, want := len(j.Options.Samples), min(texts, packer.MaxSamples); got != want {
			t.Errorf("%d of %d texts are read, want %d", got, texts, want)
		}
		if got := strings.Contains(says.String(), "more than 10000 texts"); got != warned {
			t.Errorf("%d texts: %q", texts, says.String())
		}
	}
}
