package pack_test

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/vantage-search/vantage/internal/model/modeltest"
	"github.com/vantage-search/vantage/internal/wasm/pack"
	"github.com/vantage-search/vantage/internal/wasm/pack/packfile"
	"github.com/vantage-search/vantage/internal/wasm/shard"
)

// tiny is a model with everything that a pack may hold but a classifier's head and the vectors of tokens.
func tiny() pack.Manifest {
	return pack.Manifest{
		Kind: pack.Encoder, ID: "tiny", Source: pack.Source{ID: "source", Revision: "1"}, License: "Apache-2.0", Language: "en",
		Config: pack.Config{
			Layers: 2, Heads: 3, Hidden: 36, Intermediate: 70, Positions: 20, Types: 2, Epsilon: 1e-12, Activation: pack.GELU, Pooling: pack.Mean,
			Normalize: true, MaxLength: 16, Dense: []pack.Dense{{Out: 33, Activation: pack.Tanh, Bias: true}}, Branch: &pack.Branch{From: 1, Layers: 1, Dimension: 5},
			Reader: &pack.Reader{States: []int{1, 2}, Width: 7, Labels: []string{"", "stance:for", "place"}},
		},
		Prompts: map[string]string{"query": "query: "}, DefaultPrompt: "query",
		Numbers: map[string][]float64{"calibration": {.175, -1e-3}}, Texts: map[string][]string{"wordings": {"for {root}", "against\n{root}"}},
	}
}

// late is a model with a vector for each token.
func late() pack.Manifest {
	m := tiny()
	m.Config.Pooling, m.Config.Dense, m.Config.Branch, m.Config.Reader = pack.Unpooled, nil, nil, nil
	m.Config.Tokens = &pack.Tokens{Dimension: 7, QueryMarker: 5, DocumentMarker: 6, Mask: 4, QueryLength: 8, DocumentLength: 16, AttendToMask: true, Skip: []int{9, 11, 12}}
	m.Prompts, m.DefaultPrompt = nil, ""
	return m
}

// stored is a random tensor of a pack, with what reading it is to give.
type stored struct {
	packfile.Tensor
	rows   [][]float32 // the exact values
	scales []float32   // of the rows, as they are read
	vector []float32
}

// random makes the tensors that a configuration asks for.
func random(m pack.Manifest, seed uint64) map[string]stored {
	r := rand.New(rand.NewPCG(seed, 0))
	all := map[string]stored{}
	for _, section := range []string{pack.Trunk, pack.BranchSection, pack.ReaderSection} {
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
				row, scale := make([]float32, n.Shape[1]), float32(0)
				if s.Encoding == pack.Q8 {
					for i := range row {
						row[i] = float32(r.NormFloat64())
					}
					scale = shard.QuantizeRow(make([]int8, len(row)), row)
					s.Payload = packfile.AppendQ8(s.Payload, row)
				} else {
					s.Payload, scale = appendQ4(s.Payload, r, row)
				}
				s.rows, s.scales = append(s.rows, row), append(s.scales, scale)
			}
			all[n.Name] = s
		})
	}
	return all
}

// appendQ4 fills a row with values on a random grid, and stores it. Its scale is an
// eighteenth of the greatest of its groups'.
func appendQ4(dst []byte, r *rand.Rand, row []float32) ([]byte, float32) {
	values := make([]int8, len(row))
	var scales []uint16
	greatest := float32(0)
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
			greatest = max(greatest, shard.F16ToF32(scale))
		}
		values[i] = int8(r.IntN(2*pack.MaxQ4+1) - pack.MaxQ4)
		row[i] = float32(values[i]) * shard.F16ToF32(scales[len(scales)-1])
	}
	return packfile.AppendQ4(dst, values, scales), greatest / 18
}

// roundTo rounds a row to multiples of a scale.
func roundTo(dst []int8, row []float32, scale float32) []int8 {
	for i, v := range row {
		if dst[i] = 0; scale != 0 {
			dst[i] = int8(math.RoundToEven(float64(v) / float64(scale)))
		}
	}
	return dst
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

// readSection reads all files of a section.
func readSection(t *testing.T, p *pack.Pack, files packfile.Files, name string) {
	t.Helper()
	d, err := p.Read(name)
	for _, f := range p.Manifest.Section(name).Files {
		if err == nil {
			err = d.File(files[f.Path])
		}
	}
	if err == nil {
		err = d.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
}
