package sides

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/claim"
	"github.com/vantage-search/vantage/internal/evaluation/compare"
	"github.com/vantage-search/vantage/internal/testing/quantized"
	"github.com/vantage-search/vantage/internal/testing/shared"
	"github.com/vantage-search/vantage/internal/wasm/kernel/dense"
	"github.com/vantage-search/vantage/internal/wasm/pack/packfile"
	"github.com/vantage-search/vantage/internal/wasm/stance"
	"github.com/vantage-search/vantage/internal/wasm/transformer"
)

// BenchmarkFloat32 measures the model of which the bundled pack is made in float32 arithmetic
// with its weights of 4 bits. The difference from the figures of the quantised engine is what quantisation costs. It
// computes for minutes:
//
//	go test ./internal/evaluation/sides -run '^$' -bench Float32 -benchtime 1x -timeout 60m
func BenchmarkFloat32(b *testing.B) {
	m := newFloats(b, shared.Path(b, "model/sides"))
	for _, c := range []struct {
		name, path string
		e          Experiment
	}{
		{"dev", "data/perspectrum", Experiment{Format: Perspectrum, Split: "dev"}},
		{"test", "data/perspectrum", Experiment{Format: Perspectrum, Split: "test"}},
		{"climate-fever", "data/climate_fever/climate-fever.jsonl", Experiment{Format: ClimateFEVER}},
	} {
		b.Run(c.name, func(b *testing.B) {
			s, err := c.e.read(b.Context(), []string{shared.Path(b, c.path)})
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				f, err := measure(b.Context(), s, m.encode(b, s), stance.Standard, &compare.Tests{Rounds: 1000, Seed: 1}, func(int64, int64) {})
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(*f.Ordered, "ordered")
				b.ReportMetric(f.Accuracy, "accuracy")
				b.ReportMetric(f.CalibrationError, "error")
				for i, r := range f.Top.Runs {
					b.ReportMetric(r.Mean, fmt.Sprintf("top:β=%g", Betas[i]))
				}
			}
		})
	}
}

// floats are the trunk, and the branch with the layers of the trunk before it.
type floats struct {
	tokenizer interface {
		EncodeSpecial(dst []uint32, text string, maxLen int) []uint32
	}
	texts         map[string][]string // the pack's wordings
	trunk, branch *transformer.BERT
	projection    []float32
	scratch       transformer.Scratch
}

// grid rounds matrices to 4 bits, as encoder.Round4 of ../shared/model/sides/recipe
// does. The branch is on that grid already.
type grid struct {
	transformer.Tensors
	branch bool // its layers take the places of the trunk's
}

func (g grid) Tensor(name string) ([]float32, []int, bool) {
	from := quantized.MiniLM.Branch.From
	if rest, ok := strings.CutPrefix(name, "encoder.layer."); ok && g.branch {
		number, part, _ := strings.Cut(rest, ".")
		if layer, err := strconv.Atoi(number); err == nil && layer >= from {
			name = fmt.Sprintf("branch.%d.%s", layer-from, part)
		}
	}
	values, shape, ok := g.Tensors.Tensor(name)
	if ok && len(shape) == 2 && (strings.HasSuffix(name, "word_embeddings.weight") || !strings.HasPrefix(name, "embeddings.")) {
		values = quantized.Round4(values)
	}
	return values, shape, ok
}

func newFloats(b *testing.B, dir string) *floats {
	b.Helper()
	files, err := quantized.SidesPack(dir)
	if err != nil {
		b.Fatal(err)
	}
	p, err := packfile.Read(files.Get)
	if err != nil {
		b.Fatal(err)
	}
	w, close, err := quantized.WithBranch(dir, "../../recipes/sides/branch.safetensors", false)
	if err != nil {
		b.Fatal(err)
	}
	defer close()
	c := quantized.MiniLM
	config := transformer.BERTConfig{Vocabulary: c.Vocabulary, Hidden: c.Hidden, Layers: c.Layers, Heads: c.Heads, Intermediate: c.Intermediate,
		Positions: c.Positions, Types: c.Types, Epsilon: c.Epsilon, Activation: c.Activation}
	m := &floats{tokenizer: p.Tokenizer(), texts: wordings(p.Manifest.Texts)}
	if m.trunk, err = transformer.NewBERT(config, grid{w, false}); err == nil {
		m.branch, err = transformer.NewBERT(config, grid{w, true})
	}
	if err != nil {
		b.Fatal(err)
	}
	m.projection, _, _ = grid{w, false}.Tensor("projection.weight")
	pool := dense.NewPool(2)
	b.Cleanup(pool.Close)
	m.scratch.Pool = pool
	return m
}

// encode gives what the function encode does.
func (m *floats) encode(b *testing.B, s *Set) *vectors {
	b.Helper()
	v := &vectors{topics: m.mean(b, m.trunk, s.Texts), angles: m.angles(b, s.Texts)}
	for _, topic := range v.topics {
		v.lengths = append(v.lengths, math.Sqrt(dot(topic, topic)))
	}
	var roots, supporting, opposing []string
	for _, r := range s.Roots {
		roots = append(roots, r.Text)
		supporting, opposing = append(supporting, claim.Asking(m.texts, stance.For, r.Text)), append(opposing, claim.Asking(m.texts, stance.Against, r.Text))
	}
	v.roots = m.mean(b, m.trunk, roots)
	against := m.angles(b, opposing)
	for i, u := range m.angles(b, supporting) {
		d := make([]float64, len(u))
		for j := range d {
			d[j] = float64(u[j]) - float64(against[i][j])
		}
		v.differences = append(v.differences, d)
	}
	return v
}

// mean returns the mean over the tokens of each text.
func (m *floats) mean(b *testing.B, model *transformer.BERT, texts []string) (means [][]float32) {
	b.Helper()
	width := quantized.MiniLM.Hidden
	for some := range slices.Chunk(texts, 32) {
		var batch transformer.Batch
		for _, text := range some {
			ids := m.tokenizer.EncodeSpecial(nil, text, quantized.MiniLM.Limit)
			batch.IDs, batch.Lengths = append(batch.IDs, ids...), append(batch.Lengths, len(ids))
		}
		states := make([]float32, len(batch.IDs)*width)
		if err := model.Forward(states, &batch, &m.scratch); err != nil {
			b.Fatal(err)
		}
		for _, n := range batch.Lengths {
			sum := make([]float32, width)
			for i, x := range states[:n*width] {
				sum[i%width] += x / float32(n)
			}
			states = states[n*width:]
			means = append(means, sum)
		}
	}
	return means
}

// angles returns the branch's vector of each text, of unit length.
func (m *floats) angles(b *testing.B, texts []string) (angles [][]float32) {
	b.Helper()
	for _, mean := range m.mean(b, m.branch, texts) {
		angle := make([]float32, quantized.MiniLM.Branch.Out)
		for i := range angle {
			angle[i] = float32(dot(mean, m.projection[i*len(mean):]))
		}
		length := float32(math.Sqrt(dot(angle, angle)))
		for i := range angle {
			angle[i] /= length
		}
		angles = append(angles, angle)
	}
	return angles
}
