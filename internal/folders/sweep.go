package folders

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// ErrHeld says that another run is at work on a folder or file.
var ErrHeld = fault.New(fault.Unavailable, "another run holds it")

// Sweep removes from a folder the files and folders whose names begin so and that
// no run holds by Lock: what runs that were killed have left. It is no matter if
// it cannot. Without locks nobody knows what is left, and it stays.
func Sweep(dir, prefix string) {
	entries, err := os.ReadDir(dir)
	if err != nil || !locks {
		return
	}
	for _, entry := range entries {
		if !strings.HasPrefix(entry.Name(), prefix) || !entry.IsDir() && !entry.Type().IsRegular() {
			continue
		}
		path := filepath.Join(dir, entry.Name())
		if held, err := Lock(path); err == nil {
			os.RemoveAll(path)
			held.Close()
		}
	}
}
