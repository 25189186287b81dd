package packs

import (
	"errors"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/vantage-search/vantage"
	"github.com/vantage-search/vantage/internal/testing/quantized"
)

// A folder that is not a pack, or only a part of one, is an error that says what to do.
func TestOpenFaults(t *testing.T) {
	if _, err := Open(fstest.MapFS{}); !errors.Is(err, vantage.ErrInput) || !strings.Contains(err.Error(), "vantage model pack") {
		t.Error(err)
	}
	files, err := quantized.TinyFS(1, true)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Open(files); err != nil {
		t.Error(err)
	}
	for name := range files {
		if strings.HasSuffix(name, ".bin") {
			delete(files, name)
		}
	}
	if _, err := Open(files); !errors.Is(err, vantage.ErrIntegrity) || !strings.Contains(err.Error(), "copy the pack again") {
		t.Error(err)
	}
}
