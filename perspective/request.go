package perspective

import "math/bits"

// openers are words before what a query asks for, in the order in which they stand.
const openers = "hi|hello|hey|ok|okay|so; please|pls|kindly; can|could|would|will you; please; " +
	"can|could|may|where_can|how_can|where_could|where_do i|we|one; i|we am|are looking|searching for; i'm|im|we're " +
	"looking|searching for; looking|searching for; i|we would like|love; i|we want|need|would_like|like|wish; to? " +
	"see|read|know|hear|find|learn|get|have; let me|us see|read|hear|know; " +
	"find|find_me|search_for|look_for|show|show_me|show_us|give_me|give_us|get_me|tell_me|bring_me|list_of|list|name|provide; " +
	"read|about; to; explain|explain_to_me|discuss|describe|evaluate|analyse|analyze|consider|compare|weigh|weigh_up|outline|summarise|summarize; the; " +
	"good|interesting; only|just; what|which are|is|were|was|would_be|could_be; what's|whats|what_about|how_about; are|is there; do you have|know; " +
	"have_you_got|got|all_the|some_of_the; any|some|more|me; what|which; DET? ADJ overview|summary|list|collection|outline|rundown|compilation of; the"

// read finds what the text asks for. A text that a mark divides may have its root before the
// mark and the rest after it, or the other way round: "zoos: what speaks against them?", "both
// sides: dress codes".
func (m *match) read() string {
	n := m.words()
	for i := 2; i < n; i++ { // "for my debate on monday"
		if m.symbol(m.symbols["TAIL"], 1<<i)>>n != 0 {
			n = i
		}
	}
	m.within(0, n, false)
	marks := m.marked & (1<<n>>1 - 1)
	if bits.OnesCount64(marks) > maxMarks {
		marks = 0
	}
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
	if asks := m.asked(n); asks != "" {
		return asks
	}
	m.within(0, n, false)
	for leads := (m.symbol(m.symbols["LEAD"], m.all) | marks<<1) & m.all; leads != 0; leads &= leads - 1 {
		i := bits.TrailingZeros64(leads)
		if !(&text{tokens: m.tokens[:i]}).has(askers) {
			continue
		}
		if asks := m.find(i, true); asks != "" {
			return asks
		}
	}
	for i, filled := 1, uint64(1); i < n; i++ { // "a list with | pros and cons of solar panels"
		if filled = m.symbol(m.symbols["FILL"], filled); filled == 0 || m.marked>>(i-1)&1 != 0 {
			break
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
	for marks != 0 {
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
				if to := m.ends(m.about, 1<<before.start); to != 0 { // "farmers' view: articles on wolves"
					if i := bits.TrailingZeros64(to); i < before.end {
						m.root.start, m.joint = i, span{before.start, i}
					}
				}
				if m.trimRoot(); m.root.start < m.root.end && m.first>>m.root.start&1 != 0 && !m.takesSide(m.root.start) && !m.takesSide(m.root.end-1) {
					return asks
				}
			}
			before, after = after, before
		}
	}
	return ""
}

// asked finds what a question after the root asks for, if no mark is between them: "palm oil why is it bad".
func (m *match) asked(n int) string {
	if m.topic&1 == 0 {
		return ""
	}
	for _, m.strict = range []bool{true, false} {
		for i := 1; i+1 < n; i++ {
			if !m.in(i, " what whats what's why how is are ") {
				continue
			}
			m.within(i, n, true)
			if asks := m.find(i, true); asks != "" {
				m.start, m.root, m.joint = 0, span{0, i}, span{}
				if m.trimRoot(); m.root.start < m.root.end {
					return asks
				}
			}
		}
	}
	return ""
}

// takesSide reports whether a noun that takes a side is at place i: "advantages, disadvantages of home
// schooling".
func (m *match) takesSide(i int) bool {
	return (m.symbol(m.symbols["GOODS"], 1<<i)|m.symbol(m.symbols["BADS"], 1<<i))&^(1<<i) != 0
}

const (
	maxMarks = 3 // that may divide a text; one with more is a list, or long
	// askers are words of what people say before a request: about themselves, to others, or about their task.
	askers = " i i'm im i've ive my me we us our you someone somebody anyone anybody debate essay homework question presentation help " +
		"assignment school class project task topic speech paper thesis exam hi hello hey "
)

// request finds what the words within the match ask for, with or without the openers before
// them. Rows that begin with the root are tried only when no opener is left: the root of "show
// zoos pros and cons" is "zoos".
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
