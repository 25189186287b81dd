package perspective

import (
	"math/bits"
	"strings"
)

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

// Both reports whether a perspective asks for both sides of the root, such as "pros and cons of".
// It understands only English.
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

// openers are words before what a query asks for, in the order in which they stand.
const openers = "hi|hello|hey|ok|okay|so; please|pls|kindly; can|could|would|will you; please; " +
	"can|could|may|where_can|how_can|where_could|where_do i|we|one; i|we am|are looking|searching for; i'm|im|we're " +
	"looking|searching for; looking|searching for; i'd|we'd like|love; i|we want|need|would_like|like|wish; to? " +
	"see|read|know|hear|find|learn|get|have; let me|us see|read|hear|know; " +
	"find|find_me|search_for|look_for|show|show_me|show_us|give_me|give_us|get_me|tell_me|bring_me|list_of|list|name|provide; " +
	"read|about; to; explain|explain_to_me|discuss|describe|evaluate|analyse|analyze|consider|compare|weigh|weigh_up|outline|summarise|summarize; the; " +
	"good|interesting; only|just; what|which are|is|were|was|would_be|could_be; what's|whats|what_about|how_about; are|is there; do you have|know; " +
	"have_you_got|got|all_the|some_of_the; any|some|more|me; what|which; DET? ADJ overview|summary|list|collection|outline|rundown|compilation of; the"

// read finds what the text asks for. A text that a mark divides may have its root before the
// mark and the rest after it, or the other way round: "zoos: what speaks against them?", "both
// sides, please: dress codes".
func (m *match) read() string {
	n := m.words()
	for i := 2; i < n; i++ { // "for my debate on monday"
		if m.symbol(m.symbols["TAIL"], 1<<i)>>n != 0 {
			n = i
		}
	}
	m.within(0, n, false)
	marks := m.marked & (1<<n>>1 - 1)
	if marks != 0 && m.find(0, false) == "ordinary" {
		return "ordinary"
	}
	for _, m.strict = range []bool{true, false} {
		if asks := m.divided(n, marks); asks != "" {
			return asks
		}
	}
	m.within(0, n, false)
	if asks := m.request(); asks != "" {
		return asks
	}
	for leads := (m.symbol(m.symbols["LEAD"], m.all) | m.marked<<1) & m.all; leads != 0; leads &= leads - 1 {
		i := bits.TrailingZeros64(leads)
		if !(&text{tokens: m.tokens[:i]}).has(askers) {
			continue
		}
		if asks := m.find(i, true); asks != "" {
			return asks
		}
	}
	return ""
}

// divided finds what the part of the first n words before or after one of the marks asks for, if
// the root is the other part. What comes first is more likely the request, if the words between
// request and root are missing: "right-wing media: climate protests".
func (m *match) divided(n int, marks uint64) string {
	for tried := 0; marks != 0 && tried < maxMarks; tried++ {
		i := bits.Len64(marks)
		marks &^= 1 << (i - 1)
		before, after := span{0, i}, span{i, n}
		if !m.strict {
			before, after = after, before
		}
		for range 2 {
			m.within(after.start, after.end, true)
			if asks := m.request(); asks != "" {
				m.root, m.joint = before, span{}
				if m.trimRoot(); m.root.start < m.root.end {
					return asks
				}
			}
			before, after = after, before
		}
	}
	return ""
}

const (
	maxMarks = 3 // that may divide a text
	// askers stand in what people say before a request, of themselves, to others or about their task.
	askers = " i i'm im i've ive my me we us our you someone somebody anyone anybody debate essay homework question presentation help " +
		"assignment school class project task topic speech paper thesis exam hi hello hey "
)

// request finds what the words within the match ask for, with or without the openers before
// them. What they leave may begin with a root; "show jumping" is no request.
func (m *match) request() string {
	start := m.start
	for _, opener := range m.openers {
		to := m.ends(opener, 1<<start) & (1<<m.end - 1)
		if to>>(start+1) == 0 {
			continue
		}
		if asks := m.find(start, !m.bare); asks != "" {
			return asks
		}
		start = bits.Len64(to) - 1
	}
	return m.find(start, false)
}

// title reports whether capitals show that the text is the title of a work: "Against
// Nature Huysmans", "The Case for Mars". Those who ask for a case write "the case for".
func (t *text) title() bool {
	all := t.at(0, "against") && t.source[t.tokens[0].start+1] > 'Z'
	for i, k := range t.tokens {
		c := t.source[k.start]
		capital := 'A' <= c && c <= 'Z'
		if capital && i > 0 && listed(" case trouble problem praise defence defense favour favor ", k.word) && t.source[k.start+1] > 'Z' {
			return true
		}
		all = all && capital
	}
	return all
}

// apart returns the text with words such as anti-X and pro-X divided in two, and pros/cons in
// three, and with dashes as marks.
func (t text) apart() text {
	tokens := make([]token, 0, len(t.tokens)+1)
	for _, k := range t.tokens {
		k = k.bare()
		if n := len(tokens); n > 0 && listed(" - – — | ", k.word) {
			tokens[n-1].mark = '-'
			continue
		}
		if k.word == "" {
			continue
		}
		for _, prefix := range []string{"anti-", "pro-"} {
			if n := len(prefix); len(k.word) > n && strings.HasPrefix(k.word, prefix) && len(k.word) == k.end-k.start {
				tokens = append(tokens, token{word: prefix[:n-1], start: k.start, end: k.start + n - 1})
				k.word, k.start = k.word[n:], k.start+n
			}
		}
		if i := strings.IndexByte(k.word, '/'); i > 2 && len(k.word) == k.end-k.start && letter(k.word[i-1]) && i+3 < len(k.word) && letter(k.word[i+1]) {
			slash := k.start + i
			tokens = append(tokens, token{word: k.word[:i], start: k.start, end: slash}, token{word: "/", start: slash, end: slash + 1})
			k.word, k.start = k.word[i+1:], slash+1
		}
		tokens = append(tokens, k)
	}
	t.tokens = tokens
	return t
}

func letter(c byte) bool { return 'a' <= c && c <= 'z' }

// bare returns a word without the quotes and brackets around it, and with a plain apostrophe.
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

// trimRoot removes words from the root that belong neither to it nor to the perspective, such as
// dashes, and "the claim that" before it.
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
