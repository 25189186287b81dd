package perspective

import "strings"

// Word is a word of a query, and what a model says of it.
type Word struct {
	Start, End int     // bytes of the query
	Root       float32 // how likely the word belongs to the root: log-odds
}

// Words cuts a query into words as the models of internal/recipes/reader take them. An ASCII
// mark is a word of its own.
func Words(query string) (words []Word) {
	inside := false
	for i := range len(query) {
		c := query[i]
		visible, wordly := c > ' ' && c != 0x7f, isWordly(c)
		if visible && !(inside && wordly) {
			words = append(words, Word{Start: i})
		}
		if visible {
			words[len(words)-1].End = i + 1
		}
		inside = wordly
	}
	return words
}

// isWordly reports whether a byte belongs to a word: it is neither a space nor an ASCII mark.
func isWordly(c byte) bool { return c >= 0x80 || digit(c) || 'a' <= c|0x20 && c|0x20 <= 'z' }

// labels are those that ReadTagged knows besides "".
const labels = " stance:for stance:against stance:both stance leaning time topic place analogy converse evidence audience free "

// IsLabel reports whether ReadTagged knows a label of a model.
func IsLabel(label string) bool {
	return label == "" || listed(labels, label) && strings.IndexByte(label, ' ') < 0
}

// ReadTagged reads a query as Read does, with what a model says of it in place of the grammar: whether
// each word belongs to the root, and a label. That is a kind of perspective, with a colon and
// its side if it has one ("stance:against", "place"), or "" if the query asks for no perspective.
// Benchmarks' requests, such as "Find a claim that opposes the argument: X", are read by their form
// all the same, which says more certainly where the root begins. It may change words.
func ReadTagged(query string, words []Word, label string) Reading {
	t := newText(query)
	if t.incomplete() {
		return Reading{}
	}
	if root, perspective, ok := splitForm(t); ok {
		return reading(root, perspective)
	}
	if label == "" {
		return Reading{}
	}
	kind, side, _ := strings.Cut(label, ":")
	r := Reading{Kind: Kind(kind), Both: side == "both"}
	r.Root, r.Perspective = partsOf(query, words)
	wording := "arguments for"
	switch side {
	case "":
		wording = r.Perspective
	case "for":
		r.Side = 1
	case "against":
		r.Side, wording = -1, "arguments against"
	case "both":
		wording += " and against"
	}
	if r.Root == "" || r.Perspective == "" {
		return Reading{}
	}
	// The methods judge the side by the wording, and words that only the model understands need others.
	if Stance(r.Perspective) != r.Side || Both(r.Perspective) != r.Both {
		r.Perspective = wording
	}
	return r
}

// partsOf joins the words of the root, and those beside it. Models are not asked about articles and marks: an
// article goes with the next word, and marks that touch a word with that ("C++", "50%").
func partsOf(query string, words []Word) (root, rest string) {
	asked := words[:0]
	for i, w := range words {
		if isAsked(query[w.Start:w.End], i == 0) {
			asked = append(asked, w)
		}
	}
	decode(asked)
	from := 0
	for i, w := range asked {
		in, to := w.Root > 0, len(query)
		if i+1 < len(asked) {
			next := asked[i+1]
			if next.Root > 0 == in {
				continue
			}
			for to = w.End; to < next.Start && query[to] > ' '; {
				to++
			}
			if to == next.Start { // no space is between them
				to = w.End
			}
		}
		part := &rest
		if in {
			part = &root
		}
		*part = strings.Trim(*part+" "+strings.Trim(query[from:to], "\x00\t\n\r ,.;:?!-–—"), " ")
		from = to
	}
	return root, rest
}

// isAsked reports whether a model is asked about a word: it is neither a mark nor an article. A capital A is one only at
// the beginning ("vitamin A").
func isAsked(word string, first bool) bool {
	return isWordly(word[0]) && !listed(dashes+"a an the The An THE ", word) && (word != "A" || !first)
}

// apart is what each part of a root costs, so that words between two parts are left out only if the model is sure. It is
// a constant of the training in internal/recipes/reader, too.
const apart = 2

// decode sets each word's Root to 1 or -1, so that the sum of the numbers in the root, less apart for each
// of its parts, is the greatest (Viterbi's algorithm).
func decode(words []Word) {
	inside, outside := float32(-1e30), float32(0)
	stays := make([][2]bool, len(words)) // whether the word before is in the root, if this one is not, and if it is
	for i, w := range words {
		open := outside - apart
		stays[i] = [2]bool{inside > outside, inside >= open}
		if inside > outside {
			outside = inside
		}
		if inside < open {
			inside = open
		}
		inside += w.Root
	}
	in := inside > outside
	for i := len(words) - 1; i >= 0; i-- {
		words[i].Root = -1
		before := stays[i][0]
		if in {
			words[i].Root, before = 1, stays[i][1]
		}
		in = before
	}
}
