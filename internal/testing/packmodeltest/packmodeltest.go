// Package packmodeltest opens packs for tests.
package packmodeltest

import (
	"io/fs"
	"testing"

	"github.com/vantage-search/vantage/internal/encoder/packmodel"
	"github.com/vantage-search/vantage/internal/testing/quantized"
)

// Tiny opens quantized.TinyFS.
func Tiny(t testing.TB, seed uint64, branch bool) *packmodel.Encoder {
	t.Helper()
	files, err := quantized.TinyFS(seed, branch)
	if err != nil {
		t.Fatal(err)
	}
	return Open(t, files)
}

// Open opens a pack with one thread, and closes it after the test.
func Open(t testing.TB, files fs.FS) *packmodel.Encoder {
	t.Helper()
	e, err := packmodel.Open(t.Context(), files, 1)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	return e
}
