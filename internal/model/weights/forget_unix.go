//go:build unix

package weights

import "golang.org/x/sys/unix"

// forget lets the system free the pages that were read. Reading them again loads them
// from the file.
func (m *mapped) forget() {
	if m.data != nil {
		unix.Madvise(m.data, unix.MADV_DONTNEED) // this is only a hint; if it fails, memory stays in use
	}
}
