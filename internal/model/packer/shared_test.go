package packer

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/model"
	"github.com/vantage-search/vantage/internal/model/weights"
	"github.com/vantage-search/vantage/internal/testing/shared"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/internal/wasm/pack"
	"github.com/vantage-search/vantage/internal/wasm/pack/packfile"
)

// The model of topic and angle survives packing: what is read back and computed in
// floats is near the vectors that the recipe wrote for its own model of 4 bits. The
// test rounds plainly, as the recipe does, because that is quick (rounding for outputs
// is measured in docs/models.md). So the vectors differ only because values of 4 bits
// become values of 8 bits in memory, and the branch's scales move to ladders.
func TestSides(t *testing.T) {
	o := sides(t)
	var golden struct {
		Texts []struct {
			Text           string
			IDs            []uint32
			Topic4, Angle4 []float32
		}
	}
	b, err := os.ReadFile(shared.Path(t, "model/sides/golden.json"))
	if err == nil {
		err = json.Unmarshal(b, &golden)
	}
	if err != nil {
		t.Fatal(err)
	}
	var lists [][]uint32
	var wantTopics, wantAngles [][]float32
	for _, g := range golden.Texts {
		lists = append(lists, g.IDs)
		wantTopics, wantAngles = append(wantTopics, g.Topic4), append(wantAngles, g.Angle4)
	}
	p := &packing{original: o, options: &Options{Bits: 4}}
	files, err := packfile.Build(o.manifest, packfile.Content{Tokenizer: o.settings, Pieces: o.pieces, Tensors: p.store(roundPlain)})
	if err != nil {
		t.Fatal(err)
	}
	read, err := packfile.Read(files.Get)
	if err != nil {
		t.Fatal(err)
	}
	m := read.Manifest
	trunk, angle := m.Section(pack.Vocabulary).Bytes()+m.Section(pack.Trunk).Bytes(), m.Section(pack.BranchSection).Bytes()
	t.Logf("topic %d bytes with its vocabulary, angle %d; in memory %d and %d", trunk, angle, m.Memory(pack.Trunk)+m.Memory(pack.Vocabulary), m.Memory(pack.BranchSection))
	if trunk > 10_000_000 || angle > 4_500_000 {
		t.Errorf("topic has %d bytes, angle %d", trunk, angle)
	}
	for i, g := range golden.Texts {
		if got := read.Tokenizer().EncodeSpecial(nil, g.Text, m.Config.MaxLength); !slices.Equal(got, lists[i]) {
			t.Errorf("%q has the ids %v, not %v", g.Text, got, lists[i])
		}
	}
	f := newFloats(t, read)
	topics, sides := cosines(vectors(t, read, f, lists), wantTopics), cosines(angles(t, read, f, lists), wantAngles)
	t.Logf("cosines of topic from %.5f, of angle from %.5f", topics[0], sides[0])
	if topics[0] < .998 || sides[0] < .99 { // what rounding from 4 to 8 bits takes, and the branch's scales to ladders
		t.Errorf("topic %v, angle %v", topics, sides)
	}
}

// sides is the model of topic and angle.
func sides(t testing.TB) *original {
	t.Helper()
	o, err := read(opened(t, shared.Path(t, "model/sides/topic")))
	if err != nil {
		t.Fatal(err)
	}
	if err := o.readBranch(shared.Path(t, "model/sides/angle/branch.safetensors"), 2); err != nil {
		t.Fatal(err)
	}
	return o
}

// The values of the branch are on the grid of 4 bits, but for the noise of half floats.
func TestSidesBranchIsOnTheGrid(t *testing.T) {
	file, err := weights.OpenFile(shared.Path(t, "model/sides/angle/branch.safetensors"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for _, name := range []string{"branch.0.attention.self.query.weight", "branch.3.output.dense.weight", "projection.weight"} {
		w, shape, ok := file.Tensor(name)
		if !ok {
			t.Fatal(name)
		}
		if off := relative(rounded4(w, shape[1], roundSearched), w); off > 1e-3 {
			t.Errorf("%s is off by %g", name, off)
		}
	}
}

// BERT models of every layout become packs. Those of other families are refused, and the
// error names the family.
func TestGoldenModels(t *testing.T) {
	texts := samples(24)
	for name, bits := range map[string]int{"bert-tiny-f16": 8, "bert-tiny-minilm": 4, "bert-tiny-simcse": 8, "bert-tiny": 4, "bge-tiny": 8, "e5-tiny": 8} {
		src := opened(t, shared.Path(t, "data/golden/"+name))
		r, p := makePack(t, src, Options{Bits: bits})
		least := map[int]float64{8: .999, 4: .95}[bits]
		for _, e := range r.Report.Errors {
			if e.Rounding == Chosen && e.Cosine.Mean < least {
				t.Errorf("%s, %d bits: %+v", name, bits, e)
			}
		}
		if prompts := p.Manifest.Prompts; name == "e5-tiny" && (prompts["query"] != "query: " || prompts["passage"] != "passage: ") {
			t.Errorf("%s: prompts %q", name, prompts)
		}
		if name == "bert-tiny-simcse" { // its pooler is a dense layer
			continue
		}
		if c := cosines(vectors(t, p, newFloats(t, p), ids(p, texts)), encodedBy(t, src, texts)); c[0] < least-.02 {
			t.Errorf("%s, %d bits: cosines %v", name, bits, c)
		}
	}
	_, err := Pack(t.Context(), opened(t, shared.Path(t, "data/golden/bert-tiny-wide")), Options{Bits: 4, Samples: texts})
	if fault.Of(err) == "" || !strings.Contains(err.Error(), "no multiple of 16") {
		t.Errorf("a width of 72: %v", err)
	}
	for name, says := range map[string]string{"roberta-tiny": "type roberta", "distilbert-tiny": "type distilbert", "opt-tiny": "type opt", "dpr-tiny/question_encoder": "type dpr"} {
		if _, err := model.OpenSource(t.Context(), shared.Path(t, "data/golden/"+name), model.Options{}); fault.Of(err) != fault.Unsupported || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
