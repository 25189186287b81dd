package child

import (
	"os"

	"golang.org/x/sys/unix"
)

// Output returns the process's original stdout and redirects stdout to stderr, so that
// output of libraries cannot mix with the frames.
func Output() (*os.File, error) {
	out, err := unix.FcntlInt(1, unix.F_DUPFD_CLOEXEC, 3)
	if err != nil {
		return nil, os.NewSyscallError("fcntl", err)
	}
	if err := unix.Dup3(2, 1, 0); err != nil {
		return nil, os.NewSyscallError("dup3", err)
	}
	return os.NewFile(uintptr(out), "frames"), nil
}
