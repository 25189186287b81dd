// Package cputime measures the processor time of a function for tests that bound its work.
// Unlike the time on the clock, it does not grow on a busy machine.
package cputime

import (
	"runtime"
	"time"

	"golang.org/x/sys/unix"
)

// Of calls f and returns the processor time that this took on the calling goroutine's thread.
// Work on other goroutines is not in it.
func Of(f func()) time.Duration {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	before := used()
	f()
	return used() - before
}

func used() time.Duration {
	var u unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_THREAD, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
