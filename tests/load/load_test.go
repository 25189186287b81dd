package main

import (
	"os"
	"testing"
	"time"
)

// The clients' process is this program.
func TestMain(m *testing.M) {
	if os.Getenv(clientVariable) != "" {
		os.Exit(runClient(os.Stdin, os.Stdout))
	}
	os.Exit(m.Run())
}

// A tenth of `make load`, with a small model: no text is lost or encoded twice, a
// socket that is idle takes no more memory than it may, and nothing is left.
func TestLoad(t *testing.T) {
	if err := measure(plan{Model: "tiny", Idle: 500, Active: 50, Share: .1, Turns: 1, Turn: time.Second}, false); err != nil {
		t.Error(err)
	}
}
