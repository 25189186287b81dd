package corpus

import (
	"regexp"
	"strings"
)

// Markup that generators add to Markdown. Without rules for it, marks such as `!!! note` would be shown as sentences, and
// what stands below them, indented, would be read as code.
var (
	// indentedBlock begins a note, a collapsed note or a tab of Python-Markdown. What it contains is indented by four.
	indentedBlock = regexp.MustCompile(`^([ \t]*)(?:(?:!!!|\?\?\?\+?)[ \t]*[\w-]+(?:[ \t]+[\w-]+)*(?:[ \t]+"(.*)")?|===[!+]?[ \t]+"(.*)")[ \t]*$`)
	// pythonLine is a line of Python-Markdown's extensions that shows nothing: a snippet, an abbreviation, the table of contents.
	pythonLine = regexp.MustCompile(`^[ \t]*(?:-{1,2}8<-{1,2}.*|\*\[[^\]]+\]:.*|\[TOC\])[ \t]*$`)
	// definition is a line that defines the term above it.
	definition = regexp.MustCompile(`^[ \t]*:[ \t]+(\S.*)$`)
	// generated begins a description that mkdocstrings makes, with options that are indented by four.
	generated = regexp.MustCompile(`^([ \t]*)::: [\w.]*[\w]+\.[\w.]+[ \t]*$`)
	// directive is a line before or after a note of Docusaurus, Starlight or VitePress.
	directive = regexp.MustCompile(`^([ \t]*):::+[ \t]*(?:[\w-]+(?:\[(.*)\])?(?:[ \t]*\{.*\})?(?:[ \t]+(.*?))?)?[ \t]*$`)
	// alert is the kind of a note on GitHub, in the first line of a quotation.
	alert = regexp.MustCompile(`^([ \t]*>[ \t]*)\[!\w+\][+-]?`)
	// pythonSpan is an attribute list or the name of an icon, or code or a template's expression, which stay.
	pythonSpan = regexp.MustCompile("`+[^`]*`+" + `|\{\{.*?\}\}|[ \t]*\{:?[ \t]*[.#][\w-]+(?:[ \t]+[^{}]*)?\}|:(?:material|octicons|fontawesome|simple)-[\w-]+:(?:\{[^{}]*\})?[ \t]?`)
	// codeFence is a line before or after a block of code, or before one that begins an item. After backticks, there is none
	// in the rest of the line: with one, it is code within a text.
	codeFence = regexp.MustCompile("^[ \t]*((?:(?:[-*+]|\\d{1,9}[.)])[ \t]+)*)(?:(`{3,})[^`]*|(~{3,}).*)$")
)

// codeBlock follows the lines of a text. It has the fence that opened the block of code in which they are, or "".
type codeBlock struct{ fence string }

// has reports whether the next line is a fence, or belongs to the code after one.
func (c *codeBlock) has(line string) bool {
	if !strings.Contains(line, "```") && !strings.Contains(line, "~~~") {
		return c.fence != ""
	}
	line = strings.TrimRight(line, " \t\r\n")
	m := codeFence.FindStringSubmatch(line)
	if m == nil {
		return c.fence != ""
	}
	switch mark := m[2] + m[3]; {
	case c.fence == "":
		c.fence = mark
	case m[1] == "" && mark[0] == c.fence[0] && len(mark) >= len(c.fence) && strings.Trim(line, " \t"+mark[:1]) == "":
		c.fence = ""
	}
	return true
}

// maxIndented is the depth of blocks within blocks that is read.
const maxIndented = 16

// plainMarkdown turns the blocks that generators add to Markdown into paragraphs, and takes out lines and marks that they
// do not show. It leaves code alone. python says whether the blocks and lines of Python-Markdown count as well, and spans
// whether its marks within a line do, which could be anything in the Markdown of others.
func plainMarkdown(content []byte, python, spans bool) []byte {
	return []byte(strings.Join(plainLines(strings.Split(string(content), "\n"), python, spans, 0), "\n"))
}

func plainLines(lines []string, python, spans bool, depth int) []string {
	plain := make([]string, 0, len(lines))
	var code codeBlock
	for i := 0; i < len(lines); i++ {
		line := strings.TrimRight(lines[i], "\r")
		if code.has(line) {
			plain = append(plain, line)
			continue
		}
		if first := strings.TrimLeft(line, " \t"); first == "" || strings.IndexByte("!?=-*[:>", first[0]) < 0 && !(spans && strings.ContainsAny(line, "{:")) {
			plain = append(plain, line) // a line without marks, as most are
			continue
		}
		if python {
			if m := indentedBlock.FindStringSubmatch(line); m != nil && depth < maxIndented {
				inner, next := indentedLines(lines, i+1, m[1])
				plain = append(append(plain, "", m[1]+m[2]+m[3], ""), plainLines(inner, python, spans, depth+1)...)
				plain = append(plain, "")
				i = next - 1
				continue
			}
			if m := generated.FindStringSubmatch(line); m != nil {
				_, next := indentedLines(lines, i+1, m[1])
				plain = append(plain, "")
				i = next - 1
				continue
			}
			if pythonLine.MatchString(line) {
				plain = append(plain, "")
				continue
			}
			if m := definition.FindStringSubmatch(line); m != nil {
				plain = append(plain, "")
				line = m[1]
			}
			if spans && !strings.HasPrefix(line, "#") { // the attributes of a heading may have its anchor
				line = pythonSpan.ReplaceAllStringFunc(line, func(span string) string {
					if span[0] == '`' || strings.HasPrefix(span, "{{") {
						return span
					}
					return ""
				})
			}
		}
		if m := directive.FindStringSubmatch(line); m != nil {
			plain = append(plain, "", m[1]+m[2]+m[3], "")
			continue
		}
		plain = append(plain, alert.ReplaceAllString(line, "$1"))
	}
	return plain
}

// indentedLines returns the lines from a place on that belong to a block whose mark has an indent, without the four
// spaces, or the tab, that they have in addition, and the place after them.
func indentedLines(lines []string, from int, indent string) (inner []string, next int) {
	for next = from; next < len(lines); next++ {
		line := strings.TrimRight(lines[next], " \t\r")
		rest, belongs := strings.CutPrefix(line, indent)
		if line == "" {
			inner = append(inner, "")
			continue
		}
		if deeper, ok := strings.CutPrefix(rest, "    "); ok && belongs {
			inner = append(inner, indent+deeper)
		} else if deeper, ok := strings.CutPrefix(rest, "\t"); ok && belongs {
			inner = append(inner, indent+deeper)
		} else {
			break
		}
	}
	return inner, next
}
