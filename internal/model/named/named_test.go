package named

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/model"
	"github.com/vantage-search/vantage/internal/model/modeltest"
	"github.com/vantage-search/vantage/internal/wasm/fault"
)

func TestDevice(t *testing.T) {
	for in, want := range map[string]string{"cpu": "cpu", "process": "process", "cuda": "cuda", "cuda:0": "cuda", "cuda:1": "cuda:1", "cuda:1023": "cuda:1023"} {
		var d Device
		if err := d.Set(in); err != nil || d.String() != want || d.Here() != (want == "cpu") {
			t.Errorf("%s: %s, %v", in, d.String(), err)
		}
	}
	for _, in := range []string{"", "gpu", "cuda:", "cuda:-1", "cuda:1024", "cuda:x", "cpu:1", "process:0"} {
		var d Device
		if err := d.Set(in); err == nil {
			t.Errorf("%q was taken as %s", in, d.String())
		}
	}
	if err := (&Device{BF16: true}).Check(); !errors.Is(err, fault.Query) {
		t.Errorf("bfloat16 without a GPU: %v", err)
	}
}

// A name that is neither a folder nor valid on the hub is a fault of the input. A folder
// is found and opens under its name.
func TestFind(t *testing.T) {
	ctx := context.Background()
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"no-such-model", "./no/such", "/no/such/model", file, "a/b/c@d"} {
		if _, err := Find(ctx, name, nil); !errors.Is(err, fault.Input) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if m, err := Find(ctx, Builtin, nil); err != nil || !m.Static || m.Name() != Builtin {
		t.Errorf("%+v, %v", m, err)
	}
	transformer := filepath.Join(dir, "transformer")
	if err := modeltest.Write(transformer, 1); err != nil {
		t.Fatal(err)
	}
	m, err := Find(ctx, transformer, nil)
	if err != nil || m.Static || m.Name() != "transformer" {
		t.Fatalf("%+v, %v", m, err)
	}
	encoder, err := m.Open(ctx, model.Options{}, Device{})
	if err != nil {
		t.Fatal(err)
	}
	defer encoder.Close()
	if id := encoder.Info().ID; id != m.Name() {
		t.Errorf("found as %s, opened as %s", m.Name(), id)
	}
	if _, err := LoadStatic(ctx, transformer, nil); err == nil || !strings.Contains(err.Error(), "is a transformer") {
		t.Error(err)
	}
}
