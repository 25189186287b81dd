//go:build unix

package serve

import (
	"math"

	"golang.org/x/sys/unix"
)

// descriptors returns how many files and connections this process may have open. Go's
// runtime has already raised the soft limit to the hard one.
func descriptors() int {
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &limit); err != nil || uint64(limit.Cur) > math.MaxInt32 {
		return math.MaxInt32
	}
	return int(limit.Cur)
}
