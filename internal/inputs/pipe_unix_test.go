//go:build unix

package inputs

import (
	"context"
	"errors"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// Nobody writes to the pipe. Cancelling the context ends the wait.
func TestReadGivesUp(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := unix.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if _, err := Read(ctx, pipe, text); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
	// The call of open still waits, so open the other end for it. It then closes its own end.
	f, err := unix.Open(pipe, unix.O_WRONLY|unix.O_NONBLOCK, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(f)
	for end := time.Now().Add(5 * time.Second); ; time.Sleep(time.Millisecond) {
		if _, err := unix.Write(f, []byte("x")); errors.Is(err, unix.EPIPE) {
			return
		} else if err != nil || time.Now().After(end) {
			t.Fatalf("the pipe is still open: %v", err)
		}
	}
}
