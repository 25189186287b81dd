// Package modeltest writes small models with random weights, in HuggingFace's layout,
// for tests that need a real model without a download.
package modeltest

import (
	"encoding/binary"
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/vantage-search/vantage/internal/wasm/shard"
)

// Default sizes of the models.
const (
	Hidden    = 32
	Layers    = 2
	Heads     = 4
	Positions = 64
)

// Shape is the shape of a BERT model for texts of up to MaxLength tokens. Its
// intermediate layers are four times as wide as its hidden states.
type Shape struct{ Vocabulary, Hidden, Layers, Heads, Positions, MaxLength int }

// Shapes of a small model, whose vocabulary is that of the tokenizer, and of well-known
// models.
var (
	Small    = Shape{len(Vocabulary()), Hidden, Layers, Heads, Positions, 48}
	MiniLM   = Shape{30522, 384, 6, 12, 512, 512}
	BERTBase = Shape{30522, 768, 12, 12, 512, 512}
)

// words are the words of the vocabulary, in addition to special tokens, letters and
// digits.
var words = []string{"a", "the", "claim", "that", "supports", "opposes", "argument", "find", "school", "uniforms", "night", "trains", "help", "cost", "people", "work", "week", ":", ".", ",", "?", "!", "-"}

// Object is a JSON object.
type Object = map[string]any

// Tensors are the tensors of a checkpoint under construction.
type Tensors struct {
	random *rand.Rand
	list   []shard.Tensor
}

// NewTensors returns an empty checkpoint. Its random numbers depend only on the seed.
func NewTensors(seed uint64) *Tensors { return &Tensors{random: rand.New(rand.NewPCG(seed, 1))} }

// Add adds a tensor of normally distributed numbers.
func (t *Tensors) Add(name string, deviation float64, shape ...int) {
	n := 1
	for _, d := range shape {
		n *= d
	}
	data := make([]byte, 0, 4*n)
	for range n {
		b := math.Float32bits(float32(deviation * t.random.NormFloat64()))
		data = append(data, byte(b), byte(b>>8), byte(b>>16), byte(b>>24))
	}
	t.list = append(t.list, shard.Tensor{Name: name, DType: "F32", Shape: shape, Data: data})
}

// Append adds a tensor as it is.
func (t *Tensors) Append(tensor shard.Tensor) { t.list = append(t.list, tensor) }

// Damage sets a number of a tensor.
func (t *Tensors) Damage(name string, at int, value float32) {
	for _, tensor := range t.list {
		if tensor.Name == name {
			binary.LittleEndian.PutUint32(tensor.Data[4*at:], math.Float32bits(value))
		}
	}
}

// Linear adds a layer's weight and bias. Layers with many inputs have smaller weights,
// so that nothing saturates.
func (t *Tensors) Linear(name string, out, in int) {
	t.Add(name+".weight", min(.1, math.Sqrt(2/float64(in))), out, in)
	t.Add(name+".bias", .1, out)
}

// Write writes the tensors as a safetensors file.
func (t *Tensors) Write(path string) error {
	b, err := shard.AppendSafetensors(nil, t.list, nil)
	if err != nil {
		return err
	}
	return os.WriteFile(path, b, 0o644)
}

// BERT returns the tensors of a small BERT model.
func BERT(seed uint64) *Tensors { return Small.BERT(seed) }

// BERT returns the tensors of a BERT model.
func (s Shape) BERT(seed uint64) *Tensors {
	t := NewTensors(seed)
	t.Add("embeddings.word_embeddings.weight", .3, s.Vocabulary, s.Hidden)
	t.Add("embeddings.position_embeddings.weight", .1, s.Positions, s.Hidden)
	t.Add("embeddings.token_type_embeddings.weight", .1, 2, s.Hidden)
	norm := func(name string) {
		t.Add(name+".weight", 1, s.Hidden)
		t.Add(name+".bias", .1, s.Hidden)
	}
	norm("embeddings.LayerNorm")
	for i := range s.Layers {
		at := "encoder.layer." + strconv.Itoa(i) + "."
		for _, name := range []string{"attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense"} {
			t.Linear(at+name, s.Hidden, s.Hidden)
		}
		norm(at + "attention.output.LayerNorm")
		t.Linear(at+"intermediate.dense", 4*s.Hidden, s.Hidden)
		t.Linear(at+"output.dense", s.Hidden, 4*s.Hidden)
		norm(at + "output.LayerNorm")
	}
	t.Linear("pooler.dense", s.Hidden, s.Hidden)
	return t
}

// mpnetNames are MPNet's names of BERT's tensors.
var mpnetNames = strings.NewReplacer("attention.self.query", "attention.attn.q", "attention.self.key", "attention.attn.k", "attention.self.value", "attention.attn.v",
	"attention.output.dense", "attention.attn.o", "attention.output.LayerNorm", "attention.LayerNorm")

// MPNet returns the tensors of an MPNet: those of BERT without token types, and relative positions
// that change the attention much.
func (s Shape) MPNet(seed uint64) *Tensors {
	t := s.BERT(seed)
	t.list = slices.DeleteFunc(t.list, func(tensor shard.Tensor) bool { return strings.Contains(tensor.Name, "token_type") })
	for i := range t.list {
		t.list[i].Name = mpnetNames.Replace(t.list[i].Name)
	}
	t.Add("encoder.relative_attention_bias.weight", 2, 32, s.Heads)
	return t
}

// Config is the config.json of the small model.
func Config() Object { return Small.Config() }

// Config is the config.json of a model.
func (s Shape) Config() Object {
	return Object{"model_type": "bert", "architectures": []string{"BertModel"}, "vocab_size": s.Vocabulary, "hidden_size": s.Hidden, "num_hidden_layers": s.Layers,
		"num_attention_heads": s.Heads, "intermediate_size": 4 * s.Hidden, "max_position_embeddings": s.Positions, "type_vocab_size": 2, "layer_norm_eps": 1e-12, "hidden_act": "gelu"}
}

// Vocabulary is the vocabulary of the models, by id.
func Vocabulary() []string {
	v := []string{"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "[unused0]", "[unused1]"}
	for c := 'b'; c <= 'z'; c++ {
		v = append(v, string(c), "##"+string(c))
	}
	for c := '0'; c <= '9'; c++ {
		v = append(v, string(c), "##"+string(c))
	}
	return append(append(v, "##a"), words...)
}

// Tokenizer is the tokenizer.json of the models.
func Tokenizer() Object {
	vocabulary, added := Object{}, []Object{}
	for id, token := range Vocabulary() {
		vocabulary[token] = id
		if token[0] == '[' {
			added = append(added, Object{"id": id, "content": token, "normalized": false, "special": true})
		}
	}
	special := func(token string) Object { return Object{"SpecialToken": Object{"id": token, "type_id": 0}} }
	return Object{
		"added_tokens":  added,
		"normalizer":    Object{"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true, "lowercase": true},
		"pre_tokenizer": Object{"type": "BertPreTokenizer"},
		"post_processor": Object{"type": "TemplateProcessing",
			"single": []any{special("[CLS]"), Object{"Sequence": Object{"id": "A", "type_id": 0}}, special("[SEP]")},
			"pair": []any{special("[CLS]"), Object{"Sequence": Object{"id": "A", "type_id": 0}}, special("[SEP]"),
				Object{"Sequence": Object{"id": "B", "type_id": 1}}, Object{"SpecialToken": Object{"id": "[SEP]", "type_id": 1}}},
			"special_tokens": Object{"[CLS]": Object{"ids": []int{2}}, "[SEP]": Object{"ids": []int{3}}}},
		"model": Object{"type": "WordPiece", "unk_token": "[UNK]", "vocab": vocabulary},
	}
}

// SentenceTransformer has the files that sentence-transformers adds to a folder: mean
// pooling, normalisation, and prompts for queries and documents.
func SentenceTransformer() map[string]any { return Small.SentenceTransformer() }

// SentenceTransformer has the files that sentence-transformers adds to a folder.
func (s Shape) SentenceTransformer() map[string]any {
	return map[string]any{
		"modules.json": []Object{{"idx": 0, "name": "0", "path": "", "type": "sentence_transformers.models.Transformer"},
			{"idx": 1, "name": "1", "path": "1_Pooling", "type": "sentence_transformers.models.Pooling"}, {"idx": 2, "name": "2", "path": "2_Normalize", "type": "sentence_transformers.models.Normalize"}},
		"1_Pooling/config.json":             Object{"word_embedding_dimension": s.Hidden, "pooling_mode_mean_tokens": true},
		"sentence_bert_config.json":         Object{"max_seq_length": s.MaxLength, "do_lower_case": false},
		"config_sentence_transformers.json": Object{"prompts": Object{"query": "find: ", "document": ""}, "default_prompt_name": nil},
	}
}

// WriteJSON writes JSON files into a folder, by their names in it.
func WriteJSON(dir string, files map[string]any) error {
	for name, value := range files {
		b, err := json.Marshal(value)
		if err != nil {
			return err
		}
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, b, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// Write writes a small sentence-transformers model into a folder: BERT, mean
// pooling, normalised.
func Write(dir string, seed uint64) error { return Small.Write(dir, seed) }

// Write writes a model of a shape.
func (s Shape) Write(dir string, seed uint64) error {
	files := s.SentenceTransformer()
	files["config.json"], files["tokenizer.json"] = s.Config(), Tokenizer()
	if err := WriteJSON(dir, files); err != nil {
		return err
	}
	return s.BERT(seed).Write(filepath.Join(dir, "model.safetensors"))
}

// MPNetConfig is the config.json of an MPNet.
func (s Shape) MPNetConfig() Object {
	c := s.Config()
	c["model_type"], c["architectures"], c["relative_attention_num_buckets"] = "mpnet", []string{"MPNetModel"}, 32
	delete(c, "type_vocab_size")
	return c
}

// WriteMPNet writes an MPNet of a shape, with BERT's tokenizer.
func (s Shape) WriteMPNet(dir string, seed uint64) error {
	files := s.SentenceTransformer()
	files["config.json"], files["tokenizer.json"] = s.MPNetConfig(), Tokenizer()
	if err := WriteJSON(dir, files); err != nil {
		return err
	}
	return s.MPNet(seed).Write(filepath.Join(dir, "model.safetensors"))
}

// WriteColBERT writes a small ColBERT folder with token vectors of dim components; without
// its projection if dim is 0.
func WriteColBERT(dir string, seed uint64, dim int) error {
	config := Small.Config()
	config["architectures"] = []string{"HF_ColBERT"}
	err := WriteJSON(dir, map[string]any{"config.json": config, "tokenizer.json": Tokenizer(), "artifact.metadata": Object{"query_maxlen": 8, "doc_maxlen": 16}})
	if err != nil {
		return err
	}
	t := Small.BERT(seed)
	if dim > 0 {
		t.Add("linear.weight", .1, dim, Small.Hidden)
	}
	return t.Write(filepath.Join(dir, "model.safetensors"))
}
