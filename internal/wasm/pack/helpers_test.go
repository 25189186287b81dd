package pack_test

import (
	"encoding/json"
	"math/rand/v2"
	"testing"

	"github.com/vantage-search/vantage/internal/model/modeltest"
	"github.com/vantage-search/vantage/internal/wasm/pack"
	"github.com/vantage-search/vantage/internal/wasm/pack/packfile"
	"github.com/vantage-search/vantage/internal/wasm/shard"
)

// tiny is a model with everything that a pack may hold but a classifier's head.
func tiny() pack.Manifest {
	return pack.Manifest{
		Kind: pack.Encoder, ID: "tiny", Source: pack.Source{ID: "source", Revision: "1"}, License: "Apache-2.0", Language: "en",
		Config: pack.Config{
			Layers: 2, Heads: 3, Hidden: 36, Intermediate: 70, Positions: 20, Types: 2, Epsilon: 1e-12, Activation: pack.GELU, Pooling: pack.Mean,
			Normalize: true, MaxLength: 16, Dense: []pack.Dense{{Out: 33, Activation: pack.Tanh, Bias: true}}, Branch: &pack.Branch{From: 1, Layers: 1, Dimension: 5},
		},
		Prompts: map[string]string{"query": "query: "}, DefaultPrompt: "query",
		Numbers: map[string][]float64{"calibration": {.175, -1e-3}}, Texts: map[string][]string{"wordings": {"for {root}", "against\n{root}"}},
	}
}

// stored is a random tensor of a pack, with what reading it is to give.
type stored struct {
	packfile.Tensor
	rows   [][]float32 // the exact values
	vector []float32
}

// random makes the tensors that a configuration asks for.
func random(m pack.Manifest, seed uint64) map[string]stored {
	r := rand.New(rand.NewPCG(seed, 0))
	all := map[string]stored{}
	for _, section := range []string{pack.Trunk, pack.BranchSection} {
		m.Config.Needs(m.Kind, section, func(n pack.Need) {
			var s stored
			if !n.Matrix {
				values := 1
				for _, d := range n.Shape {
					values *= d
				}
				s.vector = make([]float32, values)
				for i := range s.vector {
					s.vector[i] = shard.F16ToF32(shard.F32ToF16(float32(r.NormFloat64())))
				}
				if r.IntN(5) == 0 {
					s.vector[0] = 1e6 // beyond half floats
				}
				s.Encoding, s.Payload = packfile.Floats(s.vector)
				all[n.Name] = s
				return
			}
			s.Encoding = pack.Q4
			if r.IntN(4) == 0 {
				s.Encoding = pack.Q8
			}
			for range n.Shape[0] {
				row := make([]float32, n.Shape[1])
				if s.Encoding == pack.Q8 {
					for i := range row {
						row[i] = float32(r.NormFloat64())
					}
					s.Payload = packfile.AppendQ8(s.Payload, row)
				} else {
					s.Payload = append(s.Payload, randomQ4(r, row)...)
				}
				s.rows = append(s.rows, row)
			}
			all[n.Name] = s
		})
	}
	return all
}

// randomQ4 fills a row with values on a random grid, and returns it as stored.
func randomQ4(r *rand.Rand, row []float32) []byte {
	values := make([]int8, len(row))
	var scales []uint16
	for i := range row {
		if i%pack.Group == 0 {
			scale := uint16(r.IntN(0x7c00)) // any magnitude
			switch r.IntN(4) {
			case 0:
				scale = 0
			case 1:
				scale = shard.F32ToF16(float32(.01 + r.Float64()))
			}
			scales = append(scales, scale)
		}
		values[i] = int8(r.IntN(2*pack.MaxQ4+1) - pack.MaxQ4)
		row[i] = float32(values[i]) * shard.F16ToF32(scales[len(scales)-1])
	}
	return packfile.AppendQ4(nil, values, scales)
}

// settings are the small models' tokenizer without its vocabulary.
func settings(t testing.TB) json.RawMessage {
	t.Helper()
	tokenizer := modeltest.Tokenizer()
	delete(tokenizer["model"].(modeltest.Object), "vocab")
	text, err := json.Marshal(tokenizer)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func build(t testing.TB, m pack.Manifest, tensors map[string]stored, fileBytes int) packfile.Files {
	t.Helper()
	c := packfile.Content{Tokenizer: settings(t), Pieces: modeltest.Vocabulary(), Tensors: map[string]packfile.Tensor{}, FileBytes: fileBytes}
	for name, s := range tensors {
		c.Tensors[name] = s.Tensor
	}
	files, err := packfile.Build(m, c)
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// made is a whole pack.
func made(t testing.TB, m pack.Manifest, fileBytes int) (packfile.Files, map[string]stored) {
	t.Helper()
	m.Config.Vocabulary = len(modeltest.Vocabulary())
	tensors := random(m, 1)
	return build(t, m, tensors, fileBytes), tensors
}
