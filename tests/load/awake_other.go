//go:build !linux

package main

import (
	"io"

	"github.com/vantage-search/vantage/tests/peer"
)

// keepAwake does nothing where threads cannot be told to run only when no other does.
func keepAwake() (*peer.Process, error) { return nil, nil }

func stayAwake(io.Reader) int { return 0 }
