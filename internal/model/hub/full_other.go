//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly || windows)

package hub

// isFull is false, because this system's errors do not tell.
func isFull(error) bool { return false }
