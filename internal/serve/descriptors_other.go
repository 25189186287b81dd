//go:build !unix

package serve

import "math"

// descriptors returns how many files and connections this process may have open: the
// system sets no limit.
func descriptors() int { return math.MaxInt32 }
