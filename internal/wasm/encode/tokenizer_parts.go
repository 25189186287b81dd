package encode

import (
	"strconv"
	"strings"

	"github.com/vantage-search/vantage/internal/wasm/jsonlite"
)

// object calls field for each key of an object. A callback gives a much smaller module
// than a range loop over the reader's iterator.
func object(r *jsonlite.Reader, field func(key string)) {
	r.UniqueObject()(func(key string) bool {
		field(key)
		return true
	})
}

// array calls element for each element of an array with at most most elements.
func array(r *jsonlite.Reader, what string, most int, element func(i int)) {
	r.Array()(func(i int) bool {
		if i == most {
			r.Fail("more than " + strconv.Itoa(most) + " " + what)
			return false
		}
		element(i)
		return true
	})
}

// integer reads a number from low to high.
func integer(r *jsonlite.Reader, what string, low, high int64) int64 {
	v := r.Int64()
	if v < low || v > high {
		r.Fail(what + " is " + strconv.FormatInt(v, 10) + ", not from " + strconv.FormatInt(low, 10) + " to " + strconv.FormatInt(high, 10))
		return low
	}
	return v
}

func readID(r *jsonlite.Reader) uint32 {
	return uint32(integer(r, "a token's id", 0, maxVocabulary-1))
}

// clone reads a string that outlives the file's bytes.
func clone(r *jsonlite.Reader) string { return strings.Clone(r.Text()) }

// unsupported fails with the kind that was found and the supported one.
func unsupported(r *jsonlite.Reader, what, kind, want string) {
	r.Fail(what + " of type " + strconv.Quote(kind) + " is not supported, only " + want + ": use a model with a BERT WordPiece tokenizer")
}

// readModel reads the "model" object.
func (f *tokenizerFile) readModel(r *jsonlite.Reader) {
	object(r, func(key string) {
		switch key {
		case "type":
			if f.kind = r.Text(); f.kind != "WordPiece" {
				unsupported(r, "a model", f.kind, "WordPiece")
			}
		case "unk_token":
			f.unknown = clone(r)
		case "continuing_subword_prefix":
			f.prefix = clone(r)
		case "max_input_chars_per_word":
			f.maxRunes = integer(r, key, 1, maxWordRunes)
		case "vocab":
			f.readVocabulary(r)
		}
	})
}

// readVocabulary reads the object of tokens and their ids.
func (f *tokenizerFile) readVocabulary(r *jsonlite.Reader) {
	r.Object()(func(token string) bool {
		id := readID(r)
		if len(f.ids) == maxVocabulary {
			r.Fail("the vocabulary has more than " + strconv.Itoa(maxVocabulary) + " tokens")
		}
		f.text = append(f.text, token...)
		f.ends = append(f.ends, len(f.text))
		f.ids = append(f.ids, id)
		return r.Err() == nil
	})
}

// readNormalizer reads the "normalizer": BertNormalizer or null.
func (f *tokenizerFile) readNormalizer(r *jsonlite.Reader) {
	f.normalizer = Normalizer{}
	if r.Null() {
		return
	}
	kind, stripGiven := "", false
	n := BertUncased
	object(r, func(key string) {
		switch key {
		case "type":
			kind = r.Text()
		case "clean_text":
			n.CleanText = r.Bool()
		case "handle_chinese_chars":
			n.ChineseChars = r.Bool()
		case "strip_accents":
			if stripGiven = !r.Null(); stripGiven {
				n.StripAccents = r.Bool()
			}
		case "lowercase":
			n.Lowercase = r.Bool()
		}
	})
	if kind != "BertNormalizer" {
		unsupported(r, "a normalizer", kind, "BertNormalizer")
	}
	if !stripGiven { // null follows lowercase, as in BERT's own implementation
		n.StripAccents = n.Lowercase
	}
	f.normalizer = n
}

// readPreTokenizer reads the "pre_tokenizer", BertPreTokenizer, which has no settings.
func (f *tokenizerFile) readPreTokenizer(r *jsonlite.Reader) {
	kind := ""
	if !r.Null() {
		object(r, func(key string) {
			if key == "type" {
				kind = r.Text()
			}
		})
	}
	f.words = kind == "BertPreTokenizer"
}

// readAddedTokens reads the "added_tokens" array.
func (f *tokenizerFile) readAddedTokens(r *jsonlite.Reader) {
	array(r, "added tokens", maxAddedTokens, func(int) {
		t := declaredToken{normalized: true}
		given := false
		object(r, func(key string) {
			switch key {
			case "id":
				t.id, given = readID(r), true
			case "content":
				t.content = clone(r)
			case "lstrip":
				t.lstrip = r.Bool()
			case "rstrip":
				t.rstrip = r.Bool()
			case "special":
				t.special = r.Bool()
			case "normalized":
				t.normalized = r.Bool()
			case "single_word":
				if r.Bool() {
					r.Fail("an added token with single_word true is not supported: set it to false")
				}
			}
		})
		if !given || t.content == "" {
			r.Fail("an added token lacks its id or its content")
		}
		f.added = append(f.added, t)
	})
}
