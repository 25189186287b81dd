package tokenizer

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Settings of tokenizer_config.json take precedence over those of tokenizer.json, as in transformers,
// and do_lower_case of sentence-transformers spares special tokens.
func TestOverrides(t *testing.T) {
	const bert = `{"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true, "strip_accents": null, "lowercase": true}`
	const cased = `{"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true, "strip_accents": null, "lowercase": false}`
	const left = `{"direction": "Left", "max_length": 64, "strategy": "LongestFirst", "stride": 0}`
	const small, large, accent, other, mask = 1, 2, 3, 4, 5 // ids of a, A, á, Á and [MASK]
	for name, c := range map[string]struct {
		config, normalizer, truncation string
		lowercase                      bool
		text                           string
		want                           []uint32
	}{
		"the left side":                 {`{"truncation_side": "left"}`, bert, `null`, false, "a A a [MASK]", []uint32{small, mask}},
		"the right side":                {`{"truncation_side": "right"}`, bert, left, false, "[MASK] a A a", []uint32{mask, small}},
		"the side of tokenizer.json":    {`{}`, bert, left, false, "a A a [MASK]", []uint32{small, mask}},
		"no configuration":              {``, bert, `null`, false, "A á", []uint32{small, small}},
		"capitals":                      {`{"do_lower_case": false, "tokenizer_class": "BertTokenizer"}`, bert, `null`, false, "A á", []uint32{large, accent}},
		"small letters":                 {`{"tokenizer_class": "DistilBertTokenizer"}`, cased, `null`, false, "A á", []uint32{small, small}},
		"accents":                       {`{"strip_accents": false, "tokenizer_class": "BertTokenizerFast"}`, bert, `null`, false, "A Á", []uint32{small, accent}},
		"capitals of a generic class":   {`{"do_lower_case": false, "tokenizer_class": "PreTrainedTokenizerFast"}`, bert, `null`, false, "A á", []uint32{small, small}},
		"a class without a name":        {`{"do_lower_case": false}`, bert, `null`, false, "A á", []uint32{small, small}},
		"no normalizer":                 {`{"do_lower_case": true, "tokenizer_class": "BertTokenizer"}`, `null`, `null`, false, "A Á", []uint32{small, small}},
		"another normalizer":            {`{"do_lower_case": false, "tokenizer_class": "DistilBertTokenizer"}`, `{"type": "Lowercase"}`, `null`, false, "A Á", []uint32{large, other}},
		"before cased":                  {``, cased, `null`, true, "Á [MASK]", []uint32{accent, mask}},
		"before uncased":                {``, bert, `null`, true, "Á [MASK]", []uint32{small, mask}},
		"before none":                   {``, `null`, `null`, true, "Á [MASK]", []uint32{accent, mask}},
		"before a sequence":             {``, `{"type": "Sequence", "normalizers": [{"type": "NFC"}]}`, `null`, true, "A\u0301 [MASK]", []uint32{accent, mask}},
		"beside a Lowercase of its own": {``, `{"type": "Sequence", "normalizers": [{"type": "NFC"}, {"type": "Lowercase"}]}`, `null`, true, "A\u0301 [MASK]", []uint32{accent, mask}},
	} {
		dir := folderOf(t, map[string]string{"tokenizer_config.json": c.config, "tokenizer.json": fmt.Sprintf(`{"normalizer": %s, "truncation": %s,
			"pre_tokenizer": {"type": "BertPreTokenizer"}, "added_tokens": [{"id": 5, "content": "[MASK]", "normalized": false, "special": true}],
			"model": {"type": "WordPiece", "unk_token": "[UNK]", "vocab": {"[UNK]": 0, "a": 1, "A": 2, "á": 3, "Á": 4, "[MASK]": 5}}}`, c.normalizer, c.truncation)})
		read := Open
		if c.lowercase {
			read = OpenLowercase
		}
		tokens, err := read(dir)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got, _ := tokens.Frame(tokens.Encode(nil, c.text), 2); fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("%s: %q has the ids %v, want %v", name, c.text, got, c.want)
		}
	}
}

// The classes of RoBERTa and GPT-2 say whether a space is put before a text.
func TestOverriddenSpace(t *testing.T) {
	for _, c := range []struct {
		config, inFile string
		want           []uint32
	}{
		{`{"tokenizer_class": "RobertaTokenizer", "add_prefix_space": true}`, "false", []uint32{0, 1}},
		{`{"tokenizer_class": "GPT2TokenizerFast"}`, "true", []uint32{1}},
		{`{"tokenizer_class": "PreTrainedTokenizerFast", "add_prefix_space": true}`, "false", []uint32{1}},
	} {
		dir := folderOf(t, map[string]string{"tokenizer_config.json": c.config, "tokenizer.json": `{"pre_tokenizer": {"type": "ByteLevel", "use_regex": true, "add_prefix_space": ` + c.inFile + `},
			"model": {"type": "BPE", "vocab": {"Ġ": 0, "a": 1}, "merges": []}}`})
		tokens, err := Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		if got := tokens.Encode(nil, "a"); fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("%s, and %s in tokenizer.json: %v, want %v", c.config, c.inFile, got, c.want)
		}
	}
}

// The classes of SentencePiece's vocabularies split texts at white space, and keep only the table of characters of the normalizer,
// whatever tokenizer.json says. The ids are those of transformers 5.24.
func TestOverriddenWords(t *testing.T) {
	const file = `{"normalizer": {"type": "Replace", "pattern": {"Regex": " {2,}"}, "content": " "},
		"added_tokens": [{"id": 1, "content": "</s>", "special": true}],
		"pre_tokenizer": {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": true},
		"model": {"type": "Unigram", "unk_id": 0, "vocab": [["<unk>", 0], ["</s>", 0], ["▁", -3], ["▁night", -2], ["night", -2]]}}`
	for _, c := range []struct {
		config string
		want   []uint32 // of "night\tnight </s> night "
	}{
		{`{"tokenizer_class": "XLMRobertaTokenizer"}`, []uint32{3, 3, 1, 3}},
		{`{"tokenizer_class": "CamembertTokenizerFast"}`, []uint32{3, 3, 1, 3}},
		{`{"tokenizer_class": "T5Tokenizer", "add_prefix_space": false}`, []uint32{3, 3, 1, 3}},
		{`{"tokenizer_class": "XLMRobertaTokenizer", "add_prefix_space": false}`, []uint32{4, 4, 1, 4}},
		{`{"tokenizer_class": "PreTrainedTokenizerFast"}`, []uint32{3, 0, 4, 2, 1, 3, 2}},
	} {
		tokens, err := Open(folderOf(t, map[string]string{"tokenizer_config.json": c.config, "tokenizer.json": file}))
		if err != nil {
			t.Fatal(err)
		}
		if got := tokens.Encode(nil, "night\tnight </s> night "); fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("%s: %v, want %v", c.config, got, c.want)
		}
	}
}

// Without a class in tokenizer_config.json, config.json decides which settings count, as in transformers.
func TestClassOfModel(t *testing.T) {
	wordPiece := func(lowercase bool) string {
		return fmt.Sprintf(`{"normalizer": {"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true, "strip_accents": null, "lowercase": %t},
			"pre_tokenizer": {"type": "BertPreTokenizer"}, "model": {"type": "WordPiece", "unk_token": "[UNK]", "vocab": {"[UNK]": 0, "a": 1, "A": 2}}}`, lowercase)
	}
	byteLevel := func(space bool) string {
		return fmt.Sprintf(`{"pre_tokenizer": {"type": "ByteLevel", "use_regex": true, "add_prefix_space": %t}, "model": {"type": "BPE", "vocab": {"Ġ": 0, "A": 1}, "merges": []}}`, space)
	}
	for _, c := range []struct {
		model, config, tokenizer string
		want                     []uint32
	}{
		{`{"model_type": "bert"}`, `{"do_lower_case": false}`, wordPiece(true), []uint32{2}},
		{`{"model_type": "bert"}`, ``, wordPiece(false), []uint32{1}},
		{`{"model_type": "distilbert"}`, `{"do_lower_case": false}`, wordPiece(true), []uint32{2}},
		{`{"model_type": "dpr"}`, ``, wordPiece(false), []uint32{1}},
		{`{"model_type": "roberta", "tokenizer_class": "BertTokenizer"}`, `{"do_lower_case": false}`, wordPiece(true), []uint32{2}},
		{`{"model_type": "bert", "tokenizer_class": "PreTrainedTokenizerFast"}`, `{"do_lower_case": false}`, wordPiece(true), []uint32{1}},
		{`{"model_type": "bert"}`, `{"do_lower_case": false, "tokenizer_class": "PreTrainedTokenizerFast"}`, wordPiece(true), []uint32{1}},
		{`{"model_type": "modernbert"}`, `{"do_lower_case": false}`, wordPiece(true), []uint32{1}},
		{`{"model_type": 7}`, `{"do_lower_case": false}`, wordPiece(true), []uint32{1}},
		{`{"model_type": "roberta"}`, `{"add_prefix_space": true}`, byteLevel(false), []uint32{0, 1}},
		{`{"model_type": "opt"}`, ``, byteLevel(true), []uint32{1}},
		{`{"model_type": "bert"}`, ``, byteLevel(true), []uint32{0, 1}},
	} {
		tokens, err := Open(folderOf(t, map[string]string{"config.json": c.model, "tokenizer_config.json": c.config, "tokenizer.json": c.tokenizer}))
		if err != nil {
			t.Fatal(err)
		}
		if got := tokens.Encode(nil, "A"); fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("%s, %s, %s: %v, want %v", c.model, c.config, c.tokenizer, got, c.want)
		}
	}
}

// A tokenizer.json that is no object is an error, whatever would be changed in it.
func TestOverriddenNull(t *testing.T) {
	dir := folderOf(t, map[string]string{"tokenizer_config.json": `{"truncation_side": "left"}`, "tokenizer.json": "null"})
	for _, read := range []func(string) (Tokenizer, error){Open, OpenLowercase} {
		if _, err := read(dir); err == nil || !strings.Contains(err.Error(), "expected an object") {
			t.Error(err)
		}
	}
}

// A vocab.json with merges.txt gets the special tokens of its class, which config.json names if tokenizer_config.json does
// not: GPT-2's, which is OPT's, too, has no mask, and only the first token that add_bos_token asks for. The ids are those of
// transformers 5.24.
func TestSpecialTokensOfClass(t *testing.T) {
	spelt := []uint32{5, 3, 4, 5, 6, 7, 8}
	for _, c := range []struct {
		model, config string
		want          []uint32
	}{
		{"opt", `{"tokenizer_class": "GPT2Tokenizer", "bos_token": "<s>", "add_bos_token": true}`, append([]uint32{0}, spelt...)},
		{"opt", `{"bos_token": "<s>", "add_bos_token": true}`, append([]uint32{0}, spelt...)},
		{"opt", `{"bos_token": "<s>", "eos_token": "</s>"}`, spelt},
		{"opt", `{"bos_token": "<s>", "add_bos_token": true, "mask_token": "<mask>"}`, []uint32{0, 5, 2}},
		{"roberta", `{"tokenizer_class": "GPT2TokenizerFast", "bos_token": "<s>", "add_bos_token": false}`, spelt},
		{"roberta", `{"bos_token": "<s>", "add_bos_token": true}`, []uint32{0, 5, 2, 1}},
		{"opt", `{"tokenizer_class": "RobertaTokenizer"}`, []uint32{0, 5, 2, 1}},
	} {
		tokens, err := Open(folderOf(t, map[string]string{"config.json": `{"model_type": "` + c.model + `"}`, "tokenizer_config.json": c.config, "merges.txt": "#version: 0.2\n",
			"vocab.json": `{"<s>": 0, "</s>": 1, "<mask>": 2, "<": 3, "m": 4, "a": 5, "s": 6, "k": 7, ">": 8}`}))
		if err != nil {
			t.Errorf("%s, %s: %v", c.model, c.config, err)
			continue
		}
		if got, _ := tokens.Frame(tokens.Encode(nil, "a<mask>"), 0); fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("%s, %s: %v, want %v", c.model, c.config, got, c.want)
		}
	}
}

// The mask takes the space before it only if an object says so, or the class (MPNet's and CamemBERT's, but no longer RoBERTa's).
// added_tokens_decoder counts more than special_tokens_map.json, and that more than tokenizer_config.json. The ids are those of
// transformers 5.24.
func TestSpaceBeforeMask(t *testing.T) {
	const (
		strips = `{"content": "<mask>", "lstrip": true, "rstrip": false, "single_word": false, "normalized": false, "__type": "AddedToken"}`
		keeps  = `{"content": "<mask>", "lstrip": false, "rstrip": false, "single_word": false, "normalized": false, "__type": "AddedToken"}`
		both   = `{"content": "<mask>", "lstrip": true, "rstrip": true, "single_word": false, "normalized": false, "__type": "AddedToken"}`
		merges = `{"<s>": 0, "</s>": 1, "<mask>": 2, "a": 3, "Ġ": 4}`
		file   = `{"added_tokens": [{"id": 2, "content": "<mask>", "lstrip": true, "normalized": false, "special": true}],
			"pre_tokenizer": {"type": "ByteLevel", "use_regex": true, "add_prefix_space": false},
			"post_processor": {"type": "RobertaProcessing", "cls": ["<s>", 0], "sep": ["</s>", 1]},
			"model": {"type": "BPE", "vocab": ` + merges + `, "merges": []}}`
	)
	for _, c := range []struct {
		config, specials, file string
		want                   []uint32
	}{
		{``, ``, ``, []uint32{0, 3, 4, 2, 4, 3, 1}},
		{`{"mask_token": "<mask>"}`, ``, ``, []uint32{0, 3, 4, 2, 4, 3, 1}},
		{`{"mask_token": ` + strips + `}`, ``, ``, []uint32{0, 3, 2, 4, 3, 1}},
		{`{"mask_token": ` + both + `}`, ``, ``, []uint32{0, 3, 2, 3, 1}},
		{`{"mask_token": ` + strips + `}`, `{"mask_token": ` + keeps + `}`, ``, []uint32{0, 3, 4, 2, 4, 3, 1}},
		{`{"mask_token": "<mask>"}`, `{"mask_token": ` + strips + `}`, ``, []uint32{0, 3, 2, 4, 3, 1}},
		{`{"added_tokens_decoder": {"2": ` + strips + `}, "mask_token": "<mask>"}`, `{"mask_token": ` + keeps + `}`, ``, []uint32{0, 3, 2, 4, 3, 1}},
		{`{"tokenizer_class": "GPT2Tokenizer", "mask_token": ` + strips + `}`, ``, ``, []uint32{3, 2, 4, 3}},
		{``, ``, file, []uint32{0, 3, 2, 4, 3, 1}},
		{`{"mask_token": ` + keeps + `}`, ``, file, []uint32{0, 3, 2, 4, 3, 1}},
		{`{"added_tokens_decoder": {"2": ` + keeps + `}}`, ``, file, []uint32{0, 3, 4, 2, 4, 3, 1}},
	} {
		tokens, err := Open(folderOf(t, map[string]string{"config.json": `{"model_type": "roberta"}`, "tokenizer_config.json": c.config, "special_tokens_map.json": c.specials,
			"tokenizer.json": c.file, "vocab.json": merges, "merges.txt": "#version: 0.2\n"}))
		if err != nil {
			t.Errorf("%s, %s: %v", c.config, c.specials, err)
			continue
		}
		if got, _ := tokens.Frame(tokens.Encode(nil, "a <mask> a"), 0); fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("%s, %s: %v, want %v", c.config, c.specials, got, c.want)
		}
	}
	tokens, err := Open(folderOf(t, map[string]string{"config.json": `{"model_type": "mpnet"}`, "vocab.txt": "<s>\n<pad>\n</s>\n[UNK]\na\n<mask>\n"}))
	if err != nil {
		t.Fatal(err)
	}
	if got, _ := tokens.Frame(tokens.Encode(nil, "a <mask> a"), 0); fmt.Sprint(got) != "[0 4 5 4 2]" {
		t.Errorf("MPNet: %v", got)
	}
}

// Beside a bare vocabulary, all tokens that added_tokens_decoder describes are looked for, also those that are no special tokens of
// the class or come after the vocabulary. The ids are those of transformers 5.24.
func TestDescribedTokens(t *testing.T) {
	const (
		unknown = `"3": {"content": "<unk>"}, `
		mask    = `"10": {"content": "<mask>", "lstrip": true}, `
		last    = `": {"content": "<new>", "lstrip": true}`
	)
	for _, c := range []struct {
		files map[string]string
		want  string
	}{
		{map[string]string{"config.json": `{"model_type": "mpnet"}`, "vocab.txt": "<s>\n<pad>\n</s>\n<unk>\n[UNK]\na\n<\n>\nunk\nnew\n<mask>\n",
			"tokenizer_config.json": `{"added_tokens_decoder": {` + unknown + mask + `"11` + last + `}}`}, "[0 5 3 11 4 10 2]"},
		{map[string]string{"config.json": `{"model_type": "roberta"}`, "merges.txt": "#version: 0.2\n",
			"vocab.json":            `{"<s>": 0, "<pad>": 1, "</s>": 2, "<unk>": 3, "a": 4, "<": 5, ">": 6, "n": 7, "e": 8, "w": 9, "Ġ": 10, "<mask>": 11}`,
			"tokenizer_config.json": `{"added_tokens_decoder": {"7": {"content": "n"}, "12` + last + `}}`}, "[0 4 10 3 12 10 7 4 10 11 2]"},
	} {
		tokens, err := Open(folderOf(t, c.files))
		if err != nil {
			t.Error(err)
			continue
		}
		if got, _ := tokens.Frame(tokens.Encode(nil, "a <unk> <new> na <mask>"), 0); fmt.Sprint(got) != c.want {
			t.Errorf("%s: %v, want %s", c.files["config.json"], got, c.want)
		}
	}
	for _, id := range []string{"9223372036854775807", "4294967296", "-1", "x"} {
		tokens, err := Open(folderOf(t, map[string]string{"config.json": `{"model_type": "bert"}`, "vocab.txt": "[UNK]\n[CLS]\n[SEP]\na\n",
			"tokenizer_config.json": `{"added_tokens_decoder": {"` + id + last + `}}`}))
		if err == nil && tokens.VocabSize() != 4 {
			t.Errorf("id %s: %d tokens", id, tokens.VocabSize())
		}
	}
}

// folderOf is a folder of files by their names, without those whose text is empty.
func folderOf(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if text == "" {
			continue
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}
