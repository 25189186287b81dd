package encode

import (
	"strings"
	"testing"
	"time"
)

func TestTokenizerErrors(t *testing.T) {
	token := func(with dict) dict {
		o := dict{"id": 5, "content": "!", "normalized": false}
		for k, v := range with {
			o[k] = v
		}
		return dict{"added_tokens": []dict{o}}
	}
	template := func(single []dict) dict {
		return dict{"post_processor": dict{"type": "TemplateProcessing", "single": single, "special_tokens": dict{"[CLS]": dict{"ids": []int{2}}, "X": dict{"ids": []int{900}}}}}
	}
	special := func(id string) dict { return dict{"SpecialToken": dict{"id": id, "type_id": 0}} }
	text := dict{"Sequence": dict{"id": "A", "type_id": 0}}
	for name, test := range map[string]struct {
		parts dict
		want  string
	}{
		"BPE":                 {dict{"model": dict{"type": "BPE"}}, `a model of type "BPE" is not supported, only WordPiece`},
		"Unigram":             {dict{"model": dict{"type": "Unigram", "vocab": dict{}}}, `type "Unigram"`},
		"other normalizer":    {dict{"normalizer": dict{"type": "Lowercase"}}, `a normalizer of type "Lowercase" is not supported`},
		"normalizer sequence": {dict{"normalizer": dict{"type": "Sequence", "normalizers": []dict{}}}, `"Sequence"`},
		"other words":         {dict{"pre_tokenizer": dict{"type": "Whitespace"}}, "pre-tokenizer"},
		"no words":            {dict{"pre_tokenizer": nil}, "pre-tokenizer"},
		"other processor":     {dict{"post_processor": dict{"type": "Sequence"}}, `a post-processor of type "Sequence"`},
		"no text":             {template([]dict{special("[CLS]")}), "sequence A, 0 times"},
		"text twice":          {template([]dict{text, text}), "sequence A, 2 times"},
		"sequence B":          {template([]dict{{"Sequence": dict{"id": "B"}}}), "has the text, sequence A, 0 times and sequence B 1 times"},
		"unnamed special":     {template([]dict{special("[SEP]"), text}), `"[SEP]"`},
		"special beyond":      {template([]dict{special("X"), text}), "id 900, the vocabulary ends at"},
		"no template":         {dict{"post_processor": dict{"type": "TemplateProcessing"}}, "lacks its template"},
		"no unknown":          {dict{"model": dict{"unk_token": "<unk>"}}, `lacks the unknown token "<unk>"`},
		"negative id":         {dict{"model": dict{"vocab": dict{"a": -1}}}, "a token's id is -1, not from 0 to 1999999"},
		"large id":            {dict{"model": dict{"vocab": dict{"a": 2_000_000}}}, "a token's id is 2000000"},
		"fraction":            {dict{"model": dict{"vocab": dict{"a": 1.5}}}, "integer"},
		"long token":          {dict{"model": dict{"vocab": dict{strings.Repeat("a", 257): 7}}}, "token 7 has more than 256 bytes: use another model"},
		"vocabulary array":    {dict{"model": dict{"vocab": []string{"a"}}}, "expected an object"},
		"word length 0":       {dict{"model": dict{"max_input_chars_per_word": 0}}, "max_input_chars_per_word is 0"},
		"word length":         {dict{"model": dict{"max_input_chars_per_word": 1_000_000}}, "not from 1 to 10000"},
		"added elsewhere":     {token(dict{"id": 7}), `added token "!" has id 7, in the vocabulary it has 5`},
		"added empty":         {token(dict{"content": ""}), "lacks its id or its content"},
		"added long":          {token(dict{"content": strings.Repeat("x", 257)}), "more than 256 bytes"},
		"added grows":         {token(dict{"id": 40, "content": strings.Repeat("각", 80), "normalized": true}), "token 40 has more than 256 bytes: use another model"},
		"added far":           {token(dict{"id": 3_000_000, "content": "x"}), "a token's id is 3000000"},
		"single word":         {token(dict{"single_word": true}), "single_word"},
	} {
		_, err := ParseTokenizer(tokenizerJSON(t, test.parts))
		if err == nil || !strings.Contains(err.Error(), test.want) || !strings.HasPrefix(err.Error(), "tokenizer.json: ") {
			t.Errorf("%s: %v, want %q", name, err, test.want)
		}
	}
	for file, want := range map[string]string{
		"":    "not JSON",
		"{}":  `no "model"`,
		"[]":  "expected an object",
		"{}x": "not JSON at byte 2",
		`{"pre_tokenizer":{"type":"BertPreTokenizer"},"model":{"type":"WordPiece","vocab":{"[UNK]":0,"a":1,"a":2}}}`: `token "a" twice`,
		`{"model":{},"model":{}}`: "twice",
	} {
		if _, err := ParseTokenizer([]byte(file)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", file, err, want)
		}
	}
}

// The time for a word grows with its length and not with its square, even if the vocabulary has the longest tokens,
// none of which is in the word. A busy machine delays some of the encodings, so the fastest ones count, and there are
// more of them until they are fast enough: for the square, no number of them is.
func TestLongWords(t *testing.T) {
	long := strings.Repeat("a", maxTokenBytes-3) + "b"
	w := parse(t, dict{"model": dict{"max_input_chars_per_word": maxWordRunes, "vocab": dict{"[UNK]": 0, "a": 1, "##a": 2, long: 3, "##" + long: 4}}, "added_tokens": []dict{}, "post_processor": nil})
	encode := func(runes int) time.Duration {
		word, began := strings.Repeat("a", runes), time.Now()
		ids := w.Encode(nil, word)
		took := time.Since(began)
		if len(ids) != runes {
			t.Fatalf("%d tokens of %d characters", len(ids), runes)
		}
		return took
	}
	const short, eightfold = maxWordRunes / 8, maxWordRunes
	inShort, inEightfold := time.Hour, time.Hour
	for range 200 {
		inShort, inEightfold = min(inShort, encode(short)), min(inEightfold, encode(eightfold))
		if inEightfold <= 24*inShort {
			return
		}
	}
	t.Errorf("%d characters took %v, %d took %v", short, inShort, eightfold, inEightfold)
}

// TestParseKeepsNothing checks that the file's buffer may be reused.
func TestParseKeepsNothing(t *testing.T) {
	file := tokenizerJSON(t, nil)
	w, err := ParseTokenizer(file)
	if err != nil {
		t.Fatal(err)
	}
	for i := range file {
		file[i] = 'x'
	}
	if got := names(w.EncodeSpecial(nil, "unaffable [MASK]", 0)); got != "[CLS] unaff ##able [MASK] [SEP]" {
		t.Errorf("%s", got)
	}
}
