package perspective

// maxRead is the most words of a query that the grammar reads. A longer query is not an everyday
// wording.
const maxRead = 40

// match is a text with the ways in which a pattern may fit it.
type match struct {
	text
	*lexicon
	bare   bool // the text has no root, only a perspective
	strict bool // if bare: words that usually join perspective and root must still be there

	// Sets of words: bit i is word i.
	all, marked, paused, owners  uint64 // all words; those with a punctuation mark, with one other than a comma, and with 's or s'
	function, nobody, speechless uint64 // words of the lists of these names in words.go
	adverbs                      uint64 // words that may stand between any others
	first, topic, said           uint64 // words that may begin a root, or a topic, or say what should be
	last                         uint64 // places where a root may end

	where []uint64                    // by symbol: the words that it stands for
	tried []struct{ from, to uint64 } // cache, by class: where it ends (to) if it begins at from; many rows ask for the same

	root, who  span
	joint      span // words beside the root that belong neither to it nor to the perspective
	start, end int  // the words that are matched: those before start only introduce the request
}

// span is a range of words.
type span struct{ start, end int }

// newMatch prepares a text of at most maxRead words.
func newMatch(t text, bare bool) *match {
	once.Do(readGrammar)
	n := t.words()
	m := &match{text: t, lexicon: &known, bare: bare, all: 1<<n - 1, last: 1 << n, end: n}
	m.where = make([]uint64, len(m.symbols))
	m.tried = make([]struct{ from, to uint64 }, len(m.forms))
	for i, k := range t.tokens {
		bit, word := uint64(1)<<i, k.word
		stem := singular(word)
		for _, list := range [][]symbol{m.meanings[word], m.meanings[stem], m.meanings[formed(word)], m.nation(stem)} {
			for _, s := range list {
				m.where[s] |= bit
			}
		}
		if nations := m.symbols["NATION"]; stem != word && m.where[nations]&bit != 0 {
			m.where[m.symbols["NATIONALS"]] |= bit // "germans"
		}
		before := byte(0)
		if i > 0 {
			before = t.tokens[i-1].mark
		}
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
		if listed(speechless, word) {
			m.speechless |= bit
		}
		if !listed(notFirst, word) && !(i > 0 && before == 0 && listed(auxiliaries, word)) {
			m.first |= bit
			if !listed(questions, word) {
				m.topic |= bit
			}
		}
		if listed(adverbs, word) {
			m.adverbs |= bit
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

// within restricts the match to the words from start to end, with or without a root among them.
func (m *match) within(start, end int, bare bool) {
	m.start, m.end, m.bare = start, end, bare
	clear(m.tried)
}
