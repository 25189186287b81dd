package packer

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/vantage-search/vantage/internal/human"
	"github.com/vantage-search/vantage/internal/wasm/pack"
	"github.com/vantage-search/vantage/internal/wasm/pack/packfile"
)

// Report says what a pack takes and what rounding costs.
type Report struct {
	ID         string    `json:"id"`
	Revision   string    `json:"revision"`
	Bits       int       `json:"bits"`
	Pieces     int       `json:"pieces"`
	Sections   []Size    `json:"sections"`
	Errors     []Error   `json:"errors"`
	Layers     []float64 `json:"layers"`       // relative error of the state after the embeddings and each layer, texts held out
	LayersFlat []float64 `json:"layers_plain"` // the same with plain rounding
}

// Size of a section.
type Size struct {
	Name   string `json:"name"`
	Files  int    `json:"files"`
	Bytes  int64  `json:"bytes"`
	Memory int64  `json:"memory"` // once it is read
}

// Error compares vectors with the source's.
type Error struct {
	Texts    string `json:"texts"`    // Fitted or HeldOut
	Rounding string `json:"rounding"` // Plain, Chosen or Engine
	Vector   string `json:"vector"`   // Topic, Token, Angle or Logits
	Count    int    `json:"count"`    // of vectors
	// Cosine is left out for models with one label: numbers have no angle.
	Cosine Spread  `json:"cosine,omitzero"`
	Scores *Scores `json:"scores,omitempty"` // for such models alone
}

// Scores compares the scores of a model with one label.
type Scores struct {
	Correlation float64 `json:"correlation"` // Pearson's r over the texts
	Mean        float64 `json:"mean"`        // of the absolute differences
	High        float64 `json:"high"`        // 5 % of them are above it
	Max         float64 `json:"max"`
	Deviation   float64 `json:"deviation"` // standard deviation of the source's scores, which the differences compare with
}

// Spread of cosines.
type Spread struct {
	Mean float64 `json:"mean"`
	Low  float64 `json:"low"` // 5 % of the cosines are below it
	Min  float64 `json:"min"`
}

// What is compared.
const (
	Fitted  = "fitted"   // texts that weights were rounded for
	HeldOut = "held out" // texts that they were not

	Plain  = "plain"  // rounding, value by value
	Chosen = "chosen" // rounding, for the sample texts
	Engine = "engine" // the pack as pages compute it, with inputs of 8 bits

	Topic  = "vector"
	Token  = "token" // of each token (ColBERT)
	Angle  = "branch"
	Logits = "logits"
)

// measured is how many samples of each kind are compared at most.
const measured = 100

// measure compares the pack as a reader has it with the source.
func (p *packing) measure(r *Result, plain map[string]packfile.Tensor, fit, held []sample) error {
	chosen, err := p.reread(r.Files)
	if err != nil {
		return err
	}
	kinds := []string{Chosen}
	networks := map[string]*network{"": p.network(p.pool, p.values), Chosen: chosen}
	if p.options.Bits == 4 {
		files, err := packfile.Build(p.manifest, packfile.Content{Tokenizer: p.settings, Pieces: p.pieces, Tensors: plain})
		if err != nil {
			return err
		}
		if networks[Plain], err = p.reread(files); err != nil {
			return err
		}
		kinds = []string{Plain, Chosen}
	}
	layers := p.manifest.Config.Layers + 1
	if b := p.manifest.Config.Branch; b != nil {
		layers += b.Layers
	}
	p.begin(StageCompare, 2*len(networks)*layers)
	report := &r.Report
	*report = Report{ID: r.Pack.ID, Revision: r.Pack.Revision, Bits: p.options.Bits, Pieces: len(p.pieces)}
	for _, s := range r.Pack.Sections {
		report.Sections = append(report.Sections, Size{s.Name, len(s.Files), s.Bytes(), r.Pack.Memory(s.Name)})
	}
	for _, texts := range []struct {
		name    string
		samples []sample
	}{{Fitted, fit}, {HeldOut, held}} {
		samples := spaced(texts.samples, measured)
		want, err := networks[""].compute(samples, p.step)
		if err != nil {
			return err
		}
		compare := func(kind string, got *output) {
			vector := Topic
			switch {
			case p.manifest.Kind == pack.Classifier:
				vector = Logits
			case p.manifest.Config.Tokens != nil:
				vector = Token
			}
			e := Error{Texts: texts.name, Rounding: kind, Vector: vector, Count: len(want.vectors)}
			if len(p.manifest.Config.Labels) == 1 {
				e.Scores = scores(got.vectors, want.vectors)
			} else {
				e.Cosine = spread(got.vectors, want.vectors)
			}
			report.Errors = append(report.Errors, e)
			if want.angles != nil {
				report.Errors = append(report.Errors, Error{Texts: texts.name, Rounding: kind, Vector: Angle, Count: len(samples), Cosine: spread(got.angles, want.angles)})
			}
		}
		for _, kind := range kinds {
			got, err := networks[kind].compute(samples, p.step)
			if err != nil {
				return err
			}
			if compare(kind, got); texts.name != HeldOut {
				continue
			}
			errors := make([]float64, len(want.states))
			for i := range errors {
				errors[i] = relative(got.states[i], want.states[i])
			}
			if kind == Plain {
				report.LayersFlat = errors
			} else {
				report.Layers = errors
			}
		}
		got, err := encoded(r.Files, p.pool, samples)
		if err != nil {
			return err
		}
		compare(Engine, got)
	}
	return nil
}

// reread is a network of the values that a reader gets.
func (p *packing) reread(files packfile.Files) (*network, error) {
	read, err := packfile.Read(files.Get)
	if err != nil {
		return nil, err
	}
	values, err := Values(read)
	return p.network(p.pool, values), err
}

// Values are all tensors of a pack as floats, by their names. The pack has no
// matrices afterwards.
func Values(read *pack.Pack) (map[string][]float32, error) {
	values := tensors{}
	var err error
	for _, s := range read.Manifest.Sections {
		read.Manifest.Config.Needs(read.Manifest.Kind, s.Name, func(n pack.Need) {
			if err != nil {
				return
			}
			if !n.Matrix {
				size := 1
				for _, d := range n.Shape {
					size *= d
				}
				values[n.Name], err = read.Vector(n.Name, size)
				return
			}
			m, e := read.Matrix(n.Name, n.Shape[0], n.Shape[1])
			if err = e; err != nil {
				return
			}
			v := make([]float32, len(m.Values))
			for i, q := range m.Values {
				v[i] = m.Scales[i/m.In] * float32(q)
			}
			values[n.Name] = v
		})
	}
	return values, err
}

// relative is the length of the error, divided by that of the values that are wanted.
func relative(got, want []float32) float64 {
	off, all := 0.0, 0.0
	for i, v := range want {
		d := float64(got[i]) - float64(v)
		off += d * d
		all += float64(v) * float64(v)
	}
	return math.Sqrt(off / max(all, math.SmallestNonzeroFloat64))
}

func spread(got, want [][]float32) (s Spread) {
	cosines := make([]float64, len(want))
	for i := range want {
		var ab, aa, bb float64
		for j, b := range want[i] {
			a := float64(got[i][j])
			ab, aa, bb = ab+a*float64(b), aa+a*a, bb+float64(b)*float64(b)
		}
		cosines[i] = ab / max(math.Sqrt(aa*bb), math.SmallestNonzeroFloat64)
		s.Mean += cosines[i] / float64(len(want))
	}
	slices.Sort(cosines)
	s.Min, s.Low = cosines[0], cosines[len(cosines)/20]
	return s
}

// scores compares numbers, each in a vector of its own.
func scores(got, want [][]float32) *Scores {
	n := float64(len(want))
	var s Scores
	var meanA, meanB float64
	off := make([]float64, len(want))
	for i := range want {
		a, b := float64(got[i][0]), float64(want[i][0])
		off[i] = math.Abs(a - b)
		s.Mean += off[i] / n
		meanA, meanB = meanA+a/n, meanB+b/n
	}
	var ab, aa, bb float64
	for i := range want {
		a, b := float64(got[i][0])-meanA, float64(want[i][0])-meanB
		ab, aa, bb = ab+a*b, aa+a*a, bb+b*b
	}
	s.Correlation = ab / max(math.Sqrt(aa*bb), math.SmallestNonzeroFloat64)
	s.Deviation = math.Sqrt(bb / n)
	slices.Sort(off)
	s.Max, s.High = off[len(off)-1], off[len(off)-1-len(off)/20]
	return &s
}

// Print writes a report for people.
func (r *Report) Print(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s@%s: %d bits, %s\n", r.ID, r.Revision, r.Bits, human.Count(r.Pieces, "piece"))
	for _, s := range r.Sections {
		fmt.Fprintf(&b, "  %-10s  %s in %s, %s in memory\n", s.Name, human.Bytes(s.Bytes), human.Count(s.Files, "file"), human.Bytes(s.Memory))
	}
	if len(r.Errors) > 0 && r.Errors[0].Scores != nil {
		fmt.Fprintf(&b, "\nabsolute difference of scores, whose standard deviation is %.4f in the texts held out\n%-8s  %-9s  %-8s  %6s  %-12s  %10s  %9s  %8s\n", r.Errors[len(r.Errors)-1].Scores.Deviation,
			"score", "texts", "rounding", "number", "correlation", "mean", "5 % above", "largest")
	} else {
		fmt.Fprintf(&b, "\n%-8s  %-9s  %-8s  %6s  %-12s  %10s  %8s\n", "vector", "texts", "rounding", "number", "cosine, mean", "5 % below", "lowest")
	}
	for _, e := range r.Errors {
		if s := e.Scores; s != nil {
			fmt.Fprintf(&b, "%-8s  %-9s  %-8s  %6d  %-12.4f  %10.4f  %9.4f  %8.4f\n", e.Vector, e.Texts, e.Rounding, e.Count, s.Correlation, s.Mean, s.High, s.Max)
			continue
		}
		fmt.Fprintf(&b, "%-8s  %-9s  %-8s  %6d  %-12.4f  %10.4f  %8.4f\n", e.Vector, e.Texts, e.Rounding, e.Count, e.Cosine.Mean, e.Cosine.Low, e.Cosine.Min)
	}
	b.WriteString("\nrelative error of the state after each layer, texts held out\nlayer     ")
	for i := range r.Layers {
		fmt.Fprintf(&b, "%8d", i)
	}
	for _, row := range []struct {
		name   string
		errors []float64
	}{{Plain, r.LayersFlat}, {Chosen, r.Layers}} {
		if row.errors == nil {
			continue
		}
		fmt.Fprintf(&b, "\n%-10s", row.name)
		for _, e := range row.errors {
			fmt.Fprintf(&b, "%8.4f", e)
		}
	}
	b.WriteByte('\n')
	_, err := io.WriteString(w, b.String())
	return err
}
