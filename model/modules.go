package model

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/vantage-search/vantage/model/weights"
	"github.com/vantage-search/vantage/wasm/kernel/dense"
	"github.com/vantage-search/vantage/wasm/transformer"
)

// recipe is what follows the transformer: how its tokens' vectors become a
// text's.
type recipe struct {
	dir        string // of the transformer
	poolings   []Pooling
	skipPrompt bool // a prompt's tokens do not count in the pooling
	dense      []*transformer.Head
	normalize  bool
	maxLength  int // 0: as the tokenizer and the model say
	lowercase  bool
	prompts    map[string]string
	prompt     string // name of the one that applies without a role
}

// moduleFile is an entry of sentence-transformers' modules.json.
type moduleFile struct {
	Path string `json:"path"`
	Type string `json:"type"`
}

// readRecipe reads modules.json and the folders it names; ok is false where
// there is none.
func readRecipe(dir string) (r *recipe, ok bool, err error) {
	var modules []moduleFile
	if ok, err = readJSON(filepath.Join(dir, "modules.json"), &modules); err != nil || !ok {
		return nil, false, err
	}
	r = &recipe{}
	for i, m := range modules {
		kind := m.Type[strings.LastIndex(m.Type, ".")+1:]
		at := filepath.Join(dir, filepath.FromSlash(m.Path))
		if m.Path != "" && !filepath.IsLocal(filepath.FromSlash(m.Path)) {
			return nil, false, fmt.Errorf("%s: modules.json names %q, which is no folder of the model", dir, m.Path)
		}
		switch {
		case i == 0 && kind == "Transformer":
			err = r.readTransformer(dir, at)
		case i == 1 && kind == "Pooling":
			err = r.readPooling(at)
		case i > 1 && kind == "Dense" && !r.normalize:
			err = r.readDense(at)
		case i > 1 && kind == "Normalize":
			r.normalize = true
		default:
			err = fmt.Errorf("%s: module %d of modules.json is of type %q: only a Transformer, Pooling, then Dense and Normalize in this order are supported", dir, i, m.Type)
		}
		if err != nil {
			return nil, false, err
		}
	}
	if r.dir == "" || len(r.poolings) == 0 {
		return nil, false, fmt.Errorf("%s: modules.json lacks the Transformer or the Pooling", dir)
	}
	return r, true, nil
}

// readTransformer reads how long a text may be, and the prompts.
func (r *recipe) readTransformer(root, at string) error {
	r.dir = at
	for _, name := range []string{"sentence_bert_config.json", "sentence_roberta_config.json", "sentence_distilbert_config.json", "sentence_xlm-roberta_config.json"} {
		var s struct {
			MaxLength *int `json:"max_seq_length"`
			Lowercase bool `json:"do_lower_case"`
		}
		ok, err := readJSON(filepath.Join(at, name), &s)
		if err != nil {
			return err
		}
		if ok {
			if r.maxLength = or(s.MaxLength, 0); r.maxLength < 0 {
				return fmt.Errorf("%s: max_seq_length is %d", filepath.Join(at, name), r.maxLength)
			}
			r.lowercase = s.Lowercase
			break
		}
	}
	return r.readPrompts(root)
}

func (r *recipe) readPrompts(root string) error {
	path := filepath.Join(root, "config_sentence_transformers.json")
	var s struct {
		Prompts map[string]string `json:"prompts"`
		Default *string           `json:"default_prompt_name"`
	}
	if _, err := readJSON(path, &s); err != nil {
		return err
	}
	r.prompts = map[string]string{}
	for name, text := range s.Prompts {
		if text != "" {
			r.prompts[name] = text
		}
	}
	if r.prompt = or(s.Default, ""); r.prompt != "" {
		if _, ok := s.Prompts[r.prompt]; !ok {
			return fmt.Errorf("%s: default_prompt_name is %q, which is none of its prompts", path, r.prompt)
		}
	}
	return nil
}

func (r *recipe) readPooling(at string) error {
	path := filepath.Join(at, "config.json")
	var s struct {
		CLS      bool  `json:"pooling_mode_cls_token"`
		Max      bool  `json:"pooling_mode_max_tokens"`
		Mean     bool  `json:"pooling_mode_mean_tokens"`
		RootMean bool  `json:"pooling_mode_mean_sqrt_len_tokens"`
		Weighted bool  `json:"pooling_mode_weightedmean_tokens"`
		Last     bool  `json:"pooling_mode_lasttoken"`
		Prompt   *bool `json:"include_prompt"`
	}
	ok, err := readJSON(path, &s)
	if err != nil {
		return err
	}
	if !ok {
		return fmt.Errorf("%s is missing", path)
	}
	// Several ways are put one after the other, in this order.
	for _, way := range []struct {
		on      bool
		pooling Pooling
	}{{s.CLS, CLS}, {s.Max, Max}, {s.Mean, Mean}, {s.RootMean, RootMean}, {s.Weighted, Weighted}, {s.Last, Last}} {
		if way.on {
			r.poolings = append(r.poolings, way.pooling)
		}
	}
	if len(r.poolings) == 0 {
		return fmt.Errorf("%s asks for no way of pooling that is known", path)
	}
	r.skipPrompt = !or(s.Prompt, true)
	return nil
}

func (r *recipe) readDense(at string) error {
	path := filepath.Join(at, "config.json")
	var s struct {
		In         int    `json:"in_features"`
		Activation string `json:"activation_function"`
	}
	ok, err := readJSON(path, &s)
	if err != nil {
		return err
	}
	if !ok {
		return fmt.Errorf("%s is missing", path)
	}
	name := strings.ToLower(s.Activation[strings.LastIndex(s.Activation, ".")+1:])
	act, known := activations[name]
	if !known && name != "identity" && name != "" {
		return fmt.Errorf("%s: activation %q is not supported", path, s.Activation)
	}
	if !known {
		act = dense.None
	}
	if s.Activation == "" { // its default
		act = dense.Tanh
	}
	tensors, err := weights.Open(at)
	if err != nil {
		return err
	}
	head, err := transformer.NewHead(tensors, s.In, transformer.HeadLayer{Name: "linear", Activation: act})
	if closed := tensors.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return fmt.Errorf("%s: %w", at, err)
	}
	r.dense = append(r.dense, head)
	return nil
}
