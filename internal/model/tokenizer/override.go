package tokenizer

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/vantage-search/vantage/internal/collection/unpack"
)

// overrides are the settings of tokenizer_config.json that transformers prefers to those in
// tokenizer.json.
type overrides struct {
	Side         string `json:"truncation_side"`
	Class        string `json:"tokenizer_class"`
	Lowercase    *bool  `json:"do_lower_case"`
	StripAccents *bool  `json:"strip_accents"`
	Chinese      *bool  `json:"tokenize_chinese_chars"`
	PrefixSpace  bool   `json:"add_prefix_space"`

	Decoder map[string]token `json:"added_tokens_decoder"`
}

// Classes that set the normalizer of BERT, or the space that ByteLevel puts before a text,
// whatever tokenizer.json says. PreTrainedTokenizerFast, for example, leaves both as they are.
var (
	bertClasses      = []string{"BertTokenizer", "DistilBertTokenizer", "DPRContextEncoderTokenizer", "DPRQuestionEncoderTokenizer", "ElectraTokenizer", "MPNetTokenizer"}
	byteLevelClasses = []string{"GPT2Tokenizer", "RobertaTokenizer"}
)

// classOfType are these classes by the model_type in config.json, which decides if no class is named.
var classOfType = map[string]string{
	"bert": "BertTokenizer", "distilbert": "DistilBertTokenizer", "dpr": "DPRQuestionEncoderTokenizer", "electra": "ElectraTokenizer", "mpnet": "MPNetTokenizer",
	"gpt2": "GPT2Tokenizer", "opt": "GPT2Tokenizer", "roberta": "RobertaTokenizer",
}

// override applies a folder's tokenizer_config.json to its tokenizer.json.
func override(dir string, text []byte) ([]byte, error) {
	path := filepath.Join(dir, "tokenizer_config.json")
	b, err := read(path)
	var o overrides
	switch {
	case errors.Is(err, fs.ErrNotExist): // the class has defaults
		err = nil
	case err == nil:
		err = unpack.JSON(b, &o)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if o.Class == "" {
		o.Class = modelClass(dir)
	}
	for _, change := range []func(map[string]json.RawMessage) bool{o.truncate, o.match} {
		if text, err = changed(text, change); err != nil {
			return nil, err
		}
	}
	switch class := strings.TrimSuffix(o.Class, "Fast"); {
	case slices.Contains(bertClasses, class):
		return changed(text, o.normalize)
	case slices.Contains(byteLevelClasses, class):
		return changed(text, o.putSpace)
	}
	return text, nil
}

// modelClass is the class of tokenizer that a folder's config.json implies; "" if that is none of ours.
func modelClass(dir string) string {
	var config struct {
		Class string `json:"tokenizer_class"`
		Type  string `json:"model_type"`
	}
	b, err := read(filepath.Join(dir, "config.json"))
	if err != nil || unpack.JSON(b, &config) != nil {
		return "" // a model's configuration is checked where the model is opened
	}
	return cmp.Or(config.Class, classOfType[config.Type])
}

// changed returns a tokenizer.json after a change. If nothing was changed, or the text is
// malformed, which Parse reports, it returns the text itself.
func changed(text []byte, change func(file map[string]json.RawMessage) bool) ([]byte, error) {
	var file map[string]json.RawMessage
	if json.Unmarshal(text, &file) != nil || file == nil || !change(file) {
		return text, nil
	}
	return json.Marshal(file)
}

// truncate sets the side that truncation cuts.
func (o *overrides) truncate(file map[string]json.RawMessage) bool {
	var is struct{ Direction string }
	if json.Unmarshal(file["truncation"], &is) != nil {
		is.Direction = ""
	}
	if o.Side == "" || (o.Side == "left") == (is.Direction == "Left") {
		return false
	}
	file["truncation"] = json.RawMessage(`null`)
	if o.Side == "left" {
		file["truncation"] = json.RawMessage(`{"direction":"Left"}`)
	}
	return true
}

// match sets how added tokens match a text, where added_tokens_decoder describes them.
func (o *overrides) match(file map[string]json.RawMessage) bool {
	var tokens []object
	if len(o.Decoder) == 0 || json.Unmarshal(file["added_tokens"], &tokens) != nil {
		return false
	}
	differs := false
	for _, is := range tokens {
		id, _ := is["id"].(float64)
		want := o.Decoder[strconv.FormatFloat(id, 'f', -1, 64)]
		if !want.described || want.Content != is["content"] {
			continue
		}
		flags := object{"lstrip": want.Lstrip, "rstrip": want.Rstrip, "single_word": want.SingleWord, "normalized": want.Normalized}
		for key, value := range flags {
			differs = differs || is[key] != value
			is[key] = value
		}
	}
	text, err := json.Marshal(tokens)
	if differs && err == nil {
		file["added_tokens"] = text
	}
	return differs && err == nil
}

// normalize sets what BERT's classes set in a BertNormalizer.
func (o *overrides) normalize(file map[string]json.RawMessage) bool {
	settings := object{"lowercase": o.Lowercase == nil || *o.Lowercase, "strip_accents": nil, "handle_chinese_chars": o.Chinese == nil || *o.Chinese}
	if o.StripAccents != nil {
		settings["strip_accents"] = *o.StripAccents
	}
	return set(file, "normalizer", "BertNormalizer", settings)
}

// putSpace sets whether ByteLevel puts a space before a text.
func (o *overrides) putSpace(file map[string]json.RawMessage) bool {
	return set(file, "pre_tokenizer", "ByteLevel", object{"add_prefix_space": o.PrefixSpace})
}

// set gives a part of tokenizer.json other settings if it is of a kind. It reports whether
// that changed any.
func set(file map[string]json.RawMessage, name, kind string, settings object) bool {
	var part object
	if json.Unmarshal(file[name], &part) != nil || part["type"] != kind {
		return false
	}
	differs := false
	for key, value := range settings {
		differs = differs || part[key] != value
		part[key] = value
	}
	text, err := json.Marshal(part)
	file[name] = text
	return differs && err == nil
}

// lowercaseFirst puts a Lowercase before the normalizer, unless that makes no difference.
func lowercaseFirst(file map[string]json.RawMessage) bool {
	type normalizer struct {
		Type      string
		Lowercase bool
	}
	var own struct {
		normalizer
		Normalizers []normalizer
	}
	known := json.Unmarshal(file["normalizer"], &own) == nil
	for _, n := range append(own.Normalizers, own.normalizer) {
		if n.Type == "Lowercase" || n.Type == "BertNormalizer" && n.Lowercase && len(own.Normalizers) == 0 {
			return false
		}
	}
	first := `{"type":"Lowercase"}`
	if known && own.Type != "" {
		first = `{"type":"Sequence","normalizers":[` + first + `,` + string(file["normalizer"]) + `]}`
	}
	file["normalizer"] = json.RawMessage(first)
	return true
}
