package diversity

import "testing"

func TestStances(t *testing.T) {
	questions := []Stances{{3, 0}, {2, 3}, {0, 4}, {0, 0}, {2, 1}}
	if got, want := Prefer(questions), (Preference{1. / 5, 1. / 5, 2. / 5, 1. / 5}); got != want {
		t.Errorf("Prefer = %v, want %v", got, want)
	}
	if got := Prefer(nil); got != (Preference{}) {
		t.Errorf("Prefer of nothing = %v", got)
	}
	if delta, undefined := Sycophancy(questions); delta != (1-.5+.5)/3 || undefined != 2 {
		t.Errorf("Sycophancy = %v, %d undefined", delta, undefined)
	}
	if delta, undefined := Sycophancy(questions[2:4]); delta != 0 || undefined != 2 {
		t.Errorf("Sycophancy of nothing defined = %v, %d", delta, undefined)
	}
}
