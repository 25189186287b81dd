package perspective

import (
	"math/bits"
	"strings"
	"sync"
)

// A pattern of the grammar is a sequence of items between spaces. An item is one of
// several words between bars, where _ joins the words of a phrase:
//
//	reason|case in_favour_of|for X
//
// A word also stands for the same word with an s: "reason" for "reasons". A name in
// capitals is a class of words (classes.go). An item that ends with ? may be missing. An
// item in brackets, beside the root, belongs to neither root nor perspective. A comma
// stands for a mark after the word before it. These items match words of any kind:
//
//	X    the root
//	T    a root that is a topic: it does not begin like a question
//	C    a root that is a claim: it says what should be
//	A    a root that begins with somebody who may act, such as a state
//	ADJ  up to three words before a noun, or none
//	WHO  up to six words that name who speaks, or where or when
//	WHOSE like WHO, with 's at the end
//	REST all words that are left, or none
//
// Patterns are interpreted word by word. All ways in which a pattern may fit are followed at once:
// a number has a bit for each place between words, and bit 0 is the place before the first word.

// maxRead is the most words of a query that the grammar reads. A longer query is not an everyday
// wording.
const maxRead = 40

// lexicon has the classes by their names, and by their words.
type lexicon struct {
	forms   map[string]string // of a class: patterns
	listing map[string]string // of a word: names, with a space around each
}

var (
	known lexicon
	once  sync.Once
)

// readClasses parses the classes when the first query is read, so that a page need not
// wait for it.
func readClasses() {
	known = lexicon{map[string]string{}, map[string]string{}}
	for lines := classes; lines != ""; {
		var line string
		line, lines = cut(lines, '\n')
		name, rest := cut(line, ' ')
		words, forms := cut(rest, ';')
		known.forms[name] = forms
		for words != "" {
			var word string
			if word, words = cut(words, ' '); word == "" {
				continue
			}
			known.listing[word] += " " + name + " "
			if name == "LAND" && len(word) > 3 {
				known.listing["-"+word[:4]] = " NATION "
			}
		}
	}
}

// match is a text with the ways in which a pattern may fit it.
type match struct {
	text
	bare bool // the text is a perspective alone: the root is missing
	lexicon
	stems   [maxRead]string // the words without s
	classes [maxRead]string // of the words

	all, marked, paused, owners uint64 // words; those with a mark, with one that is no comma, and with 's
	function, nobody            uint64 // words that the lists in classes.go have
	first, topic, said          uint64 // words that may begin a root, or a topic, or say what should be
	last                        uint64 // places where a root may end

	tried [61]struct { // classes at places, because many rows ask for the same
		class    string
		from, to uint64
	}

	root, who span
	joint     span // words that belong to neither part, beside the root
	start     int  // after the words before what the query asks for
}

// span is a range of words.
type span struct{ start, end int }

// newMatch prepares a text of at most maxRead words.
func newMatch(t text, bare bool) *match {
	once.Do(readClasses)
	m := &match{text: t, bare: bare, lexicon: known, all: 1<<t.words() - 1, last: 1 << t.words()}
	for i, k := range t.tokens {
		bit, word := uint64(1)<<i, k.word
		m.stems[i] = singular(word)
		m.classes[i] = m.listing[word] + m.listing[m.stems[i]] + formed(word) + m.nation(m.stems[i])
		if k.mark != 0 {
			m.marked |= bit
		}
		if k.mark != 0 && k.mark != ',' {
			m.paused |= bit
		}
		if possessive(word) {
			m.owners |= bit
		}
		if listed(function, word) {
			m.function |= bit
		}
		if listed(nobody, word) {
			m.nobody |= bit
		}
		if !listed(notFirst, word) && !(i > 0 && listed(auxiliaries, word)) {
			m.first |= bit
			if !listed(questions, word) {
				m.topic |= bit
			}
		}
		if listed(shoulds, word) {
			m.said |= bit
		}
		if !listed(notLast, word) {
			m.last |= bit << 1
		}
	}
	return m
}

// singular is a word without s or 's.
func singular(word string) string {
	n := len(word) - 1
	switch {
	case possessive(word):
		return strings.TrimSuffix(word[:n], "'")
	case n < 3 || word[n] != 's':
		return word
	case word[n-2:] == "ies":
		return word[:n-2] + "y"
	}
	return word[:n]
}

// nation is the class of an adjective or people that begins like a land: "german". The
// class lists the others, such as "dutch".
func (l *lexicon) nation(word string) string {
	for _, end := range []string{"an", "ese", "ish", "i"} {
		if len(word) > 5 && strings.HasSuffix(word, end) {
			return l.listing["-"+word[:4]]
		}
	}
	return ""
}

// ends returns the places where a pattern may end, if it begins at one of the places from.
func (m *match) ends(pattern string, from uint64) uint64 {
	for pattern != "" && from != 0 {
		var item string
		item, pattern = cut(pattern, ' ')
		from = m.item(item, from)
	}
	return from
}

func (m *match) item(item string, from uint64) (to uint64) {
	if n := len(item) - 1; item[n] == '?' {
		to, item = from, item[:n]
	}
	if item[0] == '[' {
		if item = item[1 : len(item)-1]; m.bare {
			to = from
		}
	}
	for item != "" {
		var choice string
		choice, item = cut(item, '|')
		to |= m.choice(choice, from)
	}
	return to
}

func (m *match) choice(choice string, from uint64) (to uint64) {
	switch choice {
	case ",":
		return from & (m.marked << 1)
	case "REST":
		return m.all + 1
	case "X", "T", "C", "A":
		return m.roots(choice, from)
	case "ADJ":
		to = from
		for range 3 {
			from = (from & m.all &^ m.function &^ m.paused) << 1
			to |= from
		}
		return to
	case "WHO", "WHOSE":
		from &^= m.function
		for range 6 {
			from = (from & m.all &^ m.nobody) << 1
			to |= from
			from &^= m.marked << 1
		}
		if choice == "WHOSE" {
			to &= m.owners << 1
		}
		return to
	}
	if choice[0] <= 'Z' {
		return m.class(choice, from)
	}
	for choice != "" {
		var word string
		word, choice = cut(choice, '_')
		to = 0
		for f := from & m.all; f != 0; f &= f - 1 {
			i := bits.TrailingZeros64(f)
			if m.tokens[i].word == word || m.stems[i] == word {
				to |= 2 << i
			}
		}
		from = to
		if choice != "" {
			from &^= m.marked << 1
		}
	}
	return to
}

func (m *match) class(name string, from uint64) (to uint64) {
	last := &m.tried[(from*31+uint64(name[0])*7+uint64(name[len(name)-1]))%uint64(len(m.tried))]
	if last.class == name && last.from == from {
		return last.to
	}
	for f := from & m.all; f != 0; f &= f - 1 {
		if i := bits.TrailingZeros64(f); listed(m.classes[i], name) {
			to |= 2 << i
		}
	}
	for forms := m.forms[name]; forms != ""; {
		var form string
		form, forms = cut(forms[1:], ';') // after the space
		to |= m.ends(form, from)
	}
	last.class, last.from, last.to = name, from, to
	return to
}

// cut returns the parts of a text before and after a mark.
//
//go:noinline
func cut(s string, mark byte) (before, after string) {
	if i := strings.IndexByte(s, mark); i >= 0 {
		return s[:i], s[i+1:]
	}
	return s, ""
}

// roots returns the places where a root may end.
func (m *match) roots(kind string, from uint64) uint64 {
	if m.bare {
		return m.ends("DET? IDEA that?", from) | from
	}
	if from &= m.first; kind == "T" {
		from &= m.topic
		if m.topic&1 == 0 && listed(questions, m.tokens[0].word) {
			return 0
		}
	}
	after := -from & from // the lowest place
	if kind == "C" {
		later := m.said &^ (after - 1)
		after = -later & later
	}
	if kind == "A" {
		after = m.ends("AGENT", from)
		after &= -after
	}
	if after == 0 {
		return 0
	}
	return m.last &^ (after<<1 - 1)
}

// parts finds the root and the speaker of a pattern that fits the words from i on.
func (m *match) parts(pattern string, i int) {
	for pattern != "" {
		item, rest := cut(pattern, ' ')
		to := m.item(item, 1<<i)
		short := false
		switch item {
		case "X", "T", "C", "A", "WHO", "WHOSE", "ADJ":
			short = true
		}
		var j int
		for ok := false; !ok; to &^= 1 << j {
			if j = bits.TrailingZeros64(to); !short {
				j = bits.Len64(to) - 1
			}
			ok = m.ends(rest, 1<<j)>>m.words() != 0
		}
		if item[0] == '[' {
			m.joint = span{i, j}
		}
		switch item {
		case "X", "T", "C", "A":
			m.root = span{i, j}
		case "WHO", "WHOSE":
			m.who = span{i, j}
		}
		pattern, i = rest, j
	}
}

// find returns what the first row of the grammar asks for that fits all words from start on, or
// nothing. If literal is true, it tries no rows that begin with the root, except those for
// ordinary texts.
func (m *match) find(start int, literal bool) string {
	for rows := grammar; rows != ""; {
		var row string
		row, rows = cut(rows, '\n')
		asks, pattern := cut(row, ' ')
		asks = asks[:len(asks)-1]
		if literal && asks != "ordinary" && (pattern[0] == 'X' || pattern[:2] == "T ") || m.ends(pattern, 1<<start)>>m.words() == 0 {
			continue
		}
		if asks == "ordinary" {
			if m.bare {
				continue
			}
			return asks
		}
		m.start, m.joint = start, span{}
		m.parts(pattern, start)
		if m.trimRoot(); m.bare || m.root.start < m.root.end {
			return asks
		}
	}
	return ""
}
