package client

import (
	"testing"
	"time"
)

// Attempts come after a random time below a bound that doubles, up to a limit.
func TestBackoff(t *testing.T) {
	for failures, bound := 0, leastWait; failures < 100; failures, bound = failures+1, min(2*bound, mostWait) {
		var least, most time.Duration = time.Hour, 0
		for range 200 {
			d := backoff(failures)
			least, most = min(least, d), max(most, d)
		}
		if least < 1 || most > bound || most < 3*bound/4 || least > bound/4 { // chance fails this once in (4/3)²⁰⁰ times
			t.Errorf("after %d failures: %v to %v, want up to %v", failures, least, most, bound)
		}
	}
}
