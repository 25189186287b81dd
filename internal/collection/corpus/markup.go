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
	// footnote is a line that begins the text of a footnote. The lines after it are indented by four.
	footnote = regexp.MustCompile(`^([ \t]*)\[\^([^\[\]\s]+)\]:[ \t]*(.*)$`)
	// footnoteSpan is the number of a footnote, or code, which stays.
	footnoteSpan = regexp.MustCompile("`+[^`]*`+" + `|\[\^[^\[\]\s]+\]`)
	// kramdownLine is a list of attributes for the block before it, or a mark of kramdown's extensions.
	kramdownLine = regexp.MustCompile(`^[ \t>]*(?:\{:[^{}]*\}[ \t]*)+$`)
	// kramdownSpan is what ends code, a link or emphasis, with the list of attributes for it.
	kramdownSpan = regexp.MustCompile("(`+[^`]*`+|[)\\]*_>])(?:\\{:[^{}]*\\})?")
	contentsMark = regexp.MustCompile(`(?:\{:|[ \t])toc\b`)
	listItem     = regexp.MustCompile(`^[ \t]*(?:[-*+]|\d{1,9}\.)[ \t]`)
	ownID        = regexp.MustCompile(`[{: \t]#([^{}\s]+)`)
	underline    = regexp.MustCompile(`^ {0,3}(?:=+|-+)[ \t]*$`)
	atxHeading   = regexp.MustCompile(`^ {0,3}#{1,6}[ \t]`)
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

// dialect says what generators add to Markdown, apart from notes as on GitHub and footnotes, which count everywhere.
type dialect struct {
	directives  bool // notes between lines of colons
	definitions bool // lines that define the term above them
	python      bool // blocks and lines of Python-Markdown
	spans       bool // its marks within a line, which could be anything in the Markdown of others
	kramdown    bool // lists of attributes as Jekyll reads them

	footnotes map[string]bool // labels of those of the page
}

// dialectOf is that of a generator, which may be nil.
func dialectOf(site *generator) dialect {
	if site == nil {
		return dialect{directives: true, definitions: true, python: true}
	}
	return dialect{directives: site.blocks || site.pythonMarkdown, definitions: site.definitions || site.pythonMarkdown,
		python: site.pythonMarkdown, spans: site.pythonMarkdown, kramdown: site.kramdown}
}

// plainMarkdown turns the blocks that generators add to Markdown into paragraphs, and takes out lines and marks that they
// do not show. It leaves code alone.
func plainMarkdown(content []byte, d dialect) []byte {
	lines := strings.Split(string(content), "\n")
	d.footnotes = footnotesOf(lines)
	return []byte(strings.Join(d.plain(lines, 0), "\n"))
}

// hasMarks reports whether a line may have marks of the dialect. Most lines have none.
func (d *dialect) hasMarks(line string) bool {
	first := strings.TrimLeft(line, " \t")
	switch {
	case first == "":
		return false
	case strings.IndexByte("!?=-*[:>", first[0]) >= 0, (d.spans || d.kramdown) && strings.ContainsAny(line, "{:"):
		return true
	}
	return len(d.footnotes) > 0 && strings.Contains(line, "[^")
}

func (d *dialect) plain(lines []string, depth int) []string {
	plain := make([]string, 0, len(lines))
	var code codeBlock
	for i := 0; i < len(lines); i++ {
		line := strings.TrimRight(lines[i], "\r")
		if code.has(line) || !d.hasMarks(line) {
			plain = append(plain, line)
			continue
		}
		if m := footnote.FindStringSubmatch(line); m != nil && depth < maxIndented {
			inner, next := indentedLines(lines, i+1, m[1])
			plain = append(plain, "")
			plain = append(plain, d.plain(append([]string{m[1] + m[3]}, inner...), maxIndented)...) // without blocks of its own
			plain = append(plain, "")
			i = next - 1
			continue
		}
		if len(d.footnotes) > 0 {
			line = footnoteSpan.ReplaceAllStringFunc(line, func(span string) string {
				if span[0] != '`' && d.footnotes[span[len("[^"):len(span)-1]] {
					return ""
				}
				return span
			})
		}
		if d.python {
			if m := indentedBlock.FindStringSubmatch(line); m != nil && depth < maxIndented {
				inner, next := indentedLines(lines, i+1, m[1])
				plain = append(append(plain, "", m[1]+m[2]+m[3], ""), d.plain(inner, depth+1)...)
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
		}
		if d.definitions {
			if m := definition.FindStringSubmatch(line); m != nil {
				plain = append(plain, "")
				line = m[1]
			}
		}
		if d.kramdown {
			if kramdownLine.MatchString(line) {
				plain = append(attributed(plain, line), "")
				continue
			}
			line = kramdownSpan.ReplaceAllString(line, "$1")
		}
		if d.spans && !strings.HasPrefix(line, "#") { // the attributes of a heading may have its anchor
			line = pythonSpan.ReplaceAllStringFunc(line, func(span string) string {
				if span[0] == '`' || strings.HasPrefix(span, "{{") {
					return span
				}
				return ""
			})
		}
		if d.directives {
			if m := directive.FindStringSubmatch(line); m != nil {
				plain = append(plain, "", m[1]+m[2]+m[3], "")
				continue
			}
		}
		plain = append(plain, alert.ReplaceAllString(line, "$1"))
	}
	return plain
}

// footnotesOf lists the labels of a page's footnotes.
func footnotesOf(lines []string) map[string]bool {
	labels := map[string]bool{}
	var code codeBlock
	for _, line := range lines {
		if !code.has(line) && strings.Contains(line, "[^") {
			if m := footnote.FindStringSubmatch(strings.TrimRight(line, "\r")); m != nil {
				labels[m[2]] = true
			}
		}
	}
	return labels
}

// attributed gives a line of attributes of kramdown to the lines before it: the anchor to a heading, in the way in which others
// write it. If the table of contents takes the place of the item before it, that is left out.
func attributed(plain []string, line string) []string {
	last := len(plain) - 1
	if last >= 0 && contentsMark.MatchString(line) && listItem.MatchString(plain[last]) {
		return plain[:last]
	}
	m := ownID.FindStringSubmatch(line)
	if m == nil || last < 0 {
		return plain
	}
	if last > 0 && underline.MatchString(plain[last]) && plain[last-1] != "" {
		last--
	} else if !atxHeading.MatchString(plain[last]) {
		return plain
	}
	plain[last] += " {#" + m[1] + "}"
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
