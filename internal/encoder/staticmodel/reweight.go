package staticmodel

import (
	"encoding/binary"
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"

	"github.com/vantage-search/vantage/internal/wasm/shard"
)

// Parameters of the re-weighting: the exponent of the idf, and the least idf.
const (
	idfExponent = 0.5
	leastIDF    = 0.02
)

// Reweight returns the model with each token's vector multiplied by
//
//	max(0.02, log((N+1)/(df+0.5)) / log(N+1)) ^ 0.5
//
// with N the number of documents and df the number of documents that contain the token.
// Tokens that are frequent in a corpus then count for little, in its documents and in
// queries. The normalised mean of the new vectors equals the normalised weighted mean
// of the old ones. Only a tensor of one number per token changes: "weights" if the model has
// it, otherwise "scales" if it has that and tokens share no rows. Otherwise "weights" is added.
func Reweight(f Files, documents iter.Seq[string]) (Files, error) {
	factors, err := f.idf(documents)
	if err != nil {
		return Files{}, err
	}
	weights, err := multiply(f.Weights, factors)
	if err != nil {
		return Files{}, fmt.Errorf("model %s: %s: %w", f.ID, WeightsFile, err)
	}
	f.Weights, f.Revision = weights, Revision(f.Tokenizer, weights, f.Config)
	return f, nil
}

// idf returns the factor of each token.
func (f Files) idf(documents iter.Seq[string]) ([]float64, error) {
	s, err := f.Open()
	if err != nil {
		return nil, err
	}
	n := 0
	frequency := make([]int, s.Tokenizer().VocabSize()) // number of documents
	var ids []uint32
	for text := range documents {
		n++
		ids, _ = s.Tokens(ids[:0], text)
		slices.Sort(ids)
		for _, id := range slices.Compact(ids) {
			frequency[id]++
		}
	}
	if n == 0 {
		return nil, errors.New("idf re-weighting needs documents, the corpus has none")
	}
	factors := make([]float64, len(frequency))
	for id, df := range frequency {
		idf := math.Log(float64(n+1)/(float64(df)+0.5)) / math.Log(float64(n+1))
		factors[id] = math.Pow(max(leastIDF, idf), idfExponent)
	}
	return factors, nil
}

// multiply returns a copy of a safetensors file with the tokens' factors applied.
func multiply(file []byte, factors []float64) ([]byte, error) {
	file = slices.Clone(file)
	parsed, err := shard.ParseSafetensors(file)
	if err != nil {
		return nil, err
	}
	_, mapped := parsed.Tensor("mapping") // tokens share rows
	if weights, ok := parsed.Tensor("weights"); ok {
		return file, multiplyNumbers(weights, factors)
	}
	if scales, ok := parsed.Tensor("scales"); ok && !mapped {
		return file, multiplyNumbers(scales, factors)
	}
	data := make([]byte, 0, 4*len(factors))
	for _, v := range factors {
		data = binary.LittleEndian.AppendUint32(data, math.Float32bits(float32(v)))
	}
	tensors := []shard.Tensor{{Name: "weights", DType: shard.F32, Shape: []int{len(factors)}, Data: data}}
	for _, name := range parsed.Names() {
		t, _ := parsed.Tensor(name)
		tensors = append(tensors, t)
	}
	return shard.AppendSafetensors(nil, tensors, parsed.Metadata)
}

// multiplyNumbers multiplies the numbers of a tensor in place. Opening the model has
// checked its length.
func multiplyNumbers(t shard.Tensor, factors []float64) error {
	for i, factor := range factors {
		switch t.DType {
		case shard.F16:
			b := t.Data[2*i:]
			v := float64(shard.F16ToF32(binary.LittleEndian.Uint16(b))) * factor
			binary.LittleEndian.PutUint16(b, shard.F32ToF16(float32(v)))
		case shard.F32:
			b := t.Data[4*i:]
			v := float64(math.Float32frombits(binary.LittleEndian.Uint32(b))) * factor
			binary.LittleEndian.PutUint32(b, math.Float32bits(float32(v)))
		case shard.F64:
			b := t.Data[8*i:]
			v := math.Float64frombits(binary.LittleEndian.Uint64(b)) * factor
			binary.LittleEndian.PutUint64(b, math.Float64bits(v))
		default:
			return fmt.Errorf("tensor %q is %s", t.Name, t.DType)
		}
	}
	return nil
}
