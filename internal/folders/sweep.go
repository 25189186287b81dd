package folders

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// ErrHeld says that another run has locked a folder or file.
var ErrHeld = fault.New(fault.Unavailable, "another run holds it")

// Sweep removes the files and folders in dir whose names have the prefix and that
// no run has locked: they are leftovers of killed runs. Failures are ignored.
// On a system or a file system without locks, leftovers cannot be recognised and stay.
func Sweep(dir, prefix string) { sweep(dir, prefix, TryLock) }

func sweep(dir, prefix string, lock func(*os.File) error) {
	entries, err := os.ReadDir(dir)
	if err != nil || !locks {
		return
	}
	for _, entry := range entries {
		if !strings.HasPrefix(entry.Name(), prefix) || !entry.IsDir() && !entry.Type().IsRegular() {
			continue
		}
		path := filepath.Join(dir, entry.Name())
		f, err := os.Open(path)
		if err != nil {
			continue
		}
		if lock(f) == nil {
			os.RemoveAll(path)
		}
		f.Close()
	}
}
