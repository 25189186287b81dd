package rag

import "testing"

// The scores are those of vaderSentiment 3.3.2, the package of VADER's authors.
func TestVADER(t *testing.T) {
	for _, c := range []struct {
		text string
		want float64
	}{
		{"Night trains are a wonderful comfort and we love them", 0.886},
		{"They sold us this dream in concrete once before.", 0.3071},
		{"Prohibition worked so well for alcohol, didn't it?", 0.4101},
		{"Light sets the rhythm of liver, heart and mood.", 0.6369},
		{"By all means come down hard on the idiots who aim at windows, but leave the rest of us our rockets and our sparklers.", -0.0772},
		{"It was NOT a good idea at all!!", -0.457},
		{"The plan was never so good as this.", 0.6626},
		{"Without a doubt, an excellent idea.", 0.7013},
		{"It is the Least helpful of all plans", -0.3252},
		{"the bus stop was a trap", -0.5423},
		{"No good, no fun, no bad or happy end", -0.357},
		{"A kind of good film, sort of great", 0.7517},
		{"The plot was good, but good and good again", 0.8641},
		{"WOW 💘 what a GREAT, very GREAT day :)", 0.9749},
		{"né ok", 0.296},
		{"BEATING HEART, really", 0.296},
		{"At least it isn't a horrible book??", 0.4956},
		{"Is it bad????", -0.6662},
		{"", 0.0},
		{"...", 0.0},
	} {
		if got := analyzer().compound(c.text); got != c.want {
			t.Errorf("%q: %v, want %v", c.text, got, c.want)
		}
	}
}
