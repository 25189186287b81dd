package encode

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

type dict = map[string]any

// vocabulary is a small one with pieces in several scripts.
var vocabulary = []string{
	"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "!", "?", ",", ".", "'", "#", "[", "]",
	"a", "b", "c", "e", "i", "n", "un", "unaff", "able", "the", "cafe", "##a", "##b", "##c", "##e", "##f", "##aff", "##able", "##n",
	"中", "文", "й", "и", "##и", "σ", "ᄒ", "##ᅡ", "##ᆫ", "ß", "##ß", "##\u302e", "\u302e", "i̇", "¿", "—", "##",
}

// tokenizerJSON returns a tokenizer.json of BERT's kind with some parts replaced.
func tokenizerJSON(t testing.TB, parts dict) []byte {
	t.Helper()
	vocab := dict{}
	for i, token := range vocabulary {
		vocab[token] = i
	}
	var added []dict
	for i, token := range vocabulary[:5] {
		added = append(added, dict{"id": i, "content": token, "single_word": false, "lstrip": false, "rstrip": false, "normalized": false, "special": true})
	}
	file := dict{
		"version": "1.0", "truncation": nil, "padding": nil,
		"added_tokens":   added,
		"normalizer":     dict{"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true, "strip_accents": nil, "lowercase": true},
		"pre_tokenizer":  dict{"type": "BertPreTokenizer"},
		"post_processor": dict{"type": "BertProcessing", "sep": []any{"[SEP]", 3}, "cls": []any{"[CLS]", 2}},
		"decoder":        dict{"type": "WordPiece", "prefix": "##", "cleanup": true},
		"model":          dict{"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##", "max_input_chars_per_word": 100, "vocab": vocab},
	}
	for key, value := range parts {
		if inner, ok := value.(dict); ok && key == "model" {
			model := file["model"].(dict)
			for k, v := range inner {
				model[k] = v
			}
			continue
		}
		file[key] = value
	}
	b, err := json.Marshal(file)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func parse(t testing.TB, parts dict) *WordPiece {
	t.Helper()
	w, err := ParseTokenizer(tokenizerJSON(t, parts))
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// names returns tokens by name.
func names(ids []uint32) string {
	s := make([]string, len(ids))
	for i, id := range ids {
		if s[i] = "?"; int(id) < len(vocabulary) {
			s[i] = vocabulary[id]
		}
	}
	return strings.Join(s, " ")
}

func TestEncode(t *testing.T) {
	w := parse(t, nil)
	for text, want := range map[string]string{
		"":                       "",
		" \t\n":                  "",
		"Unaffable":              "unaff ##able",
		"the Café, the CAFÉ!":    "the cafe , the cafe !",
		"unzable":                "[UNK]",
		"abz abc":                "[UNK] a ##b ##c",
		"[MASK]":                 "[MASK]",
		"a[SEP]b [mask]":         "a [SEP] b [ [UNK] ]",
		"[[CLS]]":                "[ [CLS] ]",
		"##a":                    "# # a",
		"中文a":                    "中 文 a",
		"한":                      "ᄒ ##ᅡ ##ᆫ",
		"Й й":                    "и и",
		"ß aß":                   "ß a ##ß",
		strings.Repeat("a", 100): "a" + strings.Repeat(" ##a", 99),
		strings.Repeat("a", 101): "[UNK]",
		"¿a—b":                   "¿ a — b",
		"a\u302eb":               "a ##\u302e ##b",
	} {
		if got := names(w.Encode(nil, text)); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

func TestNormalizerSettings(t *testing.T) {
	set := func(clean, chinese, lower bool, strip any) dict {
		return dict{"normalizer": dict{"type": "BertNormalizer", "clean_text": clean, "handle_chinese_chars": chinese, "strip_accents": strip, "lowercase": lower}}
	}
	for _, test := range []struct {
		parts      dict
		text, want string
	}{
		{set(true, true, true, nil), "Éa", "e ##a"},
		{set(true, true, false, nil), "ea Ea", "e ##a [UNK]"},
		{set(true, true, false, true), "éa Éa", "e ##a [UNK]"},
		{set(true, true, true, false), "İ é", "i̇ [UNK]"},
		{set(true, false, true, nil), "中文", "[UNK]"},
		{set(false, true, true, nil), "a\u200bb", "[UNK]"},
		{dict{"normalizer": nil}, "a B", "a [UNK]"},
	} {
		if got := names(parse(t, test.parts).Encode(nil, test.text)); got != test.want {
			t.Errorf("%v: %q: %s, want %s", test.parts, test.text, got, test.want)
		}
	}
}

func TestAddedTokens(t *testing.T) {
	add := func(token string, id int, with dict) dict {
		o := dict{"id": id, "content": token, "single_word": false, "lstrip": false, "rstrip": false, "normalized": false, "special": false}
		for k, v := range with {
			o[k] = v
		}
		return o
	}
	w := parse(t, dict{"added_tokens": []dict{
		add("<x>", 100, nil),
		add("<x><y>", 101, nil),
		add("É!", 102, dict{"normalized": true}),
		add(" <l>", 103, dict{"lstrip": true, "rstrip": true}),
	}})
	if w.VocabSize() != 104 {
		t.Errorf("vocabulary of %d ids, want 104", w.VocabSize())
	}
	for text, want := range map[string][]uint32{
		"a<x>b":          {13, 100, 14},
		"<x><y><x>":      {101, 100},
		"<X>":            {1, 1, 1}, // matched before lower-casing
		"é! E! e!":       {102, 102, 102},
		"É?":             {16, 6},
		"a  \t <l> \n b": {13, 103, 14},
		"<l>":            {1, 1, 1},
	} {
		if got := w.Encode(nil, text); !slices.Equal(got, want) {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
	for token, want := range map[string]uint32{"<x>": 100, "É!": 102, " <l>": 103, "a": 13} { // as they are spelt in the file
		if id, ok := w.ID(token); id != want || !ok {
			t.Errorf("%q is %d, %v, want %d", token, id, ok, want)
		}
	}
	if id, ok := w.ID("e!"); ok {
		t.Errorf("the normalised form is the token %d", id)
	}
}

func TestEncodeSpecial(t *testing.T) {
	template := dict{"post_processor": dict{
		"type":   "TemplateProcessing",
		"single": []dict{{"SpecialToken": dict{"id": "S", "type_id": 0}}, {"Sequence": dict{"id": "A", "type_id": 0}}, {"SpecialToken": dict{"id": "E", "type_id": 0}}},
		"pair":   []dict{},
		"special_tokens": dict{
			"S": dict{"id": "S", "ids": []int{2, 4}, "tokens": []string{"[CLS]", "[MASK]"}},
			"E": dict{"id": "E", "ids": []int{3}, "tokens": []string{"[SEP]"}},
		},
	}}
	for _, test := range []struct {
		parts  dict
		length int
		want   string
	}{
		{nil, 0, "[CLS] a b c [SEP]"},
		{nil, 5, "[CLS] a b c [SEP]"},
		{nil, 4, "[CLS] a b [SEP]"},
		{nil, 2, "[CLS] [SEP]"},
		{nil, 1, "[CLS]"},
		{nil, -1, "[CLS] a b c [SEP]"},
		{template, 0, "[CLS] [MASK] a b c [SEP]"},
		{template, 5, "[CLS] [MASK] a b [SEP]"},
		{dict{"post_processor": nil}, 2, "a b"},
		{dict{"truncation": dict{"direction": "Left", "max_length": 1}}, 4, "[CLS] b c [SEP]"},
	} {
		prefix := []uint32{9}
		if got := names(parse(t, test.parts).EncodeSpecial(prefix, "a b c", test.length)); got != "' "+test.want {
			t.Errorf("%v, %d: %s, want %s", test.parts, test.length, got, test.want)
		}
	}
}

// reference is a simple implementation of the tokenizer over x/text and package
// unicode.
func reference(text string) (ids []uint32) {
	index := map[string]uint32{}
	for i, token := range vocabulary {
		index[token] = uint32(i)
	}
	for i := 0; i < len(text); i++ {
		for id, special := range vocabulary[:5] {
			if strings.HasPrefix(text[i:], special) {
				ids = append(reference(text[:i]), uint32(id))
				return append(ids, reference(text[i+len(special):])...)
			}
		}
	}
	var cleaned []rune
	for _, r := range text {
		switch {
		case r == '\t', r == '\n', r == '\r':
			cleaned = append(cleaned, ' ')
		case r == 0, r == 0xfffd, unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co):
		case unicode.Is(unicode.White_Space, r):
			cleaned = append(cleaned, ' ')
		case isChinese(r):
			cleaned = append(cleaned, ' ', r, ' ')
		default:
			cleaned = append(cleaned, r)
		}
	}
	var spaced []rune
	for _, r := range norm.NFD.String(string(cleaned)) {
		switch r = unicode.ToLower(r); {
		case unicode.Is(unicode.Mn, r):
		case unicode.Is(unicode.P, r), r < 0x80 && unicode.In(r, unicode.S):
			spaced = append(spaced, ' ', r, ' ')
		default:
			spaced = append(spaced, r)
		}
	}
words:
	for _, word := range strings.FieldsFunc(string(spaced), func(r rune) bool { return unicode.Is(unicode.White_Space, r) }) {
		if utf8.RuneCountInString(word) > 100 {
			ids = append(ids, 1)
			continue
		}
		var pieces []uint32
		for runes, prefix := []rune(word), ""; len(runes) > 0; prefix = "##" {
			end := len(runes)
			for ; end > 0; end-- {
				if id, ok := index[prefix+string(runes[:end])]; ok {
					pieces = append(pieces, id)
					break
				}
			}
			if end == 0 {
				ids = append(ids, 1)
				continue words
			}
			runes = runes[end:]
		}
		ids = append(ids, pieces...)
	}
	return ids
}

// randomText mixes characters that BERT treats in different ways.
func randomText(random *rand.Rand) string {
	pieces := []string{"a", "b", "E", "un", "AFF", "able", " ", " ", "\t", "!", "#", "[", "[SEP]", "[MASK]", "]", "é", "É", "e\u0301", "\u0323",
		"中", "\uf900", "한", "\u302e", "\u00a0", "\u2028", "\u200b", "\x00", "\x7f", "\u0085", "\ufffd", "—", "¿", "ß", "İ", "Σ", "\U0001d165", "\u1fef", "$", "€", "z", "\xff"}
	var b strings.Builder
	for range random.IntN(24) {
		if random.IntN(8) == 0 {
			b.WriteRune(rune(random.IntN(0x30000)))
		} else {
			b.WriteString(pieces[random.IntN(len(pieces))])
		}
	}
	return b.String()
}

func TestAgainstReference(t *testing.T) {
	needUnicode(t, unicode.Version, "package unicode")
	needUnicode(t, norm.Version, "golang.org/x/text")
	w := parse(t, nil)
	random := rand.New(rand.NewPCG(11, 12))
	for range 50_000 {
		text := randomText(random)
		if got, want := w.Encode(nil, text), reference(text); !slices.Equal(got, want) {
			t.Fatalf("%+q: %s, want %s", text, names(got), names(want))
		}
	}
}

// TestConcurrent lets the race detector find shared scratch memory.
func TestConcurrent(t *testing.T) {
	w := parse(t, nil)
	random := rand.New(rand.NewPCG(13, 14))
	var texts []string
	var want [][]uint32
	for range 200 {
		texts = append(texts, randomText(random))
		want = append(want, w.Encode(nil, texts[len(texts)-1]))
	}
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			for range 20 {
				for i, text := range texts {
					if got := w.Encode(nil, text); !slices.Equal(got, want[i]) {
						t.Errorf("%q: %d, want %d", text, got, want[i])
					}
				}
			}
		})
	}
	wait.Wait()
}

func TestCoverage(t *testing.T) {
	w := parse(t, nil)
	for text, want := range map[string]Coverage{
		"":                    {},
		"...!":                {},
		"the cafe, the cafe!": {4, 4},
		"unaffable zzz [UNK]": {3, 0}, // UNK in brackets is an ordinary word
	} {
		if got := w.Coverage(text); got != want {
			t.Errorf("%q: %+v, want %+v", text, got, want)
		}
	}
	if (Coverage{}).MostlyUnknown() || (Coverage{10, 6}).MostlyUnknown() || !(Coverage{10, 5}).MostlyUnknown() {
		t.Error("MostlyUnknown")
	}
}
