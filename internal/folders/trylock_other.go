//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly || windows)

package folders

import "os"

// TryLock does nothing: package syscall has no flock for these systems.
func TryLock(*os.File) error { return nil }
