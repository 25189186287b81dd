package encode

import (
	"math"
	"slices"
	"testing"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/vantage-search/vantage/internal/wasm/shard"
)

// fuzzTexts are the texts that every parsed tokenizer encodes.
var fuzzTexts = []string{"", "a", "unaffable, the CAFÉ!", "[CLS]a[SEP] <x>", "中文 한글 e\u0301\u302e", "\x00\xff\ufffd ##a"}

func checkTokenizer(t *testing.T, w *WordPiece, text string) {
	t.Helper()
	ids := w.Encode(nil, text)
	if again := w.Encode(nil, text); !slices.Equal(ids, again) {
		t.Fatalf("%q: %d, then %d", text, ids, again)
	}
	for _, ids := range [][]uint32{ids, w.EncodeSpecial(nil, text, 0), w.EncodeSpecial(nil, text, 7)} {
		for _, id := range ids {
			if int(id) >= w.VocabSize() {
				t.Fatalf("%q: id %d, the vocabulary has %d", text, id, w.VocabSize())
			}
		}
	}
	if ids := w.EncodeSpecial(nil, text, 7); len(ids) > 7 {
		t.Fatalf("%q: %d ids, at most 7", text, len(ids))
	}
	if c := w.Coverage(text); c.Whole > c.Words || c.Words > len(text) {
		t.Fatalf("%q: %+v", text, c)
	}
}

func FuzzTokenizerJSON(f *testing.F) {
	f.Add(tokenizerJSON(f, nil), "a")
	f.Add([]byte(threeTokens), "b zz")
	f.Add(tokenizerJSON(f, dict{"normalizer": nil, "truncation": dict{"direction": "Left"}}), "x")
	f.Add(tokenizerJSON(f, dict{"added_tokens": []dict{{"id": 60, "content": " <x>", "lstrip": true, "rstrip": true, "normalized": true}}}), "a <x> b")
	f.Add(tokenizerJSON(f, dict{"post_processor": dict{"type": "TemplateProcessing", "single": []dict{{"Sequence": dict{"id": "A"}}}}}), "é")
	f.Fuzz(func(t *testing.T, file []byte, text string) {
		w, err := ParseTokenizer(file)
		if err != nil {
			return
		}
		for _, text := range append(fuzzTexts, text) {
			checkTokenizer(t, w, text)
		}
	})
}

// FuzzEncode compares with the simple implementation over x/text.
func FuzzEncode(f *testing.F) {
	for _, text := range fuzzTexts {
		f.Add(text)
	}
	w := parse(f, nil)
	comparable := unicode.Version == unicodeVersion && norm.Version == unicodeVersion
	f.Fuzz(func(t *testing.T, text string) {
		checkTokenizer(t, w, text)
		if !comparable || !utf8.ValidString(text) || manyMarks(text) {
			return
		}
		if got, want := w.Encode(nil, text), reference(text); !slices.Equal(got, want) {
			t.Fatalf("%+q: %s, want %s", text, names(got), names(want))
		}
	})
}

// manyMarks reports whether there is a run of marks so long that x/text breaks it up.
func manyMarks(text string) bool {
	run := 0
	for _, r := range norm.NFD.String(text) {
		if run++; norm.NFD.PropertiesString(string(r)).CCC() == 0 && !unicode.Is(unicode.Cf, r) && !unicode.Is(unicode.Cc, r) {
			run = 0
		}
		if run >= 29 {
			return true
		}
	}
	return false
}

// FuzzOpenStatic checks that a model that opens gives finite vectors.
func FuzzOpenStatic(f *testing.F) {
	f.Add(safetensors(f, tensor("embeddings", shard.F32, 4, floats(9, 9, 3, 4, 0, 2), 2)), []byte(`{"normalize":true}`), "a b")
	f.Add(safetensors(f, tensor("embeddings", shard.F16, 2, halves(9, 9, 3, 4, 0, 2), 2), tensor("weights", shard.F64, 8, doubles(1, -2, 3))), []byte(`{"seq_length":1}`), "a b z")
	f.Add(safetensors(f, tensor("embeddings", shard.I8, 1, bytesOf(9, 9, 3, 4), 2), tensor("scales", shard.F32, 4, floats(1, 2)), tensor("mapping", "I32", 4, integers(0, 1, 0))), []byte(`{}`), "b")
	f.Fuzz(func(t *testing.T, weights, config []byte, text string) {
		s, err := OpenStatic([]byte(threeTokens), weights, config)
		if err != nil {
			return
		}
		for _, text := range []string{text, "a", "a b a b", "b zz"} {
			out, again := make([]float32, s.Dim()), make([]float32, s.Dim())
			info := s.Encode(out, text)
			s.Encode(again, text)
			if info.Unknown > info.Tokens || !slices.Equal(out, again) {
				t.Fatalf("%q: %+v, %v, then %v", text, info, out, again)
			}
			for _, v := range out {
				if math.IsNaN(float64(v)) || math.IsInf(float64(v), 0) {
					t.Fatalf("%q: %v", text, out)
				}
			}
		}
	})
}
