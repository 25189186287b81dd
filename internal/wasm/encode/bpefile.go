package encode

import (
	"errors"
	"strconv"
	"strings"

	"github.com/vantage-search/vantage/internal/wasm/jsonlite"
)

// bpeFile is the content of a tokenizer.json with a BPE model, before it is checked.
type bpeFile struct {
	tokenizerFile // parts of all kinds of tokenizers
	vocabulary    map[string]uint32
	merges        []string // left, right, left, right, ...
	ignoreMerges  bool
	byteLevel     bool
	prefixSpace   bool
	whole         bool
}

// ParseBPE reads a tokenizer.json of byte-level BPE kind, as the Hugging Face
// tokenizers library writes it. Settings that would change the ids in ways that are not
// implemented are errors. It does not keep a reference to json.
func ParseBPE(json []byte) (*BPE, error) {
	var f bpeFile
	r := jsonlite.NewReader(json).Strict()
	object(r, func(key string) {
		switch key {
		case "model":
			f.readBPEModel(r)
		case "normalizer":
			if !r.Null() {
				r.Fail("a normalizer before byte-level BPE is not supported")
			}
		case "pre_tokenizer":
			f.readByteLevel(r)
		case "added_tokens":
			f.readAddedTokens(r)
		default:
			f.readEnds(r, key)
		}
	})
	err := r.End()
	var b *BPE
	if err == nil {
		b, err = f.buildBPE()
	}
	if err != nil {
		return nil, errors.New("tokenizer.json: " + err.Error())
	}
	return b, nil
}

// Kind returns the type of a tokenizer.json's model: "WordPiece", "BPE", "Unigram" or
// "WordLevel". It is empty if the file states none.
func Kind(json []byte) (string, error) {
	kind := ""
	r := jsonlite.NewReader(json).Strict()
	object(r, func(key string) {
		if key != "model" {
			return
		}
		object(r, func(key string) {
			if key == "type" {
				kind = clone(r)
			}
		})
	})
	if err := r.End(); err != nil {
		return "", errors.New("tokenizer.json: " + err.Error())
	}
	return kind, nil
}

func (f *bpeFile) readBPEModel(r *jsonlite.Reader) {
	object(r, func(key string) {
		switch key {
		case "type":
			if f.kind = r.Text(); f.kind != "BPE" {
				unsupported(r, "a model", f.kind, "BPE")
			}
		case "vocab":
			f.vocabulary = map[string]uint32{}
			r.UniqueObject()(func(token string) bool {
				if len(f.vocabulary) == maxVocabulary {
					r.Fail("the vocabulary has more than " + strconv.Itoa(maxVocabulary) + " tokens")
				}
				f.vocabulary[strings.Clone(token)] = readID(r)
				return r.Err() == nil
			})
		case "merges":
			array(r, "merges", maxVocabulary, func(int) { f.readMerge(r) })
		case "dropout":
			if !r.Null() && r.Float64() != 0 {
				r.Fail("BPE with dropout is not supported: it gives other ids each time")
			}
		case "continuing_subword_prefix", "end_of_word_suffix":
			if !r.Null() && r.Text() != "" {
				r.Fail("BPE with " + key + " is not supported")
			}
		case "byte_fallback":
			if r.Bool() {
				r.Fail("BPE with byte_fallback is not supported")
			}
		case "ignore_merges":
			f.ignoreMerges = r.Bool()
		}
	})
}

// readMerge reads a pair: ["Ġ", "t"] or, in older files, "Ġ t".
func (f *bpeFile) readMerge(r *jsonlite.Reader) {
	if r.Kind() != jsonlite.Array {
		left, right, ok := strings.Cut(clone(r), " ")
		if !ok {
			r.Fail("a merge is not two tokens with a space between them")
		}
		f.merges = append(f.merges, left, right)
		return
	}
	parts := 0
	array(r, "parts of a merge", 2, func(int) {
		f.merges = append(f.merges, clone(r))
		parts++
	})
	if parts != 2 {
		r.Fail("a merge has " + strconv.Itoa(parts) + " parts, not 2")
	}
}

// readByteLevel reads the "pre_tokenizer", which must be ByteLevel.
func (f *bpeFile) readByteLevel(r *jsonlite.Reader) {
	if r.Null() {
		return
	}
	kind := ""
	f.prefixSpace = true
	object(r, func(key string) {
		switch key {
		case "type":
			kind = clone(r)
		case "add_prefix_space":
			f.prefixSpace = r.Bool()
		case "use_regex":
			f.whole = !r.Bool()
		}
	})
	if f.byteLevel = kind == "ByteLevel"; !f.byteLevel {
		unsupported(r, "a pre-tokenizer", kind, "ByteLevel")
	}
}

func (f *bpeFile) buildBPE() (*BPE, error) {
	switch {
	case f.kind == "":
		return nil, errors.New(`no "model" of type "BPE"`)
	case !f.byteLevel:
		return nil, errors.New(`the pre-tokenizer is not of type "ByteLevel", the only one that is supported with BPE`)
	}
	b := &BPE{prefixSpace: f.prefixSpace, whole: f.whole, vocabulary: f.vocabulary, merges: make(map[uint64]bpeMerge, len(f.merges)/2)}
	b.cutLeft = f.cutLeft
	for _, id := range f.vocabulary {
		b.size = max(b.size, int(id)+1)
	}
	characters := byteCharacters()
	for i, r := range characters {
		id, ok := f.vocabulary[string(r)]
		if !ok {
			id = noByte
		}
		b.bytes[i] = id
	}
	for i := 0; i < len(f.merges); i += 2 {
		left, right := f.merges[i], f.merges[i+1]
		l, okLeft := f.vocabulary[left]
		r, okRight := f.vocabulary[right]
		id, ok := f.vocabulary[left+right]
		if !okLeft || !okRight || !ok {
			return nil, errors.New("the merge of " + strconv.Quote(left) + " and " + strconv.Quote(right) + " has a token that the vocabulary lacks")
		}
		b.merges[uint64(l)<<32|uint64(r)] = bpeMerge{uint32(i / 2), id} // the later of two
	}
	if f.ignoreMerges {
		b.words = f.wordsOfBytes(characters)
	}
	var err error
	if b.size, err = b.declare(f.added, b.size, func(token string) (uint32, bool) {
		id, ok := f.vocabulary[token]
		return id, ok
	}, func(s string) string { return s }); err != nil {
		return nil, err
	}
	if f.fill != nil {
		return b, f.fill(&b.Ends, b.size)
	}
	return b, nil
}

// wordsOfBytes is the vocabulary with its tokens spelled in bytes. It omits tokens with
// other characters, which cannot occur.
func (f *bpeFile) wordsOfBytes(characters [256]rune) map[string]uint32 {
	bytes := make(map[rune]byte, len(characters))
	for b, r := range characters {
		bytes[r] = byte(b)
	}
	words := make(map[string]uint32, len(f.vocabulary))
next:
	for token, id := range f.vocabulary {
		var word []byte
		for _, r := range token {
			b, ok := bytes[r]
			if !ok {
				continue next
			}
			word = append(word, b)
		}
		words[string(word)] = id
	}
	return words
}
