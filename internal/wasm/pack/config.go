package pack

import (
	"strconv"
)

// Limits of a pack. They bound what reading one takes, whatever its manifest says.
const (
	MaxManifest = 4 << 20   // bytes of pack.json
	MaxFile     = 1_000_000 // bytes of a payload file
	MaxMemory   = 512 << 20 // bytes of all tensors in memory

	maxLayers       = 64
	maxHidden       = 4096
	maxIntermediate = 16384
	maxVocabulary   = 1 << 20
	maxPositions    = 1 << 16
	maxTypes        = 16
	maxDense        = 8
	maxLabels       = 1024
	maxReadings     = 64       // labels of a reader, and bytes of a label
	maxStates       = 8        // layers that a reader looks at
	maxText         = 64 << 10 // bytes of a text of the manifest
	maxEntries      = 4096     // of a table of the manifest
)

const smaller = "choose a smaller model"

// Kinds of packs.
const (
	Encoder    = "encoder"
	Classifier = "classifier"
)

// Activations of layers, and ways of pooling.
const (
	GELU     = "gelu"      // exact, by the error function; of feed-forward and dense layers
	GELUTanh = "gelu_tanh" // its approximation by tanh; of feed-forward layers
	Tanh     = "tanh"      // of dense layers
	ReLU     = "relu"      // of dense layers
	Identity = "identity"  // of dense layers

	Mean = "mean" // of all tokens
	CLS  = "cls"  // the first token's vector

	// Unpooled models give each token a vector, see [Tokens]. They have no dense layers, no
	// branch, no reader and no prompts, and their vectors have length 1.
	Unpooled = "tokens"
)

// Config has the sizes and settings of a BERT encoder with absolute positions.
type Config struct {
	Layers       int      `json:"layers"`
	Heads        int      `json:"heads"`
	Hidden       int      `json:"hidden"`
	Intermediate int      `json:"intermediate"`
	Vocabulary   int      `json:"vocabulary"` // pieces
	Positions    int      `json:"positions"`  // rows of the position table
	Types        int      `json:"types"`      // rows of the token type table, 1 at least
	Epsilon      float64  `json:"epsilon"`
	Activation   string   `json:"activation"` // GELU or GELUTanh
	Pooling      string   `json:"pooling"`    // Mean, CLS or Unpooled; a classifier's is CLS
	Dense        []Dense  `json:"dense,omitempty"`
	Normalize    bool     `json:"normalize"`  // vectors have length 1; the branch's have in any case
	MaxLength    int      `json:"max_length"` // tokens of a text, special ones included
	Branch       *Branch  `json:"branch,omitempty"`
	Reader       *Reader  `json:"reader,omitempty"`
	Tokens       *Tokens  `json:"tokens,omitempty"` // if and only if Pooling is Unpooled
	Labels       []string `json:"labels,omitempty"` // of a classifier's classes
}

// Dense is a layer after the pooling: its tensors are dense.I.weight [Out, in]
// and, if Bias, dense.I.bias.
type Dense struct {
	Out        int    `json:"out"`
	Activation string `json:"activation"` // Identity, Tanh, ReLU or GELU
	Bias       bool   `json:"bias"`
}

// Branch is a second vector of a text. Layers with the sizes of the trunk's go on from
// the trunk's state after its first From layers; the mean of the result over the tokens
// is multiplied by projection.weight [Dimension, Hidden].
type Branch struct {
	From      int `json:"from"`
	Layers    int `json:"layers"`
	Dimension int `json:"dimension"`
}

// Reader tells which words of a query are its root, and what its wording asks for; package
// perspective says what becomes of it. A token's input are the trunk's states after the layers
// States, one behind the other. reader.states makes Width numbers of it, to which each of
// reader.near.0 and reader.near.1 adds as many from those of the token, the two before it and the two
// after it. reader.label gives a score for each label, from the first token's numbers, the mean and
// the greatest of all tokens; reader.gate makes of the same the Width numbers by which those of each
// token are multiplied. reader.root takes a token's numbers before and after that, and the greater
// its result, the likelier the token belongs to the root. After reader.states, reader.near and reader.gate,
// numbers below 0 become 0.
type Reader struct {
	States []int    `json:"states"` // counted from 1, in rising order
	Width  int      `json:"width"`
	Labels []string `json:"labels"`
}

// Near is how many tokens a layer reader.near takes together: two on either side.
const Near = 5

// Dimension of an encoder's vectors.
func (c *Config) Dimension() int {
	if c.Tokens != nil {
		return c.Tokens.Dimension
	}
	if n := len(c.Dense); n > 0 {
		return c.Dense[n-1].Out
	}
	return c.Hidden
}

// sizes checks numbers of the configuration, and keeps the first error.
type sizes struct{ err error }

func (s *sizes) within(what string, n, least, most int) {
	switch {
	case s.err != nil:
	case n < least:
		s.err = input(what + " is " + strconv.Itoa(n) + ", at least " + strconv.Itoa(least))
	case n > most:
		s.err = limit(what, int64(n), int64(most), smaller)
	}
}

// fits is within for numbers whose bounds another number of the configuration sets, so that no smaller model helps.
func (s *sizes) fits(what string, n, least, most int) {
	if s.err == nil && (n < least || n > most) {
		s.err = input(what + " is " + strconv.Itoa(n) + ", not from " + strconv.Itoa(least) + " to " + strconv.Itoa(most))
	}
}

// check refuses sizes and settings that no pack can have.
func (c *Config) check(kind string) error {
	var s sizes
	s.within("layers", c.Layers, 1, maxLayers)
	s.within("heads", c.Heads, 1, maxHidden)
	s.within("hidden", c.Hidden, 1, maxHidden)
	s.within("intermediate", c.Intermediate, 1, maxIntermediate)
	s.within("vocabulary", c.Vocabulary, 1, maxVocabulary)
	s.within("positions", c.Positions, 1, maxPositions)
	s.within("types", c.Types, 1, maxTypes)
	s.within("max_length", c.MaxLength, 1, maxPositions)
	s.within("the number of dense layers", len(c.Dense), 0, maxDense)
	for _, d := range c.Dense {
		s.within("out of a dense layer", d.Out, 1, maxHidden)
	}
	if b := c.Branch; b != nil {
		s.within("from of the branch", b.From, 1, maxLayers)
		s.within("layers of the branch", b.Layers, 1, maxLayers)
		s.within("dimension of the branch", b.Dimension, 1, maxHidden)
	}
	if r := c.Reader; r != nil {
		s.within("the number of the reader's states", len(r.States), 1, maxStates)
		s.within("width of the reader", r.Width, 1, maxHidden)
		s.within("the number of the reader's labels", len(r.Labels), 1, maxReadings)
		for _, label := range r.Labels {
			s.within("the length of a label of the reader", len(label), 0, maxReadings)
		}
	}
	if kind == Classifier {
		s.within("the number of labels", len(c.Labels), 1, maxLabels)
	}
	if c.Tokens != nil {
		s.within("dimension of the vectors of tokens", c.Tokens.Dimension, 1, maxHidden)
		s.within("the number of ids in skip", len(c.Tokens.Skip), 0, maxSkip)
	}
	if s.err != nil {
		return s.err
	}
	switch {
	case c.Hidden%c.Heads != 0:
		return input(strconv.Itoa(c.Heads) + " heads do not divide a width of " + strconv.Itoa(c.Hidden))
	case c.MaxLength > c.Positions:
		return input("texts of " + strconv.Itoa(c.MaxLength) + " tokens, but only " + strconv.Itoa(c.Positions) + " positions")
	case c.Branch != nil && c.Branch.From > c.Layers:
		return input("the branch leaves after layer " + strconv.Itoa(c.Branch.From) + " of " + strconv.Itoa(c.Layers))
	case c.Reader != nil && !rising(c.Reader.States, c.Layers):
		return input("the reader's states are not those after layers from 1 to " + strconv.Itoa(c.Layers) + ", in rising order")
	case !(c.Epsilon > 0 && c.Epsilon < 1) || float32(c.Epsilon) == 0:
		return input("epsilon is not a number between 0 and 1")
	case c.Activation != GELU && c.Activation != GELUTanh:
		return input("activation " + quote(c.Activation) + ", not " + GELU + " or " + GELUTanh)
	case c.Pooling != Mean && c.Pooling != CLS && c.Pooling != Unpooled:
		return input("pooling " + quote(c.Pooling) + ", not " + Mean + ", " + CLS + " or " + Unpooled)
	case (c.Pooling == Unpooled) != (c.Tokens != nil):
		return input("pooling " + quote(c.Pooling) + ": vectors of tokens go with pooling " + Unpooled + " and the key tokens, one without the other says nothing")
	case c.Tokens != nil && (kind == Classifier || !c.Normalize || len(c.Dense) > 0 || c.Branch != nil || c.Reader != nil):
		return input("vectors of tokens come from an encoder without dense layers, branch and reader, and have length 1")
	case kind == Classifier && (c.Pooling != CLS || c.Normalize || len(c.Dense) > 0 || c.Branch != nil || c.Reader != nil):
		return input("a classifier pools the first token, and has no dense layers, no branch, no reader and no normalisation")
	case kind == Encoder && len(c.Labels) > 0:
		return input("labels without a classifier")
	}
	for _, d := range c.Dense {
		switch d.Activation {
		case Identity, Tanh, ReLU, GELU:
		default:
			return input("activation " + quote(d.Activation) + " of a dense layer, not " + Identity + ", " + Tanh + ", " + ReLU + " or " + GELU)
		}
	}
	if c.Tokens != nil {
		if err := c.Tokens.check(c); err != nil {
			return err
		}
	}
	// Sizes that are possible one by one may be too large together.
	if all := c.memory(kind, Trunk) + c.memory(kind, BranchSection) + c.memory(kind, ReaderSection); all > MaxMemory {
		return limit("the memory of all tensors in bytes", all, MaxMemory, smaller)
	}
	return nil
}

func rising(states []int, most int) bool {
	for i, n := range states {
		if n < 1 || n > most || i > 0 && n <= states[i-1] {
			return false
		}
	}
	return true
}

// Names of the sections.
const (
	Vocabulary    = "vocabulary"
	Trunk         = "trunk"
	BranchSection = "branch"
	ReaderSection = "reader"
)

// Need is a tensor that a pack of some configuration has.
type Need struct {
	Name   string
	Shape  []int // [out, in] of a matrix
	Matrix bool  // one of 8 bits in memory; otherwise float32
}

// Needs calls yield with each tensor of a section, in the order in which packs are
// written.
func (c *Config) Needs(kind, section string, yield func(Need)) {
	n := needs{c, yield}
	switch section {
	case Trunk:
		n.matrix("embeddings.word_embeddings.weight", c.Vocabulary, c.Hidden)
		yield(Need{"embeddings.position_embeddings.weight", []int{c.Positions, c.Hidden}, false})
		yield(Need{"embeddings.token_type_embeddings.weight", []int{c.Types, c.Hidden}, false})
		n.norm("embeddings.LayerNorm")
		n.layers("encoder.layer.", c.Layers)
		in := c.Hidden
		for i, d := range c.Dense {
			name := "dense." + strconv.Itoa(i)
			n.matrix(name+".weight", d.Out, in)
			if d.Bias {
				n.vector(name+".bias", d.Out)
			}
			in = d.Out
		}
		if c.Tokens != nil {
			n.matrix(ProjectionTensor, c.Tokens.Dimension, c.Hidden)
		}
		if kind == Classifier {
			n.linear("pooler.dense", c.Hidden, c.Hidden)
			n.linear("classifier", len(c.Labels), c.Hidden)
		}
	case BranchSection:
		if c.Branch != nil {
			n.layers("branch.", c.Branch.Layers)
			n.matrix("projection.weight", c.Branch.Dimension, c.Hidden)
		}
	case ReaderSection:
		if c.Reader != nil {
			width := c.Reader.Width
			n.linear("reader.states", width, len(c.Reader.States)*c.Hidden)
			n.linear("reader.near.0", width, Near*width)
			n.linear("reader.near.1", width, Near*width)
			n.linear("reader.label", len(c.Reader.Labels), 3*width)
			n.linear("reader.gate", width, 3*width)
			n.linear("reader.root", 1, 2*width)
		}
	}
}

// needs yields the tensors of parts of a model. Its methods are not inlined, because each
// call would then be as long as they are, and pages download this code.
type needs struct {
	c     *Config
	yield func(Need)
}

//go:noinline
func (n *needs) vector(name string, length int) { n.yield(Need{name, []int{length}, false}) }

//go:noinline
func (n *needs) matrix(name string, out, in int) { n.yield(Need{name, []int{out, in}, true}) }

//go:noinline
func (n *needs) linear(name string, out, in int) {
	n.matrix(name+".weight", out, in)
	n.vector(name+".bias", out)
}

//go:noinline
func (n *needs) norm(name string) {
	n.vector(name+".weight", n.c.Hidden)
	n.vector(name+".bias", n.c.Hidden)
}

func (n *needs) layers(name string, count int) {
	hidden, intermediate := n.c.Hidden, n.c.Intermediate
	for i := range count {
		at := name + strconv.Itoa(i) + "."
		for _, part := range [...]string{"attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense"} {
			n.linear(at+part, hidden, hidden)
		}
		n.norm(at + "attention.output.LayerNorm")
		n.linear(at+"intermediate.dense", intermediate, hidden)
		n.linear(at+"output.dense", hidden, intermediate)
		n.norm(at + "output.LayerNorm")
	}
}

// memory that a section's tensors take, in bytes. Sizes within their limits do not
// overflow it.
func (c *Config) memory(kind, section string) int64 {
	var sum int64
	c.Needs(kind, section, func(n Need) { sum += n.memory() })
	return sum
}

func (n *Need) memory() int64 {
	values := int64(1)
	for _, d := range n.Shape {
		values *= int64(d)
	}
	if n.Matrix {
		return values + 4*int64(n.Shape[0])
	}
	return 4 * values
}
