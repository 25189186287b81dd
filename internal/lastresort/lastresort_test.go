package lastresort

import (
	"context"
	"testing"
	"testing/synctest"
	"time"
)

// patient is the time to end for a command that has much to clean up.
const patient = 30 * time.Second

// Only a command that a signal does not end is ended.
func TestLastResort(t *testing.T) {
	for _, c := range []struct {
		name     string
		takes    time.Duration // from the signal to the end of the command
		patience time.Duration // 0 means the default
		ended    bool
	}{
		{"in order", closing - time.Second, 0, false},
		{"held", closing + time.Second, 0, true},
		{"a server that closes", patient - time.Second, patient, false},
		{"a server that is held", patient + time.Second, patient, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, signal := context.WithCancel(t.Context())
				ended := false
				l := New(func() { ended = true })
				done := l.Watch(ctx)
				if c.patience > 0 {
					l.Wait(c.patience)
				}
				time.Sleep(time.Hour) // regardless of how long it ran before
				signal()
				time.Sleep(c.takes)
				done()
				time.Sleep(time.Hour)
				if ended != c.ended {
					t.Errorf("ended: %v", ended)
				}
			})
		})
	}
}
