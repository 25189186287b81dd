package corpus

import (
	"bytes"
	"fmt"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"github.com/vantage-search/vantage/internal/wasm/jsonlite"
)

// Bounds of a page in Markdown, besides those of checkNodes. They are checked before the parser runs, or while it does,
// because a mark of one byte may become a node of hundreds, or make the parser read the rest of its paragraph.
const (
	maxMarks      = jsonlite.MaxValues
	maxLines      = jsonlite.MaxValues     // lines, where one that begins a block counts more
	maxTableCells = jsonlite.MaxValues / 2 // of tables, with those that rows lack: each becomes an element and a text
	maxNesting    = 500                    // lists and quotes that one line begins; the HTML parser takes 512 elements
	maxUnclosed   = 100                    // parentheses open in the destination of a link, each of which the parser reads to its end

	maxOpen        = 1 << 22 // sum of the lists, items, quotes and other blocks that are open, over all lines: the parser notes them
	maxEscapes     = 1 << 15 // pipes that are escaped in a line with code, each of which the parser looks for among the others
	maxDefinitions = 1 << 15 // of links, without a blank line between them; the parser reads the rest again after each

	// maxEmphasis is the number of marks of emphasis in one paragraph, heading or cell. The parser compares each with those
	// before it, so that more of them are allowed in many small paragraphs.
	maxEmphasis = 1 << 15
)

// checkMarks limits what the parser may make of a page.
func checkMarks(body []byte) *InputError {
	refuse := func(what string, most int, remedy string) *InputError {
		return &InputError{Problem: fmt.Sprintf("more than %d %s", most, what), Remedy: remedy + ", or move it out of the folder"}
	}
	marks := 2 * (bytes.Count(body, []byte("@")) + bytes.Count(body, []byte("www.")) + bytes.Count(body, []byte("://"))) // become links
	for _, c := range body {
		switch c {
		case '*', '_', '`', '[', '<', '>', '|', '~':
			marks++
		}
	}
	if marks > maxMarks {
		return refuse("marks of Markdown", maxMarks, "split the page")
	}
	lines, cells, steps, escapes, open := 0, 0, 0, 0, 0
	depth, before := 0, 0                     // blocks that may be open, in a line and in the one before it
	columns, definitions, blank := 0, 0, true // of the lines since the last one that is blank
	for line := range bytes.Lines(body) {
		levels := nesting(line)
		empty := len(bytes.Trim(line, "> \t\r\n")) == 0 // in a quote, too, such a line ends a table
		if empty {
			columns, definitions = 0, 0
			depth += 2 * levels
		} else if depth = min(depth+2*levels, indent(line)+2*levels+1); !blank {
			depth = max(depth, before) // the line may go on with the paragraph before it
		}
		before = depth
		open += max(depth, 1)
		cells += columns
		columns = max(columns, delimiterColumns(line))
		if bytes.IndexByte(line, '`') >= 0 {
			escapes += bytes.Count(line, []byte(`\|`))
		}
		if bytes.Contains(line, []byte("]:")) {
			definitions++
		}
		if steps += inlineSteps(line); steps > maxEmphasis*maxEmphasis {
			return tooMuchEmphasis()
		}
		if levels > maxNesting {
			return refuse("lists and quotes in one line", maxNesting, "simplify the page")
		}
		lines += 2 * levels
		if content := bytes.TrimSpace(line); len(content) > 0 {
			lines++
			if blank || content[0] == '#' {
				lines++
			}
		}
		blank = empty
		if openParentheses(line) > maxUnclosed {
			return refuse("open parentheses after a link", maxUnclosed, "close them")
		}
		switch {
		case cells > maxTableCells:
			return refuse("cells of tables, with those that rows lack", maxTableCells, "split the page")
		case lines > maxLines:
			return refuse("lines and items of lists", maxLines, "split the page")
		case open > maxOpen:
			return refuse("blocks that are open in all lines together", maxOpen, "make lists less deep, and take out empty lines")
		case escapes > maxEscapes:
			return refuse("escaped pipes in lines with code", maxEscapes, "split the page")
		case definitions > maxDefinitions:
			return refuse("definitions of links after each other", maxDefinitions, "put empty lines between them")
		}
	}
	return nil
}

// delimiterColumns is the number of columns if the line may be the one below the head of a table, or 0. Whatever the table is in
// stands before it.
func delimiterColumns(line []byte) int {
	delimiters := line[len(bytes.TrimRight(line, "-|: \t\r\n\v\f")):]
	if bytes.IndexByte(delimiters, '-') < 0 {
		return 0
	}
	return 1 + bytes.Count(delimiters, []byte("|"))
}

// nesting is the number of lists and quotes that a line may begin.
func nesting(line []byte) int {
	line = bytes.TrimSpace(line)
	if len(line) > 2 && bytes.Count(line, line[:1]) > 2 && len(bytes.Trim(line, string(line[0])+" \t")) == 0 && line[0] != '>' && line[0] != '+' {
		return 0 // a rule, such as - - -
	}
	levels := 0
	for len(line) > 0 {
		digits := 0
		for digits < len(line) && digits < 10 && line[digits] >= '0' && line[digits] <= '9' {
			digits++
		}
		marker := line[digits:]
		switch {
		case digits == 0 && line[0] == '>':
		case len(marker) == 0, len(marker) > 1 && marker[1] != ' ' && marker[1] != '\t':
			return levels
		case digits == 0 && (line[0] == '-' || line[0] == '+' || line[0] == '*'):
		case digits > 0 && (marker[0] == '.' || marker[0] == ')'):
		default:
			return levels
		}
		levels++
		line = bytes.TrimLeft(marker[1:], " \t")
	}
	return levels
}

// indent is the width of what stands before the first list or text of a line. The line cannot continue more blocks than that: a
// list and its item take at least two columns, and a quote takes a character.
func indent(line []byte) int {
	width := 0
	for _, c := range line {
		switch c {
		case ' ', '>':
			width++
		case '\t':
			width += 4
		default:
			return width
		}
	}
	return width
}

// openParentheses is the greatest number of parentheses that are open in one place of a line after the text of a link. The parser
// reads the destination of each link up to the parenthesis that closes it, to a space, or if it begins with "<", to ">".
func openParentheses(line []byte) int {
	most, open, angles := 0, 0, 0
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case c == '\\':
			i++
		case c == '(' && (open > 0 || i > 0 && line[i-1] == ']'):
			open++
			if i+1 < len(line) && line[i+1] == '<' && line[i-1] == ']' {
				angles++
			}
		case c == ')' && open > 0:
			open--
		case c == ' ', c == '\t', c == '\r', c == '\n', c == '\v', c == '\f':
			open = 0
		case c == '>':
			angles = 0
		}
		most = max(most, open, angles)
	}
	return most
}

// inlineText counts what the parser compares in a text: marks of emphasis with each other, and backticks with the whole text if
// there is none of their number before.
type inlineText struct {
	marks, bytes, backticks int
	lengths                 map[int]bool // of backticks in a row
}

func (n *inlineText) read(text []byte) {
	n.bytes += len(text)
	for i, c := range text {
		switch c {
		case '*', '_', '~':
			n.marks++
		case '`':
			if n.backticks++; i+1 == len(text) || text[i+1] != '`' {
				if n.lengths == nil {
					n.lengths = map[int]bool{}
				}
				n.lengths[n.backticks], n.backticks = true, 0
			}
		}
	}
}

func (n *inlineText) steps() int { return n.marks*n.marks + len(n.lengths)*n.bytes }

// inlineSteps is what the parser compares in a line if it is a heading or the row of a table.
func inlineSteps(line []byte) int {
	if bytes.HasPrefix(bytes.TrimLeft(line, "> \t-+*.)0123456789"), []byte("#")) {
		var whole inlineText
		whole.read(line)
		return whole.steps()
	}
	steps, start := 0, 0
	for i := 0; i <= len(line); i++ {
		if i == len(line) || line[i] == '|' && (i == 0 || line[i-1] != '\\') {
			var cell inlineText
			cell.read(line[start:i])
			steps += cell.steps()
			start = i + 1
		}
	}
	return steps
}

// emphasisBound is a step of the parser. It empties the paragraph with which the page would take too long, and those after it.
type emphasisBound struct{}

var stepsKey = parser.NewContextKey()

// Transform counts the marks of a paragraph before the parser reads them.
func (emphasisBound) Transform(paragraph *ast.Paragraph, reader text.Reader, context parser.Context) {
	var all inlineText
	lines := paragraph.Lines()
	for i := range lines.Len() {
		segment := lines.At(i)
		all.read(segment.Value(reader.Source()))
	}
	steps, _ := context.Get(stepsKey).(int)
	steps += all.steps()
	context.Set(stepsKey, steps)
	if steps > maxEmphasis*maxEmphasis {
		lines.SetSliced(0, 0)
	}
}

// checkEmphasis says whether paragraphs were emptied.
func checkEmphasis(context parser.Context) *InputError {
	if steps, _ := context.Get(stepsKey).(int); steps > maxEmphasis*maxEmphasis {
		return tooMuchEmphasis()
	}
	return nil
}

func tooMuchEmphasis() *InputError {
	return &InputError{Problem: fmt.Sprintf("too many marks of emphasis or code (* _ ~ `) in one paragraph: more than %d", maxEmphasis),
		Remedy: "put empty lines between paragraphs, write such a text as a block of code, or move the page out of the folder"}
}
