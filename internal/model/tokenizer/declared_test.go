package tokenizer

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/testing/jsonfile"
)

// Tokens that files beside the vocabulary declare are found as a whole, with the ids of transformers
// (see testdata/declared/golden.py).
func TestDeclaredTokens(t *testing.T) {
	var golden []struct {
		Files map[string]string
		Texts map[string][]uint32
	}
	jsonfile.Read(t, "testdata/declared/golden.json", &golden)
	if len(golden) == 0 {
		t.Fatal("no folders")
	}
	for i, g := range golden {
		tokens, err := Open(folderOf(t, g.Files))
		if err != nil {
			t.Errorf("folder %d: %v", i, err)
			continue
		}
		for text, want := range g.Texts {
			if got, _ := tokens.Frame(tokens.Encode(nil, text), 0); !slices.Equal(got, want) {
				t.Errorf("folder %d: %q: %d, want %d\n%s", i, text, got, want, g.Files)
			}
		}
	}
}

// Files of the wrong shape are errors.
func TestDeclaredWrongly(t *testing.T) {
	for _, files := range []map[string]string{
		{"added_tokens.json": `[]`},
		{"added_tokens.json": `{"a": "1"}`},
		{"tokenizer_config.json": `[]`},
		{"tokenizer_config.json": `{"additional_special_tokens": 7}`},
		{"tokenizer_config.json": `{"extra_special_tokens": "[X]"}`},
		{"tokenizer_config.json": `{"added_tokens_decoder": {"x": {"content": "[X]"}}}`},
		{"tokenizer_config.json": `{"bos_token": "[X]"}`, "tokenizer.json": `{"added_tokens": [{"id": 0, "content": ["[X]"]}], "model": {"type": "WordPiece", "unk_token": "a", "vocab": {"a": 0}}}`},
		{"tokenizer_config.json": `{"bos_token": "[X]"}`, "tokenizer.json": `{"added_tokens": [null, {}], "model": {"type": "WordPiece", "unk_token": "a", "vocab": [[], 7]}}`},
	} {
		all := map[string]string{"vocab.txt": "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\na\n"}
		maps.Copy(all, files)
		if _, err := Open(folderOf(t, all)); err == nil {
			t.Errorf("%s is read", files)
		}
	}
}

// In a folder without tokenizer.json, the class says which file is read, and how. Other classes read files of the same names in
// ways of their own, so they are refused by name.
func TestOlderClasses(t *testing.T) {
	const words = "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\na\n"
	pieces := func(name string) string {
		b, err := os.ReadFile(filepath.Join("testdata/unigram", name))
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	t5, xlmr := pieces("t5/spiece.model"), pieces("xlmr/sentencepiece.bpe.model")
	const code = `"auto_map": {"AutoTokenizer": ["tokenization.Kiwi", null]}`
	for _, c := range []struct {
		file, text, config, model string
		refused                   string // "" if it is read
	}{
		{"vocab.txt", words, ``, ``, ""},
		{"vocab.txt", words, `{"tokenizer_class": "BertTokenizerFast"}`, `{"model_type": "roberta"}`, ""},
		{"vocab.txt", words, `{"tokenizer_class": "DistilBertTokenizer"}`, ``, ""},
		{"vocab.txt", words, `{"tokenizer_class": "ElectraTokenizerFast"}`, ``, ""},
		{"vocab.txt", words, `{"tokenizer_class": "DPRContextEncoderTokenizer"}`, ``, ""},
		{"vocab.txt", words, `{"auto_map": {"AutoModel": "modeling.Kiwi"}}`, `{"model_type": "bert"}`, ""},
		{"vocab.txt", words, `{"tokenizer_class": "BertJapaneseTokenizer", "word_tokenizer_type": "mecab"}`, ``, "BertJapaneseTokenizer"},
		{"vocab.txt", words, ``, `{"model_type": "bert", "tokenizer_class": "PhobertTokenizer"}`, "PhobertTokenizer"},
		{"vocab.txt", words, `{"tokenizer_class": "KoBertTokenizer"}`, ``, "KoBertTokenizer"},
		{"vocab.txt", words, `{"tokenizer_class": "BertTokenizer", ` + code + `}`, ``, "auto_map"},
		{"vocab.txt", words, `{"auto_map": ["tokenization.Kiwi", null]}`, ``, "auto_map"},
		{"vocab.txt", words, `{"tokenizer_class": "PreTrainedTokenizerFast"}`, ``, "PreTrainedTokenizerFast"},
		{"vocab.txt", words, ``, `{"model_type": "xlm-roberta"}`, "the sentencepiece.bpe.model that a tokenizer of the class XLMRobertaTokenizer"},
		{"spiece.model", t5, `{"tokenizer_class": "T5TokenizerFast"}`, `{"model_type": "roberta"}`, ""},
		{"spiece.model", t5, ``, `{"model_type": "t5"}`, ""},
		{"spiece.model", t5, `{"tokenizer_class": "XLNetTokenizer"}`, `{"model_type": "bert"}`, "XLNetTokenizer"},
		{"spiece.model", t5, `{"tokenizer_class": "DebertaV2TokenizerFast"}`, ``, "DebertaV2TokenizerFast"},
		{"spiece.model", t5, ``, `{"model_type": "albert"}`, "AlbertTokenizer"},
		{"sentencepiece.bpe.model", xlmr, `{"tokenizer_class": "XLMRobertaTokenizer"}`, `{"model_type": "bert"}`, ""},
		{"sentencepiece.bpe.model", xlmr, ``, `{"model_type": "camembert"}`, ""},
		{"sentencepiece.bpe.model", xlmr, `{"tokenizer_class": "NllbTokenizer"}`, ``, "NllbTokenizer"},
		{"tokenizer.json", `{"model": {"type": "WordPiece", "unk_token": "a", "vocab": {"a": 0}}}`, `{"tokenizer_class": "BertJapaneseTokenizer"}`, ``, "BertJapaneseTokenizer"},
		{"tokenizer.json", `{"model": {"type": "WordPiece", "unk_token": "a", "vocab": {"a": 0}}}`, `{` + code + `}`, ``, ""},
	} {
		_, err := Open(folderOf(t, map[string]string{c.file: c.text, "tokenizer_config.json": c.config, "config.json": c.model}))
		if (err == nil) != (c.refused == "") || err != nil && !strings.Contains(err.Error(), c.refused) {
			t.Errorf("%s, %s, %s: %v, want %q", c.file, c.config, c.model, err, c.refused)
		}
	}
}
