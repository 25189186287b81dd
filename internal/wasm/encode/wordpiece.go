package encode

import (
	"sync"
	"unicode/utf8"
	"unsafe"
)

// WordPiece is the tokenizer of BERT models: BertNormalizer, BertPreTokenizer
// and greedy longest-match-first WordPiece (Wu et al., 2016, "Google's Neural
// Machine Translation System", section 4.1; Devlin et al., 2019). Its methods
// may be called by several goroutines at a time.
type WordPiece struct {
	normalizer Normalizer
	addedSets
	initial      map[string]uint32 // tokens at the beginning of a word
	continuation map[string]uint32 // tokens inside a word, without their prefix
	longest      int               // bytes of the longest token
	unknown      uint32
	maxRunes     int // most characters of a word; longer words are unknown
	size         int
	Ends
	scratch sync.Pool
}

// UnknownID returns the id of the unknown token.
func (w *WordPiece) UnknownID() uint32 { return w.unknown }

// VocabSize returns the number of ids: every id is less.
func (w *WordPiece) VocabSize() int { return w.size }

// Encode appends the ids of a text to dst, without the post-processor's special tokens.
// Special tokens in the text itself become their ids.
func (w *WordPiece) Encode(dst []uint32, text string) []uint32 {
	return w.raw.encode(dst, text, func(dst []uint32, from, to int) []uint32 {
		return w.encodeNormalized(dst, text[from:to])
	})
}

// EncodeSpecial appends the ids of a text to dst in the form that a transformer needs:
// with the post-processor's special tokens and, if maxLen is positive, truncated to
// maxLen ids including special tokens.
func (w *WordPiece) EncodeSpecial(dst []uint32, text string, maxLen int) []uint32 {
	begin := len(dst)
	dst = append(dst, w.before...)
	dst, _ = w.close(w.Encode(dst, text), begin, maxLen)
	return dst
}

// Coverage says how well a vocabulary knows the words of a text, without punctuation.
type Coverage struct {
	Words int // number of words, as split by the pre-tokenizer
	Whole int // number of words that are a single known token
}

// MostlyUnknown is the least share of words that are not whole tokens in a text
// that counts as mostly unknown.
const MostlyUnknown = 0.5

// MostlyUnknown reports whether a text has words, and at least the share MostlyUnknown
// of them are not whole tokens of the vocabulary, as with text in another language. The
// share of unknown tokens, Info.UnknownShare, would not show this, because unknown
// words are split into known pieces, down to the letters of many scripts.
func (c Coverage) MostlyUnknown() bool {
	return c.Words > 0 && float64(c.Words-c.Whole) >= MostlyUnknown*float64(c.Words)
}

// Coverage counts the words of a text. Counts of several texts may be added up.
func (w *WordPiece) Coverage(text string) (c Coverage) {
	buffer := w.buffer()
	defer w.release(buffer)
	*buffer = w.normalizer.Append((*buffer)[:0], text)
	for word := range Words(*buffer) {
		if r, size := utf8.DecodeRune(word); size == len(word) && isPunctuation(r) {
			continue
		}
		c.Words++
		if id, ok := w.initial[string(word)]; ok && id != w.unknown {
			c.Whole++
		}
	}
	return c
}

// encodeNormalized encodes a part of a text between added tokens.
func (w *WordPiece) encodeNormalized(dst []uint32, text string) []uint32 {
	buffer := w.buffer()
	defer w.release(buffer)
	*buffer = w.normalizer.Append((*buffer)[:0], text)
	normalized := *buffer // which does not change here
	view := unsafe.String(unsafe.SliceData(normalized), len(normalized))
	return w.cooked.encode(dst, view, func(dst []uint32, from, to int) []uint32 {
		for word, next := nextWord(normalized[from:to]); word != nil; word, next = nextWord(next) {
			dst = w.appendWord(dst, word)
		}
		return dst
	})
}

// appendWord appends the pieces of one word, or the unknown token if no pieces give the
// word.
func (w *WordPiece) appendWord(dst []uint32, word []byte) []uint32 {
	if len(word) > w.maxRunes && utf8.RuneCount(word) > w.maxRunes {
		return append(dst, w.unknown)
	}
	begin := len(dst)
	pieces := w.initial
	for len(word) > 0 {
		end := min(len(word), w.longest)
		id, found := uint32(0), false
		for ; end > 0; end-- {
			if end < len(word) && !utf8.RuneStart(word[end]) {
				continue
			}
			if id, found = pieces[string(word[:end])]; found {
				break
			}
		}
		if !found {
			return append(dst[:begin], w.unknown)
		}
		dst = append(dst, id)
		word = word[end:]
		pieces = w.continuation
	}
	return dst
}

// mostScratch is the greatest capacity, in elements, of a buffer that is kept for the next text.
const mostScratch = 1 << 16

func (w *WordPiece) buffer() *[]byte {
	if b, ok := w.scratch.Get().(*[]byte); ok {
		return b
	}
	return new([]byte)
}

func (w *WordPiece) release(buffer *[]byte) {
	if cap(*buffer) <= mostScratch {
		w.scratch.Put(buffer)
	}
}

// ID returns the id of a token by its spelling in the vocabulary.
func (w *WordPiece) ID(token string) (uint32, bool) {
	if id, ok := w.addedID(token); ok {
		return id, true
	}
	id, ok := w.initial[token]
	return id, ok
}
