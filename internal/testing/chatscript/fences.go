package chatscript

import (
	"strings"
	"testing"
)

// Parts takes the text of a request apart into its named texts, in their order.
func Parts(t testing.TB, text string) (names, texts []string) {
	for text != "" {
		name, rest, named := strings.Cut(text, ":\n")
		fence, rest, opened := strings.Cut(rest, "\n")
		inner, rest, closed := strings.Cut(rest, "\n"+fence)
		if !named || !opened || !closed || strings.Trim(fence, "`") != "" {
			t.Errorf("no named text in a fence: %q", text)
			return names, texts
		}
		names, texts = append(names, name), append(texts, inner)
		text = strings.TrimPrefix(rest, "\n\n")
	}
	return names, texts
}

// unfenced takes a text out of its fence, and fails if the text contains the fence.
func unfenced(t testing.TB, message string) string {
	fence, rest, _ := strings.Cut(message, "\n")
	text, ok := strings.CutSuffix(rest, "\n"+fence)
	if len(fence) < 3 || strings.Trim(fence, "`") != "" || !ok || strings.Contains(text, fence) {
		t.Errorf("a text is not in a fence, or closes it: %q", message)
	}
	return text
}
