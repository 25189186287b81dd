//go:build !linux

package child

import "os"

// Output is stdout: only on Linux are there libraries that print there.
func Output() (*os.File, error) { return os.Stdout, nil }
