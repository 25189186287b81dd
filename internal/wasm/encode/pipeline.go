package encode

import (
	"strings"
	"sync"
	"unicode/utf8"
	"unsafe"
)

// Span is a part of a text during tokenization.
type Span struct {
	Text  string
	Start bool // the span is at the beginning of the whole text
}

// Rewrite is a normalizer. A normalizer that removes characters from the beginning of a
// span clears its Start.
type Rewrite func(s Span) Span

// Cut is a pre-tokenizer: it appends the parts of a span to dst.
type Cut func(dst []Span, s Span) []Span

// Pipeline is a tokenizer of any kind that consists of a normalizer, a
// pre-tokenizer and a model, as described in a tokenizer.json. Its methods may be
// called by several goroutines at a time.
type Pipeline struct {
	Ends
	addedSets
	rewrite Rewrite // nil leaves text unchanged
	cut     Cut     // nil leaves text whole
	model   pieceModel
	size    int
	scratch sync.Pool
}

// pieceModel turns the parts of a pre-tokenizer into tokens.
type pieceModel interface {
	appendPiece(dst []uint32, piece string) []uint32
	id(token string) (uint32, bool)
	vocabulary() int // number of ids
}

// VocabSize returns the number of ids: every id is less.
func (p *Pipeline) VocabSize() int { return p.size }

// ID returns the id of a token by its spelling in the vocabulary.
func (p *Pipeline) ID(token string) (uint32, bool) {
	if id, ok := p.addedID(token); ok {
		return id, true
	}
	return p.model.id(token)
}

// Encode appends the ids of a text to dst, without the post-processor's special tokens.
// Special tokens in the text itself become their ids.
func (p *Pipeline) Encode(dst []uint32, text string) []uint32 {
	// Rust's strings are valid UTF-8, so vocabularies have no invalid bytes.
	text = strings.ToValidUTF8(text, "\uFFFD")
	spans, _ := p.scratch.Get().(*[]Span)
	if spans == nil {
		spans = new([]Span)
	}
	dst = p.raw.encode(dst, text, func(dst []uint32, from, to int) []uint32 {
		s := Span{text[from:to], from == 0}
		if p.rewrite != nil {
			s = p.rewrite(s)
		}
		return p.encodeNormalized(dst, s, spans)
	})
	if cap(*spans) <= mostScratch/16 {
		clear((*spans)[:cap(*spans)]) // they would keep the text alive
		p.scratch.Put(spans)
	}
	return dst
}

// encodeNormalized encodes a part of a text between added tokens.
func (p *Pipeline) encodeNormalized(dst []uint32, s Span, spans *[]Span) []uint32 {
	return p.cooked.encode(dst, s.Text, func(dst []uint32, from, to int) []uint32 {
		if p.cut == nil {
			return p.model.appendPiece(dst, s.Text[from:to])
		}
		*spans = p.cut((*spans)[:0], Span{s.Text[from:to], s.Start && from == 0})
		for _, piece := range *spans {
			if piece.Text != "" {
				dst = p.model.appendPiece(dst, piece.Text)
			}
		}
		return dst
	})
}

// Sequence applies pre-tokenizers one after the other.
func Sequence(cuts []Cut) Cut {
	if len(cuts) == 1 {
		return cuts[0]
	}
	return func(dst []Span, s Span) []Span {
		var now, next []Span
		now = append(now, s)
		for _, cut := range cuts[:len(cuts)-1] {
			next = next[:0]
			for _, s := range now {
				if s.Text != "" {
					next = cut(next, s)
				}
			}
			now, next = next, now
		}
		for _, s := range now {
			if s.Text != "" {
				dst = cuts[len(cuts)-1](dst, s)
			}
		}
		return dst
	}
}

// CutSpaces is WhitespaceSplit: it splits at white space, which is dropped.
func CutSpaces(dst []Span, s Span) []Span {
	for rest := s; rest.Text != ""; {
		end := 0
		for end < len(rest.Text) {
			r, size := utf8.DecodeRuneInString(rest.Text[end:])
			if isSpace(r) {
				break
			}
			end += size
		}
		if end > 0 {
			dst = append(dst, Span{rest.Text[:end], rest.Start})
		}
		n := indent(rest.Text[end:])
		rest = Span{Text: rest.Text[end+n:]}
	}
	return dst
}

// CutWords is BertPreTokenizer: it splits at white space, which is dropped, and around
// each punctuation character.
func CutWords(dst []Span, s Span) []Span {
	text := unsafe.Slice(unsafe.StringData(s.Text), len(s.Text))
	for word, rest := nextWord(text); word != nil; word, rest = nextWord(rest) {
		start := len(text) - len(rest) - len(word)
		dst = append(dst, Span{s.Text[start : start+len(word)], s.Start && start == 0})
	}
	return dst
}

// PrependScheme says when Metaspace puts its character before a span that lacks it.
type PrependScheme uint8

const (
	PrependAlways PrependScheme = iota
	PrependFirst                // only at the beginning of the whole text
	PrependNever
)

// Metaspace returns the pre-tokenizer that replaces spaces by another character and, if
// it splits, splits before each of these.
func Metaspace(replacement string, prepend PrependScheme, whole bool) Cut {
	return func(dst []Span, s Span) []Span {
		text := strings.ReplaceAll(s.Text, " ", replacement)
		if !strings.HasPrefix(text, replacement) && (prepend == PrependAlways || prepend == PrependFirst && s.Start) {
			text = replacement + text
		}
		if whole {
			return append(dst, Span{text, s.Start})
		}
		for start := s.Start; text != ""; start = false {
			n := len(text)
			_, size := utf8.DecodeRuneInString(text)
			if i := strings.Index(text[size:], replacement); i >= 0 {
				n = size + i
			}
			dst = append(dst, Span{text[:n], start})
			text = text[n:]
		}
		return dst
	}
}

// CutBytes is the pre-tokenizer ByteLevel without the mapping from bytes to characters.
// The model does that mapping, so CutBytes must be the last step.
func CutBytes(prefixSpace, whole bool) Cut {
	return func(dst []Span, s Span) []Span {
		if prefixSpace && s.Text[0] != ' ' {
			s.Text = " " + s.Text
		}
		for text := s.Text; text != ""; {
			n := len(text)
			if !whole {
				n = nextPiece(text)
			}
			dst = append(dst, Span{Text: text[:n]})
			text = text[n:]
		}
		return dst
	}
}
