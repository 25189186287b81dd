package perspective

// Words that take a side, beside the participles and verbs of a stance.
const (
	supporters = " supportive pro supporters proponents advocates agree agrees agreeing agreement back backs help helps reinforce reinforces " +
		"strengthen strengthens justify accept upside "
	opponents = " against critical opposition opposed objection objections criticism criticisms counterevidence counter-argument " +
		"counter-arguments skeptical sceptical con opponents critics disagree disagrees disagreeing disagreement hurt hurts challenge " +
		"challenges weaken weakens conflicts resist doubt downside "
	spoken    = " speaks said made " // for or against
	negations = " not no never without don't doesn't didn't "
)

// Stance says which side a perspective asks for, by its words: 1 for "a claim that
// supports the argument", −1 for "arguments against". It is 0 if the words take no side
// or both, or negate one. Stance understands only English.
func Stance(perspective string) int {
	t := newText(perspective)
	supports, opposes := false, false
	for i, token := range t.tokens {
		switch word := token.word; {
		case listed(negations, word):
			return 0
		case listed(supporters+supportParticiples+supportVerbs, word), word == "for" && i > 0 && listed(evidence+spoken, t.tokens[i-1].word),
			t.at(i, "on", "the", "side", "of"):
			supports = true
		case listed(opponents+opposeParticiples+opposeVerbs, word), t.at(i, "on", "the", "other", "side"):
			opposes = true
		}
	}
	switch {
	case supports == opposes:
		return 0
	case supports:
		return 1
	}
	return -1
}
