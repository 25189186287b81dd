package rag

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/jonreiter/govader"
)

// The numbers of VADER (Hutto and Gilbert, 2014), by the names in vaderSentiment.
const (
	capitalsIncrease = .733 // C_INCR
	negation         = -.74 // N_SCALAR
	normalization    = 15   // alpha
)

// analyzer has the lexicons of package govader. It computes compound scores itself, because
// govader's differ from those of vaderSentiment 3.3.2, the authors' package, for one text in a few.
var analyzer = sync.OnceValue(func() *vader {
	g := govader.NewSentimentIntensityAnalyzer()
	v := &vader{words: g.Lexicon, emoji: g.EmojiDict, boosters: g.Constants.BoosterDict, idioms: g.Constants.SpecialCaseIdioms, negations: map[string]bool{}}
	v.words["heart"], v.words["hearts"] = 3.2, 3.3 // which govader lacks, like these idioms
	v.idioms["bus stop"], v.idioms["beating heart"] = 0, 3.5
	for _, word := range g.Constants.NegateList {
		v.negations[word] = true
	}
	return v
})

type vader struct {
	words, boosters, idioms map[string]float64
	emoji                   map[string]string
	negations               map[string]bool
}

// word is a word as it stands, and in lower case.
type word struct{ is, lower string }

// compound is the sentiment of a sentence, from −1 to 1, with four decimals.
func (v *vader) compound(text string) float64 {
	text = v.withoutEmoji(text)
	var words []word
	capitals := 0
	for _, is := range strings.FieldsFunc(text, isPythonSpace) {
		if bare := strings.Trim(is, "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"); utf8.RuneCountInString(bare) > 2 {
			is = bare // what is shorter may be an emoticon
		}
		words = append(words, word{is, strings.ToLower(is)})
		if isUpper(is) {
			capitals++
		}
	}
	if len(words) == 0 {
		return 0
	}
	differs := 0 < capitals && capitals < len(words)
	valences := make([]float64, len(words))
	for i, w := range words {
		_, booster := v.boosters[w.lower]
		if !booster && !(w.lower == "kind" && i+1 < len(words) && words[i+1].lower == "of") {
			valences[i] = v.valence(words, i, differs)
		}
	}
	contrast(words, valences)
	sum := 0.0
	for _, valence := range valences {
		sum += valence
	}
	switch emphasis := emphasis(text); {
	case sum > 0:
		sum += emphasis
	case sum < 0:
		sum -= emphasis
	}
	score, _ := strconv.ParseFloat(strconv.FormatFloat(sum/math.Sqrt(float64(sum*sum)+normalization), 'f', 4, 64), 64)
	return max(-1, min(1, score))
}

// withoutEmoji puts descriptions in the place of emoji.
func (v *vader) withoutEmoji(text string) string {
	var b strings.Builder
	spaced := true
	for _, r := range text {
		described, ok := v.emoji[string(r)]
		if !ok {
			b.WriteRune(r)
			spaced = r == ' '
			continue
		}
		if !spaced {
			b.WriteByte(' ')
		}
		b.WriteString(described)
		spaced = false
	}
	return strings.TrimFunc(b.String(), isPythonSpace)
}

// valence is that of a word, after what its neighbours change.
func (v *vader) valence(words []word, i int, differs bool) float64 {
	lower := words[i].lower
	valence, known := v.words[lower]
	if !known {
		return 0
	}
	is := func(back int, names ...string) bool { return i >= back && slices.Contains(names, words[i-back].lower) }
	if lower == "no" && i+1 < len(words) {
		if _, next := v.words[words[i+1].lower]; next {
			valence = 0 // it negates the next word
		}
	}
	if is(1, "no") || is(2, "no") || is(3, "no") && is(1, "or", "nor") {
		valence = v.words[lower] * negation
	}
	if differs && isUpper(words[i].is) {
		valence += signed(capitalsIncrease, valence)
	}
	for back := 1; back <= 3 && back <= i; back++ {
		before := words[i-back]
		if _, known := v.words[before.lower]; known {
			continue
		}
		valence += float64(v.boost(before, valence, differs) * []float64{1, .95, .9}[back-1])
		negated := v.negations[before.lower] || strings.Contains(before.lower, "n't")
		switch {
		case back == 2 && is(2, "never") && is(1, "so", "this"),
			// The second half counts without "never", too, as in vaderSentiment.
			back == 3 && (is(3, "never") && is(2, "so", "this") || is(1, "so", "this")):
			valence *= 1.25
		case back > 1 && is(back, "without") && (is(1, "doubt") || is(back-1, "doubt")):
		case negated:
			valence *= negation
		}
		if back == 3 {
			valence = v.idiom(words, i, valence)
		}
	}
	if _, known := v.words["least"]; !known && is(1, "least") && !is(2, "at", "very") {
		valence *= negation
	}
	return valence
}

// signed is a number with the sign of another. That of 0 is −.
func signed(n, like float64) float64 {
	if like > 0 {
		return n
	}
	return -n
}

// boost is what a word before another adds to its valence.
func (v *vader) boost(w word, valence float64, differs bool) float64 {
	scalar, ok := v.boosters[w.lower]
	if !ok {
		return 0
	}
	if valence < 0 {
		scalar = -scalar
	}
	if differs && isUpper(w.is) {
		scalar += signed(capitalsIncrease, valence)
	}
	return scalar
}

// idiom is the valence after a look at idioms around a word with three words before it.
func (v *vader) idiom(words []word, i int, valence float64) float64 {
	phrase := func(from, to int) string { // to is part of it
		parts := make([]string, 0, 3)
		for _, w := range words[i+from : i+to+1] {
			parts = append(parts, w.lower)
		}
		return strings.Join(parts, " ")
	}
	for _, at := range [][2]int{{-1, 0}, {-2, 0}, {-2, -1}, {-3, -1}, {-3, -2}} {
		if special, ok := v.idioms[phrase(at[0], at[1])]; ok {
			valence = special
			break
		}
	}
	for to := 1; to <= 2 && i+to < len(words); to++ {
		if special, ok := v.idioms[phrase(0, to)]; ok {
			valence = special
		}
	}
	for _, at := range [][2]int{{-3, -1}, {-3, -2}, {-2, -1}} {
		valence += v.boosters[phrase(at[0], at[1])]
	}
	return valence
}

// contrast halves what stands before "but", and adds half to what stands after it. Like vaderSentiment, it takes
// the first of equal valences for each of them.
func contrast(words []word, valences []float64) {
	but := slices.IndexFunc(words, func(w word) bool { return w.lower == "but" })
	if but < 0 {
		return
	}
	for i := range valences {
		switch at := slices.Index(valences, valences[i]); {
		case at < but:
			valences[at] *= .5
		case at > but:
			valences[at] *= 1.5
		}
	}
}

// emphasis is what exclamation and question marks add.
func emphasis(text string) float64 {
	sum := float64(float64(min(4, strings.Count(text, "!"))) * .292)
	switch n := strings.Count(text, "?"); {
	case n > 3:
		sum += .96
	case n > 1:
		sum += float64(float64(n) * .18)
	}
	return sum
}

// isUpper is Python's isupper.
func isUpper(s string) bool {
	upper := false
	for _, r := range s {
		if unicode.IsLower(r) || unicode.IsTitle(r) || unicode.Is(unicode.Other_Lowercase, r) {
			return false
		}
		upper = upper || unicode.IsUpper(r) || unicode.Is(unicode.Other_Uppercase, r)
	}
	return upper
}

// isPythonSpace is Python's isspace.
func isPythonSpace(r rune) bool { return unicode.IsSpace(r) || 0x1c <= r && r <= 0x1f }
