package perspective

import (
	"strings"
	"unicode"
)

// The functions marked noinline are called from many places, but only to read a query, which
// is fast anyway. Inlining them would add 5 KB to the browser module under brotli.

// text is a query split at white space. Words are in lower case, without the
// punctuation mark at their end.
type text struct {
	source string
	tokens []token
}

type token struct {
	word       string
	mark       byte // the punctuation mark after the word, or 0
	start, end int  // range in source, without the mark
}

const marks = ",:;.?!"

func newText(source string) text {
	t := text{source: strings.TrimSpace(source)}
	start := -1
	for i, r := range t.source + " " {
		switch {
		case !unicode.IsSpace(r) && start < 0:
			start = i
		case unicode.IsSpace(r) && start >= 0:
			t.add(newToken(t.source, start, i))
			start = -1
		}
	}
	return t
}

// add appends a word. A mark on its own belongs to the word before it.
func (t *text) add(next token) {
	switch n := len(t.tokens); {
	case next.word != "":
		t.tokens = append(t.tokens, next)
	case n > 0:
		t.tokens[n-1].mark = next.mark
	}
}

func newToken(source string, start, end int) token {
	var mark byte
	if last := source[end-1]; strings.IndexByte(marks, last) >= 0 {
		mark = last
		end -= len(source[start:end]) - len(strings.TrimRight(source[start:end], marks))
	}
	return token{word: lower(source[start:end]), mark: mark, start: start, end: end}
}

// lower converts ASCII letters to lower case. That is enough for English words, and the
// Unicode tables would be larger than this package in the browser module.
func lower(s string) string {
	b := []byte(s)
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}

func (t *text) words() int { return len(t.tokens) }

// wordsIn is the number of words from i on.
func (t *text) wordsIn(i int) int { return len(t.tokens) - i }

// span is the source of words [i, j), without the mark after the last.
//
//go:noinline
func (t *text) span(i, j int) string {
	if i >= j {
		return ""
	}
	return t.source[t.tokens[i].start:t.tokens[j-1].end]
}

// from is the source from word i on, marks included.
//
//go:noinline
func (t *text) from(i int) string {
	if i >= len(t.tokens) {
		return ""
	}
	return t.source[t.tokens[i].start:]
}

// at reports whether the given words are at i, with no mark between them.
//
//go:noinline
func (t *text) at(i int, words ...string) bool {
	if i < 0 || i+len(words) > len(t.tokens) {
		return false
	}
	for k, w := range words {
		if t.tokens[i+k].word != w || k+1 < len(words) && t.tokens[i+k].mark != 0 {
			return false
		}
	}
	return true
}

// in reports whether word i is in a list and has no mark after it.
//
//go:noinline
func (t *text) in(i int, list string) bool {
	return i < len(t.tokens) && t.tokens[i].mark == 0 && listed(list, t.tokens[i].word)
}

// marked is the index of the first word from i on that is followed by the mark, or -1.
func (t *text) marked(i int, mark byte) int {
	for ; i < len(t.tokens); i++ {
		if t.tokens[i].mark == mark {
			return i
		}
	}
	return -1
}

// listed reports whether a list, with a space around each word, contains a word.
//
//go:noinline
func listed(list, word string) bool {
	return word != "" && strings.Contains(list, " "+word+" ")
}
