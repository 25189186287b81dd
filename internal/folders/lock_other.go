//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package folders

import "io"

// locks reports whether Lock works on this system.
const locks = false

// Lock does nothing: Windows can lock only files, and the other systems here have no flock.
func Lock(string) (io.Closer, error) { return nothing{}, nil }

type nothing struct{}

func (nothing) Close() error { return nil }
