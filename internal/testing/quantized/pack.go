package quantized

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/vantage-search/vantage/internal/model/modeltest"
	"github.com/vantage-search/vantage/internal/wasm/kernel/dense"
	"github.com/vantage-search/vantage/internal/wasm/pack"
	"github.com/vantage-search/vantage/internal/wasm/pack/packfile"
	"github.com/vantage-search/vantage/internal/wasm/shard"
	"github.com/vantage-search/vantage/internal/wasm/transformer"
)

var activations = map[dense.Activation]string{
	dense.None: pack.Identity, dense.GELU: pack.GELU, dense.GELUTanh: pack.GELUTanh, dense.ReLU: pack.ReLU, dense.Tanh: pack.Tanh,
}

// TinyPack is a pack of random weights of 8 bits over the words of modeltest, whose
// number replaces the configuration's vocabulary.
func TinyPack(c transformer.QuantizedConfig, seed uint64) (packfile.Files, error) {
	return tinyPack(c, seed, false)
}

// FourBitPack is TinyPack with weights of 4 bits. In the first layer, the scales are multiples of
// a fraction (1/pack.Steps) of the greatest scale of their row, as package packer makes them.
func FourBitPack(c transformer.QuantizedConfig, seed uint64) (packfile.Files, error) {
	return tinyPack(c, seed, true)
}

func tinyPack(c transformer.QuantizedConfig, seed uint64, four bool) (packfile.Files, error) {
	tokenizer, pieces := modeltest.Tokenizer(), modeltest.Vocabulary()
	delete(tokenizer["model"].(modeltest.Object), "vocab")
	text, err := json.Marshal(tokenizer)
	if err != nil {
		return nil, err
	}
	c.Vocabulary = len(pieces)
	return Pack(c, Random(c, seed), text, pieces, four)
}

// SidesPack is a pack of the model of ../shared/model/sides, rounded to 4 bits as Round4 does.
func SidesPack(dir string) (packfile.Files, error) {
	w, close, err := Sides(dir, false)
	if err != nil {
		return nil, err
	}
	defer close()
	vocabulary, err := os.ReadFile(filepath.Join(dir, "topic", "vocab.txt"))
	if err != nil {
		return nil, err
	}
	text, err := os.ReadFile(filepath.Join(dir, "topic", "tokenizer.json"))
	if err != nil {
		return nil, err
	}
	var tokenizer map[string]any
	if err := json.Unmarshal(text, &tokenizer); err != nil {
		return nil, err
	}
	delete(tokenizer["model"].(map[string]any), "vocab")
	if text, err = json.Marshal(tokenizer); err != nil {
		return nil, err
	}
	return Pack(MiniLM, w, text, strings.Split(strings.TrimSuffix(string(vocabulary), "\n"), "\n"), true)
}

// Pack is a pack of an encoder's weights, its matrices of 4 bits or else of 8.
func Pack(c transformer.QuantizedConfig, t transformer.Tensors, tokenizer []byte, pieces []string, four bool) (packfile.Files, error) {
	m := pack.Manifest{Kind: pack.Encoder, ID: "test", Config: pack.Config{
		Layers: c.Layers, Heads: c.Heads, Hidden: c.Hidden, Intermediate: c.Intermediate, Positions: c.Positions, Types: max(1, c.Types), Epsilon: float64(c.Epsilon),
		Activation: activations[c.Activation], Pooling: pack.Mean, Normalize: c.Normalize, MaxLength: c.Limit,
	}}
	if c.CLS {
		m.Config.Pooling = pack.CLS
	}
	if c.Limit == 0 {
		m.Config.MaxLength = c.Positions
	}
	for _, d := range c.Dense {
		m.Config.Dense = append(m.Config.Dense, pack.Dense{Out: d.Out, Activation: activations[d.Activation], Bias: true})
	}
	if b := c.Branch; b.Layers > 0 {
		m.Config.Branch = &pack.Branch{From: b.From, Layers: b.Layers, Dimension: b.Out}
	}
	if r := c.Reader; r.Width > 0 {
		m.Config.Reader = &pack.Reader{States: r.States, Width: r.Width, Labels: ReaderLabels[:r.Labels]}
	}
	if c.Tokens > 0 {
		m.Config.Pooling, m.Config.Normalize = pack.Unpooled, true
		m.Config.Tokens = tokensOf(pieces, c.Tokens, m.Config.MaxLength)
	}
	content := packfile.Content{Tokenizer: tokenizer, Pieces: pieces, Tensors: map[string]packfile.Tensor{}}
	m.Config.Vocabulary = len(pieces)
	var err error
	for _, section := range []string{pack.Trunk, pack.BranchSection, pack.ReaderSection} {
		m.Config.Needs(m.Kind, section, func(n pack.Need) {
			values, shape, ok := t.Tensor(n.Name)
			if !ok || n.Matrix && !slices.Equal(shape, n.Shape) {
				err = fmt.Errorf("tensor %s is %v, not %v", n.Name, shape, n.Shape)
				return
			}
			content.Tensors[n.Name] = stored(n, values, four)
		})
	}
	if err != nil {
		return nil, err
	}
	return packfile.Build(m, content)
}

// tokensOf are the settings of a ColBERT whose queries have a quarter of the tokens that a
// document may have.
func tokensOf(pieces []string, dim, most int) *pack.Tokens {
	t := &pack.Tokens{Dimension: dim, QueryLength: max(4, most/4), DocumentLength: most}
	t.QueryMarker, t.DocumentMarker, t.Mask = slices.Index(pieces, "[unused0]"), slices.Index(pieces, "[unused1]"), slices.Index(pieces, "[MASK]")
	for id, piece := range pieces {
		if len(piece) == 1 && strings.Contains(".,:;!?-", piece) {
			t.Skip = append(t.Skip, id)
		}
	}
	return t
}

func stored(n pack.Need, values []float32, four bool) (t packfile.Tensor) {
	if !n.Matrix {
		t.Encoding, t.Payload = packfile.Floats(values)
		return t
	}
	if t.Encoding = pack.Q8; four {
		t.Encoding = pack.Q4
	}
	for in := n.Shape[1]; len(values) > 0; values = values[in:] {
		if row := values[:in]; four {
			q, scales := round4(row)
			if strings.HasPrefix(n.Name, "encoder.layer.0.") {
				snap(scales)
			}
			t.Payload = packfile.AppendQ4(t.Payload, q, scales)
		} else {
			t.Payload = packfile.AppendQ8(t.Payload, row)
		}
	}
	return t
}

// round4 rounds a row to 4 bits, with the bits of a half-float scale for each 32.
func round4(row []float32) (values []int8, scales []uint16) {
	for len(row) > 0 {
		group := row[:min(pack.Group, len(row))]
		row = row[len(group):]
		half := shard.F32ToF16(greatest(group) / 7)
		scales = append(scales, half)
		for _, v := range group {
			q := 0.
			if scale := shard.F16ToF32(half); scale > 0 {
				q = max(-7, min(7, math.RoundToEven(float64(v/scale))))
			}
			values = append(values, int8(q))
		}
	}
	return values, scales
}

// snap moves scales to multiples of 1/pack.Steps of the greatest.
func snap(scales []uint16) {
	greatest := float64(shard.F16ToF32(slices.Max(scales)))
	for i, bits := range scales {
		m := math.Round(float64(shard.F16ToF32(bits)) / greatest * pack.Steps)
		scales[i] = shard.F32ToF16(float32(m * greatest / pack.Steps))
	}
}
