package perspective

import (
	"math/bits"
	"strings"
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
//	WHOSE like WHO, with 's or s' at the end
//	REST any words, or none
//	ANY  any words, at least one
//
// An adverb such as "really" may stand between any two items, but not before a root.
//
// All ways in which a pattern may fit are followed at once: a number has a bit for each place
// between words, and bit 0 is the place before the first word.
type pattern []item

// item is a part of a pattern: any of several phrases.
type item struct {
	optional, joint bool
	loose           bool       // may be missing if the root after it is missing
	phrases         [][]symbol // the words or the class of each
}

// symbol is the number of a word or class in the lexicon. The first are these.
type symbol int

const (
	anyRoot symbol = iota // X
	topicRoot
	claimRoot
	agentRoot
	adjectives // ADJ
	who
	whose
	rest // REST
	some // ANY
	mark // a comma
)

const special = "X T C A ADJ WHO WHOSE REST ANY , "

// is reports whether the item's first choice begins with this symbol. There may be other choices: WHO|CRITICS.
func (i *item) is(s symbol) bool { return i.phrases[0][0] == s }

// root reports whether the item is a root.
func (i *item) root() bool { return i.phrases[0][0] <= agentRoot }

// ends returns the places where a pattern may end, if it begins at one of the places from.
func (m *match) ends(p pattern, from uint64) uint64 {
	for i := range p {
		if from == 0 {
			break
		}
		from = m.item(&p[i], from)
		if i+1 < len(p) && !p[i+1].root() {
			from |= (from & m.adverbs) << 1
		}
	}
	return from
}

// fits reports whether a pattern fits all words from place i on.
func (m *match) fits(p pattern, i int) bool {
	return m.ends(p, 1<<i)>>m.end&1 != 0
}

func (m *match) item(p *item, from uint64) (to uint64) {
	if p.optional || m.bare && (p.joint || p.loose && !m.strict) {
		to = from
	}
	for _, phrase := range p.phrases {
		next := from
		for i, s := range phrase {
			if i > 0 {
				next &^= m.marked << 1
			}
			next = m.symbol(s, next)
		}
		to |= next
	}
	return to
}

func (m *match) symbol(s symbol, from uint64) (to uint64) {
	switch s {
	case mark:
		if m.bare {
			return from
		}
		return from & (m.marked << 1)
	case some:
		return -(from & -from) << 1 & (m.all<<1 | 1)
	case rest:
		return -(from & -from) & (m.all<<1 | 1)
	case anyRoot, topicRoot, claimRoot, agentRoot:
		return m.roots(s, from)
	case adjectives:
		to = from
		for range 3 {
			from = (from & m.all &^ m.function &^ m.paused) << 1
			to |= from
		}
		return to
	case who, whose:
		from &^= m.function
		for range 6 {
			from = (from & m.all &^ m.nobody) << 1
			to |= from &^ (m.speechless << 1)
			from &^= m.marked << 1
		}
		if s == whose {
			to &= m.owners << 1
		}
		return to
	}
	to = (from & m.where[s]) << 1
	if int(s) < len(m.forms) && m.forms[s] != nil {
		if last := m.tried[s]; last.from == from {
			return last.to
		}
		for _, form := range m.forms[s] {
			to |= m.ends(form, from)
		}
		m.tried[s] = struct{ from, to uint64 }{from, to}
	}
	return to
}

// roots returns the places where a root may end.
func (m *match) roots(kind symbol, from uint64) uint64 {
	if m.bare {
		return m.ends(m.idea, from) | from | (from&m.where[m.symbols["PRONOUN"]])<<1
	}
	if from &= m.first; kind == topicRoot {
		from &= m.topic
		if m.topic&1 == 0 && listed(questions, m.tokens[0].word) {
			return 0
		}
	}
	after := -from & from // the lowest place
	if kind == claimRoot {
		later := m.said &^ (after - 1)
		after = -later & later
	}
	if kind == agentRoot {
		after = m.symbol(m.symbols["AGENT"], from)
		after &= -after
	}
	if after == 0 {
		return 0
	}
	return m.last &^ (after<<1 - 1)
}

// parts finds the root and the speaker of a pattern that fits the words from i on.
func (m *match) parts(p pattern, i int) {
	for k := range p {
		to := m.item(&p[k], 1<<i)
		if k+1 < len(p) && !p[k+1].root() {
			to |= (to & m.adverbs) << 1
		}
		short := p[k].phrases[0][0] <= whose
		var j int
		for ok := false; !ok; to &^= 1 << j {
			if j = bits.TrailingZeros64(to); !short {
				j = bits.Len64(to) - 1
			}
			ok = m.fits(p[k+1:], j)
		}
		if p[k].joint {
			m.joint = span{i, j}
		}
		switch {
		case p[k].root():
			m.root = span{i, j}
		case p[k].is(who), p[k].is(whose):
			m.who = span{i, j}
		}
		i = j
	}
}

// find returns what the first row of the grammar asks for that fits all words from start on, or
// nothing. If literal is true, it tries no rows that begin with the root, except those for
// ordinary texts.
func (m *match) find(start int, literal bool) string {
	for k := range m.rows {
		r := &m.rows[k]
		ordinary := r.asks == "ordinary"
		if literal && !ordinary && r.pattern[0].phrases[0][0] <= topicRoot || ordinary && m.bare || !m.fits(r.pattern, start) {
			continue
		}
		if ordinary {
			return r.asks
		}
		m.start, m.joint = start, span{}
		m.parts(r.pattern, start)
		if m.trimRoot(); m.bare || m.root.start < m.root.end {
			return r.asks
		}
	}
	return ""
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
