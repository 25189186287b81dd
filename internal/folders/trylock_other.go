//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly || windows)

package folders

import "os"

// TryLock does nothing: the standard library has no locks for this system.
func TryLock(*os.File) error { return nil }
