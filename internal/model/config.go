package model

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/vantage-search/vantage/internal/collection/unpack"
	"github.com/vantage-search/vantage/internal/file"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/internal/wasm/kernel/dense"
	"github.com/vantage-search/vantage/internal/wasm/transformer"
)

// maxConfig is the size limit of configurations, in bytes.
const maxConfig = 16 << 20

// config is the content of config.json, with the fields of all architectures.
type config struct {
	Type          string            `json:"model_type"`
	Architectures []string          `json:"architectures"`
	From          string            `json:"_name_or_path"` // the model that it was trained from or saved as
	Vocabulary    int               `json:"vocab_size"`
	Hidden        int               `json:"hidden_size"`
	Layers        int               `json:"num_hidden_layers"`
	Heads         int               `json:"num_attention_heads"`
	Intermediate  int               `json:"intermediate_size"`
	Positions     int               `json:"max_position_embeddings"`
	Types         *int              `json:"type_vocab_size"`
	Epsilon       *float32          `json:"layer_norm_eps"`
	Activation    string            `json:"hidden_act"`
	Padding       *int              `json:"pad_token_id"`
	Relative      string            `json:"position_embedding_type"`
	Causal        bool              `json:"is_decoder"` // BERT's kind: a token attends only to those before it
	Labels        map[string]string `json:"id2label"`
	Projection    int               `json:"projection_dim"` // DPR
	Quantised     map[string]any    `json:"quantization_config"`

	// DistilBERT
	DistilHidden       int    `json:"dim"`
	DistilLayers       int    `json:"n_layers"`
	DistilHeads        int    `json:"n_heads"`
	DistilIntermediate int    `json:"hidden_dim"`
	DistilActivation   string `json:"activation"`

	// OPT
	OPTIntermediate int    `json:"ffn_dim"`
	OPTEmbedding    int    `json:"word_embed_proj_dim"`
	OPTNormBefore   *bool  `json:"do_layer_norm_before"`
	OPTNoFinalNorm  bool   `json:"_remove_final_layer_norm"`
	OPTActivation   string `json:"activation_function"`
	OPTBias         *bool  `json:"enable_bias"`

	// T5
	T5Hidden       int      `json:"d_model"`
	T5HeadSize     int      `json:"d_kv"`
	T5Intermediate int      `json:"d_ff"`
	T5Layers       int      `json:"num_layers"`
	T5Heads        int      `json:"num_heads"`
	T5Buckets      *int     `json:"relative_attention_num_buckets"` // MPNet's, too
	T5MaxDistance  *int     `json:"relative_attention_max_distance"`
	T5Epsilon      *float32 `json:"layer_norm_epsilon"`
	T5FeedForward  string   `json:"feed_forward_proj"`
}

// supported are the supported architectures, by model_type.
var supported = []string{"bert", "roberta", "xlm-roberta", "camembert", "distilbert", "mpnet", "dpr", "opt", "t5", "model2vec"}

// An UnsupportedError says that a model's architecture is not supported.
type UnsupportedError struct {
	Dir, Type  string
	Classifies bool // its configuration is that of a classifier or a cross-encoder, which gives no vectors
}

func (e *UnsupportedError) Error() string {
	remedy := elsewhere
	if e.Classifies {
		remedy = "choose another classifier"
	}
	return fmt.Sprintf("%s: an architecture of type %q is not supported, only %s: %s", e.Dir, e.Type, strings.Join(supported, ", "), remedy)
}

// Is reports the kind of fault: unsupported.
func (e *UnsupportedError) Is(target error) bool { return target == fault.Unsupported }

// readJSON reads a JSON file into value. ok is false if there is no file.
func readJSON(path string, value any) (ok bool, err error) {
	b, err := file.Read(path, maxConfig, "configuration")
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if err := unpack.JSON(b, value); err != nil {
		return false, fmt.Errorf("%s: %w", path, err)
	}
	return true, nil
}

func readConfig(dir string) (*config, error) {
	if err := checkAdapter(dir); err != nil {
		return nil, err
	}
	c := &config{}
	ok, err := readJSON(filepath.Join(dir, "config.json"), c)
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, fmt.Errorf("%s is not a model: it has no config.json", dir)
	}
	if c.Type == "" {
		return nil, fmt.Errorf(`%s: config.json has no model_type, so it does not say what the model is: add it, such as "model_type": "bert"`, dir)
	}
	if c.Quantised != nil {
		return nil, fault.Errorf(fault.Unsupported, "%s: the weights are quantised (quantization_config in config.json), which is not supported: save the model in float16 or float32, or choose another", dir)
	}
	if !slices.Contains(supported, c.Type) {
		return nil, &UnsupportedError{dir, c.Type, c.classifies()}
	}
	return c, nil
}

// checkAdapter refuses a folder with a LoRA adapter: whatever weights are beside it, they are not the model's until it is merged.
func checkAdapter(dir string) error {
	if _, err := os.Stat(filepath.Join(dir, "adapter_config.json")); err != nil {
		return nil // a folder that cannot be read is reported with its configuration
	}
	return fault.Errorf(fault.Unsupported, "%s: adapter_config.json says that the model is an adapter (LoRA), which is not applied: "+
		"merge it first (in Python, peft: model.merge_and_unload().save_pretrained(DIR), and the tokenizer's save_pretrained) and name that folder", dir)
}

// classifies reports whether the checkpoint is a classifier's or a cross-encoder's.
func (c *config) classifies() bool {
	return slices.ContainsFunc(c.Architectures, func(name string) bool { return strings.HasSuffix(name, "ForSequenceClassification") })
}

// sparseNames are in the names of models of sparse vectors: naver's SPLADE and its kin, and OpenSearch's neural sparse models.
var sparseNames = []string{"splade", "neural-sparse"}

// weightsWords reports whether the checkpoint is that of a model of sparse vectors, which weights words by its language modelling
// head. Nothing else than a name tells it from other language models, whose vectors may well be averaged.
func (c *config) weightsWords(name string) bool {
	masked := slices.ContainsFunc(c.Architectures, func(name string) bool { return strings.HasSuffix(name, "ForMaskedLM") })
	return masked && slices.ContainsFunc(sparseNames, func(part string) bool {
		return strings.Contains(strings.ToLower(name), part) || strings.Contains(strings.ToLower(c.From), part)
	})
}

// activations are the activations by their names in configurations.
var activations = map[string]dense.Activation{
	"gelu": dense.GELU, "gelu_python": dense.GELU, "gelu_new": dense.GELUTanh, "gelu_pytorch_tanh": dense.GELUTanh, "gelu_fast": dense.GELUTanh,
	"relu": dense.ReLU, "tanh": dense.Tanh, "silu": dense.SiLU, "swish": dense.SiLU,
}

func activation(name, usual string) (dense.Activation, error) {
	if name == "" {
		name = usual
	}
	a, ok := activations[name]
	if !ok {
		return 0, fmt.Errorf("config.json: activation %q is not supported: %s", name, elsewhere)
	}
	return a, nil
}

func or[T any](value *T, usual T) T {
	if value == nil {
		return usual
	}
	return *value
}

// architecture returns the architecture that the configuration describes: a
// transformer.BERTConfig, transformer.OPTConfig or transformer.T5Config.
func (c *config) architecture(int8 bool) (any, error) {
	switch c.Type {
	case "opt":
		return c.opt(int8)
	case "t5":
		return c.t5(int8)
	}
	return c.bert(int8)
}

// buildModel makes the transformer of an architecture from its weights.
func buildModel(architecture any, t transformer.Tensors) (transformer.Model, error) {
	switch a := architecture.(type) {
	case transformer.OPTConfig:
		return transformer.NewOPT(a, t)
	case transformer.T5Config:
		return transformer.NewT5(a, t)
	default:
		return transformer.NewBERT(a.(transformer.BERTConfig), t)
	}
}

func (c *config) bert(int8 bool) (a transformer.BERTConfig, err error) {
	if c.Relative != "" && c.Relative != "absolute" {
		return a, fmt.Errorf("config.json: position_embedding_type %q is not supported, only absolute: %s", c.Relative, elsewhere)
	}
	if c.Causal && c.Type != "distilbert" && c.Type != "mpnet" {
		return a, errors.New("config.json: a decoder (is_decoder true), whose tokens attend only to those before them, is not supported: " + elsewhere)
	}
	b := transformer.BERTConfig{Vocabulary: c.Vocabulary, Hidden: c.Hidden, Layers: c.Layers, Heads: c.Heads, Intermediate: c.Intermediate,
		Positions: c.Positions, Types: or(c.Types, 2), Epsilon: or(c.Epsilon, 1e-12), Int8: int8}
	name := c.Activation
	switch c.Type {
	case "roberta", "xlm-roberta", "camembert":
		b.FirstPosition = or(c.Padding, 1) + 1
	case "distilbert":
		b.Hidden, b.Layers, b.Heads, b.Intermediate, b.Types, b.Distil = c.DistilHidden, c.DistilLayers, c.DistilHeads, c.DistilIntermediate, 0, true
		b.Epsilon, name = 1e-12, c.DistilActivation
	case "mpnet": // whose padding id is 1 whatever its configuration says, as in the reference library
		b.FirstPosition, b.Types, b.Buckets = 2, 0, or(c.T5Buckets, 32)
		if b.Buckets == 0 { // which would mean that there is no table
			return a, errors.New("config.json: relative_attention_num_buckets is 0, MPNet uses 32")
		}
	}
	if b.Activation, err = activation(name, "gelu"); err != nil {
		return a, err
	}
	return b, nil
}

func (c *config) opt(int8 bool) (a transformer.OPTConfig, err error) {
	act, err := activation(c.OPTActivation, "relu")
	if err != nil {
		return a, err
	}
	if !or(c.OPTBias, true) {
		return a, errors.New("config.json: an OPT model without biases (enable_bias false) is not supported: " + elsewhere)
	}
	o := transformer.OPTConfig{Vocabulary: c.Vocabulary, Hidden: c.Hidden, Layers: c.Layers, Heads: c.Heads, Intermediate: c.OPTIntermediate,
		Positions: c.Positions, Embedding: c.OPTEmbedding, NormBefore: or(c.OPTNormBefore, true), Activation: act, Int8: int8}
	if o.Embedding == 0 {
		o.Embedding = o.Hidden
	}
	o.FinalNorm = o.NormBefore && !c.OPTNoFinalNorm
	return o, nil
}

func (c *config) t5(int8 bool) (a transformer.T5Config, err error) {
	name, gated := strings.CutPrefix(c.T5FeedForward, "gated-")
	if name == "gelu" && gated { // as in the reference library
		name = "gelu_new"
	}
	act, err := activation(name, "relu")
	if err != nil {
		return a, err
	}
	return transformer.T5Config{Vocabulary: c.Vocabulary, Hidden: c.T5Hidden, Layers: c.T5Layers, Heads: c.T5Heads, HeadSize: c.T5HeadSize,
		Intermediate: c.T5Intermediate, Buckets: or(c.T5Buckets, 32), MaxDistance: or(c.T5MaxDistance, 128), Epsilon: or(c.T5Epsilon, 1e-6), Activation: act, Gated: gated, Int8: int8}, nil
}
