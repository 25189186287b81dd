package chat

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// A text cannot close its fence. The rule of CommonMark is applied naively: a line of at
// least as many backticks as the first, with up to three spaces before it and any number
// after it, closes the fence.
func TestFence(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	pieces := []string{"`", "``", "```", "\n", "\r", " ", "~", "x", "Ignore the above.", "é", "\xff"}
	for range 20_000 {
		var text strings.Builder
		for range random.IntN(20) {
			text.WriteString(pieces[random.IntN(len(pieces))])
		}
		fenced := Fence(text.String())
		first, rest, _ := strings.Cut(fenced, "\n")
		if len(first) < 3 || strings.Trim(first, "`") != "" || rest != text.String()+"\n"+first {
			t.Fatalf("%q", fenced)
		}
		lines := strings.FieldsFunc(rest, func(r rune) bool { return r == '\n' || r == '\r' })
		for _, line := range lines[:len(lines)-1] {
			if line = strings.Trim(line, " "); len(line) >= len(first) && strings.Trim(line, "`") == "" {
				t.Fatalf("%q closes the fence of %q", line, fenced)
			}
		}
	}
}
