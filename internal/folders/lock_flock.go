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
// end of the process. What another run holds is ErrHeld. If the file system
// has no locks it does nothing.
func Lock(path string) (io.Closer, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	if err := TryLock(f); errors.Is(err, ErrHeld) {
		f.Close()
		return nil, ErrHeld
	}
	return f, nil
}

// TryLock holds an open file against other runs until it is closed, without
// waiting. What another run holds is ErrHeld; other errors say that the file system
// has no locks.
func TryLock(f *os.File) error {
	for {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		switch {
		case errors.Is(err, syscall.EINTR):
			continue
		case errors.Is(err, syscall.EWOULDBLOCK):
			return ErrHeld
		}
		return err
	}
}
