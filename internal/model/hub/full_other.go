//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly || windows)

package hub

// isFull cannot be told here.
func isFull(error) bool { return false }
