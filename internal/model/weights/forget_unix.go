//go:build unix

package weights

import "golang.org/x/sys/unix"

// forget lets the system take back the pages that were read; whoever reads them
// again gets them from the file.
func (m *mapped) forget() {
	if m.data != nil {
		unix.Madvise(m.data, unix.MADV_DONTNEED) // a hint: memory stays in use if it fails
	}
}
