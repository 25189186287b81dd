package corpus

import "testing"

// Of several keys that differ from the name only in case, the same one always wins.
func TestSettingsInOtherCase(t *testing.T) {
	s := settings{"BASEURL": "a", "BaseURL": "b", "baseURL": "c"}
	for range 50 {
		if got := s.text("", "baseurl"); got != "a" {
			t.Fatalf("%q", got)
		}
	}
}

// Front matter may call an empty text a number.
func TestEmptyNumbers(t *testing.T) {
	for _, block := range []string{"x: !!int \"\"\n", "x: !!float\n"} {
		metadata, problem := parseYAML([]byte(block), nil)
		if problem != nil || metadata["x"] != "" {
			t.Errorf("%q: %v, %v", block, metadata, problem)
		}
	}
}
