//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package collection

import (
	"errors"
	"os"
	"syscall"
)

// Lock holds the folder against other runs until the returned file is closed, also by the end of the process. Where the
// file system has no locks it does nothing.
func Lock(dir string) (*os.File, error) {
	f, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); errors.Is(err, syscall.EWOULDBLOCK) {
		f.Close()
		return nil, &TargetError{Dir: dir, Problem: "another run is writing to the folder", Remedy: "wait until it has ended", Err: err}
	}
	return f, nil
}
