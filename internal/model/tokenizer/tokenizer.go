// Package tokenizer opens the tokenizer of a model folder: WordPiece, byte-level BPE,
// Unigram or WordLevel, with the normalizers and pre-tokenizers of embedding models.
package tokenizer

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/vantage-search/vantage/internal/collection/unpack"
	"github.com/vantage-search/vantage/internal/file"
	"github.com/vantage-search/vantage/internal/wasm/encode"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/internal/wasm/jsonlite"
)

// Tokenizer turns texts into token ids. It may be used by several goroutines.
type Tokenizer interface {
	// Encode appends a text's ids, without special tokens around them.
	Encode(dst []uint32, text string) []uint32
	// Frame puts ids between special tokens. If maxLen is positive, it truncates to
	// maxLen in total, and reports whether it did.
	Frame(ids []uint32, maxLen int) (framed []uint32, truncated bool)
	// TakesPairs reports whether FramePair may be called.
	TakesPairs() bool
	// FramePair puts two texts with special tokens into one input, and returns the
	// types of the tokens.
	FramePair(first, second []uint32, maxLen int) (ids, types []uint32, truncated bool)
	// ID is the id of a token by its spelling.
	ID(token string) (uint32, bool)
	// VocabSize is the number of ids.
	VocabSize() int
}

// MaxFile is the greatest length of a tokenizer file in bytes.
const MaxFile = 256 << 20

// Open opens a folder's tokenizer.json or, if there is none, its vocab.txt
// (WordPiece), vocab.json with merges.txt (byte-level BPE), spiece.model (T5) or
// sentencepiece.bpe.model (XLM-R, CamemBERT).
func Open(dir string) (Tokenizer, error) {
	return open(dir, false)
}

// OpenLowercase opens a folder's tokenizer with the normalizer Lowercase before its own, if it
// has none, as sentence-transformers does for do_lower_case. Special tokens in a text keep their
// capitals.
func OpenLowercase(dir string) (Tokenizer, error) { return open(dir, true) }

func open(dir string, lowercase bool) (Tokenizer, error) {
	text, at, err := JSON(dir)
	if err == nil && lowercase {
		text, err = changed(text, lowercaseFirst)
	}
	if err != nil {
		return nil, err
	}
	t, err := Parse(text)
	if err != nil && at != dir { // the reader speaks of a file that is not there
		return nil, fmt.Errorf("%s, converted to a tokenizer.json: %w", at, err)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", at, err)
	}
	return t, nil
}

// JSON returns the tokenizer.json that Open parses, made from the files of an
// older folder if need be, with the settings of tokenizer_config.json that take precedence
// over its own, and where it is from.
func JSON(dir string) (text []byte, at string, err error) {
	s, err := readSettings(dir)
	if err != nil {
		return nil, "", err
	}
	if text, at, err = written(dir, s); err == nil {
		text, err = s.override(text)
	}
	return text, at, err
}

// written returns the tokenizer.json as it is, or made from older files.
func written(dir string, s *settings) (text []byte, at string, err error) {
	text, err = read(filepath.Join(dir, "tokenizer.json"))
	if !errors.Is(err, fs.ErrNotExist) {
		if err == nil && slices.Contains(codeClasses, s.class) {
			err = fault.Errorf(fault.Unsupported, "%s: the tokenizer is of the class %s, which is code that does not read tokenizer.json: %s", dir, s.Class, Elsewhere)
		}
		return unpack.Unmarked(text), dir, err
	}
	has := func(file string) bool {
		_, err := os.Stat(filepath.Join(dir, file))
		return !errors.Is(err, fs.ErrNotExist)
	}
	file := slices.IndexFunc(older, func(o olderFile) bool { return has(o.name) })
	if file < 0 {
		return nil, "", fmt.Errorf("%s has no tokenizer: none of tokenizer.json, vocab.txt, vocab.json, spiece.model and sentencepiece.bpe.model is there", dir)
	}
	if s.ownCode() {
		return nil, "", fault.Errorf(fault.Unsupported, "%s: the tokenizer is code of the model's own (auto_map in tokenizer_config.json), which is not run, and there is no tokenizer.json: %s", dir, Elsewhere)
	}
	if s.class != "" { // the class decides how a file is read: many read a vocab.txt or spiece.model, each in its own way
		file = slices.IndexFunc(older, func(o olderFile) bool { return slices.Contains(o.classes, s.class) })
		switch {
		case file < 0:
			return nil, "", fault.Errorf(fault.Unsupported, "%s: a tokenizer of the class %s is not supported without a tokenizer.json, only those of BERT, MPNet, RoBERTa, GPT-2, T5, XLM-R and CamemBERT: %s",
				dir, s.Class, Elsewhere)
		case !has(older[file].name):
			return nil, "", fmt.Errorf("%s has neither a tokenizer.json nor the %s that a tokenizer of the class %s reads: save the tokenizer again, or name its class in tokenizer_config.json",
				dir, older[file].name, s.Class)
		}
	}
	text, err = older[file].make(dir, s)
	return text, filepath.Join(dir, older[file].name), err
}

// olderFile is a file of folders without a tokenizer.json.
type olderFile struct {
	name    string
	classes []string // that read it
	make    func(dir string, s *settings) ([]byte, error)
}

// older are these files, in the order in which they are looked for if no class is known.
var older = []olderFile{
	{"vocab.txt", bertClasses, fromVocabulary},
	{"vocab.json", byteLevelClasses, fromMerges},
	{"spiece.model", []string{"T5Tokenizer", "MT5Tokenizer"}, fromT5},
	{"sentencepiece.bpe.model", []string{"XLMRobertaTokenizer", "CamembertTokenizer"}, fromXLMR},
}

// codeClasses are classes that cut texts by code in Python, from files of their own, whatever a tokenizer.json beside them says.
var codeClasses = []string{"BertJapaneseTokenizer", "BertweetTokenizer", "EsmTokenizer", "PhobertTokenizer", "ProphetNetTokenizer", "RoCBertTokenizer", "RoFormerTokenizer", "TapasTokenizer"}

// Elsewhere is the remedy for a model that is not supported.
const Elsewhere = "encode the texts with sentence-transformers and index their vectors (vantage index --vectors), or choose another model"

// Parse reads a tokenizer.json.
func Parse(text []byte) (Tokenizer, error) {
	// There are faster implementations for BERT's own tokenizer and plain byte-level
	// BPE.
	if t, err := encode.ParseTokenizer(text); err == nil {
		return t, nil
	}
	if t, err := encode.ParseBPE(text); err == nil {
		return t, nil
	}
	return parsePipeline(text)
}

// parsePipeline reads a tokenizer.json with any combination of parts.
func parsePipeline(text []byte) (Tokenizer, error) {
	t, err := encode.ParsePipeline(text, parts)
	if err != nil {
		return nil, err
	}
	return t, nil
}

func read(path string) ([]byte, error) { return file.Read(path, MaxFile, "tokenizer") }

// settings are the settings of tokenizer_config.json and special_tokens_map.json, which
// older folders have beside a bare vocabulary.
type settings struct {
	Decoder      map[string]token `json:"added_tokens_decoder"`
	Lowercase    *bool            `json:"do_lower_case"`
	StripAccents *bool            `json:"strip_accents"`
	Chinese      *bool            `json:"tokenize_chinese_chars"`
	Side         string           `json:"truncation_side"`
	PrefixSpace  *bool            `json:"add_prefix_space"`
	AddBOS       bool             `json:"add_bos_token"`
	Class        string           `json:"tokenizer_class"`
	Code         json.RawMessage  `json:"auto_map"`
	Inputs       []string         `json:"model_input_names"`
	Legacy       *bool            `json:"legacy"`
	Sentinels    *int             `json:"extra_ids"`
	CLS          token            `json:"cls_token"`
	SEP          token            `json:"sep_token"`
	BOS          token            `json:"bos_token"`
	EOS          token            `json:"eos_token"`
	PAD          token            `json:"pad_token"`
	Mask         token            `json:"mask_token"`
	Unknown      token            `json:"unk_token"`

	class     string // Class without the ending Fast; "" if neither the tokenizer nor the model names one
	modelSize int    // vocab_size of config.json; 0 if it says nothing

	// Tokens that the files declare; see declared.go.
	added []token          // with ids, in their order
	named map[string]token // by role, such as cls_token
	roles []string         // in named beside the usual ones
	extra []token          // special tokens without a role
}

// ownCode reports whether the tokenizer is code that comes with the model.
func (s *settings) ownCode() bool {
	var named map[string]any
	if json.Unmarshal(s.Code, &named) == nil {
		return named["AutoTokenizer"] != nil
	}
	return s.Code != nil // older files have the names of the classes alone
}

// token is a special token: its text, or an object that also says how it matches.
type token struct {
	Content    string
	Lstrip     bool // the match includes the white space before it
	Rstrip     bool // and after it
	SingleWord bool `json:"single_word"`
	Normalized bool // it is looked for in the normalised text
	Special    bool

	described bool // by an object
	unsaid    bool // the object does not say whether it is normalised
}

func (t *token) UnmarshalJSON(b []byte) error {
	*t = token{}
	if string(b) == "null" || json.Unmarshal(b, &t.Content) == nil {
		return nil
	}
	type plain token
	var says struct{ Normalized *bool }
	err := errors.Join(json.Unmarshal(b, (*plain)(t)), json.Unmarshal(b, &says))
	t.described, t.unsaid = err == nil, says.Normalized == nil
	return err
}

func (t token) or(usual string) token {
	if t.Content == "" {
		t.Content = usual
	}
	return t
}

// stripping is a mask as CamemBERT's and MPNet's classes have it, unless an object describes it.
func (t token) stripping() token {
	t.Lstrip = t.Lstrip || !t.described
	return t
}

// readSettings reads both files. As in transformers, special_tokens_map.json takes precedence, but counts for nothing
// beside added_tokens_decoder, which says how the tokens match.
func readSettings(dir string) (*settings, error) {
	s := &settings{named: map[string]token{}}
	for _, name := range []string{"tokenizer_config.json", "special_tokens_map.json"} {
		if s.Decoder != nil {
			break
		}
		b, err := read(filepath.Join(dir, name))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err == nil {
			err = unpack.JSON(b, s)
		}
		if err == nil {
			err = s.readSpecial(b)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", filepath.Join(dir, name), err)
		}
	}
	s.readModel(dir)
	if err := s.readAdded(dir); err != nil {
		return nil, err
	}
	for _, t := range []*token{&s.CLS, &s.SEP, &s.BOS, &s.EOS, &s.PAD, &s.Mask, &s.Unknown} {
		for _, described := range s.Decoder {
			if described.Content == t.Content && t.Content != "" {
				*t = described
			}
		}
	}
	return s, nil
}

// Files of older folders are converted to a tokenizer.json, so that there is only one
// reader.
type object = map[string]any

// added makes the entries of special tokens that the vocabulary has. Of two descriptions of one token, the later counts.
func added(vocabulary object, tokens ...token) []object {
	list, at := []object{}, map[string]int{}
	for _, t := range tokens {
		id, ok := vocabulary[t.Content]
		if !ok {
			continue
		}
		entry := object{"id": id, "content": t.Content, "lstrip": t.Lstrip, "rstrip": t.Rstrip, "single_word": t.SingleWord, "normalized": t.Normalized, "special": true}
		if i, again := at[t.Content]; again {
			list[i] = entry
			continue
		}
		at[t.Content] = len(list)
		list = append(list, entry)
	}
	return list
}

// fromVocabulary makes BERT's tokenizer from vocab.txt, which has one token per line.
func fromVocabulary(dir string, s *settings) ([]byte, error) {
	text, err := read(filepath.Join(dir, "vocab.txt"))
	if err != nil {
		return nil, err
	}
	if err := checkLines(dir, "vocab.txt", text); err != nil {
		return nil, err
	}
	vocabulary := object{}
	for id, line := range strings.Split(strings.TrimRight(string(text), "\n"), "\n") {
		vocabulary[strings.TrimSuffix(line, "\r")] = id // the later of two, as in Python
	}
	cls, sep, pad, unknown, mask, around := s.CLS.or("[CLS]"), s.SEP.or("[SEP]"), s.PAD.or("[PAD]"), s.Unknown.or("[UNK]"), s.Mask.or("[MASK]"), "BertProcessing"
	if s.class == "MPNetTokenizer" {
		cls, sep, pad, mask, around = s.CLS.or("<s>"), s.SEP.or("</s>"), s.PAD.or("<pad>"), s.Mask.or("<mask>").stripping(), "RobertaProcessing"
	}
	if err := checkSpecial(dir, "vocab.txt", text, vocabulary, cls, sep); err != nil {
		return nil, err
	}
	lowercase, chinese := s.Lowercase == nil || *s.Lowercase, s.Chinese == nil || *s.Chinese
	return json.Marshal(object{
		"normalizer":     object{"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": chinese, "strip_accents": s.StripAccents, "lowercase": lowercase},
		"pre_tokenizer":  object{"type": "BertPreTokenizer"},
		"added_tokens":   added(vocabulary, unknown, sep, pad, cls, mask),
		"post_processor": processor(around, cls, sep, vocabulary),
		"model":          object{"type": "WordPiece", "unk_token": unknown.Content, "vocab": vocabulary},
	})
}

// processor puts BERT's or RoBERTa's special tokens around a text.
func processor(kind string, cls, sep token, vocabulary object) object {
	return object{"type": kind, "cls": []any{cls.Content, vocabulary[cls.Content]}, "sep": []any{sep.Content, vocabulary[sep.Content]}}
}

// checkSpecial checks that a file with a vocabulary has the tokens that are put around a text.
func checkSpecial(dir, name string, text []byte, vocabulary object, tokens ...token) error {
	for _, t := range tokens {
		if _, ok := vocabulary[t.Content]; ok {
			continue
		}
		problem, remedy := fmt.Sprintf("it has %d tokens, and lacks %.80q, which is put around texts", len(vocabulary), t.Content),
			"use the file that belongs to the model, or name the model's own in tokenizer_config.json (cls_token, sep_token, bos_token)"
		if bytes.IndexByte(text, 0) >= 0 {
			problem, remedy = "it has bytes of value 0, and lacks the token "+strconv.Quote(t.Content), "the file is damaged: fetch or save the model again"
		}
		return fmt.Errorf("%s: %s: %s", filepath.Join(dir, name), problem, remedy)
	}
	return nil
}

// checkLines checks that the tokenizer.json made from a file of lines stays within its
// limit.
func checkLines(dir, name string, text []byte) error {
	if n := bytes.Count(text, []byte("\n")); n > jsonlite.MaxValues {
		return fmt.Errorf("%s: %d lines, at most %d are read: this is not a tokenizer", filepath.Join(dir, name), n, jsonlite.MaxValues)
	}
	return nil
}

// fromMerges makes the tokenizer of RoBERTa or OPT from vocab.json and merges.txt.
func fromMerges(dir string, s *settings) ([]byte, error) {
	text, err := read(filepath.Join(dir, "vocab.json"))
	if err != nil {
		return nil, err
	}
	vocabulary := object{}
	if err := unpack.JSON(text, &vocabulary); err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Join(dir, "vocab.json"), err)
	}
	if text, err = read(filepath.Join(dir, "merges.txt")); err != nil {
		return nil, err
	}
	if err := checkLines(dir, "merges.txt", text); err != nil {
		return nil, err
	}
	if bytes.IndexByte(text, 0) >= 0 { // spelt in merges.txt, a zero byte is another character
		return nil, fmt.Errorf("%s: it has bytes of value 0: the file is damaged: fetch or save the model again", filepath.Join(dir, "merges.txt"))
	}
	merges := []string{}
	for i, line := range strings.Split(string(text), "\n") {
		line = strings.TrimSuffix(line, "\r")
		if line == "" || i == 0 && strings.HasPrefix(line, "#version") {
			continue
		}
		merges = append(merges, line)
	}
	bos, eos := s.BOS.or("<s>"), s.EOS.or("</s>")
	cls, sep := s.CLS.or("<s>"), s.SEP.or("</s>")
	special := []token{bos, eos, s.Unknown.or("<unk>"), sep, s.PAD.or("<pad>"), cls, s.Mask.or("<mask>")}
	gpt2 := s.class == "GPT2Tokenizer" // OPT's class, too
	if gpt2 {                          // it has no such tokens of its own: a text may spell them like any word
		special = []token{s.BOS, s.EOS, s.Unknown, s.PAD, s.Mask}
	}
	around := []token{cls, sep}
	if gpt2 {
		if around = nil; s.AddBOS {
			around = []token{bos}
		}
	}
	if err := checkSpecial(dir, "vocab.json", nil, vocabulary, around...); err != nil {
		return nil, err
	}
	file := object{
		"pre_tokenizer": object{"type": "ByteLevel", "add_prefix_space": s.PrefixSpace != nil && *s.PrefixSpace, "use_regex": true},
		"added_tokens":  added(vocabulary, special...),
		"model":         object{"type": "BPE", "vocab": vocabulary, "merges": merges},
	}
	switch {
	case gpt2 && s.AddBOS: // as OPT's configuration says
		file["post_processor"] = object{"type": "TemplateProcessing",
			"single":         []any{object{"SpecialToken": object{"id": bos.Content}}, object{"Sequence": object{"id": "A"}}},
			"special_tokens": object{bos.Content: object{"ids": []any{vocabulary[bos.Content]}}}}
	case !gpt2:
		file["post_processor"] = processor("RobertaProcessing", cls, sep, vocabulary)
	}
	return json.Marshal(file)
}
