package folders

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// TryLock locks an open file against other runs until it is closed, without
// waiting. It locks the first byte, as Python's msvcrt.locking does. If another
// run holds it, the error is ErrHeld.
func TryLock(f *os.File) error {
	err := windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, new(windows.Overlapped))
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) || errors.Is(err, windows.ERROR_IO_PENDING) {
		return ErrHeld
	}
	return err
}
