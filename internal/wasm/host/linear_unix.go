//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package host

import (
	"github.com/tetratelabs/wazero/experimental"
	"golang.org/x/sys/unix"
)

// linear is the memory of an instance. It reserves addresses for the maximum size and grows in place. wazero's own
// memory is copied each time it grows, and until the old copies are garbage-collected, an instance takes three times
// its memory.
type linear struct{ addresses []byte }

// newLinear reserves addresses. If the system refuses, it copies memory as wazero does.
func newLinear(_, most uint64) experimental.LinearMemory {
	addresses, err := unix.Mmap(-1, 0, int(most), unix.PROT_NONE, unix.MAP_PRIVATE|unix.MAP_ANON)
	if err != nil {
		return &copied{}
	}
	return &linear{addresses}
}

func (l *linear) Reallocate(size uint64) []byte {
	if err := unix.Mprotect(l.addresses[:size], unix.PROT_READ|unix.PROT_WRITE); err != nil {
		return nil
	}
	return l.addresses[:size]
}

func (l *linear) Free() {
	unix.Munmap(l.addresses)
	l.addresses = nil
}
