package packer

import (
	"errors"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/model"
	"github.com/vantage-search/vantage/internal/model/modeltest"
	"github.com/vantage-search/vantage/internal/model/tokenizer"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/internal/wasm/kernel/dense"
	"github.com/vantage-search/vantage/internal/wasm/pack"
	"github.com/vantage-search/vantage/internal/wasm/pack/packfile"
	"github.com/vantage-search/vantage/internal/wasm/transformer"
)

// words of the small models' vocabulary, and some that are spelt out.
var words = strings.Fields("a the claim that supports opposes argument find school uniforms night trains help cost people work week : . , ? ! - bicycle 1204 quiz")

// samples are random texts.
func samples(n int) (texts []string) {
	r := rand.New(rand.NewPCG(1, 0))
	for range n {
		var text []string
		for range 3 + r.IntN(20) {
			text = append(text, words[r.IntN(len(words))])
		}
		texts = append(texts, strings.Join(text, " "))
	}
	return texts
}

// small writes a small model and opens its parts.
func small(t testing.TB, files map[string]any, seed uint64) *model.Source {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "small")
	if err := modeltest.Write(dir, seed); err != nil {
		t.Fatal(err)
	}
	if err := modeltest.WriteJSON(dir, files); err != nil {
		t.Fatal(err)
	}
	return opened(t, dir)
}

func opened(t testing.TB, dir string) *model.Source {
	t.Helper()
	src, err := model.OpenSource(t.Context(), dir, model.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { src.Close() })
	return src
}

// packed makes a pack and reads it.
func packed(t testing.TB, src *model.Source, o Options) (*Result, *pack.Pack) {
	t.Helper()
	if o.Samples == nil {
		o.Samples = samples(60)
	}
	r, err := Pack(t.Context(), src, o)
	if err != nil {
		t.Fatal(err)
	}
	return packedFiles(t, r)
}

// packedFiles reads a pack.
func packedFiles(t testing.TB, r *Result) (*Result, *pack.Pack) {
	t.Helper()
	p, err := packfile.Read(r.Files.Get)
	if err != nil {
		t.Fatal(err)
	}
	return r, p
}

// floats are a pack's values as the tensors of a float model.
type floats struct {
	values map[string][]float32
	shapes map[string][]int
}

func newFloats(t testing.TB, p *pack.Pack) floats {
	t.Helper()
	values, err := Values(p)
	if err != nil {
		t.Fatal(err)
	}
	f := floats{values, map[string][]int{}}
	for _, s := range p.Manifest.Sections {
		for _, x := range s.Tensors {
			f.shapes[x.Name] = x.Shape
		}
	}
	return f
}

func (f floats) Tensor(name string) ([]float32, []int, bool) {
	v, ok := f.values[name]
	return v, f.shapes[name], ok
}

// branch presents the layers of a branch as those of a model of their own.
type branch struct{ floats }

func (b branch) Tensor(name string) ([]float32, []int, bool) {
	if rest, ok := strings.CutPrefix(name, "encoder.layer."); ok {
		name = "branch." + rest
	}
	return b.floats.Tensor(name)
}

// vectors of texts by the transformer package's float model with the values of a
// pack: the mean or the first token, normalised.
func vectors(t testing.TB, p *pack.Pack, f floats, lists [][]uint32) (out [][]float32) {
	t.Helper()
	c := p.Manifest.Config
	m, err := transformer.NewBERT(transformer.BERTConfig{Vocabulary: c.Vocabulary, Hidden: c.Hidden, Layers: c.Layers, Heads: c.Heads, Intermediate: c.Intermediate,
		Positions: c.Positions, Types: c.Types, Epsilon: float32(c.Epsilon), Activation: map[string]dense.Activation{pack.GELU: dense.GELU, pack.GELUTanh: dense.GELUTanh}[c.Activation]}, f)
	if err != nil {
		t.Fatal(err)
	}
	pool := dense.NewPool(2)
	defer pool.Close()
	for _, ids := range lists {
		hidden := make([]float32, len(ids)*c.Hidden)
		if err := m.Forward(hidden, &transformer.Batch{IDs: ids, Lengths: []int{len(ids)}}, &transformer.Scratch{Pool: pool}); err != nil {
			t.Fatal(err)
		}
		out = append(out, pooled(hidden, c.Hidden, c.Pooling == pack.Mean))
	}
	return out
}

func pooled(hidden []float32, width int, mean bool) []float32 {
	v := slices.Clone(hidden[:width])
	for at := width; mean && at < len(hidden); at += width {
		for i, x := range hidden[at : at+width] {
			v[i] += x
		}
	}
	return unit(v)
}

func unit(v []float32) []float32 {
	squares := 0.0
	for _, x := range v {
		squares += float64(x) * float64(x)
	}
	for i := range v {
		v[i] = float32(float64(v[i]) / math.Sqrt(squares))
	}
	return v
}

// cosines of vectors, the lowest first.
func cosines(a, b [][]float32) []float64 {
	list := make([]float64, len(a))
	for i := range a {
		list[i] = spread(a[i:i+1], b[i:i+1]).Mean
	}
	slices.Sort(list)
	return list
}

// encodedBy are the vectors of the source itself.
func encodedBy(t testing.TB, src *model.Source, texts []string) (out [][]float32) {
	t.Helper()
	none := ""
	embeddings, err := src.Model.Encode(t.Context(), texts, encoder.Options{Prompt: &none})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range embeddings {
		out = append(out, e.Vector)
	}
	return out
}

func ids(p *pack.Pack, texts []string) (lists [][]uint32) {
	for _, text := range texts {
		lists = append(lists, p.Tokenizer().EncodeSpecial(nil, text, p.Manifest.Config.MaxLength))
	}
	return lists
}

// The network whose layers rounding looks into is the model.
func TestNetworkIsTheModel(t *testing.T) {
	src := small(t, nil, 1)
	o, err := read(src)
	if err != nil {
		t.Fatal(err)
	}
	pool := dense.NewPool(2)
	defer pool.Close()
	texts := samples(40)
	var list []sample
	for _, text := range texts {
		list = append(list, sample{ids: o.tokenizer.EncodeSpecial(nil, text, o.manifest.Config.MaxLength)})
	}
	got, err := o.network(pool, o.values).compute(list, func() error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	if c := cosines(got.vectors, encodedBy(t, src, texts)); c[0] < 1-1e-6 {
		t.Errorf("cosines %v", c)
	}
	stop := errors.New("stop")
	if _, err := o.network(pool, o.values).compute(list, func() error { return stop }); !errors.Is(err, stop) {
		t.Errorf("it goes on: %v", err)
	}
}

// A pack's values, read back and computed by the transformer package, give what the
// report says; 8 bits are almost exact, and 4 bits rounded for the outputs are
// better than plain ones on texts that rounding has not seen.
func TestPack(t *testing.T) {
	src := small(t, nil, 1)
	texts := samples(200)[100:]
	want := encodedBy(t, src, texts)
	for _, c := range []struct {
		bits  int
		least float64 // of the mean cosine
	}{{8, .9999}, {4, .985}} {
		r, p := packed(t, src, Options{Bits: c.bits, Samples: samples(100), ID: "tiny", License: "MIT", Language: "en"})
		got := cosines(vectors(t, p, newFloats(t, p), ids(p, texts)), want)
		mean := 0.0
		for _, x := range got {
			mean += x / float64(len(got))
		}
		if mean < c.least {
			t.Errorf("%d bits: a mean cosine of %.5f", c.bits, mean)
		}
		m := p.Manifest
		if m.ID != "tiny" || m.Source.ID != "small" || m.Source.Revision == "" || m.License != "MIT" || m.Language != "en" || m.Kind != pack.Encoder || m.Prompts["query"] != "find: " ||
			m.Config.MaxLength != 48 || m.Config.Positions != 48 || m.Config.Pooling != pack.Mean || !m.Config.Normalize {
			t.Errorf("the manifest is %+v", m)
		}
		held := map[string]Error{}
		for _, e := range r.Report.Errors {
			if e.Texts == HeldOut {
				held[e.Rounding] = e
			}
		}
		t.Logf("%d bits: plain %+v, chosen %+v, layers %.4f", c.bits, held[Plain].Cosine, held[Chosen].Cosine, r.Report.Layers)
		if c.bits == 4 && 1-held[Chosen].Cosine.Mean > .6*(1-held[Plain].Cosine.Mean) {
			t.Errorf("rounding for the outputs gives %v, plain %v", held[Chosen], held[Plain])
		}
		if math.Abs(held[Chosen].Cosine.Mean-mean) > .01 {
			t.Errorf("the report says %.4f, the transformer package gives %.4f", held[Chosen].Cosine.Mean, mean)
		}
	}
}

// The same model and the same options make the same bytes.
func TestPackIsReproducible(t *testing.T) {
	a, _ := packed(t, small(t, nil, 1), Options{Bits: 4})
	b, _ := packed(t, small(t, nil, 1), Options{Bits: 4})
	if string(a.Files[pack.FileName]) != string(b.Files[pack.FileName]) {
		t.Error("two packs of a model differ")
	}
	c, _ := packed(t, small(t, nil, 2), Options{Bits: 4})
	if a.Pack.Revision == c.Pack.Revision || a.Pack.Revision == "" {
		t.Error("another model has the same revision")
	}
}

// Requests that cannot be met are errors that say what to do.
func TestRefusals(t *testing.T) {
	src := small(t, nil, 1)
	for what, c := range map[string]struct {
		o    Options
		says string
	}{
		"bits":           {Options{Bits: 5, Samples: samples(20)}, "packs have 4 or 8"},
		"samples":        {Options{Bits: 4, Samples: samples(3)}, "give at least 10"},
		"vocabulary":     {Options{Bits: 4, Samples: samples(20), Vocabulary: 100}, "give --corpus"},
		"branch":         {Options{Bits: 4, Samples: samples(20), Branch: "none.safetensors", BranchFrom: 1}, "none.safetensors"},
		"branch's layer": {Options{Bits: 4, Samples: samples(20), Branch: "none.safetensors", BranchFrom: 9}, "after layer 9 of 2"},
	} {
		if _, err := Pack(t.Context(), src, c.o); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", what, err)
		}
	}
	for what, c := range map[string]struct {
		files map[string]any
		says  string
	}{
		"another family": {map[string]any{"config.json": modeltest.Object{"model_type": "distilbert"}}, "type distilbert"},
		"max pooling":    {map[string]any{"1_Pooling/config.json": modeltest.Object{"word_embedding_dimension": 32, "pooling_mode_max_tokens": true}}, "pooling max"},
		"two poolings":   {map[string]any{"1_Pooling/config.json": modeltest.Object{"word_embedding_dimension": 32, "pooling_mode_max_tokens": true, "pooling_mode_mean_tokens": true}}, "several ways of pooling"},
		"a prompt out":   {map[string]any{"1_Pooling/config.json": modeltest.Object{"word_embedding_dimension": 32, "pooling_mode_mean_tokens": true, "include_prompt": false}}, "leaves the prompt out"},
	} {
		dir := filepath.Join(t.TempDir(), "small")
		if err := errors.Join(modeltest.Write(dir, 1), modeltest.WriteJSON(dir, c.files)); err != nil {
			t.Fatal(err)
		}
		if _, err := model.OpenSource(t.Context(), dir, model.Options{}); fault.Of(err) != fault.Unsupported || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// tokenizerIn is the tokenizer.json of a folder.
func tokenizerIn(t testing.TB, dir string) []byte {
	t.Helper()
	text, _, err := tokenizer.JSON(dir)
	if err != nil {
		t.Fatal(err)
	}
	return text
}
