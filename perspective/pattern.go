package perspective

import (
	"strings"
	"sync"
)

// A pattern of the grammar is a sequence of items between spaces. An item is one of
// several words between bars, where _ joins the words of a phrase:
//
//	reasons|case in_favour_of|for X
//
// A name in capitals is a class of words (classes.go). An item that ends with ? may be
// missing. An item in brackets belongs to neither root nor perspective. A comma stands
// for a mark after the word before it. These items match words of any kind:
//
//	X    the root
//	T    a root that is a topic: it begins like no question
//	C    a root that is a claim: it says what should be
//	ADJ  up to three words before a noun, or none
//	WHO  up to six words that name who speaks, or where or when
//	WHOSE the same, with 's at the end
//	REST what is left, or nothing
type item struct {
	choices  []choice
	optional bool
	neither  bool
}

// A choice is words, or a name: of a class, or of one of the items above.
type choice struct {
	words []string
	name  string
}

// maxRead is the number of words up to which the grammar reads a query. Longer ones are
// no everyday wording, and the time grows with the square of their number.
const maxRead = 40

// compile parses a pattern.
func compile(pattern string) []item {
	var items []item
	for _, field := range strings.Fields(pattern) {
		var it item
		if n := len(field) - 1; field[n] == '?' {
			it.optional, field = true, field[:n]
		}
		if n := len(field) - 1; field[0] == '[' {
			it.neither, field = true, field[1:n]
		}
		for _, word := range strings.Split(field, "|") {
			if c := word[0]; c == ',' || 'A' <= c && c <= 'Z' {
				it.choices = append(it.choices, choice{name: word})
			} else {
				it.choices = append(it.choices, choice{words: strings.Split(word, "_")})
			}
		}
		items = append(items, it)
	}
	return items
}

// wildcards are the names of items that match words of any kind.
var wildcards = []string{"X", "T", "C", "ADJ", "WHO", "WHOSE", "REST", ","}

// row is a row of the grammar.
type row struct {
	asks  string // what its queries ask for
	items []item
	needs [][]string
}

// rules is the grammar with its classes.
type rules struct {
	rows    []row
	openers [][]item
	vocabulary
}

var (
	parsed rules
	once   sync.Once
)

// compiled is the grammar, parsed when the first query is read, so that a page need not
// wait for it.
//
//go:noinline
func compiled() *rules {
	once.Do(parse)
	return &parsed
}

func parse() {
	parsed.vocabulary = newVocabulary()
	for _, line := range strings.Split(grammar, "\n") {
		asks, pattern, ok := strings.Cut(line, ": ")
		if !ok {
			continue // after the last line
		}
		r := row{asks: asks, items: compile(pattern)}
		for i := range r.items {
			if list := parsed.needs(&r.items[i]); list != nil {
				r.needs = append(r.needs, list)
			}
		}
		parsed.rows = append(parsed.rows, r)
	}
	for _, o := range strings.Split(openers, "; ") {
		parsed.openers = append(parsed.openers, compile(o))
	}
}

// match is one way in which a pattern fits a text.
type match struct {
	text
	bare bool // the text is a perspective alone: the root is missing, and what belongs to neither part may be

	features  features
	start     int // after the words before what the query asks for
	root, who span
	neither   []span
}

// span is a range of words.
type span struct{ start, end int }

// seq matches items from word i on; then continues with the rest of the pattern.
func (m *match) seq(items []item, i int, then func(int) bool) bool {
	if len(items) == 0 {
		return then(i)
	}
	it := &items[0]
	next := func(j int) bool { return m.seq(items[1:], j, then) }
	after := next
	if it.neither {
		after = func(j int) bool {
			m.neither = append(m.neither, span{i, j})
			if next(j) {
				return true
			}
			m.neither = m.neither[:len(m.neither)-1]
			return false
		}
	}
	for k := range it.choices {
		if m.choice(&it.choices[k], i, after) {
			return true
		}
	}
	return (it.optional || it.neither && m.bare) && next(i)
}

func (m *match) choice(c *choice, i int, then func(int) bool) bool {
	switch c.name {
	case "":
		return m.at(i, c.words...) && then(i+len(c.words))
	case ",":
		return i > 0 && m.tokens[i-1].mark != 0 && then(i)
	case "X", "T", "C":
		return m.anyRoot(i, c.name, then)
	case "ADJ":
		return m.adjectives(i, then)
	case "WHO":
		return m.anyone(i, then)
	case "WHOSE":
		return m.anyone(i, func(j int) bool { return possessive(m.tokens[j-1].word) && then(j) })
	case "REST":
		return then(len(m.tokens))
	}
	all := compiled()
	if !m.features[c.name] && !all.open[c.name] {
		return false
	}
	if i < len(m.tokens) {
		word := m.tokens[i].word
		if (all.is(word, c.name) || passes(c.name, word)) && then(i+1) {
			return true
		}
	}
	for _, form := range all.forms[c.name] {
		if m.seq(form, i, then) {
			return true
		}
	}
	return false
}

// anyRoot tries roots from word i on, short ones first.
func (m *match) anyRoot(i int, kind string, then func(int) bool) bool {
	if m.bare {
		return then(i)
	}
	if i >= len(m.tokens) || kind == "T" && listed(questions, m.tokens[i].word) || listed(notFirst, m.tokens[i].word) ||
		i > 0 && listed(auxiliaries, m.tokens[i].word) {
		return false
	}
	said := kind != "C"
	for j := i + 1; j <= len(m.tokens); j++ {
		said = said || listed(shoulds, m.tokens[j-1].word)
		if !said {
			continue
		}
		if j < len(m.tokens) && listed(notLast, m.tokens[j-1].word) {
			continue
		}
		m.root = span{i, j}
		if then(j) {
			return true
		}
	}
	return false
}

// adjectives tries from none to three words that may stand before a noun.
func (m *match) adjectives(i int, then func(int) bool) bool {
	for j := i; ; j++ {
		if then(j) {
			return true
		}
		if j == i+3 || j >= len(m.tokens) || m.tokens[j].mark != 0 && m.tokens[j].mark != ',' || listed(function, m.tokens[j].word) {
			return false
		}
	}
}

// anyone tries from one to six words that may name who speaks.
func (m *match) anyone(i int, then func(int) bool) bool {
	for j := i; j < len(m.tokens) && j < i+6; j++ {
		if listed(nobody, m.tokens[j].word) || j == i && listed(function, m.tokens[j].word) {
			return false
		}
		m.who = span{i, j + 1}
		if then(j + 1) {
			return true
		}
		if m.tokens[j].mark != 0 {
			return false
		}
	}
	return false
}

// find returns the first row of the grammar that fits all words from start on, or nil.
// Rows that begin with the root are left out if literal is true.
func (m *match) find(start int, literal bool) *row {
	c := compiled()
	m.start = start
	if m.features == nil {
		m.features = c.of(&m.text)
	}
	for k := range c.rows {
		r := &c.rows[k]
		if first := r.items[0].choices[0].name; literal && (first == "X" || first == "T") || !m.features.mayFit(r.needs) {
			continue
		}
		m.root, m.who, m.neither = span{}, span{}, m.neither[:0]
		if m.seq(r.items, start, func(end int) bool { return end == len(m.tokens) && m.fits(r) }) {
			return r
		}
	}
	return nil
}
