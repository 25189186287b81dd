package transformer

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/vantage-search/vantage/internal/wasm/kernel/dense"
)

// madeBERT makes random weights for a configuration.
func madeBERT(c BERTConfig) made {
	r := rand.New(rand.NewPCG(1, 2))
	m := made{}
	m.add(r, "embeddings.word_embeddings.weight", .05, c.Vocabulary, c.Hidden)
	m.add(r, "embeddings.position_embeddings.weight", .05, c.Positions, c.Hidden)
	if c.Types > 0 {
		m.add(r, "embeddings.token_type_embeddings.weight", .05, c.Types, c.Hidden)
	}
	if c.Buckets > 0 {
		m.add(r, RelativeName+".weight", 1, c.Buckets, c.Heads)
	}
	linear := func(name string, out, in int) {
		m.add(r, name+".weight", .05, out, in)
		m.add(r, name+".bias", .05, out)
	}
	norm := func(name string) {
		m.add(r, name+".weight", 1, c.Hidden)
		m.add(r, name+".bias", 1, c.Hidden)
	}
	norm("embeddings.LayerNorm")
	names := c.Names()
	for i := range c.Layers {
		at := fmt.Sprintf("%s%d.", names.Layer, i)
		linear(at+names.Query, c.Hidden, c.Hidden)
		linear(at+names.Key, c.Hidden, c.Hidden)
		linear(at+names.Value, c.Hidden, c.Hidden)
		linear(at+names.Attention, c.Hidden, c.Hidden)
		norm(at + names.AfterAttention)
		linear(at+names.Up, c.Intermediate, c.Hidden)
		linear(at+names.Down, c.Hidden, c.Intermediate)
		norm(at + names.After)
	}
	return m
}

func BenchmarkBERT(b *testing.B) {
	for _, model := range []struct {
		name string
		c    BERTConfig
	}{
		{"MiniLM-L6", BERTConfig{30522, 384, 6, 12, 1536, 512, 0, 2, 1e-12, dense.GELU, false, 0, false}},
		{"BERT-base", BERTConfig{30522, 768, 12, 12, 3072, 512, 0, 2, 1e-12, dense.GELU, false, 0, false}},
		{"MPNet-base", BERTConfig{30527, 768, 12, 12, 3072, 514, 2, 0, 1e-5, dense.GELU, false, 32, false}},
	} {
		m, err := NewBERT(model.c, madeBERT(model.c))
		if err != nil {
			b.Fatal(err)
		}
		for _, shape := range [][2]int{{1, 16}, {1, 64}, {32, 64}, {1, 512}} {
			b.Run(fmt.Sprintf("%s/%dx%d", model.name, shape[0], shape[1]), func(b *testing.B) {
				pool := dense.NewPool(runtime.GOMAXPROCS(0))
				defer pool.Close()
				s := &Scratch{Pool: pool}
				var batch Batch
				for range shape[0] {
					for i := range shape[1] {
						batch.IDs = append(batch.IDs, uint32(1000+i*37%20000))
					}
					batch.Lengths = append(batch.Lengths, shape[1])
				}
				out := make([]float32, len(batch.IDs)*m.Hidden())
				for b.Loop() {
					if err := m.Forward(out, &batch, s); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(shape[0]*b.N)/b.Elapsed().Seconds(), "texts/s")
			})
		}
	}
}

// The number of allocations of a pass does not grow with its tokens.
func TestAllocations(t *testing.T) {
	for _, kind := range []struct {
		int8    bool
		buckets int // of MPNet
	}{{false, 0}, {true, 0}, {false, 32}} {
		c := BERTConfig{50, 32, 2, 4, 128, 256, 0, 2, 1e-12, dense.GELU, false, kind.buckets, kind.int8}
		m, err := NewBERT(c, madeBERT(c))
		if err != nil {
			t.Fatal(err)
		}
		pool := dense.NewPool(1)
		s := &Scratch{Pool: pool}
		allocations := func(tokens int) float64 {
			b := Batch{IDs: make([]uint32, 2*tokens), Lengths: []int{tokens, tokens}}
			out := make([]float32, 2*tokens*m.Hidden())
			return testing.AllocsPerRun(20, func() {
				if err := m.Forward(out, &b, s); err != nil {
					t.Error(err)
				}
			})
		}
		if many, few := allocations(250), allocations(3); many > few+2 { // memory that is lent may have been collected meanwhile
			t.Errorf("%+v: %v allocations for 500 tokens, %v for 6", kind, many, few)
		}
		pool.Close()
	}
}
