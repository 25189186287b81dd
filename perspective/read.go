package perspective

import (
	"math/bits"
	"strings"
)

// Reading is what the wording of a query asks for.
type Reading struct {
	Root        string // what the query is about
	Perspective string // from which side
	Kind        Kind   // of the perspective: KindOf(Perspective), or what a model says (ReadTagged)
	Side        int    // 1 for the root, −1 against it, 0 for no side or both: Stance(Perspective)
	Both        bool   // the query asks for both sides: "pros and cons of X"
}

// Read reads a query as Split does, and says what kind of perspective it asks for. The
// reading of a query that Split cannot split is zero. Read understands only English.
func Read(query string) Reading {
	root, perspective, ok := Split(query)
	if !ok {
		return Reading{}
	}
	return reading(root, perspective)
}

func reading(root, perspective string) Reading {
	return Reading{root, perspective, KindOf(perspective), Stance(perspective), Both(perspective)}
}

// Both reports whether a perspective asks for both sides of the root, such as "pros and cons of".
// It understands only English.
func Both(perspective string) bool {
	asks, _ := meaningOf(perspective)
	return asks == "both"
}

// splitEveryday splits what fits a row of the grammar. ordinary says that the text must not
// be split: it is a title, or the row says so.
func splitEveryday(t text) (root, perspective string, ordinary bool) {
	if t.words() > maxRead {
		return "", "", false
	}
	t = t.apart()
	n := t.words()
	for n > 0 && listed(" please pls thanks thx only ", t.tokens[n-1].word) {
		n--
	}
	if n == 0 || n > maxRead {
		return "", "", false
	}
	t.tokens = t.tokens[:n]
	t.tokens[n-1].mark = 0
	if n > 2 && t.title() {
		return "", "", true
	}
	m := newMatch(t, false)
	switch m.read() {
	case "":
		return "", "", false
	case "ordinary":
		return "", "", true
	}
	return m.rooted(), m.rest(), false
}

// meaningOf returns what a perspective asks for, and its kind, if it fits a row of the grammar
// without a root. Otherwise both are empty.
func meaningOf(perspective string) (asks string, kind Kind) {
	t := newText(perspective)
	if t.words() == 0 || t.words() > maxRead {
		return "", KindNone
	}
	if t = t.apart(); t.words() == 0 || t.words() > maxRead {
		return "", KindNone
	}
	m := newMatch(t, true)
	asks = m.find(0, false)
	return asks, m.kind(asks)
}

// trimRoot removes dashes and "the claim that" from the root, and a root that is only a pronoun. Dashes
// and "that" belong to the perspective no more than to the root.
func (m *match) trimRoot() {
	for m.root.start < m.root.end && listed(dashes, m.tokens[m.root.start].word) {
		m.root.start++
	}
	for m.root.start < m.root.end && listed(dashes, m.tokens[m.root.end-1].word) {
		m.root.end--
	}
	if to := bits.Len64(m.ends(m.idea, 1<<m.root.start)) - 1; to > 0 && to < m.root.end && m.at(to-1, "that") {
		m.root.start, m.joint = to, span{to - 1, to}
	}
	if m.root.end-m.root.start == 1 && listed(pronouns, m.tokens[m.root.start].word) {
		m.root.end = m.root.start
	}
}

const (
	dashes   = " - – — | & : "
	pronouns = " it this that them these those you me us him her he she they what who the a an all "
)

// rest is the perspective: the words before and after the root and the joint.
func (m *match) rest() string {
	i, j := m.root.start, m.root.end
	if m.joint.end == i && i > 0 {
		i = m.joint.start
	} else if m.joint.start == j {
		j = m.joint.end
	}
	for i > m.start && listed(dashes, m.tokens[i-1].word) {
		i--
	}
	for j < m.end && listed(dashes, m.tokens[j].word) {
		j++
	}
	if i >= m.end || j <= m.start {
		return m.span(m.start, m.end)
	}
	return strings.TrimSpace(m.span(m.start, i) + " " + m.span(j, m.end))
}

// rooted is the root. A question mark after it goes with it.
func (m *match) rooted() string {
	last := m.tokens[m.root.end-1]
	if m.root.end < m.words() && last.mark == '?' {
		return m.source[m.tokens[m.root.start].start:last.end] + "?"
	}
	return m.span(m.root.start, m.root.end)
}

// kind is the kind of perspective of a row.
func (m *match) kind(asks string) Kind {
	switch asks {
	case "for", "against", "both":
		return KindStance
	case "speaker":
		return m.speaker()
	}
	return Kind(asks)
}

// speaker is the kind of the words that WHO matched.
func (m *match) speaker() Kind {
	words := uint64(1)<<m.who.end - 1<<m.who.start
	for _, k := range []struct {
		class string
		kind  Kind
	}{{"LEAN", KindLeaning}, {"LEANS", KindLeaning}, {"YEAR", KindTime}, {"DECADE", KindTime}, {"SCIENCE", KindEvidence}, {"PLACE", KindPlace}, {"NATION", KindPlace},
		{"FIELD", KindTopic}, {"PERSONS", KindAudience}} {
		if m.symbol(m.symbols[k.class], words)&(words<<1) != 0 {
			return k.kind
		}
	}
	if t := (text{source: m.source, tokens: m.tokens[m.who.start:m.who.end]}); t.has(places) {
		return KindPlace
	}
	if n := m.who.end - m.who.start; n < 3 && m.at(m.who.start-1, "from") && !m.in(m.who.start, determiners) {
		if last := m.tokens[m.who.end-1].word; !strings.HasSuffix(last, "s") && !listed(people, last) {
			return KindPlace // "news from ruritania about": people have an article or are many
		}
	}
	return KindAudience
}

// people are words for those who speak, without an s.
const people = " people men women children youth police "
