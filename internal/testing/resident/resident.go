// Package resident reads the resident memory of a process, on Linux.
package resident

import (
	"fmt"
	"os"
	"strings"
)

// Of returns the bytes of memory that a process has now, and the most that it has had
// (since the last write to its clear_refs).
func Of(pid int) (now, most int64, err error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, 0, err
	}
	for line := range strings.Lines(string(status)) {
		var kilobytes int64
		if n, _ := fmt.Sscanf(line, "VmRSS: %d", &kilobytes); n == 1 {
			now = kilobytes << 10
		}
		if n, _ := fmt.Sscanf(line, "VmHWM: %d", &kilobytes); n == 1 {
			most = kilobytes << 10
		}
	}
	return now, most, nil
}
