package main

import (
	"os"
	"testing"
	"time"
)

// The other processes are this program.
func TestMain(m *testing.M) {
	runRole()
	os.Exit(m.Run())
}

// A tenth of `make load`, with a small model: no text is lost or encoded twice, a
// socket that is idle takes no more memory than it may, and nothing is left.
func TestLoad(t *testing.T) {
	p := plan{Model: "tiny", Idle: 500, Active: 50, Share: .1, Turns: 1, Turn: time.Second}
	if err := build(p, func(p plan) error { return p.measure(false) }); err != nil {
		t.Error(err)
	}
}
