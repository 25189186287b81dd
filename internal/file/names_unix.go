//go:build unix

package file

import (
	"io/fs"
	"syscall"
)

// names is the number of names of a file (hard links).
func names(info fs.FileInfo) uint64 {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(stat.Nlink)
	}
	return 1
}
