//go:build cuda

package xla

import "testing"

// device opens the first GPU: with the build tag cuda, all tests of this package need one.
func device(t *testing.T, bf16 bool) *Device {
	t.Helper()
	d, err := OpenCUDA(0, bf16, func(text string) { t.Log(text) })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(d.Close)
	return d
}
