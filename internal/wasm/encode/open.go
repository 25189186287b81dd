package encode

import (
	"errors"
	"math"
	"strconv"

	"github.com/vantage-search/vantage/internal/wasm/jsonlite"
	"github.com/vantage-search/vantage/internal/wasm/shard"
)

// Limits of a static model.
const (
	maxDim       = 4096
	maxMagnitude = 1e18    // greatest element after weighting, so that no sum of squares overflows
	maxSeqLength = 1 << 30 // greatest seq_length; no text is that long
)

// OpenStatic opens a static model from its tokenizer.json, model.safetensors
// and config.json. It reads
//
//   - the tensor "embeddings" [rows, dim], I8, F16 or F32,
//   - beside I8 an optional tensor "scales" [rows], F32: row = int8 × scale (this
//     project's extension; Model2Vec's own int8 models have no scales),
//   - the optional tensors "weights" [vocabulary], F16, F32 or F64, and "mapping"
//     [vocabulary], I32 or I64, of Model2Vec's vocabulary quantisation: token i
//     has the vector weights[i] × embeddings[mapping[i]],
//   - the settings normalize (default false, as in Model2Vec) and seq_length
//     (default 512).
//
// weights is not copied and must not change while the encoder is in use. The encoder
// keeps no reference to the others.
func OpenStatic(tokenizerJSON, weights, config []byte) (*Static, error) {
	tokenizer, err := parseTokenizer(tokenizerJSON, nil)
	if err != nil {
		return nil, err
	}
	s := &Static{tokenizer: tokenizer, maxLength: 512}
	c, err := s.configure(config)
	if err != nil {
		return nil, errors.New("config.json: " + err.Error())
	}
	file, err := shard.ParseSafetensors(weights)
	if err == nil {
		err = s.table.open(file, tokenizer.size)
	}
	if err != nil {
		return nil, errors.New("model.safetensors: " + err.Error())
	}
	if c.vocabulary >= 0 {
		err = same("tokens in tokenizer.json", tokenizer.size, "in vocab_size of config.json", c.vocabulary)
	}
	s.dim = s.table.dim
	if err == nil && c.dim >= 0 {
		err = same(`columns of "embeddings"`, s.dim, "in hidden_dim of config.json", c.dim)
	}
	if err != nil {
		return nil, err
	}
	return s, nil
}

// sizes are the sizes in a model's config.json, -1 if absent.
type sizes struct{ dim, vocabulary int }

// configure reads a config.json.
func (s *Static) configure(config []byte) (sizes, error) {
	c := sizes{-1, -1}
	r := jsonlite.NewReader(config).Strict()
	object(r, func(key string) {
		switch key {
		case "model_type":
			if r.Text() != "model2vec" {
				r.Fail("model_type is not model2vec: this is no static model")
			}
		case "normalize":
			s.normalize = r.Bool()
		case "seq_length":
			s.maxLength = int(integer(r, key, 1, maxSeqLength))
		case "hidden_dim":
			c.dim = int(integer(r, key, 1, maxDim))
		case "vocab_size":
			c.vocabulary = int(integer(r, key, 1, maxVocabulary))
		case "add_special_tokens", "drop_unk":
			if r.Bool() != (key == "drop_unk") {
				r.Fail(key + " is not supported: static models leave special and unknown tokens out")
			}
		}
	})
	return c, r.End()
}

// open checks the tensors of a model whose tokenizer has the given number of ids.
func (t *table) open(file *shard.Safetensors, vocabulary int) error {
	embeddings, ok := file.Tensor("embeddings")
	if !ok {
		return errors.New(`no tensor "embeddings": this is no Model2Vec model`)
	}
	switch embeddings.DType {
	case shard.I8, shard.F16, shard.F32:
	default:
		return dtypeError(embeddings, "I8, F16 and F32")
	}
	if len(embeddings.Shape) != 2 || embeddings.Shape[1] < 1 || embeddings.Shape[1] > maxDim {
		return errors.New(`tensor "embeddings" is not of two dimensions, tokens × 1 to ` + strconv.Itoa(maxDim))
	}
	rows := embeddings.Shape[0]
	t.dtype, t.data, t.dim = embeddings.DType, embeddings.Data, embeddings.Shape[1]
	mapping, mapped := file.Tensor("mapping")
	if mapped {
		if mapping.DType != "I32" && mapping.DType != "I64" {
			return dtypeError(mapping, "I32 and I64")
		}
		values, err := vector(mapping, vocabulary, 0, float64(rows-1))
		if err != nil {
			return err
		}
		t.rows = make([]uint32, vocabulary)
		for id, row := range values {
			t.rows[id] = uint32(row)
		}
	} else if err := same("tokens in tokenizer.json", vocabulary, `rows of "embeddings"`, rows); err != nil {
		return err
	}
	if weights, ok := file.Tensor("weights"); ok {
		if weights.DType != shard.F16 && weights.DType != shard.F32 && weights.DType != shard.F64 {
			return dtypeError(weights, "F16, F32 and F64")
		}
		var err error
		if t.weights, err = vector(weights, vocabulary, -maxMagnitude, maxMagnitude); err != nil {
			return err
		}
	}
	if scales, ok := file.Tensor("scales"); ok {
		if t.dtype != shard.I8 || scales.DType != shard.F32 {
			return dtypeError(scales, "F32 for I8 embeddings")
		}
		values, err := vector(scales, rows, 0, maxMagnitude)
		if err != nil {
			return err
		}
		t.fold(values, vocabulary)
	}
	return t.check()
}

// fold multiplies the scales of rows into the weights of tokens.
func (t *table) fold(scales []float64, vocabulary int) {
	weights := make([]float64, vocabulary)
	for id := range weights {
		row := id
		if t.rows != nil {
			row = int(t.rows[id])
		}
		weights[id] = scales[row]
		if t.weights != nil {
			weights[id] *= t.weights[id]
		}
	}
	t.weights = weights
}

// check refuses elements that are NaN, or too large after weighting.
func (t *table) check() error {
	weight := 1.0
	for _, w := range t.weights {
		weight = max(weight, math.Abs(w))
	}
	width := 4
	switch t.dtype {
	case shard.I8: // these elements are always valid, so only the weights need a check
		if weight > maxMagnitude/128 {
			return errors.New("the weights of tokens go beyond 1e15: the model is damaged")
		}
		return nil
	case shard.F16:
		width = 2
	}
	for i := range len(t.data) / width {
		if !(math.Abs(number(t.dtype, t.data, i))*weight <= maxMagnitude) {
			return errors.New(`tensor "embeddings" has an element that is no number or too large in row ` +
				strconv.Itoa(i/t.dim) + ", column " + strconv.Itoa(i%t.dim) + ": the model is damaged")
		}
	}
	return nil
}

// vector reads n numbers from low to high.
func vector(t shard.Tensor, n int, low, high float64) ([]float64, error) {
	elements := 1
	for _, d := range t.Shape {
		elements *= d
	}
	if err := same("elements of "+strconv.Quote(t.Name), elements, "tokens or rows", n); err != nil {
		return nil, err
	}
	out := make([]float64, n)
	for i := range out {
		v := number(t.DType, t.Data, i)
		if !(low <= v && v <= high) {
			return nil, errors.New("tensor " + strconv.Quote(t.Name) + " has a number that is out of range in row " + strconv.Itoa(i) + ": the model is damaged")
		}
		out[i] = v
	}
	return out, nil
}

func dtypeError(t shard.Tensor, want string) error {
	return errors.New("tensor " + strconv.Quote(t.Name) + " is " + string(t.DType) + "; what is supported is " + want)
}

// same returns an error if two sizes differ.
func same(a string, n int, b string, m int) error {
	if n == m {
		return nil
	}
	return errors.New(strconv.Itoa(n) + " " + a + ", but " + strconv.Itoa(m) + " " + b + ": these files do not belong together")
}
