//go:build !linux

package child

import "os"

// Output is stdout, because only Linux has libraries that print there.
func Output() (*os.File, error) { return os.Stdout, nil }
