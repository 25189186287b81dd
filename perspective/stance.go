package perspective

// Words that take a side, beside the participles and verbs of a stance.
const (
	supporters = " supportive pro supporters proponents advocates agree agrees agreeing agreement accept accepts backs backing " +
		"helps reinforce reinforces reinforcing strengthen strengthens strengthening justify justifies upside "
	opponents = " against critical opposition objection objections criticism criticisms counterevidence skeptical sceptical con " +
		"opponents critics opposed disagree disagrees disagreeing disagreement counter-argument counter-arguments counterargument " +
		"counterarguments weaken weakens weakening hurts challenge challenges challenging resist resists resisting conflicts  doubt doubts downside "
	// "for" takes a side only after one of these
	cases     = evidence + " speak speaks speaking said made make makes ground grounds "
	negations = " not no never without don't doesn't didn't "
)

// Stance says which side a perspective asks for, by its words: 1 for "a claim that
// supports the argument", −1 for "arguments against". It is 0 if the words take no side
// or both, or negate one. Stance understands only English.
func Stance(perspective string) int {
	switch asks, _ := meaningOf(perspective); asks {
	case "for":
		return 1
	case "against":
		return -1
	case "both", "evidence", "time", "place":
		return 0
	}
	t := newText(perspective)
	supports, opposes := false, false
	for i, token := range t.tokens {
		switch word := token.word; {
		case listed(negations, word):
			return 0
		case listed(supporters+supportParticiples+supportVerbs, word), word == "for" && i > 0 && listed(cases, t.tokens[i-1].word) && !t.in(i+1, opponents),
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
