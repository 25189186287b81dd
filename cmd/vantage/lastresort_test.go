package main

import (
	"context"
	"testing"
	"testing/synctest"
	"time"
)

// A command that a signal does not end is ended, one that ends is not.
func TestLastResort(t *testing.T) {
	for _, c := range []struct {
		name     string
		takes    time.Duration // from the signal to the end of the command
		patience time.Duration // 0: that of most commands
		ended    bool
	}{
		{"in order", closing - time.Second, 0, false},
		{"held", closing + time.Second, 0, true},
		{"a server that closes", serveClosing - time.Second, serveClosing, false},
		{"a server that is held", serveClosing + time.Second, serveClosing, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, signal := context.WithCancel(t.Context())
				ended := false
				l := newLastResort(func() { ended = true })
				done := l.watch(ctx)
				if c.patience > 0 {
					l.patience.Store(int64(c.patience))
				}
				time.Sleep(time.Hour) // however long it runs before
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
