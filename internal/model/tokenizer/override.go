package tokenizer

import (
	"cmp"
	"encoding/json"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/vantage-search/vantage/internal/collection/unpack"
)

// Classes that set the normalizer and pre-tokenizer of BERT, the space that ByteLevel puts before a text, or how SentencePiece's
// vocabularies split one, whatever tokenizer.json says. PreTrainedTokenizerFast, for example, leaves both as they are.
var (
	bertClasses = []string{"BertTokenizer", "ConvBertTokenizer", "DistilBertTokenizer", "DPRContextEncoderTokenizer", "DPRQuestionEncoderTokenizer", "DPRReaderTokenizer",
		"ElectraTokenizer", "LayoutLMTokenizer", "LxmertTokenizer", "MobileBertTokenizer", "MPNetTokenizer", "SqueezeBertTokenizer"}
	byteLevelClasses = []string{"BartTokenizer", "GPT2Tokenizer", "LEDTokenizer", "LongformerTokenizer", "MvpTokenizer", "RobertaTokenizer"}
	pieceClasses     = []string{"CamembertTokenizer", "T5Tokenizer", "XLMRobertaTokenizer"}
)

// classOfType are these classes by the model_type in config.json, which decides if no class is named.
var classOfType = map[string]string{
	"bert": "BertTokenizer", "distilbert": "DistilBertTokenizer", "dpr": "DPRQuestionEncoderTokenizer", "electra": "ElectraTokenizer", "mpnet": "MPNetTokenizer",
	"gpt2": "GPT2Tokenizer", "opt": "GPT2Tokenizer", "roberta": "RobertaTokenizer", "xlm-roberta": "XLMRobertaTokenizer", "camembert": "CamembertTokenizer",
	"t5": "T5Tokenizer", "mt5": "T5Tokenizer", "albert": "AlbertTokenizer", "big_bird": "BigBirdTokenizer", "deberta-v2": "DebertaV2Tokenizer",
	"roformer": "RoFormerTokenizer", "xlnet": "XLNetTokenizer",
}

// untyped are the classes that give no token types unless model_input_names asks for them, beside byteLevelClasses.
var untyped = []string{"CamembertTokenizer", "DistilBertTokenizer", "DPRReaderTokenizer", "MPNetTokenizer", "T5Tokenizer", "XLMRobertaTokenizer"}

// GivesTypes reports whether a folder's tokenizer tells the two texts of a pair apart by token types, as the library has it.
// Otherwise all tokens are of type 0.
func GivesTypes(dir string) (bool, error) {
	s, err := readSettings(dir)
	if err != nil {
		return false, err
	}
	if s.Inputs != nil {
		return slices.Contains(s.Inputs, "token_type_ids"), nil
	}
	return !slices.Contains(untyped, s.class) && !slices.Contains(byteLevelClasses, s.class), nil
}

// override applies a folder's tokenizer_config.json to its tokenizer.json, where transformers prefers its settings.
func (s *settings) override(text []byte) (_ []byte, err error) {
	changes := []func(map[string]json.RawMessage) bool{s.truncate, s.match, s.declare}
	switch {
	case slices.Contains(bertClasses, s.class):
		changes = append(changes, s.normalize)
	case slices.Contains(byteLevelClasses, s.class):
		changes = append(changes, s.putSpace)
	case slices.Contains(pieceClasses, s.class):
		changes = append(changes, s.splitWords)
	}
	for _, change := range changes {
		if text, err = changed(text, change); err != nil {
			return nil, err
		}
	}
	return text, nil
}

// readModel takes from a folder's config.json the class of tokenizer that it implies, if the tokenizer names none, and the size of
// the vocabulary.
func (s *settings) readModel(dir string) {
	var config struct {
		Class string `json:"tokenizer_class"`
		Type  string `json:"model_type"`
		Size  int    `json:"vocab_size"`
	}
	b, err := read(filepath.Join(dir, "config.json"))
	if err == nil && unpack.JSON(b, &config) == nil { // otherwise the fault is found where the model is opened
		s.Class, s.modelSize = cmp.Or(s.Class, config.Class, classOfType[config.Type]), config.Size
	}
	s.class = strings.TrimSuffix(s.Class, "Fast")
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
func (s *settings) truncate(file map[string]json.RawMessage) bool {
	var is struct{ Direction string }
	if json.Unmarshal(file["truncation"], &is) != nil {
		is.Direction = ""
	}
	if s.Side == "" || (s.Side == "left") == (is.Direction == "Left") {
		return false
	}
	file["truncation"] = json.RawMessage(`null`)
	if s.Side == "left" {
		file["truncation"] = json.RawMessage(`{"direction":"Left"}`)
	}
	return true
}

// match sets how added tokens match a text, where added_tokens_decoder describes them.
func (s *settings) match(file map[string]json.RawMessage) bool {
	var tokens []object
	if len(s.Decoder) == 0 || json.Unmarshal(file["added_tokens"], &tokens) != nil {
		return false
	}
	differs := false
	for _, is := range tokens {
		id, _ := is["id"].(float64)
		want := s.Decoder[strconv.FormatFloat(id, 'f', -1, 64)]
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

// normalize sets the normalizer and the pre-tokenizer that BERT's classes build from their settings, for their kind of vocabulary.
func (s *settings) normalize(file map[string]json.RawMessage) bool {
	if kind, err := kindOf(file["model"]); err != nil || kind != "WordPiece" {
		return false
	}
	own := object{"type": "BertNormalizer", "clean_text": true, "lowercase": s.Lowercase == nil || *s.Lowercase, "strip_accents": s.StripAccents, "handle_chinese_chars": s.Chinese == nil || *s.Chinese}
	return put(file, object{"normalizer": own, "pre_tokenizer": object{"type": "BertPreTokenizer"}})
}

// splitWords sets the pre-tokenizer that the classes of XLM-R, CamemBERT and T5 build, and leaves only the table of characters of
// the normalizer: tokenizer.json files of older versions keep a space at the end of a text, which these classes drop.
func (s *settings) splitWords(file map[string]json.RawMessage) bool {
	if kind, err := kindOf(file["model"]); err != nil || kind != "Unigram" {
		return false
	}
	var own struct{ Normalizers []json.RawMessage }
	if json.Unmarshal(file["normalizer"], &own) != nil {
		return false
	}
	var table any // none
	for _, n := range append([]json.RawMessage{file["normalizer"]}, own.Normalizers...) {
		if kind, err := kindOf(n); err == nil && kind == "Precompiled" {
			table = n
			break
		}
	}
	scheme := "always"
	if s.PrefixSpace != nil && !*s.PrefixSpace && s.class != "T5Tokenizer" {
		scheme = "never"
	}
	return put(file, object{"normalizer": table, "pre_tokenizer": object{"type": "Sequence", "pretokenizers": []object{
		{"type": "WhitespaceSplit"}, {"type": "Metaspace", "replacement": "▁", "prepend_scheme": scheme, "split": true}}}})
}

// put puts other parts into a tokenizer.json. It reports whether that could be done.
func put(file map[string]json.RawMessage, parts object) bool {
	for name, part := range parts {
		text, err := json.Marshal(part)
		if err != nil {
			return false
		}
		file[name] = text
	}
	return true
}

// putSpace sets whether ByteLevel puts a space before a text.
func (s *settings) putSpace(file map[string]json.RawMessage) bool {
	return set(file, "pre_tokenizer", "ByteLevel", object{"add_prefix_space": s.PrefixSpace != nil && *s.PrefixSpace})
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
