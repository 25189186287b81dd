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

func TestShares(t *testing.T) {
	const document = "Sleeper trains to Zürich, and a traveller's notes on other trains"
	for text, want := range map[string]bool{
		"trains for a traveller": true, "ZURICH: notes": true, "trains, trains, trains": false,
		"trains to Rome": false, "and to a on": false, "train travellers": false, "": false,
	} {
		if got := Shares(document, text); got != want {
			t.Errorf("%q: %t, want %t", text, got, want)
		}
	}
	if Shares("", "sleeper trains") {
		t.Error("an empty document shares words")
	}
}
