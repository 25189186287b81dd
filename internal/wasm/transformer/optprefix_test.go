package transformer

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/wasm/kernel/dense"
)

// after makes random sequences: whole has the prefix before each, rest has them without it.
func after(r *rand.Rand, vocabulary int, prefix []uint32, lengths []int) (whole, rest Batch) {
	for _, n := range lengths {
		own := make([]uint32, n)
		for i := range own {
			own[i] = uint32(r.IntN(vocabulary))
		}
		rest.IDs, rest.Lengths = append(rest.IDs, own...), append(rest.Lengths, n)
		whole.IDs, whole.Lengths = append(append(whole.IDs, prefix...), own...), append(whole.Lengths, len(prefix)+n)
	}
	return whole, rest
}

// Hidden states behind a prefix that is computed once are, to the bit, those of the whole
// texts: with layer norms before and after the parts, with projections and without, for heads
// that fill their panels and heads that do not, for several borders between prefix and text.
func TestPrefixHasTheBitsOfTheWhole(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, c := range []OPTConfig{
		{50, 64, 3, 4, 96, 160, 64, true, true, dense.ReLU, false},
		{50, 60, 2, 3, 96, 160, 24, false, false, dense.ReLU, false},
		{50, 40, 2, 10, 70, 160, 40, true, true, dense.GELU, false},
		{50, 64, 2, 2, 128, 160, 32, true, false, dense.ReLU, true},
	} {
		m, err := NewOPT(c, madeOPT(c))
		if err != nil {
			t.Fatal(err)
		}
		for _, workers := range []int{1, 3} {
			pool := dense.NewPool(workers)
			s := &Scratch{Pool: pool}
			for _, tokens := range []int{1, 15, 16, 17, 50, 99} {
				prefix := make([]uint32, tokens)
				for i := range prefix {
					prefix[i] = uint32(r.IntN(c.Vocabulary))
				}
				kept, err := m.Prefix(prefix, s)
				if err != nil {
					t.Fatal(err)
				}
				if kept.Tokens() != tokens || kept.Bytes() < c.Layers*2*4*tokens*c.Hidden {
					t.Errorf("%d tokens in %d bytes, want %d tokens", kept.Tokens(), kept.Bytes(), tokens)
				}
				for _, before := range []int{tokens, max(0, tokens-3), 0} {
					whole, rest := after(r, c.Vocabulary, prefix[:before], []int{1, 7, 0, 60, 16})
					want, got := make([]float32, len(whole.IDs)*m.Hidden()), make([]float32, len(rest.IDs)*m.Hidden())
					if err := m.Forward(want, &whole, s); err != nil {
						t.Fatal(err)
					}
					if err := m.ForwardAfter(got, kept, before, &rest, s); err != nil {
						t.Fatal(err)
					}
					at, own := 0, 0
					for i, n := range rest.Lengths {
						at += before * m.Hidden()
						if !slices.Equal(got[own:own+n*m.Hidden()], want[at:at+n*m.Hidden()]) {
							t.Errorf("%+v: text %d of %d tokens behind %d of %d differs", c, i, n, before, tokens)
						}
						at, own = at+n*m.Hidden(), own+n*m.Hidden()
					}
				}
			}
			pool.Close()
		}
	}
}

// What does not fit the model or the prefix is refused.
func TestPrefixRefuses(t *testing.T) {
	c := OPTConfig{50, 32, 1, 4, 64, 40, 32, true, true, dense.ReLU, false}
	m, err := NewOPT(c, madeOPT(c))
	if err != nil {
		t.Fatal(err)
	}
	other, err := NewOPT(c, madeOPT(c))
	if err != nil {
		t.Fatal(err)
	}
	pool := dense.NewPool(1)
	defer pool.Close()
	s := &Scratch{Pool: pool}
	for _, ids := range [][]uint32{nil, {50}, make([]uint32, 41)} {
		if _, err := m.Prefix(ids, s); err == nil {
			t.Errorf("a prefix of %d tokens is taken", len(ids))
		}
	}
	kept, err := m.Prefix(make([]uint32, 30), s)
	if err != nil {
		t.Fatal(err)
	}
	out := make([]float32, 40*m.Hidden())
	for name, err := range map[string]error{
		"11 tokens behind 30": m.ForwardAfter(out, kept, 30, &Batch{IDs: make([]uint32, 11), Lengths: []int{11}}, s),
		"31 tokens":           m.ForwardAfter(out, kept, 31, &Batch{IDs: make([]uint32, 1), Lengths: []int{1}}, s),
		"another model's":     other.ForwardAfter(out, kept, 30, &Batch{IDs: make([]uint32, 1), Lengths: []int{1}}, s),
		"no room":             m.ForwardAfter(out[:1], kept, 30, &Batch{IDs: make([]uint32, 1), Lengths: []int{1}}, s),
	} {
		if err == nil || !strings.Contains(err.Error(), "transformer: ") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// prompts are texts of 30 tokens behind a prefix of 300.
type prompts struct {
	m           *OPT
	prefix      []uint32
	whole, rest Batch
	out         []float32
}

func newPrompts(tb testing.TB, c OPTConfig, texts int) *prompts {
	m, err := NewOPT(c, madeOPT(c))
	if err != nil {
		tb.Fatal(err)
	}
	r := rand.New(rand.NewPCG(5, 6))
	p := &prompts{m: m, prefix: make([]uint32, 300)}
	for i := range p.prefix {
		p.prefix[i] = uint32(r.IntN(c.Vocabulary))
	}
	p.whole, p.rest = after(r, c.Vocabulary, p.prefix, slices.Repeat([]int{30}, texts))
	p.out = make([]float32, len(p.whole.IDs)*m.Hidden())
	return p
}

// behind computes the texts, and the prefix once for all of them.
func (p *prompts) behind(s *Scratch) error {
	kept, err := p.m.Prefix(p.prefix, s)
	if err != nil {
		return err
	}
	return p.m.ForwardAfter(p.out, kept, len(p.prefix), &p.rest, s)
}

// The model has three of the twelve layers of the smallest OPT.
func BenchmarkPrefix(b *testing.B) {
	p := newPrompts(b, OPTConfig{5000, 768, 3, 12, 3072, 2048, 768, true, true, dense.ReLU, false}, 32)
	pool := dense.NewPool(runtime.GOMAXPROCS(0))
	defer pool.Close()
	s := &Scratch{Pool: pool}
	for _, way := range []struct {
		name string
		run  func() error
	}{{"again", func() error { return p.m.Forward(p.out, &p.whole, s) }}, {"once", func() error { return p.behind(s) }}} {
		b.Run(fmt.Sprintf("%s/%dx%d+%d", way.name, len(p.rest.Lengths), len(p.prefix), p.rest.Lengths[0]), func(b *testing.B) {
			for b.Loop() {
				if err := way.run(); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(len(p.rest.Lengths)*b.N)/b.Elapsed().Seconds(), "texts/s")
		})
	}
}
