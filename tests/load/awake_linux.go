package main

import (
	"io"
	"os"
	"os/exec"
	"runtime"

	"golang.org/x/sys/unix"

	"github.com/vantage-search/vantage/tests/peer"
)

// keepAwake starts a process that has each processor compute where there is nothing
// else to do. A processor that sleeps takes long to wake, on a virtual machine up to
// milliseconds: a text that is served waits for that several times, and one that is
// encoded in place does not, as neither would on a server that has work.
func keepAwake() (*peer.Process, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	command := exec.Command(self)
	// A thread that computes without end cannot be stopped for another goroutine's sake.
	command.Env = append(os.Environ(), roleVariable+"="+awakeRole, "GODEBUG=asyncpreemptoff=1", "GOGC=off")
	return peer.Start(command)
}

// stayAwake is that process. It ends with its standard input.
func stayAwake(in io.Reader) int {
	var all unix.CPUSet
	if err := unix.SchedGetaffinity(0, &all); err != nil {
		return 1
	}
	runtime.GOMAXPROCS(all.Count() + 1)
	for left, processor := all.Count(), 0; left > 0; processor++ {
		if all.IsSet(processor) {
			left--
			go occupy(processor)
		}
	}
	io.Copy(io.Discard, in)
	return 0
}

// occupy computes on a processor wherever nothing else would.
func occupy(processor int) {
	runtime.LockOSThread()
	var one unix.CPUSet
	one.Set(processor)
	if unix.SchedSetaffinity(0, &one) != nil || unix.SchedSetAttr(0, &unix.SchedAttr{Policy: unix.SCHED_IDLE}, 0) != nil {
		return // never at the cost of what is measured
	}
	//lint:ignore SA5002 which is the point
	for {
	}
}
