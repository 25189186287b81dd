package perspective

// Kind says what sort of thing a perspective asks for, judged by its wording. If a query names
// no method, its kind decides which one is taken.
type Kind string

// The kinds of perspective.
const (
	KindNone     Kind = ""         // no perspective
	KindStance   Kind = "stance"   // for or against the root
	KindLeaning  Kind = "leaning"  // of a political side
	KindTime     Kind = "time"     // a period
	KindTopic    Kind = "topic"    // a subtopic
	KindPlace    Kind = "place"    // a country, a city or a kind of place
	KindAnalogy  Kind = "analogy"  // something that is like the root
	KindConverse Kind = "converse" // what the root itself supports or opposes
	KindEvidence Kind = "evidence" // a sort of evidence, such as figures or an example
	KindAudience Kind = "audience" // those who speak, or whose concern it is
	KindFree     Kind = "free"     // free words: anything else
)

// Kinds lists the kinds in the order in which KindOf looks for them. The caller may
// change the result.
func Kinds() []Kind {
	return []Kind{KindNone, KindStance, KindLeaning, KindTime, KindTopic, KindPlace, KindAnalogy, KindConverse, KindEvidence, KindAudience, KindFree}
}

// Words that tell the kinds apart. A word of a text is looked up without its 's.
const (
	leanings = " left-wing right-wing left-leaning right-leaning liberal liberals conservative conservatives progressive progressives " +
		"centrist centrists partisan bipartisan republican republicans democrat democrats libertarian libertarians neutral biased unbiased "
	times = " past future history historic historical earlier later former formerly ancient medieval modern today nowadays decade decades " +
		"century centuries year years ago era period early precedent precedents memory memories forecast forecasts prediction predictions " +
		"prospect prospects expectation expectations ahead coming tomorrow yesterday generation generations retrospective "
	topics = " topic topics subtopic subtopics subject subjects theme themes category relates related relating concerns concerning regarding "
	places = " island islands village villages city cities town towns country countries region regions valley valleys abroad location " +
		"place places continent rural urban local nation nations coast suburb suburbs "
	analogies = " analogy analogies analogous similar comparison comparisons parallel parallels metaphor metaphors resembles resembling alike "
	evidences = " figure figures statistic statistics statistical survey surveys number numbers count counts counted data percentage anecdote " +
		"anecdotes anecdotal personal story stories expert experts specialist specialists professional scientist scientists example " +
		"examples principle principles account trial trials study studies research experiment experiments quote quotes quotation "
	audiences = " audience perspective viewpoint standpoint view views angle concern concerns interest interests feelings thoughts " +
		"experience experiences people parent parents families employers customers students teachers workers "
	voicing = voices + " said tell tells live lives notice notices count fare goes go go-through matters matter means mean affects affect feel feels report reports "
)

// KindOf returns the kind of perspective that a wording asks for: that of the first row of the
// grammar that it fits, else that of its words. Of several kinds, the first in the order of Kinds
// wins, with a few exceptions. Unknown words are KindFree. KindOf understands only English.
func KindOf(perspective string) Kind {
	t := newText(perspective)
	if t.words() == 0 {
		return KindNone
	}
	if _, kind := meaningOf(perspective); kind != KindNone {
		return kind
	}
	stance, reversed := Stance(perspective) != 0, t.reversed()
	switch {
	case t.named("relates", "to") || t.named("related", "to"):
		return KindTopic
	case stance && !reversed:
		return KindStance
	case t.leans():
		return KindLeaning
	case t.has(times) || t.named("one", "day") || t.named("used", "to") || t.dated():
		return KindTime
	case t.has(topics) && !t.has(places):
		return KindTopic
	case t.has(places) && !t.at(t.words()-2, "for") || t.names():
		return KindPlace
	case t.has(analogies):
		return KindAnalogy
	case stance && reversed:
		return KindConverse
	case reversed:
		return KindFree
	case t.has(evidences) || t.named("first", "person") || t.named("one", "person's"):
		return KindEvidence
	case t.has(audiences+voicing) || t.possessive() || t.named("those", "who") || t.has(" for from by ") && t.words() > 2:
		return KindAudience
	}
	return KindFree
}

// has reports whether a word of the text is listed.
func (t *text) has(list string) bool {
	for _, token := range t.tokens {
		if listed(list, stem(token.word)) {
			return true
		}
	}
	return false
}

// stem is a word without 's.
func stem(word string) string {
	if n := len(word) - 2; n > 0 && word[n:] == "'s" {
		return word[:n]
	}
	return word
}

// named reports whether the words are in the text, one after the other.
func (t *text) named(words ...string) bool {
	for i := range t.tokens {
		if t.at(i, words...) {
			return true
		}
	}
	return false
}

// leans reports whether the text names a political side.
func (t *text) leans() bool {
	if t.has(leanings) {
		return true
	}
	for i := range t.tokens {
		if (t.at(i, "left") || t.at(i, "right") || t.at(i, "center") || t.at(i, "centre")) && (t.at(i+1, "wing") || t.at(i-1, "the") && i+1 == t.words()) {
			return true
		}
	}
	return false
}

// dated reports whether a word is a year from 1000 to 2999, with or without "s".
func (t *text) dated() bool {
	for _, token := range t.tokens {
		w := token.word
		if len(w) == 5 && w[4] == 's' {
			w = w[:4]
		}
		if len(w) == 4 && (w[0] == '1' || w[0] == '2') && digit(w[1]) && digit(w[2]) && digit(w[3]) {
			return true
		}
	}
	return false
}

func digit(c byte) bool { return '0' <= c && c <= '9' }

// names reports whether a word after the first begins with a capital letter, as names of places
// and adjectives of nations do. "I" does not count.
func (t *text) names() bool {
	for _, token := range t.tokens[1:] {
		if c := t.source[token.start]; 'A' <= c && c <= 'Z' && token.end-token.start > 1 {
			return true
		}
	}
	return false
}

// possessive reports whether a word ends in 's or s', as in "the owner's side".
func (t *text) possessive() bool {
	for _, token := range t.tokens {
		if possessive(token.word) {
			return true
		}
	}
	return false
}

func possessive(word string) bool {
	n := len(word)
	return n > 2 && (word[n-2:] == "'s" || word[n-2:] == "s'")
}

// reversed reports whether the wording asks for what the root supports or opposes, as in "a
// claim that this sentence supports", and not for what supports or opposes the root.
func (t *text) reversed() bool {
	for i := 1; i+2 < t.words(); i++ {
		if (t.at(i, "that", "this") || t.at(i, "which", "this") || t.at(i, "that", "the") || t.at(i, "which", "the")) && !t.in(i+2, stanceVerbs) {
			return true
		}
	}
	return false
}
