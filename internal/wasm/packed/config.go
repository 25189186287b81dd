package packed

import (
	"strconv"

	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/internal/wasm/kernel/dense"
	"github.com/vantage-search/vantage/internal/wasm/pack"
	"github.com/vantage-search/vantage/internal/wasm/transformer"
)

var activations = map[string]dense.Activation{
	pack.GELU: dense.GELU, pack.GELUTanh: dense.GELUTanh, pack.ReLU: dense.ReLU, pack.Tanh: dense.Tanh, pack.Identity: dense.None,
}

// Config is a pack's configuration in the engine's form. It checks nothing:
// QuantizedConfig.Check refuses what the engine cannot compute.
func Config(m *pack.Manifest) transformer.QuantizedConfig {
	c := &m.Config
	q := transformer.QuantizedConfig{
		Vocabulary: c.Vocabulary, Hidden: c.Hidden, Layers: c.Layers, Heads: c.Heads, Intermediate: c.Intermediate, Positions: c.Positions, Types: c.Types,
		Epsilon: float32(c.Epsilon), Activation: activations[c.Activation], Limit: c.MaxLength,
		CLS: c.Pooling == pack.CLS, Normalize: c.Normalize, Labels: len(c.Labels),
	}
	for i, d := range c.Dense {
		q.Dense = append(q.Dense, transformer.QuantizedDense{Name: "dense." + strconv.Itoa(i), Out: d.Out, Activation: activations[d.Activation]})
	}
	if c.Tokens != nil {
		q.Tokens = c.Tokens.Dimension
	}
	if b := c.Branch; b != nil {
		q.Branch = transformer.QuantizedBranch{From: b.From, Layers: b.Layers, Out: b.Dimension}
	}
	if r := c.Reader; r != nil {
		q.Reader = transformer.QuantizedReader{States: r.States, Width: r.Width, Labels: len(r.Labels)}
	}
	return q
}

var errNotRead = fault.New(fault.Unavailable, "the model's vocabulary and trunk are not there yet: read their files first")
