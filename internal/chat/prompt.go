package chat

import (
	"embed"
	"strings"
)

//go:embed prompts
var prompts embed.FS

// Fence puts a text that is not ours between two lines of backticks, as CommonMark does:
// a line with at least as many closes the fence, and the text has no run of so many.
func Fence(text string) string {
	longest, run := 2, 0
	for i := range len(text) {
		if run++; text[i] != '`' {
			run = 0
		}
		longest = max(longest, run)
	}
	line := strings.Repeat("`", longest+1)
	return line + "\n" + text + "\n" + line
}

// Part is a named text in a question of several texts.
type Part struct{ Name, Text string }

// Parts puts texts together as a question's Text, each below its name and in a fence of
// its own, so that none can pass for another. Names are ours.
func Parts(parts ...Part) string {
	var b strings.Builder
	for i, p := range parts {
		if i > 0 {
			b.WriteString("\n\n")
		}
		b.WriteString(p.Name + ":\n" + Fence(p.Text))
	}
	return b.String()
}
