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
	m.add(r, "embeddings.token_type_embeddings.weight", .05, c.Types, c.Hidden)
	linear := func(name string, out, in int) {
		m.add(r, name+".weight", .05, out, in)
		m.add(r, name+".bias", .05, out)
	}
	norm := func(name string) {
		m.add(r, name+".weight", 1, c.Hidden)
		m.add(r, name+".bias", 1, c.Hidden)
	}
	norm("embeddings.LayerNorm")
	for i := range c.Layers {
		at := fmt.Sprintf("encoder.layer.%d.", i)
		linear(at+"attention.self.query", c.Hidden, c.Hidden)
		linear(at+"attention.self.key", c.Hidden, c.Hidden)
		linear(at+"attention.self.value", c.Hidden, c.Hidden)
		linear(at+"attention.output.dense", c.Hidden, c.Hidden)
		norm(at + "attention.output.LayerNorm")
		linear(at+"intermediate.dense", c.Intermediate, c.Hidden)
		linear(at+"output.dense", c.Hidden, c.Intermediate)
		norm(at + "output.LayerNorm")
	}
	return m
}

func BenchmarkBERT(b *testing.B) {
	for _, model := range []struct {
		name string
		c    BERTConfig
	}{
		{"MiniLM-L6", BERTConfig{30522, 384, 6, 12, 1536, 512, 0, 2, 1e-12, dense.GELU, false, false}},
		{"BERT-base", BERTConfig{30522, 768, 12, 12, 3072, 512, 0, 2, 1e-12, dense.GELU, false, false}},
	} {
		m, err := NewBERT(model.c, madeBERT(model.c))
		if err != nil {
			b.Fatal(err)
		}
		for _, shape := range [][2]int{{1, 16}, {1, 64}, {32, 64}} {
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
	c := BERTConfig{50, 32, 2, 4, 128, 256, 0, 2, 1e-12, dense.GELU, false, false}
	for _, int8 := range []bool{false, true} {
		c.Int8 = int8
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
			t.Errorf("int8 %v: %v allocations for 500 tokens, %v for 6", int8, many, few)
		}
		pool.Close()
	}
}
