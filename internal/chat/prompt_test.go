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

// Texts that were put together come apart again as they were, whatever is in them.
func TestParts(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	pieces := []string{"`", "```", "\n", "\n\n", "Question:\n", "Passage 1:\n```\n", "x", "\r"}
	for range 5_000 {
		var want []Part
		for range 1 + random.IntN(4) {
			var text strings.Builder
			for range random.IntN(12) {
				text.WriteString(pieces[random.IntN(len(pieces))])
			}
			want = append(want, Part{[]string{"Question", "Passage 1"}[random.IntN(2)], text.String()})
		}
		rest := Parts(want...)
		for i, p := range want {
			name, after, _ := strings.Cut(rest, ":\n")
			fence, after, _ := strings.Cut(after, "\n")
			text, after, closed := strings.Cut(after, "\n"+fence)
			if name != p.Name || text != p.Text || !closed || strings.Trim(fence, "`") != "" || len(fence) < 3 {
				t.Fatalf("part %d of %q is %q: %q", i, want, name, text)
			}
			rest = strings.TrimPrefix(after, "\n\n")
		}
		if rest != "" {
			t.Fatalf("%q is left of %q", rest, want)
		}
	}
}
