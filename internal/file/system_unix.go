//go:build unix

package file

import (
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// names is the number of names of a file (hard links).
func names(info fs.FileInfo) uint64 {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(stat.Nlink)
	}
	return 1
}

// duplicate returns a file for a stream of this process. Closing the file does not close the stream.
func duplicate(n int, name string) (*os.File, error) {
	fd, err := unix.FcntlInt(uintptr(n), unix.F_DUPFD_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(fd), name), nil
}
