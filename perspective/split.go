package perspective

import "strings"

// Split splits a query's text into its root query and its perspective by the wording
// alone, without a model:
//
//	Find a claim that opposes the argument: X                     X | a claim that opposes the argument
//	find a news article from the left wing on the topic: X        X | a news article from the left wing
//	Find a story that is an analogy to the following story: X     X | a story that is an analogy
//	From left-wing media, find a news article on the topic: X     X | a news article from left-wing media
//	Find a forecast with regard to the claim: X                   X | a forecast
//	what farmers say about this: X                                X | what farmers say
//	evidence that contradicts the claim that X                    X | evidence that contradicts the claim
//	arguments against X                                           X | arguments against
//	X, from the perspective of Y                                  X | the perspective of Y
//	X according to Y                                              X | according to Y
//	pros and cons of X                                            X | pros and cons of
//	why X is bad                                                  X | why is bad
//
// The grammar (grammar.go) has more everyday wordings. Both parts are substrings of the
// query without surrounding space, with three exceptions: words on both sides of the root
// are joined, a phrase before the request ("From left-wing media") moves to the end of the
// perspective, and a final question mark may go with the root. If the wording does not
// separate the parts, ok is false and both parts are empty. Examples are most questions, bare
// topics, and requests that name no perspective ("find a book about X"). Split understands
// only English.
func Split(query string) (root, perspective string, ok bool) {
	t := newText(query)
	if t.incomplete() {
		return "", "", false
	}
	if root, perspective, ok := splitForm(t); ok {
		return root, perspective, ok
	}
	root, perspective, ordinary := splitEveryday(t)
	if ordinary || root != "" && perspective != "" {
		return root, perspective, !ordinary
	}
	for _, rule := range []func(text) (string, string, bool){splitStance, splitTopic} {
		if root, perspective, ok := rule(t); ok && root != "" && perspective != "" {
			return root, perspective, true
		}
	}
	return "", "", false
}

// incomplete reports whether a text is empty, or a request without its root.
func (t *text) incomplete() bool {
	n := t.words()
	return n == 0 || t.tokens[n-1].mark == ':'
}

// splitForm splits the forms that say by themselves what is the root.
func splitForm(t text) (root, perspective string, ok bool) {
	for _, rule := range []func(text) (string, string, bool){splitSource, splitColon, splitViewpoint} {
		if root, perspective, ok := rule(t); ok && root != "" && perspective != "" {
			return root, perspective, true
		}
	}
	return "", "", false
}

// maxWanted is the greatest number of words that the requested thing may have. More words are a
// sentence of the root, not a request.
const maxWanted = 32

// splitColon splits the form "requested thing: root".
func splitColon(t text) (root, perspective string, ok bool) {
	start := t.request()
	colon := t.marked(start, ':')
	if colon < 0 || colon+1 == t.words() || colon-start > maxWanted {
		return "", "", false
	}
	end := colon + 1
	pointer := t.pointer(end)
	if start == 0 { // Without a request, only a stance, a view or words about "the claim" count as a perspective, because other texts with a colon may be book titles with subtitles.
		if t.stance(0, false) < 0 && !t.viewpoint(0, end) && !t.opinion(end) && pointer < 2 && !t.sided(0, end) {
			return "", "", false
		}
	} else if !t.qualified(start, end) && pointer == 0 && !t.sided(start, end) {
		return "", "", false
	}
	return t.from(end), t.span(start, t.trimConnective(start, end)), true
}

// splitSource splits the forms "From Y, find …: X" and "From the perspective of Y, X".
func splitSource(t text) (root, perspective string, ok bool) {
	comma := t.marked(0, ',')
	if !t.at(0, "from") || comma < 1 || comma+1 == t.words() || comma > maxWanted {
		return "", "", false
	}
	source, rest := t.span(1, comma+1), newText(t.from(comma+1))
	start := rest.request()
	if start == 0 {
		return rest.source, source, t.viewpoint(1, comma+1)
	}
	end := rest.marked(start, ':') + 1
	after := end
	if end == 0 {
		end, after = rest.topic(start)
	}
	if end < 0 || after >= rest.words() {
		return "", "", false
	}
	return rest.from(after), rest.span(start, rest.trimConnective(start, end)) + " from " + source, true
}

// splitStance splits the form of a document or claim, its stance, and the root.
func splitStance(t text) (root, perspective string, ok bool) {
	start := t.request()
	end := t.stance(start, start > 0)
	if end < 0 || end-start > maxWanted {
		return "", "", false
	}
	after := end
	if claim := t.claim(end); claim > 0 {
		end, after = claim, claim+1 // in "the claim that", the word "that" belongs to neither part
	}
	return t.from(after), t.span(start, end), true
}

// splitTopic splits a request for something of a certain kind on a topic, without a
// colon.
func splitTopic(t text) (root, perspective string, ok bool) {
	start := t.request()
	if start == 0 {
		return "", "", false
	}
	end, after := t.topic(start)
	if end < 0 || end-start > maxWanted || !t.qualified(start, end) {
		return "", "", false
	}
	return t.from(after), t.span(start, end), true
}

// viewless are words before "according to", and noViews words right after it, if nobody's
// view follows: "cite according to apa", "the world according to garp", "according to plan".
const (
	viewless = " gospel world cite sort arrange whom "
	noViews  = " plan schedule size weight date "
)

// splitViewpoint splits the form of the root, followed by the person or group whose
// view is wanted.
func splitViewpoint(t text) (root, perspective string, ok bool) {
	for i := t.words() - 2; i > 0 && t.words()-i <= maxWanted; i-- {
		start := i
		switch {
		case t.at(i, "from") && t.viewpoint(i+1, t.words()):
			start = i + 1
		case i > 1 && (t.at(i, "according", "to") && i+2 < t.words() && !(&text{tokens: t.tokens[:i]}).has(viewless) && !listed(noViews, t.tokens[i+2].word) || t.at(i, "as", "seen", "by")) && t.wordsIn(i) > 2:
		default:
			continue
		}
		root, perspective = t.span(0, i), t.span(start, t.words())
		if strings.HasSuffix(t.source, "?") {
			root += "?"
		}
		return root, perspective, true
	}
	return "", "", false
}
