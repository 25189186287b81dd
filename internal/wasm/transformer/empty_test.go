package transformer

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/vantage-search/vantage/internal/wasm/kernel/dense"
)

func madeOPT(c OPTConfig) made {
	r := rand.New(rand.NewPCG(1, 2))
	m := made{}
	m.add(r, "embed_tokens.weight", .05, c.Vocabulary, c.Embedding)
	m.add(r, "embed_positions.weight", .05, c.Positions+OPTOffset, c.Hidden)
	linear := func(name string, out, in int) {
		m.add(r, name+".weight", .05, out, in)
		m.add(r, name+".bias", .05, out)
	}
	if c.Embedding != c.Hidden {
		m.add(r, "project_in.weight", .05, c.Hidden, c.Embedding)
		m.add(r, "project_out.weight", .05, c.Embedding, c.Hidden)
	}
	if c.FinalNorm {
		m.add(r, "final_layer_norm.weight", 1, c.Hidden)
		m.add(r, "final_layer_norm.bias", 1, c.Hidden)
	}
	for i := range c.Layers {
		at := fmt.Sprintf("layers.%d.", i)
		for _, name := range []string{"q_proj", "k_proj", "v_proj", "out_proj"} {
			linear(at+"self_attn."+name, c.Hidden, c.Hidden)
		}
		for _, name := range []string{"self_attn_layer_norm", "final_layer_norm"} {
			m.add(r, at+name+".weight", 1, c.Hidden)
			m.add(r, at+name+".bias", 1, c.Hidden)
		}
		linear(at+"fc1", c.Intermediate, c.Hidden)
		linear(at+"fc2", c.Hidden, c.Intermediate)
	}
	return m
}

// Every architecture takes a batch without tokens, and sequences without tokens
// among others. These others have the same bits as in a batch without the empty
// ones.
func TestNoTokens(t *testing.T) {
	b := BERTConfig{50, 32, 2, 4, 128, 256, 0, 2, 1e-12, dense.GELU, false, 0, false}
	bert, errBERT := NewBERT(b, madeBERT(b))
	f := T5Config{50, 24, 2, 3, 10, 40, 32, 128, 1e-6, dense.ReLU, true, false}
	t5, errT5 := NewT5(f, madeT5(rand.New(rand.NewPCG(1, 2)), f))
	o := OPTConfig{Vocabulary: 50, Hidden: 32, Layers: 2, Heads: 4, Intermediate: 64, Positions: 40, Embedding: 32, NormBefore: true, Activation: dense.ReLU}
	opt, errOPT := NewOPT(o, madeOPT(o))
	for _, err := range []error{errBERT, errT5, errOPT} {
		if err != nil {
			t.Fatal(err)
		}
	}
	pool := dense.NewPool(2)
	defer pool.Close()
	for _, m := range []Model{bert, t5, opt} {
		for _, lengths := range [][]int{nil, {0}, {0, 0, 0}} {
			for _, keys := range [][]int{nil, make([]int, len(lengths))} {
				if err := m.Forward(nil, &Batch{Lengths: lengths, Keys: keys}, &Scratch{Pool: pool}); err != nil {
					t.Errorf("%T, %v, %v: %v", m, lengths, keys, err)
				}
			}
		}
		states := func(b *Batch) []float32 {
			out := make([]float32, len(b.IDs)*m.Hidden())
			if err := m.Forward(out, b, &Scratch{Pool: pool}); err != nil {
				t.Fatalf("%T: %v", m, err)
			}
			return out
		}
		ids := []uint32{4, 9, 3, 7, 7, 1, 30}
		if with, without := states(&Batch{IDs: ids, Lengths: []int{0, 3, 0, 0, 4, 0}}), states(&Batch{IDs: ids, Lengths: []int{3, 4}}); !slices.Equal(with, without) {
			t.Errorf("%T: other states beside sequences without tokens", m)
		}
		for _, wrong := range []*Batch{
			{IDs: ids, Lengths: []int{3, 4}, Keys: []int{3}},
			{IDs: ids, Lengths: []int{3, 4}, Keys: []int{3, 0}}, // the second attends to nothing: its result is not defined
			{IDs: ids, Lengths: []int{3, 4}, Keys: []int{3, 5}},
		} {
			if err := m.Forward(make([]float32, len(ids)*m.Hidden()), wrong, &Scratch{Pool: pool}); err == nil {
				t.Errorf("%T takes %+v", m, wrong)
			}
		}
	}
}
