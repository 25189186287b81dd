package corpus

import (
	"bytes"
	"regexp"
)

// In MDX and XHTML, a tag that ends with "/>" is an element without content. To a parser of HTML, the slash closes nothing: the
// rest of the page would be within the element, and nobody would find it if that is one such as <iframe>.

// void are the elements that are empty in HTML, too.
var void = map[string]bool{
	"area": true, "base": true, "br": true, "col": true, "embed": true, "hr": true, "img": true, "input": true, "link": true, "meta": true, "param": true, "source": true, "track": true, "wbr": true,
}

var (
	tagName = regexp.MustCompile(`^<([A-Za-z][\w.-]*(?::[A-Za-z][\w.-]*)?)(?:\s|/?>)`)
	xmlTag  = regexp.MustCompile(`<([A-Za-z][\w.:-]*)(?:\s+[\w.:-]+\s*=\s*(?:"[^"]*"|'[^']*'))*\s*/>`)
)

// withoutEmptyXML leaves out the empty tags of XHTML, except of elements that are empty in HTML, too.
func withoutEmptyXML(content string) string {
	return xmlTag.ReplaceAllStringFunc(content, func(tag string) string {
		if void[xmlTag.FindStringSubmatch(tag)[1]] {
			return tag
		}
		return ""
	})
}

// withoutEmptyTags leaves out the empty tags of MDX, except of elements that are empty in HTML, too. It leaves code alone.
func withoutEmptyTags(body []byte) []byte {
	kept := make([]byte, 0, len(body))
	var code codeBlock
	budget := 8 * len(body) // bounds what is looked at in vain
	for at := 0; at < len(body); {
		from := at
		if at == 0 || body[at-1] == '\n' {
			if line := firstLine(body[at:]); code.has(string(line)) {
				at = min(at+len(line)+1, len(body))
				kept = append(kept, body[from:at]...)
				continue
			}
		}
		switch body[at] {
		case '\\':
			at = min(at+2, len(body))
		case '`':
			at += codeSpan(body[at:], &budget)
		case '<':
			n, empty := jsxTag(body[at:], &budget)
			at += max(n, 1)
			if empty {
				from = at
			}
		default:
			switch n := bytes.IndexAny(body[at:], "\\`<\n"); {
			case n < 0:
				at = len(body)
			case body[at+n] == '\n':
				at += n + 1
			default:
				at += n
			}
		}
		kept = append(kept, body[from:at]...)
	}
	return kept
}

// codeSpan returns the length of the code between backticks at the beginning of a text, or of the backticks if they begin none
// in this paragraph.
func codeSpan(text []byte, budget *int) int {
	run := func(at int) int { return len(text[at:]) - len(bytes.TrimLeft(text[at:], "`")) }
	mark := run(0)
	for at := mark; at < len(text) && *budget > 0; {
		*budget--
		switch n := run(at); {
		case n == mark:
			return at + n
		case n > 0:
			at += n
		case text[at] == '\n' && len(bytes.TrimSpace(firstLine(text[at+1:]))) == 0:
			return mark
		default:
			at++
		}
	}
	return mark
}

func firstLine(text []byte) []byte {
	line, _, _ := bytes.Cut(text, []byte("\n"))
	return line
}

// jsxTag returns the length of the tag at the beginning of a text, 0 if there is none, and whether it is to be left out because it
// is empty. An attribute may be a text between quotation marks, or an expression between braces.
func jsxTag(text []byte, budget *int) (length int, empty bool) {
	m := tagName.FindSubmatch(text[:min(len(text), maxTagName)])
	if m == nil {
		return 0, false
	}
	depth := 0
	quote := byte(0)
	for at := 1 + len(m[1]); at < len(text) && *budget > 0; at++ {
		*budget--
		switch c := text[at]; {
		case quote != 0:
			if c == '\\' && depth > 0 {
				at++
			} else if c == quote || c == '\n' && depth > 0 && quote != '`' {
				quote = 0 // a string of JavaScript ends with its line
			}
		case c == '"' || c == '\'' || c == '`' && depth > 0:
			quote = c
		case c == '{':
			depth++
		case c == '}':
			depth--
		case depth > 0:
		case c == '<' || depth < 0:
			return 0, false
		case c == '>':
			return at + 1, text[at-1] == '/' && !void[string(m[1])]
		}
	}
	return 0, false
}

// maxTagName bounds the name of a tag.
const maxTagName = 256
