package staticmodel_test

import (
	"bytes"
	"encoding/json"
	"math"
	"slices"
	"testing"

	"github.com/vantage-search/vantage/internal/encoder/staticmodel"
	"github.com/vantage-search/vantage/internal/model/builtin"
	"github.com/vantage-search/vantage/internal/testing/approx"
	"github.com/vantage-search/vantage/internal/wasm/shard"
)

var small = []string{
	"the cat sat on the mat",
	"the dog ate the bone",
	"the council raised the tax",
	"a tax on the cat",
}

// weightedMean is the definition in float64: the normalised mean with a weight for each
// occurrence of a token.
func weightedMean(t *testing.T, f staticmodel.Files, documents []string, text string) []float64 {
	t.Helper()
	s, err := f.Open()
	if err != nil {
		t.Fatal(err)
	}
	file, err := shard.ParseSafetensors(f.Weights)
	if err != nil {
		t.Fatal(err)
	}
	embeddings, _ := file.Tensor("embeddings")
	scaleTensor, _ := file.Tensor("scales")
	scales, err := scaleTensor.Float32()
	if err != nil {
		t.Fatal(err)
	}
	n := float64(len(documents))
	sum := make([]float64, s.Dim())
	ids, _ := s.Tokens(nil, text)
	for _, id := range ids {
		df := 0.5
		for _, d := range documents {
			if in, _ := s.Tokens(nil, d); slices.Contains(in, id) {
				df++
			}
		}
		weight := math.Sqrt(max(0.02, math.Log((n+1)/df)/math.Log(n+1)))
		for j := range sum {
			sum[j] += weight * float64(int8(embeddings.Data[int(id)*s.Dim()+j])) * float64(scales[id])
		}
	}
	square := 0.0
	for _, v := range sum {
		square += v * v
	}
	for j := range sum {
		sum[j] /= math.Sqrt(square)
	}
	return sum
}

func TestReweight(t *testing.T) {
	f := builtin.Builtin()
	got, err := staticmodel.Reweight(f, slices.Values(small))
	if err != nil {
		t.Fatal(err)
	}
	if got.Revision == f.Revision || got.ID != f.ID || got.Language != f.Language || len(got.Weights) != len(f.Weights) {
		t.Errorf("%s %s %s, %d bytes", got.ID, got.Revision, got.Language, len(got.Weights))
	}
	if f.Revision != staticmodel.Revision(f.Tokenizer, f.Weights, f.Config) {
		t.Error("the model itself has changed")
	}
	before, _ := shard.ParseSafetensors(f.Weights)
	after, err := shard.ParseSafetensors(got.Weights)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range before.Names() {
		a, _ := before.Tensor(name)
		b, _ := after.Tensor(name)
		if same := bytes.Equal(a.Data, b.Data); same != (name != "scales") {
			t.Errorf("tensor %s: unchanged %v", name, same)
		}
	}
	s, err := got.Open()
	if err != nil {
		t.Fatal(err)
	}
	out := make([]float32, s.Dim())
	for _, text := range append(small, "a dog and a cat in parliament") {
		s.Encode(out, text)
		for j, want := range weightedMean(t, f, small, text) {
			if approx.Apart(float64(out[j]), want, 1e-6) {
				t.Fatalf("%q: element %d is %g, want %g", text, j, out[j], want)
			}
		}
	}
}

func TestReweightWithoutDocuments(t *testing.T) {
	if _, err := staticmodel.Reweight(builtin.Builtin(), slices.Values([]string{})); err == nil {
		t.Error("no error")
	}
}

// TestReweightLayouts checks that a token's vector gets its factor in every layout.
func TestReweightLayouts(t *testing.T) {
	tokenizer := []byte(`{"pre_tokenizer":{"type":"BertPreTokenizer"},"model":{"type":"WordPiece","vocab":{"[UNK]":0,"a":1,"b":2}}}`)
	halves := func(v ...float32) (b []byte) {
		for _, v := range v {
			h := shard.F32ToF16(v)
			b = append(b, byte(h), byte(h>>8))
		}
		return b
	}
	floats := func(v ...float32) (b []byte) {
		for _, v := range v {
			u := math.Float32bits(v)
			b = append(b, byte(u), byte(u>>8), byte(u>>16), byte(u>>24))
		}
		return b
	}
	embeddings := shard.Tensor{Name: "embeddings", DType: shard.F32, Shape: []int{3, 2}, Data: floats(9, 9, 1, 0, 0, 1)}
	mapped := shard.Tensor{Name: "mapping", DType: "I32", Shape: []int{3}, Data: floats(0, 0, 0)}
	scales := shard.Tensor{Name: "scales", DType: shard.F32, Shape: []int{3}, Data: floats(1, 1, 1)}
	for name, tensors := range map[string][]shard.Tensor{
		"F32":               {embeddings},
		"F16":               {{Name: "embeddings", DType: shard.F16, Shape: []int{3, 2}, Data: halves(9, 9, 1, 0, 0, 1)}},
		"I8 without scales": {{Name: "embeddings", DType: shard.I8, Shape: []int{3, 2}, Data: []byte{9, 9, 1, 0, 0, 1}}},
		"I8 mapped":         {{Name: "embeddings", DType: shard.I8, Shape: []int{3, 2}, Data: []byte{9, 9, 1, 0, 0, 1}}, scales, {Name: "mapping", DType: "I32", Shape: []int{3}, Data: []byte{0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0}}},
		"F16 weights":       {embeddings, {Name: "weights", DType: shard.F16, Shape: []int{3}, Data: halves(1, 1, 1)}},
		"shared rows":       {{Name: "embeddings", DType: shard.F32, Shape: []int{1, 2}, Data: floats(1, 0)}, mapped},
	} {
		weights, err := shard.AppendSafetensors(nil, tensors, nil)
		if err != nil {
			t.Fatal(err)
		}
		config, _ := json.Marshal(map[string]bool{"normalize": false})
		f := staticmodel.New(name, tokenizer, weights, config)
		got, err := staticmodel.Reweight(f, slices.Values([]string{"a b", "a", "a", "b a"}))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		s, err := got.Open()
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		a, b := make([]float32, 2), make([]float32, 2)
		s.Encode(a, "a")
		s.Encode(b, "b")
		wantA := math.Sqrt(math.Log(5/4.5) / math.Log(5))
		wantB := math.Sqrt(math.Log(5/2.5) / math.Log(5))
		at := 1
		if name == "shared rows" {
			at = 0
		}
		if approx.Apart(float64(a[0]), wantA, 1e-3) || approx.Apart(float64(b[at]), wantB, 1e-3) {
			t.Errorf("%s: %v %v, want %g and %g", name, a, b, wantA, wantB)
		}
	}
}
