package encode

import (
	"encoding/binary"
	"encoding/json"
	"math"
	"strings"
	"sync"
	"testing"

	"github.com/vantage-search/vantage/internal/wasm/shard"
)

// threeTokens is a tokenizer of [UNK], a and b.
const threeTokens = `{"pre_tokenizer":{"type":"BertPreTokenizer"},"model":{"type":"WordPiece","vocab":{"[UNK]":0,"a":1,"b":2}}}`

func floats(v ...float32) (b []byte) {
	for _, v := range v {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(v))
	}
	return b
}

func halves(v ...float32) (b []byte) {
	for _, v := range v {
		b = binary.LittleEndian.AppendUint16(b, shard.F32ToF16(v))
	}
	return b
}

func doubles(v ...float64) (b []byte) {
	for _, v := range v {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
	}
	return b
}

func integers(v ...int32) (b []byte) {
	for _, v := range v {
		b = binary.LittleEndian.AppendUint32(b, uint32(v))
	}
	return b
}

func longs(v ...int64) (b []byte) {
	for _, v := range v {
		b = binary.LittleEndian.AppendUint64(b, uint64(v))
	}
	return b
}

func bytesOf(v ...int8) (b []byte) {
	for _, v := range v {
		b = append(b, byte(v))
	}
	return b
}

// tensor makes a tensor; its first dimension is found from the data.
func tensor(name string, dtype shard.DType, width int, data []byte, columns ...int) shard.Tensor {
	n := len(data) / width
	for _, c := range columns {
		n /= c
	}
	return shard.Tensor{Name: name, DType: dtype, Shape: append([]int{n}, columns...), Data: data}
}

func safetensors(t testing.TB, tensors ...shard.Tensor) []byte {
	t.Helper()
	b, err := shard.AppendSafetensors(nil, tensors, nil)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestLayouts checks that every documented layout gives the mean of a = (3, 4) and b =
// (0, 2), which every dtype holds exactly.
func TestLayouts(t *testing.T) {
	plain := tensor("embeddings", shard.F32, 4, floats(9, 9, 3, 4, 0, 2), 2)
	shared := tensor("embeddings", shard.F32, 4, floats(0, 1, 1.5, 2), 2) // rows: b/2, a/2
	for name, tensors := range map[string][]shard.Tensor{
		"F32":                 {plain},
		"F16":                 {tensor("embeddings", shard.F16, 2, halves(9, 9, 3, 4, 0, 2), 2)},
		"I8":                  {tensor("embeddings", shard.I8, 1, bytesOf(9, 9, 3, 4, 0, 2), 2)},
		"I8 and scales":       {tensor("embeddings", shard.I8, 1, bytesOf(9, 9, 6, 8, 0, 1), 2), tensor("scales", shard.F32, 4, floats(1, .5, 2))},
		"weights":             {tensor("embeddings", shard.F32, 4, floats(9, 9, 1.5, 2, 0, 4), 2), tensor("weights", shard.F32, 4, floats(1, 2, .5))},
		"weights F16":         {tensor("embeddings", shard.F32, 4, floats(9, 9, 1.5, 2, 0, 4), 2), tensor("weights", shard.F16, 2, halves(1, 2, .5))},
		"weights F64, column": {tensor("embeddings", shard.F32, 4, floats(9, 9, 1.5, 2, 0, 4), 2), tensor("weights", shard.F64, 8, doubles(1, 2, .5), 1)},
		"mapping":             {shared, tensor("weights", shard.F32, 4, floats(1, 2, 2)), tensor("mapping", "I64", 8, longs(0, 1, 0))},
		"mapping of int8":     {tensor("embeddings", shard.I8, 1, bytesOf(0, 1, 3, 4), 2), tensor("scales", shard.F32, 4, floats(2, 1)), tensor("mapping", "I32", 4, integers(0, 1, 0))},
		"mapping of weighted int8": {tensor("embeddings", shard.I8, 1, bytesOf(0, 1, 3, 4), 2), tensor("scales", shard.F32, 4, floats(1, 2)),
			tensor("weights", shard.F32, 4, floats(1, .5, 2)), tensor("mapping", "I32", 4, integers(0, 1, 0))},
	} {
		for _, normalize := range []bool{false, true} {
			config, _ := json.Marshal(dict{"normalize": normalize})
			s, err := OpenStatic([]byte(threeTokens), safetensors(t, tensors...), config)
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			want := [2]float32{1.5, 3}
			if normalize {
				want = [2]float32{float32(3 / math.Sqrt(45)), float32(6 / math.Sqrt(45))}
			}
			var got [2]float32
			if info := s.Encode(got[:], "a zzz b"); got != want || info != (Info{Tokens: 3, Unknown: 1}) {
				t.Errorf("%s, normalize %v: %v, want %v; %+v", name, normalize, got, want, info)
			}
			got = [2]float32{7, 7}
			if info := s.Encode(got[:], "zzz"); got != [2]float32{} || info.UnknownShare() != 1 {
				t.Errorf("%s: unknown text gives %v, %+v", name, got, info)
			}
			if info := s.Encode(got[:], ""); got != [2]float32{} || info != (Info{}) || info.UnknownShare() != 0 {
				t.Errorf("%s: no text gives %v, %+v", name, got, info)
			}
		}
	}
}

func TestMaxLength(t *testing.T) {
	weights := safetensors(t, tensor("embeddings", shard.F32, 4, floats(9, 9, 1, 0, 0, 1), 2))
	s, err := OpenStatic([]byte(threeTokens), weights, []byte(`{"seq_length":2}`))
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]Info{
		"a a":         {2, 0, false},
		"z a z a z":   {5, 3, false},
		"z a a z b":   {5, 2, true},
		"a a b b b z": {6, 1, true},
	} {
		out := make([]float32, 2)
		if info := s.Encode(out, text); info != want || out[0] != 1 || out[1] != 0 {
			t.Errorf("%q: %v %+v, want %+v", text, out, info, want)
		}
	}
}

func TestStaticErrors(t *testing.T) {
	good := tensor("embeddings", shard.F32, 4, floats(9, 9, 3, 4, 0, 2), 2)
	small := tensor("embeddings", shard.I8, 1, bytesOf(9, 9, 3, 4, 0, 2), 2)
	inf := float32(math.Inf(1))
	for name, test := range map[string]struct {
		config  string
		tensors []shard.Tensor
		want    string
	}{
		"no JSON":          {`{`, []shard.Tensor{good}, "config.json: not JSON"},
		"other kind":       {`{"model_type":"bert"}`, []shard.Tensor{good}, "model_type is not model2vec"},
		"length":           {`{"seq_length":0}`, []shard.Tensor{good}, "seq_length is 0"},
		"dim":              {`{"hidden_dim":3}`, []shard.Tensor{good}, `2 columns of "embeddings", but 3 in hidden_dim of config.json`},
		"vocabulary":       {`{"vocab_size":4}`, []shard.Tensor{good}, "3 tokens in tokenizer.json, but 4 in vocab_size of config.json"},
		"special":          {`{"add_special_tokens":true}`, []shard.Tensor{good}, "add_special_tokens is not supported"},
		"unknown":          {`{"drop_unk":false}`, []shard.Tensor{good}, "drop_unk is not supported"},
		"no embeddings":    {`{}`, []shard.Tensor{tensor("embedding.weight", shard.F32, 4, floats(1))}, `no tensor "embeddings"`},
		"empty":            {`{}`, nil, `no tensor "embeddings"`},
		"rows":             {`{}`, []shard.Tensor{tensor("embeddings", shard.F32, 4, floats(1, 2), 2)}, `3 tokens in tokenizer.json, but 1 rows of "embeddings"`},
		"dtype":            {`{}`, []shard.Tensor{tensor("embeddings", shard.F64, 8, doubles(1, 2, 3), 1)}, "is F64; what is supported is I8, F16 and F32"},
		"dimensions":       {`{}`, []shard.Tensor{tensor("embeddings", shard.F32, 4, floats(1, 2, 3))}, "not of two dimensions"},
		"no columns":       {`{}`, []shard.Tensor{{Name: "embeddings", DType: shard.F32, Shape: []int{3, 0}}}, "tokens × 1 to 4096"},
		"columns":          {`{}`, []shard.Tensor{{Name: "embeddings", DType: shard.I8, Shape: []int{3, 5000}, Data: make([]byte, 15000)}}, "tokens × 1 to 4096"},
		"NaN":              {`{}`, []shard.Tensor{tensor("embeddings", shard.F32, 4, floats(9, 9, 3, float32(math.NaN()), 0, 2), 2)}, "row 1, column 1"},
		"infinite half":    {`{}`, []shard.Tensor{tensor("embeddings", shard.F16, 2, halves(9, 9, 3, 4, 0, inf), 2)}, "row 2, column 1"},
		"huge":             {`{}`, []shard.Tensor{tensor("embeddings", shard.F32, 4, floats(9, 9, 3e20, 4, 0, 2), 2)}, "too large in row 1, column 0"},
		"few scales":       {`{}`, []shard.Tensor{small, tensor("scales", shard.F32, 4, floats(1, 1))}, `2 elements of "scales", but 3 tokens`},
		"negative scale":   {`{}`, []shard.Tensor{small, tensor("scales", shard.F32, 4, floats(1, -1, 1))}, `"scales" has a number that is out of range in row 1`},
		"infinite scale":   {`{}`, []shard.Tensor{small, tensor("scales", shard.F32, 4, floats(1, 1, inf))}, `"scales" has a number that is out of range in row 2`},
		"huge scale":       {`{}`, []shard.Tensor{small, tensor("scales", shard.F32, 4, floats(1, 1, 1e20))}, `"scales" has a number that is out of range in row 2`},
		"large scale":      {`{}`, []shard.Tensor{small, tensor("scales", shard.F32, 4, floats(1, 1, 1e17))}, "beyond 1e15"},
		"weighted floats":  {`{}`, []shard.Tensor{good, tensor("weights", shard.F32, 4, floats(1, 1, 1e18))}, "too large in row 0, column 0"},
		"scales of floats": {`{}`, []shard.Tensor{good, tensor("scales", shard.F32, 4, floats(1, 1, 1))}, `"scales" is F32; what is supported is F32 for I8 embeddings`},
		"weights":          {`{}`, []shard.Tensor{good, tensor("weights", shard.F32, 4, floats(1, 1))}, `2 elements of "weights", but 3 tokens`},
		"weights' dtype":   {`{}`, []shard.Tensor{good, tensor("weights", "I32", 4, integers(1, 1, 1))}, `"weights" is I32`},
		"mapping":          {`{}`, []shard.Tensor{good, tensor("mapping", "I32", 4, integers(0, 1))}, `2 elements of "mapping", but 3 tokens`},
		"mapping's dtype":  {`{}`, []shard.Tensor{good, tensor("mapping", shard.F32, 4, floats(0, 1, 2))}, `"mapping" is F32`},
		"mapped beyond":    {`{}`, []shard.Tensor{good, tensor("mapping", "I64", 8, longs(0, 1, 3))}, `"mapping" has a number that is out of range in row 2`},
		"mapped below":     {`{}`, []shard.Tensor{good, tensor("mapping", "I32", 4, integers(0, -1, 2))}, `"mapping" has a number that is out of range in row 1`},
	} {
		_, err := OpenStatic([]byte(threeTokens), safetensors(t, test.tensors...), []byte(test.config))
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", name, err, test.want)
		}
		if err != nil && strings.Contains(err.Error(), "of config.json") && strings.HasPrefix(err.Error(), "model.safetensors") {
			t.Errorf("%s: %v, but the fault is not one of the weights", name, err)
		}
	}
	if _, err := OpenStatic([]byte("{}"), nil, nil); err == nil || !strings.HasPrefix(err.Error(), "tokenizer.json: ") {
		t.Error(err)
	}
	if _, err := OpenStatic([]byte(threeTokens), []byte("nonsense"), []byte("{}")); err == nil || !strings.HasPrefix(err.Error(), "model.safetensors: ") {
		t.Error(err)
	}
}

// TestAliasing checks that the embeddings are not copied.
func TestAliasing(t *testing.T) {
	weights := safetensors(t, tensor("embeddings", shard.I8, 1, bytesOf(9, 9, 3, 4, 0, 2), 2))
	s, err := OpenStatic([]byte(threeTokens), weights, []byte("{}"))
	if err != nil {
		t.Fatal(err)
	}
	clear(weights[len(weights)-6:])
	out := []float32{7, 7}
	if s.Encode(out, "a"); out[0] != 0 || out[1] != 0 {
		t.Errorf("%v: the embeddings have been copied", out)
	}
}

func TestStaticConcurrent(t *testing.T) {
	weights := safetensors(t, tensor("embeddings", shard.F32, 4, floats(9, 9, 1, 0, 0, 1), 2))
	s, err := OpenStatic([]byte(threeTokens), weights, []byte(`{}`))
	if err != nil {
		t.Fatal(err)
	}
	var wait sync.WaitGroup
	for g := range 8 {
		wait.Go(func() {
			text, want := []string{"a", "b"}[g%2], [2]float32{float32(1 - g%2), float32(g % 2)}
			for range 500 {
				var out [2]float32
				if s.Encode(out[:], text); out != want {
					t.Errorf("%s: %v", text, out)
				}
			}
		})
	}
	wait.Wait()
}
