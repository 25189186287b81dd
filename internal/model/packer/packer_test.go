package packer

import (
	"encoding/json"
	"errors"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/model"
	"github.com/vantage-search/vantage/internal/model/modeltest"
	"github.com/vantage-search/vantage/internal/model/tokenizer"
	"github.com/vantage-search/vantage/internal/testing/approx"
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

// makePack makes a pack and reads it.
func makePack(t testing.TB, src *model.Source, o Options) (*Result, *pack.Pack) {
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
		r, p := makePack(t, src, Options{Bits: c.bits, Samples: samples(100), ID: "tiny", License: "MIT", Language: "en"})
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
		if e := held[Engine].Cosine; approx.Apart(e.Mean, held[Chosen].Cosine.Mean, .002) || e.Mean == 0 {
			t.Errorf("the engine gives %+v", e)
		}
		if approx.Apart(held[Chosen].Cosine.Mean, mean, .01) {
			t.Errorf("the report says %.4f, the transformer package gives %.4f", held[Chosen].Cosine.Mean, mean)
		}
	}
}

// The same model and the same options make the same bytes.
func TestPackIsReproducible(t *testing.T) {
	a, _ := makePack(t, small(t, nil, 1), Options{Bits: 4})
	b, _ := makePack(t, small(t, nil, 1), Options{Bits: 4})
	if string(a.Files[pack.FileName]) != string(b.Files[pack.FileName]) {
		t.Error("two packs of a model differ")
	}
	c, _ := makePack(t, small(t, nil, 2), Options{Bits: 4})
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
		"another family":     {map[string]any{"config.json": modeltest.Object{"model_type": "distilbert"}}, "type distilbert"},
		"relative positions": {map[string]any{"config.json": modeltest.Small.MPNetConfig()}, "an architecture of type mpnet: only encoders and classifiers of type bert are read in parts"},
		"max pooling":        {map[string]any{"1_Pooling/config.json": modeltest.Object{"word_embedding_dimension": 32, "pooling_mode_max_tokens": true}}, "pooling max"},
		"two poolings":       {map[string]any{"1_Pooling/config.json": modeltest.Object{"word_embedding_dimension": 32, "pooling_mode_max_tokens": true, "pooling_mode_mean_tokens": true}}, "several ways of pooling"},
		"a prompt out":       {map[string]any{"1_Pooling/config.json": modeltest.Object{"word_embedding_dimension": 32, "pooling_mode_mean_tokens": true, "include_prompt": false}}, "leaves the prompt out"},
	} {
		dir := filepath.Join(t.TempDir(), "small")
		if err := errors.Join(modeltest.Write(dir, 1), modeltest.WriteJSON(dir, c.files)); err != nil {
			t.Fatal(err)
		}
		if _, err := model.OpenSource(t.Context(), dir, model.Options{}); fault.Of(err) != fault.Unsupported || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", what, err)
		}
	}
	dir := crossEncoder(t, "relevance")
	if err := modeltest.WriteJSON(dir, map[string]any{"tokenizer_config.json": modeltest.Object{"model_input_names": []string{"input_ids", "attention_mask"}}}); err != nil {
		t.Fatal(err)
	}
	if _, err := model.OpenSource(t.Context(), dir, model.Options{}); fault.Of(err) != fault.Unsupported || !strings.Contains(err.Error(), "gives no token types") {
		t.Errorf("a cross-encoder without token types: %v", err)
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

// A branch travels in a section of its own, and its vectors come from the trunk's state
// after some layers.
func TestBranch(t *testing.T) {
	src := small(t, nil, 1)
	dir := t.TempDir()
	path := filepath.Join(dir, "branch.safetensors")
	tensors := modeltest.NewTensors(9)
	c := pack.Config{Hidden: modeltest.Hidden, Intermediate: 4 * modeltest.Hidden, Branch: &pack.Branch{From: 1, Layers: 2, Dimension: 6}}
	c.Needs(pack.Encoder, pack.BranchSection, func(n pack.Need) { tensors.Add(n.Name, .2, n.Shape...) })
	if err := tensors.Write(path); err != nil {
		t.Fatal(err)
	}
	r, p := makePack(t, src, Options{Bits: 4, Branch: path, BranchFrom: 1})
	if b := p.Manifest.Config.Branch; b == nil || *b != *c.Branch || !p.Has("projection.weight") || p.Manifest.Section(pack.BranchSection) == nil {
		t.Fatalf("the branch is %+v", b)
	}
	found := false
	for _, e := range r.Report.Errors {
		found = found || e.Vector == Angle && e.Cosine.Mean > .9
	}
	if !found {
		t.Errorf("no vectors of the branch in %+v", r.Report.Errors)
	}
	// The network takes the branch where the transformer package would.
	texts := samples(20)
	f := newFloats(t, p)
	m := p.Manifest.Config
	pool := dense.NewPool(1)
	defer pool.Close()
	n := &network{c: &m, kind: pack.Encoder, values: f.values, pool: pool}
	var list []sample
	for _, ids := range ids(p, texts) {
		list = append(list, sample{ids: ids})
	}
	got, err := n.compute(list, func() error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	if c := cosines(got.angles, angles(t, p, f, ids(p, texts))); c[0] < 1-1e-6 {
		t.Errorf("cosines %v", c)
	}

	// If the branch was trained on rounded layers, those that it builds on are rounded like
	// that, value by value.
	m0, err := read(src)
	if err != nil {
		t.Fatal(err)
	}
	for rounded, want := range map[bool][]bool{false: {false, false}, true: {true, false}} {
		_, p := makePack(t, src, Options{Bits: 4, Branch: path, BranchFrom: 1, BranchRounded: rounded})
		f := newFloats(t, p)
		for layer, want := range want {
			plain := true
			for _, name := range []string{"attention.self.value.weight", "output.dense.weight"} {
				name = trunkLayer(layer) + name
				width := f.shapes[name][1]
				values := rounded4(m0.values[name], width, roundPlainly)
				for i, v := range f.values[name] {
					row := values[i/width*width:][:width]
					plain = plain && math.Abs(float64(v-values[i])) <= largest(row)/1000 // half floats
				}
			}
			if plain != want {
				t.Errorf("rounded branch %v: layer %d is rounded plainly: %v", rounded, layer, plain)
			}
		}
	}

	extra := modeltest.NewTensors(9)
	c.Needs(pack.Encoder, pack.BranchSection, func(n pack.Need) { extra.Add(n.Name, .2, n.Shape...) })
	extra.Add("branch.7.output.dense.weight", .2, 2, 2)
	none := modeltest.NewTensors(9)
	none.Add("projection.weight", .2, 6, 32)
	for says, tensors := range map[string]*modeltest.Tensors{"which is not of a branch": extra, "it has no": none} {
		if err := tensors.Write(path); err != nil {
			t.Fatal(err)
		}
		if _, err := Pack(t.Context(), src, Options{Bits: 4, Samples: samples(20), Branch: path, BranchFrom: 1}); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v", says, err)
		}
	}
}

// angles of texts by the transformer package: the layers of the branch are put
// behind those of the trunk that it leaves.
func angles(t testing.TB, p *pack.Pack, f floats, lists [][]uint32) (out [][]float32) {
	t.Helper()
	c := p.Manifest.Config
	joined := floats{maps.Clone(f.values), maps.Clone(f.shapes)}
	for name, values := range f.values {
		if rest, ok := strings.CutPrefix(name, "branch."); ok {
			number, rest, _ := strings.Cut(rest, ".")
			i, err := strconv.Atoi(number)
			if err != nil {
				t.Fatal(err)
			}
			to := trunkLayer(c.Branch.From+i) + rest
			joined.values[to], joined.shapes[to] = values, f.shapes[name]
		}
	}
	m, err := transformer.NewBERT(transformer.BERTConfig{Vocabulary: c.Vocabulary, Hidden: c.Hidden, Layers: c.Branch.From + c.Branch.Layers, Heads: c.Heads, Intermediate: c.Intermediate,
		Positions: c.Positions, Types: c.Types, Epsilon: float32(c.Epsilon), Activation: dense.GELU}, joined)
	if err != nil {
		t.Fatal(err)
	}
	pool := dense.NewPool(2)
	defer pool.Close()
	project := dense.NewLinear(f.values["projection.weight"], nil, c.Branch.Dimension, c.Hidden)
	for _, ids := range lists {
		hidden := make([]float32, len(ids)*c.Hidden)
		if err := m.Forward(hidden, &transformer.Batch{IDs: ids, Lengths: []int{len(ids)}}, &transformer.Scratch{Pool: pool}); err != nil {
			t.Fatal(err)
		}
		v := make([]float32, c.Branch.Dimension)
		project.Apply(pool, v, len(v), pooled(hidden, c.Hidden, true), c.Hidden, 1, dense.None)
		out = append(out, unit(v))
	}
	return out
}

// crossEncoder writes a small cross-encoder, and returns its folder.
func crossEncoder(t *testing.T, labels ...string) (dir string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "cross")
	if err := modeltest.Write(dir, 1); err != nil {
		t.Fatal(err)
	}
	names := modeltest.Object{}
	for i, label := range labels {
		names[strconv.Itoa(i)] = label
	}
	config := modeltest.Config()
	config["architectures"], config["id2label"] = []string{"BertForSequenceClassification"}, names
	tensors := modeltest.BERT(1)
	tensors.Linear("classifier", len(labels), modeltest.Hidden)
	if err := errors.Join(modeltest.WriteJSON(dir, map[string]any{"config.json": config}), tensors.Write(filepath.Join(dir, "model.safetensors")), os.Remove(filepath.Join(dir, "modules.json"))); err != nil {
		t.Fatal(err)
	}
	return dir
}

// A cross-encoder with one label gives a text one number. The report compares these numbers, because
// all that their cosine says is whether the sign is the same.
func TestOneLabel(t *testing.T) {
	for _, bits := range []int{4, 8} {
		r, _ := makePack(t, opened(t, crossEncoder(t, "relevance")), Options{Bits: bits, Samples: samples(60)})
		for _, e := range r.Report.Errors {
			s := e.Scores
			if e.Vector != Logits || e.Cosine != (Spread{}) || s == nil {
				t.Fatalf("%d bits: %+v", bits, e)
			}
			if !(s.Correlation > .8 && s.Correlation <= 1+1e-9 && s.Mean > 0 && s.Mean <= s.High && s.High <= s.Max && s.Mean < s.Deviation) || bits == 8 && s.Correlation < .98 {
				t.Errorf("%d bits, %s texts, %s: %+v", bits, e.Texts, e.Rounding, *s)
			}
		}
		text, err := json.Marshal(r.Report.Errors[0])
		if err != nil || strings.Contains(string(text), "cosine") || !strings.Contains(string(text), `"correlation":`) {
			t.Errorf("%s %v", text, err)
		}
		var out strings.Builder
		if err := r.Report.Print(&out); err != nil || strings.Contains(out.String(), "cosine") || !strings.Contains(out.String(), "absolute difference of scores") {
			t.Errorf("%s %v", out.String(), err)
		}
		t.Log(out.String())
	}
	got := scores([][]float32{{1}, {2}, {3}, {5}}, [][]float32{{1}, {2}, {3}, {4}})
	if approx.Apart(got.Correlation, .9827076, 1e-6) || got.Mean != .25 || got.Max != 1 || approx.Apart(got.Deviation, math.Sqrt(1.25), 1e-9) {
		t.Errorf("%+v", got)
	}
}

// A cross-encoder keeps its head and its labels, and is measured by its logits.
func TestClassifier(t *testing.T) {
	dir := crossEncoder(t, "against", "for", "neither")
	src := opened(t, dir)
	r, p := makePack(t, src, Options{Bits: 8, Samples: append(samples(40), "night trains\tpeople help")})
	if m := p.Manifest; m.Kind != pack.Classifier || !slices.Equal(m.Config.Labels, []string{"against", "for", "neither"}) || m.Config.Pooling != pack.CLS || m.Config.Normalize {
		t.Errorf("the manifest is %+v", m)
	}
	if e := r.Report.Errors[0]; e.Vector != Logits || e.Cosine.Mean < .999 {
		t.Errorf("%+v", e)
	}
	// The logits are the model's own, also of pairs with an empty text.
	classifier, err := model.OpenClassifier(t.Context(), dir, model.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer classifier.Close()
	o, err := read(src)
	if err != nil {
		t.Fatal(err)
	}
	pool := dense.NewPool(1)
	defer pool.Close()
	pairs := [][2]string{{"night trains", "people help the school"}, {"a claim", "work week cost uniforms"}, {"night trains", ""}, {"", "night trains"}, {"", ""}}
	want, err := classifier.Classify(t.Context(), pairs)
	if err != nil {
		t.Fatal(err)
	}
	making := &packing{original: o}
	var inputs []sample
	for _, p := range pairs {
		inputs = append(inputs, making.pair(p[0], p[1]))
	}
	got, err := o.network(pool, o.values).compute(inputs, func() error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	for i := range want {
		for j, v := range want[i].Logits {
			if approx.Apart(float64(got.vectors[i][j]), float64(v), 1e-4) {
				t.Errorf("logits %v, want %v", got.vectors[i], want[i].Logits)
			}
		}
	}
}

// Dense modules and the checkpoint's own pooler become dense layers.
func TestDense(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "dense")
	modules := modeltest.SentenceTransformer()["modules.json"].([]modeltest.Object)
	modules = append(modules[:2:2], modeltest.Object{"idx": 2, "path": "2_Dense", "type": "sentence_transformers.models.Dense"}, modules[2])
	tensors := modeltest.NewTensors(3)
	tensors.Linear("linear", 10, modeltest.Hidden)
	err := errors.Join(modeltest.Write(dir, 1), modeltest.WriteJSON(dir, map[string]any{"modules.json": modules,
		"2_Dense/config.json": modeltest.Object{"in_features": modeltest.Hidden, "out_features": 10, "bias": true, "activation_function": "torch.nn.modules.activation.Tanh"}}),
		tensors.Write(filepath.Join(dir, "2_Dense", "model.safetensors")))
	if err != nil {
		t.Fatal(err)
	}
	src := opened(t, dir)
	texts := samples(30)
	r, p := makePack(t, src, Options{Bits: 8})
	if c := p.Manifest.Config; len(c.Dense) != 1 || c.Dense[0] != (pack.Dense{Out: 10, Activation: pack.Tanh, Bias: true}) || c.Dimension() != 10 || !c.Normalize {
		t.Errorf("the configuration is %+v", c)
	}
	check := func(src *model.Source) {
		o, err := read(src)
		if err != nil {
			t.Fatal(err)
		}
		pool := dense.NewPool(1)
		defer pool.Close()
		var list []sample
		for _, ids := range ids(p, texts) {
			list = append(list, sample{ids: ids})
		}
		got, err := o.network(pool, o.values).compute(list, func() error { return nil })
		if err != nil {
			t.Fatal(err)
		}
		if c := cosines(got.vectors, encodedBy(t, src, texts)); c[0] < 1-1e-6 {
			t.Errorf("cosines %v", c)
		}
	}
	check(src)
	if e := r.Report.Errors[0]; e.Cosine.Mean < .999 {
		t.Errorf("%+v", e)
	}
	pooler, err := model.OpenSource(t.Context(), dir, model.Options{Pooling: model.Pooler})
	if err != nil {
		t.Fatal(err)
	}
	defer pooler.Close()
	check(pooler)
}

// Prompts are the model's, as options change them.
func TestPrompts(t *testing.T) {
	src := small(t, map[string]any{"config_sentence_transformers.json": modeltest.Object{"prompts": modeltest.Object{"query": "find: ", "passage": "text: "}, "default_prompt_name": "query"}}, 1)
	_, p := makePack(t, src, Options{Bits: 8, Prompts: map[string]string{"passage": "", "document": "doc: "}, Numbers: map[string][]float64{"level": {.5}}, Texts: map[string][]string{"for": {"a {root}"}}})
	if m := p.Manifest; !maps.Equal(m.Prompts, map[string]string{"query": "find: ", "document": "doc: "}) || m.DefaultPrompt != "query" || m.Numbers["level"][0] != .5 || m.Texts["for"][0] != "a {root}" {
		t.Errorf("the manifest is %+v", p.Manifest)
	}
	_, p = makePack(t, src, Options{Bits: 8, Prompts: map[string]string{"query": ""}})
	if m := p.Manifest; !maps.Equal(m.Prompts, map[string]string{"passage": "text: "}) || m.DefaultPrompt != "" {
		t.Errorf("the manifest is %+v", p.Manifest)
	}
}

// A pack replaces a pack, and nothing else.
func TestWrite(t *testing.T) {
	r, _ := makePack(t, small(t, nil, 1), Options{Bits: 8})
	dir := filepath.Join(t.TempDir(), "pack")
	for range 2 {
		if err := Write(dir, r.Files); err != nil {
			t.Fatal(err)
		}
	}
	read, err := packfile.Read(func(path string) ([]byte, error) { return os.ReadFile(filepath.Join(dir, filepath.FromSlash(path))) })
	if err != nil || read.Manifest.Revision != r.Pack.Revision {
		t.Errorf("%+v (%v)", read, err)
	}
	if err := os.WriteFile(filepath.Join(dir, "data", "notes.txt"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := Write(dir, r.Files); err == nil || !strings.Contains(err.Error(), "data/notes.txt, which is no part of a pack") {
		t.Errorf("over somebody's notes: %v", err)
	}
}
