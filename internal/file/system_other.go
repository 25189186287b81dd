//go:build !unix

package file

import (
	"errors"
	"io/fs"
	"os"
)

// names is 1, because a FileInfo does not tell a file's number of names on this system.
func names(fs.FileInfo) uint64 { return 1 }

// duplicate is never called, because streams have no paths on this system.
func duplicate(int, string) (*os.File, error) { return nil, errors.ErrUnsupported }
