package corpus

import (
	"bytes"
	"html"
	"regexp"
	"slices"
)

// templates says how tags look that a generator runs before it reads Markdown. They are not text.
type templates struct {
	marks   [][2]string    // what begins and what ends a tag
	tag     *regexp.Regexp // within them: a slash or "end" if the tag closes a block, and its name
	literal string         // block whose content has no tags, although it looks as if it had; "": none
	escaped bool           // a tag within /* and */ is shown
}

var (
	// liquid is what Jekyll runs.
	liquid = &templates{marks: [][2]string{{"{%", "%}"}, {"{{", "}}"}}, tag: regexp.MustCompile(`^-?\s*(end)?(\w+)`), literal: "raw"}
	// shortcodes are those of Hugo.
	shortcodes = &templates{marks: [][2]string{{"{{<", ">}}"}, {"{{%", "%}}"}}, tag: regexp.MustCompile(`^\s*(/?)\s*(\w+)`), escaped: true}
)

// openBlock is a block of templates whose end was not found yet.
type openBlock struct {
	name  string
	start int // of its content in the text
}

// apply takes tags out of a page, and comments as a whole. What is highlighted becomes a block of code, so that nothing in it
// counts as Markdown, or as HTML if the page is that.
func (t *templates) apply(content []byte, isHTML bool) []byte {
	if !bytes.Contains(content, []byte(t.marks[0][0])) && !bytes.Contains(content, []byte(t.marks[1][0])) {
		return content
	}
	text := make([]byte, 0, len(content))
	var open []openBlock
	opened := map[string]int{}   // how many blocks with a name are in open
	without := map[string]bool{} // ends that do not occur any more, so that none is looked for twice
	for len(content) > 0 {
		begin := bytes.IndexByte(content, '{')
		if begin < 0 {
			break
		}
		text, content = append(text, content[:begin]...), content[begin:]
		mark := slices.IndexFunc(t.marks, func(m [2]string) bool { return bytes.HasPrefix(content, []byte(m[0])) })
		if mark < 0 || without[t.marks[mark][1]] {
			text, content = append(text, '{'), content[1:]
			continue
		}
		first, last := t.marks[mark][0], t.marks[mark][1]
		inner, rest, closed := bytes.Cut(content[len(first):], []byte(last))
		if !closed {
			without[last] = true
			continue
		}
		content = rest
		if t.escaped && len(inner) > 4 && bytes.HasPrefix(inner, []byte("/*")) && bytes.HasSuffix(inner, []byte("*/")) {
			text = append(append(append(text, first...), inner[2:len(inner)-2]...), last...)
			continue
		}
		m := t.tag.FindSubmatch(inner)
		if m == nil || first == "{{" {
			continue
		}
		name := string(m[2])
		switch {
		case len(m[1]) == 0 && name == t.literal && !without[name]:
			if at := literalEnd.FindIndex(content); at == nil {
				without[name] = true
			} else {
				text, content = append(text, content[:at[0]]...), content[at[1]:]
			}
		case name != "comment" && name != "highlight":
		case len(m[1]) == 0 && opened[name] == 0:
			open = append(open, openBlock{name, len(text)})
			opened[name]++
		case len(m[1]) > 0 && opened[name] > 0:
			block := open[len(open)-1]
			for block.name != name { // the ends of those within it are missing
				opened[block.name]--
				open = open[:len(open)-1]
				block = open[len(open)-1]
			}
			opened[name]--
			open = open[:len(open)-1]
			if name == "comment" {
				text = text[:block.start]
			} else if isHTML {
				code := html.EscapeString(string(text[block.start:]))
				text = append(append(append(text[:block.start], "<pre>"...), code...), "</pre>"...)
			} else {
				text = fenced(text, block.start)
			}
		}
	}
	return append(text, content...)
}

// literalEnd is the tag that ends a literal block.
var literalEnd = regexp.MustCompile(`\{%-?\s*endraw\s*-?%\}`)

// container is the beginning of a line that its block of code shares with the lines after it: an indent, quotes and items.
var container = regexp.MustCompile(`^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+[ \t>]*)*`)

// fenced makes a block of code of the end of a Markdown text. It belongs to the quote or the item in which it begins, although
// its lines need not be indented like that.
func fenced(text []byte, start int) []byte {
	code := bytes.Clone(bytes.Trim(text[start:], "\r\n"))
	line := text[bytes.LastIndexByte(text[:start], '\n')+1 : start]
	outer := container.Find(line)
	indent := bytes.Map(func(r rune) rune {
		if r == '>' || r == '\t' {
			return r
		}
		return ' '
	}, outer)
	if bytes.Count(code, []byte("\n"))*len(indent) > MaxRecordBytes {
		indent = nil
	}
	text = text[:start]
	if len(outer) < len(line) {
		text = append(append(text, '\n'), indent...)
	}
	longest, run := 2, 0
	for _, c := range code {
		if c != '`' {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	fence := bytes.Repeat([]byte("`"), longest+1)
	text = append(append(text, fence...), '\n')
	for line := range bytes.Lines(code) {
		if !bytes.HasPrefix(line, indent) {
			text = append(text, indent...)
		}
		text = append(text, line...)
	}
	text = append(append(append(append(text, '\n'), indent...), fence...), '\n')
	return append(text, indent...)
}
