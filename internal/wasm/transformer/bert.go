package transformer

import (
	"errors"
	"math"
	"strconv"

	"github.com/vantage-search/vantage/internal/wasm/kernel/dense"
)

// BERTConfig describes an encoder with absolute positions and a layer norm after
// each residual: BERT, RoBERTa, XLM-R, DistilBERT, DPR, MPNet.
type BERTConfig struct {
	Vocabulary, Hidden, Layers, Heads, Intermediate int
	Positions                                       int // rows of the position table
	FirstPosition                                   int // row of the first token: 0, or padding id + 1 in RoBERTa
	Types                                           int // rows of the token type table; 0: none
	Epsilon                                         float32
	Activation                                      dense.Activation
	Distil                                          bool // DistilBERT's names of the layers' tensors
	Buckets                                         int  // rows of MPNet's table of relative positions, and its names of tensors; 0: none
	Int8                                            bool // the layers' weights are rounded to 8 bits
}

// mpnetBuckets is the number of rows that MPNet uses of its table, however many that has.
const mpnetBuckets = 32

// Relative are MPNet's relative positions, which depend on no setting.
func (c BERTConfig) Relative() Relative { return Relative{mpnetBuckets, 128} }

// Check refuses sizes that no such encoder has.
func (c BERTConfig) Check() error {
	for _, err := range []error{
		positive("the vocabulary", c.Vocabulary), positive("the hidden size", c.Hidden), positive("the number of layers", c.Layers),
		positive("the intermediate size", c.Intermediate), positive("the number of positions", c.Positions), heads(c.Hidden, c.Heads),
	} {
		if err != nil {
			return err
		}
	}
	if c.FirstPosition < 0 || c.FirstPosition >= c.Positions {
		return errors.New("the first position is " + strconv.Itoa(c.FirstPosition) + " of " + strconv.Itoa(c.Positions))
	}
	if c.Buckets != 0 && (c.Buckets < mpnetBuckets || c.Buckets > 1<<24) {
		return errors.New("the number of relative positions is " + strconv.Itoa(c.Buckets) + " in the configuration, MPNet uses " + strconv.Itoa(mpnetBuckets))
	}
	return nil
}

// BERT is such an encoder.
type BERT struct {
	c                       BERTConfig
	words, positions, types []float32
	relative                []float32 // bias of the attention for texts of MaxTokens; nil: none
	norm                    dense.LayerNorm
	layers                  []bertLayer
}

type bertLayer struct {
	qkv, attention, up, down dense.Layer
	afterAttention, after    dense.LayerNorm
}

// BERTPrefixes are what checkpoints put before the names of BERT's tensors.
var BERTPrefixes = []string{"", "bert.", "roberta.", "distilbert.", "mpnet.", "question_encoder.bert_model.", "ctx_encoder.bert_model.", "bert_model.", "model.", "0.auto_model."}

// BERTNames are the names of a layer's tensors.
type BERTNames struct{ Layer, Query, Key, Value, Attention, AfterAttention, Up, Down, After string }

var (
	usualNames  = BERTNames{"encoder.layer.", "attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense", "attention.output.LayerNorm", "intermediate.dense", "output.dense", "output.LayerNorm"}
	distilNames = BERTNames{"transformer.layer.", "attention.q_lin", "attention.k_lin", "attention.v_lin", "attention.out_lin", "sa_layer_norm", "ffn.lin1", "ffn.lin2", "output_layer_norm"}
	mpnetNames  = BERTNames{"encoder.layer.", "attention.attn.q", "attention.attn.k", "attention.attn.v", "attention.attn.o", "attention.LayerNorm", "intermediate.dense", "output.dense", "output.LayerNorm"}
)

// RelativeName is what MPNet calls its table of relative positions, without .weight.
const RelativeName = "encoder.relative_attention_bias"

// Names of the tensors of the encoder's layers.
func (c BERTConfig) Names() *BERTNames {
	switch {
	case c.Distil:
		return &distilNames
	case c.Buckets > 0:
		return &mpnetNames
	}
	return &usualNames
}

// NewBERT packs a checkpoint's weights. Its error names the tensors that are missing
// or of another shape; after some fifty errors it reads no further layers.
func NewBERT(c BERTConfig, t Tensors) (*BERT, error) {
	if err := c.Check(); err != nil {
		return nil, err
	}
	r := NewReader(t, "embeddings.word_embeddings.weight", BERTPrefixes...)
	r.int8 = c.Int8
	m := &BERT{
		c:         c,
		words:     r.Tensor("embeddings.word_embeddings.weight", c.Vocabulary, c.Hidden),
		positions: r.Tensor("embeddings.position_embeddings.weight", c.Positions, c.Hidden),
		norm:      r.Norm("embeddings.LayerNorm", c.Hidden, c.Epsilon),
	}
	if c.Types > 0 {
		m.types = r.Tensor("embeddings.token_type_embeddings.weight", c.Types, c.Hidden)
	}
	if c.Buckets > 0 {
		table := r.finite(RelativeName+".weight", c.Buckets, c.Heads)
		if len(r.errs) == 0 { // until then, the number of positions is what a configuration claims
			m.relative = c.Relative().bias(table, c.Heads, m.MaxTokens())
		}
	}
	names := c.Names()
	for i := range c.Layers {
		if r.Hopeless() {
			break
		}
		at := names.Layer + strconv.Itoa(i) + "."
		m.layers = append(m.layers, bertLayer{
			qkv:            r.linear(c.Hidden, c.Hidden, at+names.Query, at+names.Key, at+names.Value),
			attention:      r.linear(c.Hidden, c.Hidden, at+names.Attention),
			afterAttention: r.Norm(at+names.AfterAttention, c.Hidden, c.Epsilon),
			up:             r.linear(c.Intermediate, c.Hidden, at+names.Up),
			down:           r.linear(c.Hidden, c.Intermediate, at+names.Down),
			after:          r.Norm(at+names.After, c.Hidden, c.Epsilon),
		})
	}
	return m, r.Err()
}

// Config is what the model was made with.
func (m *BERT) Config() BERTConfig { return m.c }

func (m *BERT) Hidden() int     { return m.c.Hidden }
func (m *BERT) Vocabulary() int { return m.c.Vocabulary }
func (m *BERT) MaxTokens() int  { return m.c.Positions - m.c.FirstPosition }

// Forward implements Model.
func (m *BERT) Forward(out []float32, b *Batch, s *Scratch) error {
	if err := check(m, max(1, m.c.Types), out, b); err != nil || len(b.IDs) == 0 {
		return err
	}
	tokens, hidden, p := len(b.IDs), m.c.Hidden, s.Pool
	x := out[:tokens*hidden]
	m.embed(x, b)
	m.norm.Apply(p, x, x, nil, hidden, tokens)
	qkv, attended := grow(&s.a, tokens*3*hidden), grow(&s.b, tokens*hidden)
	y, wide := grow(&s.c, tokens*hidden), grow(&s.d, tokens*m.c.Intermediate)
	attention := dense.Attention{Heads: m.c.Heads, Dim: hidden / m.c.Heads, Scale: float32(1 / math.Sqrt(float64(hidden/m.c.Heads))), Bias: m.relative, Span: m.MaxTokens()}
	for i := range m.layers {
		l := &m.layers[i]
		l.qkv.Apply(p, qkv, 3*hidden, x, hidden, tokens, dense.None)
		attention.Apply(p, attended, hidden, qkv, qkv[hidden:], qkv[2*hidden:], 3*hidden, b.Lengths, b.Keys)
		l.attention.Apply(p, y, hidden, attended, hidden, tokens, dense.None)
		l.afterAttention.Apply(p, x, x, y, hidden, tokens)
		l.up.Apply(p, wide, m.c.Intermediate, x, hidden, tokens, m.c.Activation)
		l.down.Apply(p, y, hidden, wide, m.c.Intermediate, tokens, dense.None)
		l.after.Apply(p, x, x, y, hidden, tokens)
	}
	return nil
}

// embed writes the sum of word, position and type.
func (m *BERT) embed(x []float32, b *Batch) {
	hidden, token := m.c.Hidden, 0
	for _, n := range b.Lengths {
		next := m.c.FirstPosition
		for range n {
			row := x[token*hidden : (token+1)*hidden]
			word := m.words[int(b.IDs[token])*hidden:][:hidden]
			at := int(b.IDs[token]) // RoBERTa's padding token, which a text may spell, stays on its own row
			if at != m.c.FirstPosition-1 {
				at = next
				next++
			}
			position := m.positions[at*hidden:][:hidden]
			for j := range row {
				row[j] = word[j] + position[j]
			}
			if m.types != nil {
				var kind int
				if b.Types != nil {
					kind = int(b.Types[token])
				}
				for j, v := range m.types[kind*hidden:][:hidden] {
					row[j] += v
				}
			}
			token++
		}
	}
}
