package tokenizer

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/wasm/encode"
)

const smallFile = `{"normalizer": NORMALIZER, "pre_tokenizer": PRE, "model": {"type": "Unigram", "unk_id": 0, "vocab": [["<unk>", 0], ["▁a", -1], ["a", -2]]}}`

func smallParts(normalizer, pre string) string {
	return strings.NewReplacer("NORMALIZER", normalizer, "PRE", pre).Replace(smallFile)
}

// Unsupported parts are errors that say what is not supported.
func TestUnsupportedParts(t *testing.T) {
	deep := strings.Repeat(`{"type": "Sequence", "normalizers": [`, 20) + strings.Repeat(`]}`, 20)
	many := `{"type": "Sequence", "normalizers": [` + strings.Repeat(`{"type": "Strip"},`, 100) + `{"type": "NFC"}]}`
	replace := func(pattern string) string {
		return `{"type": "Replace", "pattern": ` + pattern + `, "content": ""}`
	}
	for _, c := range []struct{ normalizer, pre, want string }{
		{`{"type": "Nmt"}`, `null`, `a normalizer of type "Nmt" is not supported, only BertNormalizer, Lowercase,`},
		{`null`, `{"type": "UnicodeScripts"}`, `a pre-tokenizer of type "UnicodeScripts" is not supported, only BertPreTokenizer, ByteLevel,`},
		{`null`, `{"type": "ByteLevel"}`, "supported with BPE alone"},
		{deep, `null`, "too many steps"},
		{many, `null`, "too many steps"},
		{`{"type": "Precompiled", "precompiled_charsmap": "AAAA"}`, `null`, "a precompiled_charsmap of 3 bytes"},
		{`{"type": "Precompiled", "precompiled_charsmap": "?"}`, `null`, "the normalizer Precompiled"},
		{`{"type": "Prepend", "prepend": 1}`, `null`, "the normalizer Prepend"},
		{`{"type": "Sequence", "normalizers": [` + strings.Repeat(`{"type": "Replace", "pattern": {"String": "a"}, "content": "aa"},`, 20) + `{"type": "NFC"}]}`, `null`, "more than 4000 times as long"},
		{`{"type": "Prepend", "prepend": "` + strings.Repeat("a", 257) + `"}`, `null`, "puts 257 bytes"},
		{`null`, `{"type": "Sequence", "pretokenizers": [{"type": "Metaspace", "replacement": "_"}, {"type": "Metaspace", "replacement": "-"}]}`, "once"},
		{replace(`{}`), `null`, "a pattern that is neither"},
		{replace(`{"String": ""}`), `null`, "or is empty"},
		{replace(`{"Regex": "a*"}`), `null`, "matches an empty text"},
		{replace(`{"Regex": "a+?"}`), `null`, "has a lazy repetition"},
		{replace(`{"Regex": "\\bx"}`), `null`, `has \b`},
		{replace(`{"Regex": "(?i)x"}`), `null`, "has ("},
		{replace(`{"Regex": "^x"}`), `null`, "has ^"},
		{replace(`{"Regex": "a{,2}b"}`), `null`, "without a lower limit"},
		{replace(`{"Regex": "a{02}"}`), `null`, "with a leading zero"},
		{replace(`{"Regex": "a{1,02}"}`), `null`, "with a leading zero"},
		{replace(`{"Regex": "\\pL"}`), `null`, `has a \p`},
		{replace(`{"Regex": "a\\p"}`), `null`, `has a \p`},
		{replace(`{"Regex": "[\\p{punct}]"}`), `null`, `has a \p`},
		{replace(`{"Regex": "[\\t-\\s]"}`), `null`, "is not read"},
		{replace(`{"Regex": "a++"}`), `null`, "is not read"},
		{replace(`{"Regex": "a{2}+"}`), `null`, "is not read"},
		{replace(`{"Regex": "\\Gx"}`), `null`, `has \G`},
		{replace(`{"Regex": "x\\z"}`), `null`, `has \z`},
		{replace(`{"Regex": "\\h"}`), `null`, `has \h`},
		{replace(`{"Regex": "[[:alpha:]]"}`), `null`, "classes within classes"},
		{replace(`{"Regex": "[a[b]]"}`), `null`, "classes within classes"},
		{`null`, `{"type": "Metaspace", "replacement": "ab"}`, "not one character"},
		{`null`, `{"type": "Metaspace", "replacement": "_", "prepend_scheme": "last"}`, "prepend_scheme"},
		{`null`, `{"type": "Metaspace", "replacement": "_", "add_prefix_space": false}`, "contradicts"},
		{`null`, `{"type": "Sequence", "pretokenizers": [{"type": "WhitespaceSplit"}, {"type": "Metaspace", "replacement": "_", "prepend_scheme": "first"}]}`, "only as the first step"},
		{`null`, `{"type": "Split", "pattern": {"String": "a"}, "invert": false}`, "lacks its behavior"},
		{`null`, `{"type": "Split", "pattern": {"String": "a"}, "behavior": "Lost"}`, `"Lost"`},
	} {
		if _, err := Parse([]byte(smallParts(c.normalizer, c.pre))); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s, %s: %v, want %q", c.normalizer, c.pre, err, c.want)
		}
	}
}

// Patterns have the meaning that they have in Oniguruma.
func TestPatterns(t *testing.T) {
	for _, c := range []struct {
		pattern, text string
		want          []string
	}{
		{`a{2,3}`, "a aa aaaaa", []string{"aa", "aaa", "aa"}},
		{`a{,}|b{x}|c{,2`, "a{,}b{x}c{,2", []string{"a{,}", "b{x}", "c{,2"}}, // no repetitions
		{`a{10}`, strings.Repeat("a", 11), []string{strings.Repeat("a", 10)}},
		{`[\s-中]+`, "x \u3000-中一x", []string{" \u3000-中"}}, // a hyphen after a class is no range
		{`\s+`, "x\t\v\u0085\u00a0\u2000\u200a\u200b\u2028\u3000", []string{"\t\v\u0085\u00a0\u2000\u200a", "\u2028\u3000"}},
		{`[]a\s]+`, "x]a b", []string{"]a "}},
		{`[^]a\s]+`, "x]a b\n", []string{"x", "b"}},
		{`\p{L}+|[\p{^L}]`, "ab1", []string{"ab", "1"}},
	} {
		find, err := (&pattern{Regex: &c.pattern}).finder()
		if err != nil {
			t.Errorf("%s: %v", c.pattern, err)
			continue
		}
		var got []string
		for _, m := range find(c.text) {
			got = append(got, c.text[m[0]:m[1]])
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s finds %q, want %q", c.pattern, got, c.want)
		}
	}
}

func TestSentencePieceErrors(t *testing.T) {
	good, err := os.ReadFile(filepath.Join(unigramDir, "t5", "spiece.model"))
	if err != nil {
		t.Fatal(err)
	}
	field := func(bytes ...byte) string { return string(good) + string(bytes) }
	for name, c := range map[string]struct{ file, want string }{
		"cut":         {string(good[:1000]), "not a SentencePiece model"},
		"empty":       {"", "of 0 pieces"},
		"BPE":         {field(0x12, 2, 3<<3, 2), "of another kind than unigram"},
		"no unknown":  {field(0x12, 4, 0xc0, 2, 0xff, 0x7f), "whose unknown one is number 16383"},
		"spaces kept": {field(0x1a, 2, 4<<3, 0), "leaves spaces as they are"},
		"no spelling": {field(0x0a, 0), "piece 600 has no spelling"},
		"no score":    {field(0x0a, 8, 0x0a, 1, 'x', 0x15, 0, 0, 0xc0, 0x7f), "piece 600 has no spelling, or no score"},
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "spiece.model"), []byte(c.file), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(dir); err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "spiece.model") {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

// An error in an older folder's tokenizer names a file that is there.
func TestOldFileErrors(t *testing.T) {
	const merges = `{"<s>": 0, "</s>": 1, "a": 2}`
	for _, c := range []struct {
		files map[string]string
		want  string
	}{
		{map[string]string{"vocab.txt": strings.Repeat("\x00", 1000)}, "vocab.txt: it has bytes of value 0"},
		{map[string]string{"vocab.txt": "a\n[UNK]\n"}, `vocab.txt: it has 2 tokens, and lacks "[CLS]", which is put around texts`},
		{map[string]string{"vocab.json": "\x00", "merges.txt": "a b\n"}, "vocab.json: invalid character"},
		{map[string]string{"vocab.json": merges, "merges.txt": "\x00"}, "merges.txt: it has bytes of value 0"},
		{map[string]string{"vocab.json": merges, "merges.txt": "a\n"}, "vocab.json, converted to a tokenizer.json: "},
		{map[string]string{"vocab.json": `{"a": 0}`, "merges.txt": "#\n"}, `vocab.json: it has 1 tokens, and lacks "<s>"`},
	} {
		if _, err := Open(folderOf(t, c.files)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %q", c.files, err, c.want)
		}
	}
}

// CamemBERT's <s> and </s> stay if its SentencePiece model has them.
func TestCamembert(t *testing.T) {
	dir := unigramFolder(t, "xlmr", "sentencepiece.bpe.model")
	if err := os.WriteFile(filepath.Join(dir, "config.json"), []byte(`{"model_type": "camembert"}`), 0o644); err != nil {
		t.Fatal(err)
	}
	xlmr, camembert := mustOpen(t, unigramFolder(t, "xlmr", "sentencepiece.bpe.model")), mustOpen(t, dir)
	for token, want := range map[string]uint32{"<s>NOTUSED": 0, "<pad>": 1, "<unk>": 3, "<s>": 5, "</s>": 6, "<mask>": 604} {
		if id, ok := camembert.ID(token); id != want || !ok {
			t.Errorf("%s is %d, %v, want %d", token, id, ok, want)
		}
	}
	text := "The night trains help people."
	ids, _ := camembert.Frame(camembert.Encode(nil, text), 0)
	if ids[0] != 5 || ids[len(ids)-1] != 6 {
		t.Errorf("%d", ids)
	}
	for i, id := range xlmr.Encode(nil, text) {
		if ids[i+1] != id+3 { // <s>, </s> and <unk>NOTUSED come before
			t.Errorf("%d, %d", ids[i+1], id)
		}
	}
}

// Long runs of one character or token take time proportional to their length. Otherwise this
// test would run for hours.
func TestLongTexts(t *testing.T) {
	tokens := mustOpen(t, filepath.Join(unigramDir, "xlmr"))
	for _, text := range []string{strings.Repeat("a", 1<<20), strings.Repeat("\u0301", 1<<19), strings.Repeat("ﷺ", 1<<17), strings.Repeat(" ", 1<<20), strings.Repeat("▁", 1<<18), strings.Repeat("<s>", 1<<18)} {
		for _, id := range tokens.Encode(nil, text) {
			if int(id) >= tokens.VocabSize() {
				t.Fatalf("id %d", id)
			}
		}
	}
}

// FuzzParts checks that any description of a part is refused or works.
func FuzzParts(f *testing.F) {
	f.Add(`{"type": "Sequence", "normalizers": [{"type": "NFKD"}, {"type": "StripAccents"}, {"type": "Strip", "strip_left": true}]}`, `{"type": "Whitespace"}`, " É½ a")
	f.Add(`{"type": "Replace", "pattern": {"Regex": " {2,}|[é\\s]+"}, "content": "▁"}`, `{"type": "Metaspace", "replacement": "▁", "prepend_scheme": "first"}`, "  a\u2003b")
	f.Add(`{"type": "BertNormalizer"}`, `{"type": "Sequence", "pretokenizers": [{"type": "Digits", "individual_digits": true}, {"type": "Punctuation", "behavior": "MergedWithNext"}]}`, "\u0301a1.")
	f.Add(`{"type": "Prepend", "prepend": "x"}`, `{"type": "Split", "pattern": {"Regex": "\\p{L}+"}, "behavior": "Removed", "invert": true}`, "\xff中")
	f.Fuzz(func(t *testing.T, normalizer, pre, text string) {
		tokens, err := encode.ParsePipeline([]byte(smallParts(normalizer, pre)), parts)
		if err != nil {
			return
		}
		for _, id := range tokens.Encode(nil, text) {
			if int(id) >= tokens.VocabSize() {
				t.Errorf("id %d of %d", id, tokens.VocabSize())
			}
		}
	})
}

func FuzzSentencePieces(f *testing.F) {
	good, err := os.ReadFile(filepath.Join(unigramDir, "t5", "spiece.model"))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(good[:500])
	f.Add([]byte{0x0a, 3, 0x0a, 1, 'a', 0x1a, 7, 0x12, 5, 4, 0, 0, 0, 1})
	f.Fuzz(func(t *testing.T, file []byte) {
		m, err := parseSentencePieces(file)
		if err != nil {
			return
		}
		text, err := m.file(&settings{}, []token{{Content: "</s>"}}, nil, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		tokens, err := Parse(text)
		if err != nil {
			return
		}
		tokens.Encode(nil, "a é ½ \u0301")
	})
}
