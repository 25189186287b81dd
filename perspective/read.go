package perspective

import "strings"

// Reading is what the wording of a query asks for.
type Reading struct {
	Root        string // what the query is about
	Perspective string // from which side
	Kind        Kind   // of the perspective: KindOf(Perspective)
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
	return Reading{root, perspective, KindOf(perspective), Stance(perspective), Both(perspective)}
}

// Both reports whether a perspective asks for what speaks for the root and for what
// speaks against it: "pros and cons of". Both understands only English.
func Both(perspective string) bool {
	asks, _ := meaningOf(perspective)
	return asks == "both"
}

// splitEveryday splits what fits a row of the grammar. ordinary says that the row is one
// of those that must not be split.
func splitEveryday(t text) (root, perspective string, ordinary bool) {
	if t.words() > maxRead {
		return "", "", false
	}
	m := match{text: t.apart()}
	for n := m.words(); n > 0 && listed(" please thanks ", m.tokens[n-1].word); n = m.words() {
		m.tokens = m.tokens[:n-1]
	}
	if m.words() == 0 {
		return "", "", false
	}
	m.tokens[m.words()-1].mark = 0
	switch r := m.anyOpener(); {
	case r == nil:
		return "", "", false
	case r.asks == "ordinary":
		return "", "", true
	}
	return m.span(m.root.start, m.root.end), m.rest(), false
}

// meaningOf says what a perspective asks for that fits a row of the grammar without its
// root, with its kind. Otherwise, both are empty.
func meaningOf(perspective string) (asks string, kind Kind) {
	t := newText(perspective)
	if t.words() == 0 || t.words() > maxRead {
		return "", KindNone
	}
	m := match{text: t.apart(), bare: true}
	r := m.find(0, false)
	if r == nil {
		return "", KindNone
	}
	return r.asks, m.kind(r.asks)
}

// openers are words before what a query asks for, in the order in which they stand.
const openers = "hi|hello|hey|ok|okay|so; please|pls|kindly; can|could|would|will you; please; " +
	"can|could|may|where_can|how_can|where_could|where_do i|we|one; i|we am|are looking|searching for; i'm|im|we're " +
	"looking|searching for; looking|searching for; i'd|we'd like|love; i|we want|need|would_like|like|wish; to? " +
	"see|read|know|hear|find|learn|get|have; let me|us see|read|hear|know; " +
	"find|find_me|search_for|look_for|show|show_me|show_us|give_me|give_us|get_me|tell_me|bring_me|list|name|provide; " +
	"read|about; what|which are|is|were|was; what's|whats|what_about|how_about; are|is there; do you have|know; " +
	"have_you_got|got|all_the|some_of_the; any|some|more|me; what|which"

// anyOpener finds the row that fits the text, with or without the words before what it
// asks for. What they leave may begin with a root; "show jumping" is no request.
func (m *match) anyOpener() *row {
	c := compiled()
	start := 0
	for _, opener := range c.openers {
		end := -1
		m.seq(opener, start, func(i int) bool { end = i; return true })
		if end < 0 || end == m.words() {
			continue
		}
		if r := m.find(start, true); r != nil {
			return r
		}
		start = end
	}
	return m.find(start, false)
}

// apart is the text with the words anti-X and pro-X in two.
func (t text) apart() text {
	tokens := make([]token, 0, len(t.tokens)+1)
	for _, k := range t.tokens {
		k = k.bare()
		if k.word == "" {
			continue
		}
		for _, prefix := range []string{"anti-", "pro-"} {
			if n := len(prefix); len(k.word) > n && strings.HasPrefix(k.word, prefix) && len(k.word) == k.end-k.start {
				tokens = append(tokens, token{word: prefix[:n-1], start: k.start, end: k.start + n - 1})
				k.word, k.start = k.word[n:], k.start+n
			}
		}
		tokens = append(tokens, k)
	}
	t.tokens = tokens
	return t
}

// bare is a word without quotes and brackets around it, and with a plain apostrophe.
func (k token) bare() token {
	for again := true; again; {
		again = false
		for _, mark := range []string{"\"", "(", ")", "[", "]", "“", "”", "„"} {
			if n := len(mark); strings.HasPrefix(k.word, mark) {
				k.word, k.start, again = k.word[n:], k.start+n, true
			} else if strings.HasSuffix(k.word, mark) {
				k.word, k.end, again = k.word[:len(k.word)-n], k.end-n, true
			}
		}
	}
	if before, after, ok := strings.Cut(k.word, "’"); ok {
		k.word = before + "'" + after
	}
	return k
}

// fits reports whether the parts that a pattern found can be root and speaker.
func (m *match) fits(r *row) bool {
	if r.asks == "ordinary" {
		return !m.bare
	}
	if m.bare {
		return true
	}
	m.trimRoot()
	return m.root.start < m.root.end
}

// trimRoot takes words from the root that belong to neither part: dashes, and the claim
// that it is.
func (m *match) trimRoot() {
	for m.root.start < m.root.end && listed(dashes, m.tokens[m.root.start].word) {
		m.root.start++
	}
	for m.root.start < m.root.end && listed(dashes, m.tokens[m.root.end-1].word) {
		m.root.end--
	}
	if claim := m.claim(m.root.start); claim > 0 && claim+1 < m.root.end {
		m.neither = append(m.neither, span{claim, claim + 1}) // the word "that"
		m.root.start = claim + 1
	}
	if m.root.end-m.root.start == 1 && listed(pronouns, m.tokens[m.root.start].word) {
		m.root.end = m.root.start
	}
}

const (
	dashes   = " - – — | & : "
	pronouns = " it this that them these those you me us him her he she they what who the a an all "
)

// rest is the perspective: the words that belong neither to the root nor to nothing.
func (m *match) rest() string {
	var parts []string
	for i := m.start; i < m.words(); {
		j := i
		for j < m.words() && !m.root.has(j) && !m.skipped(j) {
			j++
		}
		if j > i {
			parts = append(parts, m.span(i, j))
		}
		i = max(j, i) + 1
	}
	return strings.Join(parts, " ")
}

func (s span) has(i int) bool { return s.start <= i && i < s.end }

func (m *match) skipped(i int) bool {
	for _, s := range m.neither {
		if s.has(i) {
			return true
		}
	}
	return listed(dashes, m.tokens[i].word)
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
	for _, k := range []struct {
		class string
		kind  Kind
	}{{"LEAN", KindLeaning}, {"YEAR", KindTime}, {"DECADE", KindTime}, {"SCIENCE", KindEvidence}, {"PLACE", KindPlace}, {"LAND", KindPlace}, {"NATION", KindPlace}, {"FIELD", KindTopic}} {
		c := choice{name: k.class}
		for i := m.who.start; i < m.who.end; i++ {
			if m.choice(&c, i, func(end int) bool { return end <= m.who.end }) || m.possessiveOf(i, k.class) {
				return k.kind
			}
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

// possessiveOf reports whether a word with 's is of a class.
func (m *match) possessiveOf(i int, class string) bool {
	word := m.tokens[i].word
	for _, end := range []string{"'s", "'"} {
		if owner, ok := strings.CutSuffix(word, end); ok && compiled().is(owner, class) {
			return true
		}
	}
	return false
}
