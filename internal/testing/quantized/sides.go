package quantized

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/vantage-search/vantage/internal/model/weights"
	"github.com/vantage-search/vantage/internal/wasm/kernel/dense"
	"github.com/vantage-search/vantage/internal/wasm/transformer"
)

// MiniLM is the shape of all-MiniLM-L6-v2 with a vocabulary of 16,000, and of the
// branch of ../shared/model/sides.
var MiniLM = transformer.QuantizedConfig{
	Vocabulary: 16000, Hidden: 384, Layers: 6, Heads: 12, Intermediate: 1536, Positions: 512, Types: 2, Epsilon: 1e-12,
	Activation: dense.GELU, Limit: 256, Normalize: true, Branch: transformer.QuantizedBranch{From: 2, Layers: 4, Out: 128},
}

// Sides reads the model of ../shared/model/sides, its trunk rounded to 4 bits if
// four is set (the branch's values are on that grid already). Close closes the files.
func Sides(dir string, four bool) (w Weights, close func(), err error) {
	return WithBranch(dir, filepath.Join(dir, "angle", "branch.safetensors"), four)
}

// WithBranch is Sides with another branch.
func WithBranch(dir, branch string, four bool) (w Weights, close func(), err error) {
	topic, err := weights.Open(filepath.Join(dir, "topic"))
	if err != nil {
		return w, nil, err
	}
	angle, err := weights.OpenFile(branch)
	if err != nil {
		topic.Close()
		return w, nil, err
	}
	return Weights{[]transformer.Tensors{topic, angle}, four}, func() { topic.Close(); angle.Close() }, nil
}

// Golden are texts and their vectors by PyTorch in float32, of the trunk as stored and rounded to
// 4 bits: of the model of ../shared/model/sides, or of the bundled pack (internal/recipes/sides).
type Golden struct {
	Texts []struct {
		Text           string
		IDs            []uint32
		Topic, Angle   []float32
		Topic4, Angle4 []float32
	}
}

// ReadGolden reads golden.json.
func ReadGolden(dir string) (g Golden, err error) {
	b, err := os.ReadFile(filepath.Join(dir, "golden.json"))
	if err == nil {
		err = json.Unmarshal(b, &g)
	}
	if err == nil && len(g.Texts) == 0 {
		err = fmt.Errorf("%s: golden.json has no texts", dir)
	}
	return g, err
}
