package model

import (
	"encoding/binary"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/vantage-search/vantage/internal/model/modeltest"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/internal/wasm/shard"
	"github.com/vantage-search/vantage/internal/wasm/transformer"
)

// Weights that are not finite are refused, also where the softmax of attention would hide them.
func TestWeightsNotFinite(t *testing.T) {
	dir := t.TempDir()
	if err := modeltest.Small.Write(dir, 1); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "model.safetensors")
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for name, at := range map[string]int{"query.weight": 7, "query.bias": 0, "key.weight": 0, "key.bias": 3, "value.weight": 1} {
		for _, value := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
			damaged := append([]byte(nil), whole...)
			file, err := shard.ParseSafetensors(damaged)
			if err != nil {
				t.Fatal(err)
			}
			full := "encoder.layer.1.attention.self." + name
			tensor, ok := file.Tensor(full)
			if !ok {
				t.Fatalf("no tensor %s", full)
			}
			binary.LittleEndian.PutUint32(tensor.Data[4*at:], math.Float32bits(float32(value)))
			if err := os.WriteFile(path, damaged, 0o600); err != nil {
				t.Fatal(err)
			}
			_, err = Open(t.Context(), dir, Options{})
			if found, ok := errors.AsType[*transformer.NonFiniteError](err); !ok || found.Name != full || found.Index != at || fault.Of(err) != fault.Input {
				t.Errorf("%s has %s: %v", full, strconv.FormatFloat(value, 'g', -1, 64), err)
			}
		}
	}
}
