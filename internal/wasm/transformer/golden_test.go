package transformer

import (
	"encoding/binary"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/vantage-search/vantage/internal/testing/approx"
	"github.com/vantage-search/vantage/internal/testing/shared"
	"github.com/vantage-search/vantage/internal/wasm/kernel/dense"
	"github.com/vantage-search/vantage/internal/wasm/shard"
)

type golden struct {
	Tolerance struct {
		Hidden float64 `json:"hidden_and_unnormalised_atol"`
	} `json:"tolerance"`
	Batches []struct {
		Name  string     `json:"name"`
		IDs   [][]uint32 `json:"input_ids"`
		Mask  [][]int    `json:"attention_mask"`
		Types [][]uint32 `json:"token_type_ids"`
		Items []struct {
			Tokens int                  `json:"n_tokens"`
			Hidden map[string][]float32 `json:"hidden"`
			Pooler []float32            `json:"pooler"`
			Logits []float32            `json:"logits_last_first8"`
		} `json:"items"`
	} `json:"batches"`
}

// file is a safetensors file whose tensors are floats.
type file struct{ *shard.Safetensors }

func (f file) Tensor(name string) ([]float32, []int, bool) {
	t, ok := f.Safetensors.Tensor(name)
	if !ok {
		return nil, nil, false
	}
	var values []float32
	switch t.DType {
	case "F32":
		for i := 0; i < len(t.Data); i += 4 {
			values = append(values, math.Float32frombits(binary.LittleEndian.Uint32(t.Data[i:])))
		}
	case "F16":
		for i := 0; i < len(t.Data); i += 2 {
			values = append(values, shard.F16ToF32(binary.LittleEndian.Uint16(t.Data[i:])))
		}
	case "BF16":
		for i := 0; i < len(t.Data); i += 2 {
			values = append(values, math.Float32frombits(uint32(binary.LittleEndian.Uint16(t.Data[i:]))<<16))
		}
	default:
		return nil, nil, false
	}
	return values, t.Shape, true
}

// readGolden reads the configuration and weights of a small model of random weights, and
// the outputs that another implementation computed in float64.
func readGolden(t *testing.T, name string, config any) (file, golden) {
	t.Helper()
	dir := shared.Path(t, "data/golden/"+name)
	read := func(name string) []byte {
		b, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	var g golden
	for name, to := range map[string]any{"config.json": config, "golden.json": &g} {
		if err := json.Unmarshal(read(name), to); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
	tensors, err := shard.ParseSafetensors(read("model.safetensors"))
	if err != nil {
		t.Fatal(err)
	}
	return file{tensors}, g
}

type bertFields struct {
	Type         string  `json:"model_type"`
	Vocabulary   int     `json:"vocab_size"`
	Hidden       int     `json:"hidden_size"`
	Layers       int     `json:"num_hidden_layers"`
	Heads        int     `json:"num_attention_heads"`
	Intermediate int     `json:"intermediate_size"`
	Positions    int     `json:"max_position_embeddings"`
	Types        int     `json:"type_vocab_size"`
	Epsilon      float32 `json:"layer_norm_eps"`
	Padding      int     `json:"pad_token_id"`

	// DistilBERT's
	Dim         int `json:"dim"`
	HiddenDim   int `json:"hidden_dim"`
	NumberHeads int `json:"n_heads"`
	NLayers     int `json:"n_layers"`
}

func (f bertFields) config() BERTConfig {
	c := BERTConfig{f.Vocabulary, f.Hidden, f.Layers, f.Heads, f.Intermediate, f.Positions, 0, f.Types, f.Epsilon, dense.GELU, false, 0, false}
	switch f.Type {
	case "roberta":
		c.FirstPosition = f.Padding + 1
	case "distilbert":
		c.Hidden, c.Layers, c.Heads, c.Intermediate, c.Types, c.Epsilon, c.Distil = f.Dim, f.NLayers, f.NumberHeads, f.HiddenDim, 0, 1e-12, true
	}
	return c
}

func TestGoldenBERT(t *testing.T) {
	for _, name := range []string{
		"bert-tiny", "bert-tiny-f16", "bert-tiny-bf16", "bert-tiny-simcse", "bert-tiny-minilm", "bert-tiny-wide", "bge-tiny", "e5-tiny", "roberta-tiny", "distilbert-tiny",
		"dpr-tiny/question_encoder", "dpr-tiny/ctx_encoder", "dpr-proj-tiny/question_encoder", "dpr-proj-tiny/ctx_encoder",
	} {
		t.Run(name, func(t *testing.T) {
			var f bertFields
			tensors, g := readGolden(t, name, &f)
			m, err := NewBERT(f.config(), tensors)
			if err != nil {
				t.Fatal(err)
			}
			var pooler *Head
			if f.Type != "dpr" && HasHead(tensors, "pooler.dense") { // DPR's checkpoints carry one and do not use it
				if pooler, err = NewHead(tensors, f.Hidden, HeadLayer{"pooler.dense", dense.Tanh}); err != nil {
					t.Fatal(err)
				}
			}
			compareGolden(t, m, g, func(s *Scratch, batch, item int, hidden []float32) {
				if want := g.Batches[batch].Items[item].Pooler; want != nil && pooler != nil {
					compare(t, "pooler", pooler.Apply(s.Pool, hidden[:m.Hidden()], 1), want, g.Tolerance.Hidden)
				}
			})
		})
	}
}

func TestGoldenOPT(t *testing.T) {
	for _, name := range []string{"opt-tiny", "opt-proj-tiny"} {
		t.Run(name, func(t *testing.T) {
			var f struct {
				Vocabulary   int  `json:"vocab_size"`
				Hidden       int  `json:"hidden_size"`
				Layers       int  `json:"num_hidden_layers"`
				Heads        int  `json:"num_attention_heads"`
				Intermediate int  `json:"ffn_dim"`
				Positions    int  `json:"max_position_embeddings"`
				Embedding    int  `json:"word_embed_proj_dim"`
				NormBefore   bool `json:"do_layer_norm_before"`
			}
			tensors, g := readGolden(t, name, &f)
			m, err := NewOPT(OPTConfig{f.Vocabulary, f.Hidden, f.Layers, f.Heads, f.Intermediate, f.Positions, f.Embedding, f.NormBefore, f.NormBefore, dense.ReLU, false}, tensors)
			if err != nil {
				t.Fatal(err)
			}
			compareGolden(t, m, g, func(s *Scratch, batch, item int, hidden []float32) {
				it := g.Batches[batch].Items[item]
				compare(t, "logits", m.Logits(s.Pool, hidden[len(hidden)-m.Hidden():], 1)[:8], it.Logits, g.Tolerance.Hidden)
			})
		})
	}
}

// compareGolden runs every batch as a whole and text by text.
func compareGolden(t *testing.T, m Model, g golden, more func(s *Scratch, batch, item int, hidden []float32)) {
	t.Helper()
	pool := dense.NewPool(2)
	defer pool.Close()
	s := &Scratch{Pool: pool}
	if bert, ok := m.(*BERT); ok && bert.types == nil {
		for i := range g.Batches {
			g.Batches[i].Types = nil
		}
	}
	checked := 0
	for i, batch := range g.Batches {
		var b Batch
		for j, mask := range batch.Mask {
			n := 0
			for p, real := range mask { // padding may be on either side
				if real == 0 {
					continue
				}
				b.IDs = append(b.IDs, batch.IDs[j][p])
				if batch.Types != nil {
					b.Types = append(b.Types, batch.Types[j][p])
				}
				n++
			}
			b.Lengths = append(b.Lengths, n)
		}
		out := make([]float32, len(b.IDs)*m.Hidden())
		if err := m.Forward(out, &b, s); err != nil {
			t.Fatal(err)
		}
		at := 0
		for j, n := range b.Lengths {
			hidden := out[at*m.Hidden() : (at+n)*m.Hidden()]
			first := 0
			for batch.Mask[j][first] == 0 {
				first++
			}
			for position, want := range batch.Items[j].Hidden {
				p, err := strconv.Atoi(position)
				if err != nil {
					t.Fatal(err)
				}
				compare(t, batch.Name+" "+position, hidden[(p-first)*m.Hidden():][:m.Hidden()], want, g.Tolerance.Hidden)
				checked++
			}
			more(s, i, j, hidden)
			alone := make([]float32, n*m.Hidden())
			one := Batch{IDs: b.IDs[at : at+n], Lengths: []int{n}}
			if b.Types != nil {
				one.Types = b.Types[at : at+n]
			}
			if err := m.Forward(alone, &one, s); err != nil {
				t.Fatal(err)
			}
			for c, v := range alone {
				if math.Float32bits(v) != math.Float32bits(hidden[c]) {
					t.Fatalf("%s: text %d differs alone and in its batch: %v, %v", batch.Name, j, v, hidden[c])
				}
			}
			at += n
		}
	}
	if checked == 0 {
		t.Error("nothing was compared")
	}
}

func compare(t *testing.T, what string, got, want []float32, tolerance float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d components, want %d", what, len(got), len(want))
	}
	for i := range got {
		if approx.Apart(float64(got[i]), float64(want[i]), tolerance) {
			t.Fatalf("%s: component %d is %v, want %v", what, i, got[i], want[i])
		}
	}
}
