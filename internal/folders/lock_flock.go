//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package folders

import (
	"errors"
	"io"
	"os"
	"syscall"
)

// locks reports whether Lock works on this system.
const locks = true

// Lock locks a folder or file against other runs until it is closed or the process
// ends. If another run holds it, the error is ErrHeld. On a file system without
// locks, Lock does nothing.
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

// TryLock locks an open file against other runs until it is closed, without
// waiting. If another run holds it, the error is ErrHeld; other errors mean that
// the file system has no locks.
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
