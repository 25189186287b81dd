//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package folders

import (
	"errors"
	"io"
	"os"
	"syscall"
)

// locks says that Lock holds something here.
const locks = true

// Lock holds a folder or file against other runs until it is closed, also by the
// end of the process. What another run holds is ErrHeld. Where the file system
// has no locks it does nothing.
func Lock(path string) (io.Closer, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); errors.Is(err, syscall.EWOULDBLOCK) {
		f.Close()
		return nil, ErrHeld
	}
	return f, nil
}
