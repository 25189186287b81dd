// Package wait lets tests wait for what happens elsewhere.
package wait

import (
	"testing"
	"time"
)

// Until returns as soon as a condition holds, and ends the test if it does not within
// a minute, which a busy machine may need.
func Until(t testing.TB, what string, condition func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(2 * time.Millisecond) {
		if condition() {
			return
		}
	}
	t.Fatalf("%s: not within a minute", what)
}
