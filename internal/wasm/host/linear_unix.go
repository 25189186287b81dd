//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package host

import (
	"github.com/tetratelabs/wazero/experimental"
	"golang.org/x/sys/unix"
)

// linear is the memory of an instance: addresses for as much as it may ever have, of which it has the first part.
// wazero's own is copied into a larger one each time it grows, and until Go collects the old ones a collection takes
// three times its memory.
type linear struct{ addresses []byte }

// newLinear reserves addresses; where the system gives none, wazero's way of doing it is imitated.
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
