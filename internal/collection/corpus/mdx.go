package corpus

import (
	"bytes"
	"regexp"
)

// cutPart is a part of a text that is left out, from a byte up to another, with what takes its place.
type cutPart struct {
	from, to int
	instead  string
}

var (
	heading   = regexp.MustCompile(`^#{1,6}[ \t]`)
	jsxMember = regexp.MustCompile(`^</?\w[\w-]*(?:\.\w+)+[\s/>]`) // begins the tag of a component that belongs to another
)

// maxJSXName is the longest name of an attribute or a component.
const maxJSXName = 256

// withoutExpressions takes JavaScript out of the text of MDX: what stands in braces, with the name of the attribute whose value it
// is, and the tags of fragments. It takes the points out of the names of components, with which they would be no tags for
// Markdown. Code, formulas, braces without an end, and the anchor of a heading, {#name}, stay.
func withoutExpressions(text []byte) []byte {
	if bytes.Count(text, []byte("{"))+bytes.Count(text, []byte("<"))+bytes.Count(text, []byte("\n")) > maxMarks {
		return text // far more than people write
	}
	var cuts []cutPart
	var open []int // braces that are not closed yet
	var code codeBlock
	formula, tag, around := false, false, 0 // tag: a tag is open, with as many braces around it
	at := 0
	for line := range bytes.Lines(text) {
		begin := at
		if at += len(line); code.has(string(line)) {
			continue
		}
		switch trimmed := bytes.TrimSpace(line); {
		case string(trimmed) == "$$":
			formula = !formula
			continue
		case formula:
			continue
		case heading.Match(trimmed):
			open, tag = open[:0], false // with a brace that was forgotten, no more than its section is lost
		case len(trimmed) == 0 && len(open) == around:
			tag = false
		}
		for i := 0; i < len(line); i++ {
			switch line[i] {
			case '\\':
				i++
			case '`': // code ends with the next backticks, if there are any
				for i+1 < len(line) && line[i+1] == '`' {
					i++
				}
				if end := bytes.IndexByte(line[i+1:], '`'); end >= 0 {
					for i += end + 1; i+1 < len(line) && line[i+1] == '`'; i++ {
					}
				}
			case '$': // in a formula, braces group
				if end := bytes.IndexByte(line[i+1:], '$'); end > 0 && bytes.ContainsAny(line[i+1:i+1+end], `\^_`) {
					i += end + 1
				}
			case '{':
				open = append(open, begin+i)
			case '}':
				if len(open) == 0 {
					continue
				}
				cut := cutPart{open[len(open)-1], begin + i + 1, " "}
				open = open[:len(open)-1]
				if text[cut.from+1] == '#' {
					continue
				}
				cut.from -= attributeBefore(text[:cut.from])
				for len(cuts) > 0 && cuts[len(cuts)-1].from >= cut.from { // within it
					cuts = cuts[:len(cuts)-1]
				}
				cuts = append(cuts, cut)
			case '>':
				tag = tag && len(open) > around
			case '\n':
				if tag && len(open) == around { // at the beginning of a line, what ends a tag would begin a quote
					cuts = append(cuts, cutPart{begin + i, begin + i + 1, " "})
				}
			case '<':
				if i+1 < len(line) && isLetter(line[i+1]) && !tag {
					tag, around = true, len(open)
				}
				rest := line[i:min(len(line), i+maxJSXName)]
				if fragment := bytes.HasPrefix(rest, []byte("<>")); fragment || bytes.HasPrefix(rest, []byte("</>")) {
					cuts = append(cuts, cutPart{begin + i, begin + i + bytes.IndexByte(rest, '>') + 1, ""})
				} else if member := jsxMember.Find(rest); member != nil {
					for j, c := range member {
						if c == '.' {
							cuts = append(cuts, cutPart{begin + i + j, begin + i + j + 1, ""})
						}
					}
				}
			}
		}
	}
	if len(cuts) == 0 {
		return text
	}
	kept := make([]byte, 0, len(text))
	at = 0
	for _, cut := range cuts {
		kept = append(append(kept, text[at:cut.from]...), cut.instead...)
		at = cut.to
	}
	return append(kept, text[at:]...)
}

// attributeBefore is the length of what ends a text if that is the name of an attribute with its sign and the white space before.
func attributeBefore(text []byte) int {
	name := bytes.TrimSuffix(text, []byte("="))
	if len(name) == len(text) {
		return 0
	}
	at := len(name)
	for at > 0 && len(name)-at < maxJSXName && (isLetter(name[at-1]) || bytes.IndexByte([]byte("0123456789_:.-"), name[at-1]) >= 0) {
		at--
	}
	before := bytes.TrimRight(name[:at], " \t\r\n")
	if len(before) == at || at == len(name) {
		return 0
	}
	return len(text) - len(before)
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
