package perspective

import "testing"

func TestStance(t *testing.T) {
	for text, want := range map[string]int{
		"a claim that supports the argument":  1,
		"a claim that opposes the argument":   -1,
		"arguments against":                   -1,
		"Arguments for":                       1,
		"evidence in favour of":               1,
		"statements in support of":            1,
		"a document critical of":              -1,
		"objections to":                       -1,
		"evidence that CONTRADICTS the claim": -1,
		"an article endorsing":                1,
		"arguments for and against":           0,
		"a claim that does not support":       0,
		"a news article from the left wing":   0,
		"advice for children":                 0,
		"a reason to disagree with the claim": -1,
		"a passage on the other side of it":   -1,
		"a passage on the side of the claim":  1,
		"something that speaks for the law":   1,
		"a passage that casts doubt on it":    -1,
		"grounds to accept the claim":         1,
		"a claim that helps the argument":     1,
		"a claim that hurts the argument":     -1,
		"a claim that would challenge this":   -1,
		"an argument to resist the ban":       -1,
		"a ground for disagreeing":            -1,
		"why is bad":                          -1,
		"the dark side of":                    -1,
		"pros and cons of":                    0,
		"for and against":                     0,
		"for":                                 0,
		"":                                    0,
	} {
		if got := Stance(text); got != want {
			t.Errorf("Stance(%q) = %d, want %d", text, got, want)
		}
	}
	// The sides of perspectives that Split finds in queries.
	for query, want := range map[string]int{
		"Find a claim that supports the argument: X is good": 1,
		"Find a claim that opposes the argument: X is good":  -1,
		"evidence that contradicts the claim that X is good": -1,
		"arguments against X":                                -1,
	} {
		_, side, ok := Split(query)
		if got := Stance(side); !ok || got != want {
			t.Errorf("%q asks for %q, which is %d, want %d", query, side, got, want)
		}
	}
}
