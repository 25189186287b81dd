package main

import "testing"

// The row of the rounds in turns keeps the index's size, and no time of the rounds before.
func TestInTurns(t *testing.T) {
	alone := row{name: "vantage, 4 bits", bytes: 10, seconds: 5}
	alone.take(80)
	turns := alone.inTurns()
	for _, milliseconds := range []float64{110, 90, 100} {
		turns.take(milliseconds)
	}
	if want := (row{name: "vantage, 4 bits, in turns", milliseconds: 90, seconds: 5, bytes: 10}); turns != want {
		t.Errorf("%+v, want %+v", turns, want)
	}
	if alone.milliseconds != 80 || alone.name != "vantage, 4 bits" {
		t.Errorf("the row of the rounds alone became %+v", alone)
	}
}
