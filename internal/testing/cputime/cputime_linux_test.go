package cputime

import (
	"testing"
	"time"
)

// Sleep costs no processor time, and work does.
func TestOf(t *testing.T) {
	pause := 200 * time.Millisecond
	if took := Of(func() { time.Sleep(pause) }); took > pause/2 {
		t.Errorf("a pause of %v took %v of the processor", pause, took)
	}
	sum, rounds := 0, 1<<16
	for took := time.Duration(0); took < time.Millisecond; rounds *= 2 {
		took = Of(func() {
			for i := range rounds {
				sum += i * sum
			}
		})
	}
}
