package perspective

import "strings"

// These are the words that Split recognises. Lists have a space around every word.
const (
	requestVerbs = " find show give get list retrieve fetch provide search look "
	determiners  = " a an the some any all "

	// evidence can take a stance.
	evidence = " argument arguments point points claim claims evidence counterevidence proof proofs reason reasons statement statements " +
		"opinion opinions view views study studies finding findings fact facts objection objections criticism criticisms " +
		"opposition case "

	// documents can have a stance, too, but "article supporting" only counts if the
	// text contains a request.
	documents = " article articles news paper papers passage passages document documents text texts source sources report " +
		"reports essay essays editorial editorials column columns letter letters sentence sentences story stories book books " +
		"post posts comment comments review reviews quote quotes research survey surveys experiment experiments example examples "

	// These express a stance as a participle, and as a verb after "that".
	stanceParticiples  = supportParticiples + opposeParticiples
	stanceVerbs        = supportVerbs + opposeVerbs
	supportParticiples = " supporting endorsing defending confirming favoring favouring "
	supportVerbs       = " support supports endorse endorses defend defends confirm confirms favor favors favour favours "
	opposeParticiples  = " opposing contradicting refuting undermining rejecting disputing rebutting disproving criticizing criticising attacking "
	opposeVerbs        = " oppose opposes contradict contradicts refute refutes undermine undermines reject rejects dispute disputes rebut " +
		"rebuts disprove disproves criticize criticizes criticise criticises attack attacks "

	// claims can be followed by "that" and the content of the claim.
	claims = " claim argument idea statement view notion thesis hypothesis belief proposition motion assertion theory position fact "

	// These nouns can name the root if the text points at it ("on the question: X").
	roots = claims + " question proposal plan debate demand rule measure matter advice policy "

	// joints only join the requested thing to the name of the root.
	joints = "| about | on | concerning | regarding | given | related to | relevant to | bearing on | with regard to | with respect to | " +
		"in relation to | in connection with | as regards | in the light of | if we accept | on the subject of | in the debate on | " +
		"in the debate about |"

	// voices are verbs that express an opinion ("what farmers say").
	voices = " think thinks say says see sees feel feels report reports experience experiences "

	// qualifiers distinguish a request for something specific ("an article from the
	// left wing") from a request that only names a kind of document ("a news article").
	qualifiers = " that which who whose from by in against with for relates relating related happened happening written " +
		"published neutral critical positive negative left-wing right-wing left-leaning right-leaning liberal conservative " +
		"progressive centrist supportive skeptical sceptical " + stanceParticiples + stanceVerbs

	viewpointNouns = " perspective viewpoint standpoint angle "
	prepositions   = " to with as of on about "
)

// request is the number of words with which the text asks for something: "Find",
// "Please show me", "I am looking for". It is 0 if the text asks for nothing.
func (t *text) request() int {
	i := 0
	for _, polite := range [][]string{{"please"}, {"can", "you"}, {"could", "you"}, {"please"}} {
		if t.at(i, polite...) {
			i += len(polite)
		}
	}
	for _, wish := range [][]string{{"i", "am", "looking", "for"}, {"i'm", "looking", "for"}, {"looking", "for"}, {"i", "want"}, {"i", "need"}} {
		if t.at(i, wish...) {
			return i + len(wish)
		}
	}
	if !t.in(i, requestVerbs) {
		return 0
	}
	bare := t.at(i, "search") || t.at(i, "look")
	i++
	if t.at(i, "me") || t.at(i, "us") {
		i++
	}
	if t.at(i, "for") {
		return i + 1
	}
	if bare {
		return 0
	}
	return i
}

// stance is the end of a phrase such as "arguments against", "a claim that opposes" or
// "evidence in favour of" that begins at word i, or -1. After a request, the phrase may
// also name a document.
func (t *text) stance(i int, requested bool) int {
	const reach = 6 // words up to and including the noun, with its adjectives
	for n := i; n < min(i+reach, t.words()-1); n++ {
		if t.tokens[n].mark != 0 {
			return -1
		}
		if !t.in(n, evidence) && !(requested && t.in(n, documents)) {
			continue
		}
		if end := t.stanceAfter(n, requested); end > 0 {
			return end
		}
	}
	return -1
}

// stanceAfter is the end of the stance that follows the noun at word n, or -1. Without
// a request, a verb must follow "that" or "which", because "study supports ban" is a
// headline.
func (t *text) stanceAfter(n int, requested bool) int {
	i := n + 1
	for _, words := range [][]string{
		{"against"}, {"for", "and", "against"}, {"critical", "of"}, {"in", "favor", "of"}, {"in", "favour", "of"}, {"in", "support", "of"},
		{"in", "opposition", "to"},
	} {
		if t.at(i, words...) {
			return i + len(words)
		}
	}
	switch noun := t.tokens[n].word; {
	case t.at(i, "for") && listed(" argument arguments evidence ", noun),
		t.at(i, "to") && listed(" objection objections opposition ", noun),
		t.at(i, "of") && listed(" criticism criticisms ", noun):
		return i + 1
	case t.in(i, stanceParticiples), requested && t.in(i, stanceVerbs):
		return i + 1
	case (t.at(i, "that") || t.at(i, "which")) && t.in(i+1, stanceVerbs):
		return i + 2
	}
	return -1
}

// claim is the end of "the claim" at word i if "that" follows it, otherwise 0.
func (t *text) claim(i int) int {
	if t.in(i, determiners) {
		i++
	}
	if t.in(i, claims) && t.at(i+1, "that") && i+2 < t.words() {
		return i + 1
	}
	return 0
}

// topic is the start and end of the first "about", "on the topic of" or similar phrase
// after word i, or -1.
func (t *text) topic(i int) (start, end int) {
	for i++; i < t.words()-1; i++ {
		for _, words := range [][]string{
			{"about"}, {"regarding"}, {"concerning"}, {"on", "the", "topic", "of"}, {"on", "the", "subject", "of"}, {"on", "the", "issue", "of"},
		} {
			if t.at(i, words...) && i+len(words) < t.words() {
				return i, i + len(words)
			}
		}
	}
	return -1, -1
}

// qualified reports whether words [i, j) say more than the kind of document.
func (t *text) qualified(i, j int) bool {
	for k := i; k < j; k++ {
		if listed(qualifiers, t.tokens[k].word) {
			return true
		}
	}
	return false
}

// viewpoint reports whether words [i, j) are "the perspective of Y" or "a Y
// perspective".
func (t *text) viewpoint(i, j int) bool {
	if j-i < 3 || !t.in(i, determiners) {
		return false
	}
	if t.at(i+1, "point", "of", "view", "of") && j-i > 5 || t.in(i+1, viewpointNouns) && t.at(i+2, "of") && j-i > 3 {
		return true
	}
	return listed(viewpointNouns, t.tokens[j-1].word) || j-i > 4 && t.at(j-3, "point", "of", "view")
}

// pointer is the number of words before end that point at the root, such as "the claim"
// or "this". It is 0 if there are none.
func (t *text) pointer(end int) int {
	last := t.tokens[end-1].word
	switch {
	case last == "this":
		return 1
	case end > 1 && listed(roots, last) && t.in(end-2, " the this "):
		return 2
	}
	return 0
}

// sided reports whether words [i, j) take a side towards something that they only point
// at: "an upside of the change".
func (t *text) sided(i, j int) bool {
	last := t.tokens[j-1].word
	points := last == "it" || last == "this" || j-i > 3 && listed(" the this ", t.tokens[j-2].word)
	return points && Stance(t.span(i, j)) != 0
}

// opinion reports whether words [0, end) ask for somebody's opinion.
func (t *text) opinion(end int) bool {
	if !t.in(0, " what how why ") {
		return false
	}
	for k := 2; k < end; k++ {
		if listed(voices, t.tokens[k].word) {
			return true
		}
	}
	return false
}

// trimPointer is the end of words [i, j) without the words from end on, which point at
// the root, and without the words of joints before these. It is j if there are no such
// words, or if only a kind of text would be left ("a claim").
func (t *text) trimPointer(i, end, j int) int {
	for k := max(i+1, end-4); k < end; k++ {
		if !strings.Contains(joints, "| "+lower(t.span(k, end))+" |") {
			continue
		}
		if last := t.tokens[k-1].word; k-i <= 2 && (listed(evidence, last) || listed(documents, last)) {
			return j
		}
		return k
	}
	return j
}

// trimConnective is the end of words [i, j) without words that only join them to the
// root: "to the following story", "on the topic", "and similar to the following news",
// "and has the same topic as".
func (t *text) trimConnective(i, j int) int {
	if n := t.pointer(j); n > 0 {
		return t.trimPointer(i, j-n, j)
	}
	for k := j - 1; k > i && k >= j-2; k-- {
		if t.tokens[k].word == "following" {
			j = k
			if j > i && t.tokens[j-1].word == "the" {
				j--
			}
			if j > i && listed(prepositions, t.tokens[j-1].word) {
				j--
			}
			break
		}
	}
	for _, tail := range [][]string{
		{"on", "the", "topic"}, {"on", "the", "topic", "of"}, {"on", "the", "subject"}, {"on", "the", "subject", "of"}, {"on", "the", "issue"},
		{"about", "the", "topic"}, {"and", "similar"}, {"and", "similar", "to"}, {"and", "is", "similar"}, {"and", "is", "similar", "to"},
		{"and", "has", "the", "same", "topic"}, {"and", "has", "the", "same", "topic", "as"},
	} {
		if k := j - len(tail); k > i && t.at(k, tail...) {
			return k
		}
	}
	return j
}
