package main

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/vantage-search/vantage/internal/model/modeltest"
)

// shape is the shape of a well-known model.
type shape struct {
	name string
	modeltest.Shape
}

var shapes = []shape{{"MiniLM-L6", modeltest.MiniLM}, {"BERT-base", modeltest.BERTBase}}

// write writes a sentence-transformers model of the shape, which our engine and
// Python's libraries read from the same files. Its random weights are small enough
// that nothing saturates and that the 8 bits of bfloat16's precision suffice.
func (s shape) write(dir string) error {
	files := s.SentenceTransformer()
	files["config.json"] = s.Config()
	files["tokenizer.json"] = tokenizer(s.Vocabulary)
	files["tokenizer_config.json"] = modeltest.Object{"tokenizer_class": "PreTrainedTokenizerFast", "model_max_length": s.MaxLength,
		"pad_token": "[PAD]", "unk_token": "[UNK]", "cls_token": "[CLS]", "sep_token": "[SEP]", "mask_token": "[MASK]"}
	if err := os.MkdirAll(filepath.Join(dir, "2_Normalize"), 0o755); err != nil {
		return err
	}
	if err := modeltest.WriteJSON(dir, files); err != nil {
		return err
	}
	return s.BERT(1).Write(filepath.Join(dir, "model.safetensors"))
}

// tokenizer makes a tokenizer with this vocabulary size and all fields that the
// Rust library requires.
func tokenizer(vocabulary int) modeltest.Object {
	words := modeltest.Object{}
	var added []modeltest.Object
	for id, token := range []string{"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"} {
		words[token] = id
		added = append(added, modeltest.Object{"id": id, "content": token, "single_word": false, "lstrip": false, "rstrip": false, "normalized": false, "special": true})
	}
	for id := len(words); id < vocabulary; id++ {
		words[word(id)] = id
	}
	special := func(token string) modeltest.Object {
		return modeltest.Object{"SpecialToken": modeltest.Object{"id": token, "type_id": 0}}
	}
	return modeltest.Object{
		"version": "1.0", "truncation": nil, "padding": nil, "added_tokens": added, "decoder": nil,
		"normalizer":    modeltest.Object{"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true, "strip_accents": nil, "lowercase": true},
		"pre_tokenizer": modeltest.Object{"type": "BertPreTokenizer"},
		"post_processor": modeltest.Object{"type": "TemplateProcessing",
			"single": []any{special("[CLS]"), modeltest.Object{"Sequence": modeltest.Object{"id": "A", "type_id": 0}}, special("[SEP]")},
			"pair": []any{special("[CLS]"), modeltest.Object{"Sequence": modeltest.Object{"id": "A", "type_id": 0}}, special("[SEP]"),
				modeltest.Object{"Sequence": modeltest.Object{"id": "B", "type_id": 1}}, modeltest.Object{"SpecialToken": modeltest.Object{"id": "[SEP]", "type_id": 1}}},
			"special_tokens": modeltest.Object{"[CLS]": modeltest.Object{"id": "[CLS]", "ids": []int{2}, "tokens": []string{"[CLS]"}},
				"[SEP]": modeltest.Object{"id": "[SEP]", "ids": []int{3}, "tokens": []string{"[SEP]"}}}},
		"model": modeltest.Object{"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##", "max_input_chars_per_word": 100, "vocab": words},
	}
}

// word spells a number in letters.
func word(n int) string {
	var b []byte
	for ; n > 0; n /= 26 {
		b = append(b, byte('a'+n%26))
	}
	return string(b)
}

// texts returns n texts with this many tokens, including the two special ones.
func texts(n, tokens int) []string {
	all := make([]string, n)
	for i := range all {
		words := make([]string, tokens-2)
		for j := range words {
			words[j] = word(1000 + (i*tokens+j)*37%20000)
		}
		all[i] = strings.Join(words, " ")
	}
	return all
}
