package encode

import (
	"errors"
	"strconv"
	"strings"

	"github.com/vantage-search/vantage/internal/wasm/jsonlite"
)

// Limits of a tokenizer.json.
const (
	maxVocabulary  = 2_000_000 // ids
	maxAddedTokens = 100_000
	maxTokenBytes  = 256    // bytes of one token, so that the work for a text grows with its length and not with its square
	maxWordRunes   = 10_000 // greatest max_input_chars_per_word
)

// tokenizerFile is the content of a tokenizer.json, before it is checked as a whole.
type tokenizerFile struct {
	kind, unknown, prefix string
	maxRunes              int64
	text                  []byte // concatenation of the vocabulary's tokens
	ends                  []int  // ends of the tokens in text
	ids                   []uint32
	normalizer            Normalizer
	words                 bool // the pre-tokenizer is BERT's
	added                 []declaredToken
	cutLeft               bool
	fill                  func(e *Ends, size int) error // sets the post-processor's tokens, if there is one
}

// declaredToken is an entry of added_tokens with the flags that decide how it is
// matched.
type declaredToken struct {
	addedToken
	normalized bool
}

// ParseTokenizer reads a tokenizer.json of WordPiece kind, as the Hugging Face
// tokenizers library writes it. Other kinds, and settings that would change the
// ids in ways that are not implemented, are errors. It does not keep json.
func ParseTokenizer(json []byte) (*WordPiece, error) {
	return parseTokenizer(json, (*tokenizerFile).readEnds)
}

// parseTokenizer reads a tokenizer.json. The parts that only EncodeSpecial needs are
// read by ends, so that a browser module that never calls it does not contain that
// code.
func parseTokenizer(json []byte, ends func(f *tokenizerFile, r *jsonlite.Reader, key string)) (*WordPiece, error) {
	f := newTokenizerFile()
	r := jsonlite.NewReader(json).Strict()
	f.read(r, ends)
	err := r.End()
	var w *WordPiece
	if err == nil {
		w, err = f.build()
	}
	if err != nil {
		return nil, errors.New("tokenizer.json: " + err.Error())
	}
	return w, nil
}

func newTokenizerFile() *tokenizerFile {
	return &tokenizerFile{unknown: "[UNK]", prefix: "##", maxRunes: 100}
}

// read reads the object of a tokenizer.json.
func (f *tokenizerFile) read(r *jsonlite.Reader, ends func(f *tokenizerFile, r *jsonlite.Reader, key string)) {
	object(r, func(key string) {
		switch key {
		case "model":
			f.readModel(r)
		case "normalizer":
			f.readNormalizer(r)
		case "pre_tokenizer":
			f.readPreTokenizer(r)
		case "added_tokens":
			f.readAddedTokens(r)
		default:
			if ends != nil {
				ends(f, r, key)
			}
		}
	})
}

// build checks that the parts fit together, and makes the tokenizer.
func (f *tokenizerFile) build() (*WordPiece, error) {
	if f.kind == "" {
		return nil, errors.New(`no "model" of type "WordPiece"`)
	}
	if !f.words {
		return nil, errors.New("the pre-tokenizer is not of type \"BertPreTokenizer\", the only one that is supported")
	}
	w := &WordPiece{normalizer: f.normalizer, maxRunes: int(f.maxRunes)}
	w.cutLeft = f.cutLeft
	if err := f.fillVocabulary(w); err != nil {
		return nil, err
	}
	var err error
	if w.size, err = w.declare(f.added, w.size, func(token string) (uint32, bool) {
		id, ok := w.initial[token]
		return id, ok
	}, func(s string) string { return string(f.normalizer.Append(nil, s)) }); err != nil {
		return nil, err
	}
	if f.fill != nil {
		return w, f.fill(&w.Ends, w.size)
	}
	return w, nil
}

// fillVocabulary makes the maps of tokens, which share one block of memory.
func (f *tokenizerFile) fillVocabulary(w *WordPiece) error {
	text := string(f.text)
	token := func(i int) string {
		if i == 0 {
			return text[:f.ends[0]]
		}
		return text[f.ends[i-1]:f.ends[i]]
	}
	continuations := 0
	w.initial = make(map[string]uint32, len(f.ids))
	for i, id := range f.ids {
		t := token(i)
		if err := checkLength(t, id); err != nil {
			return err
		}
		if w.initial[t] = id; len(w.initial) <= i {
			return errors.New("the vocabulary has token " + strconv.Quote(t) + " twice")
		}
		w.size = max(w.size, int(id)+1)
		w.longest = max(w.longest, len(t))
		if strings.HasPrefix(t, f.prefix) {
			continuations++
		}
	}
	w.continuation = make(map[string]uint32, continuations)
	for i, id := range f.ids {
		if rest, ok := strings.CutPrefix(token(i), f.prefix); ok {
			w.continuation[rest] = id
		}
	}
	unknown, ok := w.initial[f.unknown]
	if !ok {
		return errors.New("the vocabulary lacks the unknown token " + strconv.Quote(f.unknown))
	}
	w.unknown = unknown
	return nil
}

// checkLength refuses a token that is too long, as it is looked up.
func checkLength(token string, id uint32) error {
	if len(token) <= maxTokenBytes {
		return nil
	}
	return errors.New("token " + strconv.Itoa(int(id)) + " has more than " + strconv.Itoa(maxTokenBytes) + " bytes: use another model")
}
