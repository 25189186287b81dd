package file

import (
	"errors"
	"io/fs"
	"os"

	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// CheckFolder returns an error if an input folder cannot be used.
func CheckFolder(dir, remedy string) error {
	switch info, err := os.Stat(dir); {
	case errors.Is(err, fs.ErrNotExist):
		return fault.Errorf(fault.Input, "%s: no such folder: check the path, or %s", dir, remedy)
	case err != nil:
		return err
	case !info.IsDir():
		return fault.Errorf(fault.Input, "%s: a file where a folder is expected: check the path, or %s", dir, remedy)
	}
	return nil
}
