package transformer

import (
	"strconv"

	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/internal/wasm/kernel/dense"
)

// QuantizedConfig describes an encoder of BERT's family with weights of 8 bits:
// absolute positions, a layer norm after each residual.
type QuantizedConfig struct {
	Vocabulary, Hidden, Layers, Heads, Intermediate int
	Positions                                       int // rows of the position table
	FirstPosition                                   int // row of the first token: 0, or padding id + 1 in RoBERTa
	Types                                           int // rows of the token type table; 0: none
	Epsilon                                         float32
	Activation                                      dense.Activation // GELU, GELUTanh, ReLU or Tanh
	Limit                                           int              // most tokens of a text; 0: as many as there are positions

	CLS       bool             // a text's vector is its first token's state; else the mean of all
	Dense     []QuantizedDense // layers that the vector goes through after the pooling
	Normalize bool             // to unit length, at the end

	Labels int             // outputs of a classification head on the first token; 0: none
	Branch QuantizedBranch // a second vector
	Reader QuantizedReader // of queries

	Tokens int // components of the vector of each token (ColBERT); 0: there are none
}

// QuantizedDense is a layer on a text's vector.
type QuantizedDense struct {
	Name       string // of the tensors, without .weight and .bias; the bias is optional
	Out        int
	Activation dense.Activation // None, GELU, GELUTanh, ReLU or Tanh
}

// QuantizedBranch leaves the trunk after some of its layers and goes through layers
// of its own. Its vector is the mean over the tokens, projected without bias and of
// unit length. Its tensors are named "branch.0.attention…" and so on, and
// "projection.weight".
type QuantizedBranch struct {
	From   int // layers of the trunk that it shares
	Layers int // of its own; 0: there is no branch
	Out    int
}

// QuantizedReader reads queries from the trunk's states: see pack.Reader.
type QuantizedReader struct {
	States []int // layers, counted from 1
	Width  int   // 0: there is no reader
	Labels int
}

// Bounds of a QuantizedConfig. Within them, and with weights of magnitude
// QuantizedMagnitude at most, no intermediate result overflows float32: the
// largest are the squares in the norm that ends a layer.
const (
	QuantizedHidden       = 2048
	QuantizedIntermediate = 8192
	QuantizedLayers       = 64
	QuantizedPositions    = 8192
	QuantizedVocabulary   = 1 << 20
	QuantizedMagnitude    = 512
)

// Check refuses what the engine cannot compute.
func (c *QuantizedConfig) Check() error {
	for _, bound := range []struct {
		what             string
		value, low, high int
	}{
		{"the vocabulary", c.Vocabulary, 1, QuantizedVocabulary},
		{"the hidden size", c.Hidden, 16, QuantizedHidden},
		{"the number of layers", c.Layers, 1, QuantizedLayers},
		{"the number of attention heads", c.Heads, 1, c.Hidden},
		{"the intermediate size", c.Intermediate, 16, QuantizedIntermediate},
		{"the number of positions", c.Positions, 1, QuantizedPositions},
		{"the first position", c.FirstPosition, 0, c.Positions - 1},
		{"the number of token types", c.Types, 0, 16},
		{"the limit of tokens", c.Limit, 0, c.Positions - c.FirstPosition},
		{"the number of dense layers", len(c.Dense), 0, 2},
		{"the number of labels", c.Labels, 0, QuantizedHidden},
		{"the number of the branch's layers", c.Branch.Layers, 0, QuantizedLayers},
		{"the width of the vectors of tokens", c.Tokens, 0, QuantizedHidden},
		// The reader's inputs are rounded in memory that the layers leave.
		{"the number of inputs of the reader", len(c.Reader.States) * c.Hidden, 0, max(c.Hidden, c.Intermediate)},
		{"five times the width of the reader", near * c.Reader.Width, 0, max(c.Hidden, c.Intermediate)},
		{"the number of the reader's labels", c.Reader.Labels, 0, QuantizedHidden},
	} {
		if err := within(bound.what, bound.value, bound.low, bound.high); err != nil {
			return err
		}
	}
	for _, size := range []struct {
		what  string
		value int
	}{{"the hidden size", c.Hidden}, {"the intermediate size", c.Intermediate}} {
		if size.value%16 != 0 {
			return refused(size.what + " is " + strconv.Itoa(size.value) + ", which is no multiple of 16")
		}
	}
	if err := heads(c.Hidden, c.Heads); err != nil {
		return fault.As(fault.Input, err)
	}
	if !(c.Epsilon >= 1e-15 && c.Epsilon <= 1) {
		return refused("epsilon of the layer norms is " + strconv.FormatFloat(float64(c.Epsilon), 'g', -1, 32) + ", it must lie between 1e-15 and 1")
	}
	if c.Activation == dense.None || c.Activation.CheckExact() != nil {
		return refused("the activation of the layers is none of GELU, GELU by tanh, ReLU and tanh")
	}
	for i, d := range c.Dense {
		high := QuantizedHidden
		if i < len(c.Dense)-1 {
			high = min(3*c.Hidden, max(c.Hidden, c.Intermediate)) // its outputs are in memory that the layers leave
		}
		if d.Activation.CheckExact() != nil {
			return refused("the activation of " + d.Name + " is not none, GELU, GELU by tanh, ReLU or tanh")
		}
		if err := within("the outputs of "+d.Name, d.Out, 1, high); err != nil {
			return err
		}
	}
	if c.Branch.Layers == 0 {
		return nil
	}
	if err := within("the layer that the branch leaves", c.Branch.From, 0, c.Layers); err != nil {
		return err
	}
	return within("the width of the branch", c.Branch.Out, 1, QuantizedHidden)
}

func within(what string, value, low, high int) error {
	if value >= low && value <= high {
		return nil
	}
	return refused(what + " is " + strconv.Itoa(value) + ", it must lie between " + strconv.Itoa(low) + " and " + strconv.Itoa(high))
}

func refused(why string) error { return fault.New(fault.Input, "the model is refused: "+why) }

// MaxTokens of a text.
func (c *QuantizedConfig) MaxTokens() int {
	if c.Limit > 0 {
		return c.Limit
	}
	return c.Positions - c.FirstPosition
}

// Dim is the number of components of a text's vector.
func (c *QuantizedConfig) Dim() int {
	if n := len(c.Dense); n > 0 {
		return c.Dense[n-1].Out
	}
	return c.Hidden
}
