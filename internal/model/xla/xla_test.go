package xla

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gomlx/gomlx/pkg/core/graph"

	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/model"
	"github.com/vantage-search/vantage/internal/model/modeltest"
	"github.com/vantage-search/vantage/internal/model/weights"
	"github.com/vantage-search/vantage/internal/testing/jsonfile"
	"github.com/vantage-search/vantage/internal/testing/shared"
	"github.com/vantage-search/vantage/internal/wasm/kernel/dense"
	"github.com/vantage-search/vantage/internal/wasm/transformer"
)

func open(t *testing.T, dir string, o model.Options) model.Encoder {
	t.Helper()
	e, err := model.Open(context.Background(), dir, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	return e
}

func encode(t *testing.T, e model.Encoder, o encoder.Options, texts ...string) []encoder.Embedding {
	t.Helper()
	got, err := e.Encode(context.Background(), texts, o)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// near fails if vectors differ by more than the tolerance. It logs the largest difference.
func near(t *testing.T, what string, got, want []encoder.Embedding, tolerance float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d vectors, want %d", what, len(got), len(want))
	}
	largest := 0.0
	for i := range want {
		g, w := got[i], want[i]
		if g.Tokens != w.Tokens || g.Truncated != w.Truncated || len(g.Vector) != len(w.Vector) {
			t.Fatalf("%s: text %d: %d tokens, %v, %d components; want %d, %v, %d", what, i, g.Tokens, g.Truncated, len(g.Vector), w.Tokens, w.Truncated, len(w.Vector))
		}
		for j, v := range w.Vector {
			apart := math.Abs(float64(g.Vector[j]) - float64(v))
			if !(apart <= tolerance) {
				t.Fatalf("%s: text %d, component %d is %v, want %v", what, i, j, g.Vector[j], v)
			}
			largest = max(largest, apart)
		}
	}
	t.Logf("%s: largest difference %.1e, allowed %.0e", what, largest, tolerance)
}

var texts = func() (all []string) {
	for i := range 21 {
		all = append(all, strings.Repeat("night trains help people that oppose the argument ", i%9)+string(rune('a'+i)))
	}
	return append(all, "")
}()

var poolings = []model.Pooling{model.CLS, model.Mean, model.Max, model.Last, model.Weighted, model.RootMean, model.Pooler}

// A graph gives the same as the engine on the processor, for every way of pooling.
func TestParity(t *testing.T) {
	dir := t.TempDir()
	if err := modeltest.Write(dir, 1); err != nil {
		t.Fatal(err)
	}
	parity(t, dir, device(t, false), texts...)
}

// MPNet does, too, for texts with distances of all its buckets.
func TestMPNetParity(t *testing.T) {
	dir := t.TempDir()
	shape := modeltest.Small
	shape.Positions, shape.MaxLength = 258, 256
	if err := shape.WriteMPNet(dir, 1); err != nil {
		t.Fatal(err)
	}
	d := device(t, false)
	long := []string{strings.Repeat("night trains help people ", 75), "[UNK] night [UNK][UNK] trains", strings.Repeat("a ", 160), ""}
	parity(t, dir, d, append(long, texts[:9]...)...)
	tensors := shape.MPNet(1)
	tensors.Damage("encoder.relative_attention_bias.weight", 9, float32(math.Inf(-1)))
	if err := tensors.Write(filepath.Join(dir, "model.safetensors")); err != nil {
		t.Fatal(err)
	}
	_, err := model.Open(context.Background(), dir, model.Options{Device: d})
	if found, ok := errors.AsType[*transformer.NonFiniteError](err); !ok || found.Name != "encoder.relative_attention_bias.weight" || found.Index != 9 {
		t.Errorf("an infinite bias: %v", err)
	}
}

// parity compares a device with the processor for every way of pooling, and for the folder's own.
func parity(t *testing.T, dir string, d *Device, texts ...string) {
	t.Helper()
	for _, pooling := range append([]model.Pooling{""}, poolings...) {
		for _, role := range []encoder.Role{encoder.NoRole, encoder.Query} {
			want := encode(t, open(t, dir, model.Options{Pooling: pooling}), encoder.Options{Role: role}, texts...)
			near(t, string(pooling), encode(t, open(t, dir, model.Options{Pooling: pooling, Device: d}), encoder.Options{Role: role}, texts...), want, 1e-5)
		}
	}
}

// Each text has its own prompt, which is left out of the pooling.
func TestPromptsParity(t *testing.T) {
	dir := t.TempDir()
	if err := modeltest.Write(dir, 1); err != nil {
		t.Fatal(err)
	}
	ways := modeltest.Object{"include_prompt": false}
	for _, way := range []string{"cls_token", "max_tokens", "mean_tokens", "mean_sqrt_len_tokens", "weightedmean_tokens", "lasttoken"} {
		ways["pooling_mode_"+way] = true
	}
	if err := modeltest.WriteJSON(dir, map[string]any{"1_Pooling/config.json": ways}); err != nil {
		t.Fatal(err)
	}
	prompts := make([]string, len(texts))
	for i := range prompts {
		prompts[i] = strings.Repeat("find the claim : ", i%5*(i%5))
	}
	o := encoder.Options{Prompts: prompts}
	near(t, "prompts", encode(t, open(t, dir, model.Options{Device: device(t, false)}), o, texts...), encode(t, open(t, dir, model.Options{}), o, texts...), 1e-5)
}

// The same holds for golden models of BERT, its kin and OPT, with the reference's texts
// and prompts.
func TestGoldenParity(t *testing.T) {
	golden := shared.Path(t, "data/golden")
	d := device(t, false)
	for _, name := range []string{"bert-tiny", "bert-tiny-f16", "bert-tiny-bf16", "bert-tiny-simcse", "bert-tiny-wide", "bge-tiny", "e5-tiny", "roberta-tiny", "distilbert-tiny",
		"dpr-proj-tiny/question_encoder", "opt-tiny", "opt-proj-tiny"} {
		var g struct {
			Tolerance struct {
				Hidden float64 `json:"hidden_and_unnormalised_atol"`
			} `json:"tolerance"`
			Batches []struct {
				Texts  []string `json:"texts"`
				Prompt string   `json:"prompt"`
			} `json:"batches"`
		}
		dir := filepath.Join(golden, name)
		jsonfile.Read(t, filepath.Join(dir, "golden.json"), &g)
		cpu, there := open(t, dir, model.Options{}), open(t, dir, model.Options{Device: d})
		for _, b := range g.Batches {
			if len(b.Texts) > 0 {
				b.Texts = append(b.Texts, "night <pad> trains <pad><pad> help")
				o := encoder.Options{Prompt: &b.Prompt}
				near(t, name, encode(t, there, o, b.Texts...), encode(t, cpu, o, b.Texts...), g.Tolerance.Hidden)
			}
		}
	}
}

// A text has the same vector, but for rounding, alone and in batches. bfloat16 changes the
// vector only a little.
func TestBatchesAndBF16(t *testing.T) {
	dir := t.TempDir()
	if err := modeltest.Write(dir, 1); err != nil {
		t.Fatal(err)
	}
	e := open(t, dir, model.Options{Device: device(t, false)})
	together := encode(t, e, encoder.Options{}, texts...)
	for i, text := range texts[:10] {
		near(t, "alone", encode(t, e, encoder.Options{}, text), together[i:i+1], 1e-5)
	}
	short := open(t, dir, model.Options{Device: device(t, true)})
	if !short.Info().BF16 || e.Info().BF16 {
		t.Error("a model does not say what it computes in")
	}
	for i, v := range encode(t, short, encoder.Options{}, texts...) {
		dot := 0.0
		for j, x := range v.Vector {
			dot += float64(x) * float64(together[i].Vector[j])
		}
		if dot < .999 || dot > .9999999 {
			t.Errorf("text %d in bf16: cosine %v", i, dot)
		}
	}
}

// T5 has no limit of length. The test compares the vectors of the first and of the last
// token for texts of several lengths.
func TestT5Parity(t *testing.T) {
	for _, c := range []transformer.T5Config{
		{Vocabulary: 50, Hidden: 24, Layers: 2, Heads: 3, HeadSize: 10, Intermediate: 40, Buckets: 32, MaxDistance: 128, Epsilon: 1e-6, Activation: dense.ReLU},
		{Vocabulary: 50, Hidden: 24, Layers: 2, Heads: 3, HeadSize: 10, Intermediate: 40, Buckets: 32, MaxDistance: 128, Epsilon: 1e-6, Activation: dense.GELUTanh, Gated: true},
	} {
		checkpoint := t5Checkpoint(t, c)
		m, err := transformer.NewT5(c, checkpoint)
		if err != nil {
			t.Fatal(err)
		}
		there, err := device(t, false).Load(c, checkpoint)
		if err != nil {
			t.Fatal(err)
		}
		defer there.Close()
		pool := dense.NewPool(1)
		defer pool.Close()
		var texts [][]uint32
		for _, n := range []int{1, 7, 16, 17, 150, 300} {
			var ids []uint32
			for i := range n {
				ids = append(ids, uint32(i*i+n)%50)
			}
			texts = append(texts, ids)
		}
		got, err := there.Pool(context.Background(), texts, nil, []model.Pooling{model.CLS, model.Last})
		if err != nil {
			t.Fatal(err)
		}
		// Shapes that were warmed up are not compiled again.
		if err := there.Warm(context.Background(), []model.Pooling{model.Max}, 17); err != nil {
			t.Fatal(err)
		}
		warmed := len(there.(*loaded).programs)
		if _, err := there.Pool(context.Background(), texts[:4], nil, []model.Pooling{model.Max}); err != nil || len(there.(*loaded).programs) != warmed {
			t.Errorf("%v, %d programs, %d after it was warmed up", err, len(there.(*loaded).programs), warmed)
		}
		for i, ids := range texts {
			out := make([]float32, len(ids)*c.Hidden)
			if err := m.Forward(out, &transformer.Batch{IDs: ids, Lengths: []int{len(ids)}}, &transformer.Scratch{Pool: pool}); err != nil {
				t.Fatal(err)
			}
			want := slices.Concat(out[:c.Hidden], out[len(out)-c.Hidden:])
			near(t, "T5", []encoder.Embedding{{Vector: got[i*2*c.Hidden : (i+1)*2*c.Hidden]}}, []encoder.Embedding{{Vector: want}}, 1e-4)
		}
	}
}

func t5Checkpoint(t *testing.T, c transformer.T5Config) *weights.Checkpoint {
	made, inner := modeltest.NewTensors(1), c.Heads*c.HeadSize
	made.Add("shared.weight", 1, c.Vocabulary, c.Hidden)
	made.Add("encoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight", 1, c.Buckets, c.Heads)
	made.Add("encoder.final_layer_norm.weight", 1, c.Hidden)
	for i := range c.Layers {
		at := fmt.Sprintf("encoder.block.%d.layer.", i)
		for _, name := range []string{"q", "k", "v"} {
			made.Add(at+"0.SelfAttention."+name+".weight", .2, inner, c.Hidden)
		}
		made.Add(at+"0.SelfAttention.o.weight", .2, c.Hidden, inner)
		made.Add(at+"0.layer_norm.weight", 1, c.Hidden)
		made.Add(at+"1.layer_norm.weight", 1, c.Hidden)
		names := []string{"wi"}
		if c.Gated {
			names = []string{"wi_0", "wi_1"}
		}
		for _, name := range names {
			made.Add(at+"1.DenseReluDense."+name+".weight", .2, c.Intermediate, c.Hidden)
		}
		made.Add(at+"1.DenseReluDense.wo.weight", .2, c.Hidden, c.Intermediate)
	}
	dir := t.TempDir()
	if err := made.Write(filepath.Join(dir, "model.safetensors")); err != nil {
		t.Fatal(err)
	}
	checkpoint, err := weights.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { checkpoint.Close() })
	return checkpoint
}

func TestRefusals(t *testing.T) {
	dir := t.TempDir()
	if err := modeltest.Write(dir, 1); err != nil {
		t.Fatal(err)
	}
	d := device(t, false)
	for want, o := range map[string]model.Options{"weights of 8 bits": {Device: d, Int8: true}, "at most 64": {Device: d, MaxLength: 1000}} {
		if e, err := model.Open(context.Background(), dir, o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, %v, want %q", e, err, want)
		}
	}
	if _, err := model.OpenClassifier(context.Background(), dir, model.Options{Device: d}); err == nil || !strings.Contains(err.Error(), "device") {
		t.Error(err)
	}
	c := modeltest.Config()
	c["num_hidden_layers"] = 3
	if err := modeltest.WriteJSON(dir, map[string]any{"config.json": c}); err != nil {
		t.Fatal(err)
	}
	if _, err := model.Open(context.Background(), dir, model.Options{Device: d}); err == nil || !strings.Contains(err.Error(), `no tensor "encoder.layer.2.attention.self.query.weight"`) {
		t.Error(err)
	}
}

// Every text with tokens is in exactly one batch with a fitting length, and there are few shapes.
func TestPlan(t *testing.T) {
	m := &loaded{longest: 510}
	var ids [][]uint32
	for i := range 700 {
		ids = append(ids, make([]uint32, i*7%511))
	}
	seen, empty := map[int]bool{}, 0
	shapes := m.shapes(510)
	for _, b := range m.plan(ids) {
		if len(b.texts) > b.batch || len(b.texts)*2 <= b.batch && b.batch > 8 {
			t.Errorf("%d texts in a batch of %d", len(b.texts), b.batch)
		}
		if !slices.Contains(shapes, b.shape) {
			t.Errorf("a batch of %v, which is not warmed up", b.shape)
		}
		for _, i := range b.texts {
			if n := len(ids[i]); n == 0 || n > b.length || seen[i] || b.length > shortest && n <= b.length/2 && b.length != 510 {
				t.Errorf("text %d of %d tokens in a batch of %v, seen before: %v", i, n, b.shape, seen[i])
			}
			seen[i] = true
		}
	}
	for _, text := range ids {
		if len(text) == 0 {
			empty++
		}
	}
	if empty == 0 || len(seen) != len(ids)-empty {
		t.Errorf("%d of %d texts are in batches, %d have no tokens", len(seen), len(ids), empty)
	}
	if n := len(shapes); n > 32 {
		t.Errorf("%d shapes", n)
	}
}

// Without a limit, programs for texts of usual lengths are made ahead.
func TestWarmed(t *testing.T) {
	for given, want := range map[[2]int]int{{510, 0}: 510, {510, 600}: 510, {510, 40}: 40, {0, 40}: 40, {0, 0}: 512} {
		m := &loaded{longest: given[0]}
		if shapes := m.shapes(m.warmed(given[1])); m.warmed(given[1]) != want || shapes[len(shapes)-1].length < want {
			t.Errorf("%v: %d tokens, up to %v", given, m.warmed(given[1]), shapes[len(shapes)-1])
		}
	}
}

func TestRoundBF16(t *testing.T) {
	for bits, want := range map[uint32]uint16{0x3f800000: 0x3f80, 0x3f808000: 0x3f80, 0x3f808001: 0x3f81, 0x3f818000: 0x3f82, 0xff800000: 0xff80, 0x7f7fffff: 0x7f80, 0x7f800001: 0x7fc0} {
		if got := roundBF16(math.Float32frombits(bits)); got != want {
			t.Errorf("%#x is rounded to %#x, want %#x", bits, got, want)
		}
	}
}

// A program whose building fails is freed.
func TestProgramsThatFailAreFreed(t *testing.T) {
	arch := &broken{}
	m := &loaded{device: device(t, false), programs: map[string]*graph.Graph{}, arch: arch}
	if _, err := m.run(shape{1, 4}, [][]uint32{{0}}, nil, []int{0}, nil); err == nil || !strings.Contains(err.Error(), "broken") {
		t.Error(err)
	}
	if g := arch.graph; g == nil || g.IsValid() {
		t.Error("the graph remains")
	}
}

// broken is an architecture whose graph cannot be built.
type broken struct{ graph *graph.Graph }

func (x *broken) forward(b *builder, _, _ *graph.Node) *graph.Node {
	x.graph = b.g
	panic(fmt.Errorf("broken"))
}
