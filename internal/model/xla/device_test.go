//go:build !cuda

package xla

import (
	"testing"

	"github.com/gomlx/gomlx/backends/simplego"
)

// device returns GoMLX's backend in plain Go.
func device(t *testing.T, bf16 bool) *Device {
	t.Helper()
	b, err := simplego.New("")
	if err != nil {
		t.Fatal(err)
	}
	d := New(b, "Go", bf16)
	t.Cleanup(d.Close)
	return d
}
