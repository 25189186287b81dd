// Package wait lets tests wait for a condition.
package wait

import (
	"testing"
	"time"
)

// Until returns as soon as a condition holds. It fails the test after a minute, which
// is long enough for a busy machine.
func Until(t testing.TB, what string, condition func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(2 * time.Millisecond) {
		if condition() {
			return
		}
	}
	t.Fatalf("%s: not within a minute", what)
}
