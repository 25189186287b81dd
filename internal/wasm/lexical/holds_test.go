package lexical

import "testing"

func TestHolds(t *testing.T) {
	const document = "Night trains to Zürich: a traveller's notes"
	for text, want := range map[string]bool{
		"night trains": true, "Trains, NIGHT!": true, "zurich": true, "s a": true,
		"night train": false, "night buses": false, "": false, "?!": false,
	} {
		if got := Holds(document, text); got != want {
			t.Errorf("%q: %t, want %t", text, got, want)
		}
	}
	if Holds("", "night") {
		t.Error("an empty document holds a word")
	}
}
