package corpus

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/vantage-search/vantage/internal/testing/cputime"
)

// hostileMarkdown are pages that would take far more memory or time than their length, by what refuses them.
func hostileMarkdown() map[string][]struct{ name, page string } {
	row := strings.Repeat("|a", 10_000) + "|\n"
	table := row + strings.Repeat("|-", 10_000) + "|\n"
	var backticks strings.Builder
	for i := range 1200 {
		backticks.WriteString("a" + strings.Repeat("`", i+1))
	}
	backticks.WriteString(strings.Repeat(" word", 300_000))
	many := strings.Repeat("_a*", 22_000)
	return map[string][]struct{ name, page string }{
		"500000 cells of tables": {
			{"short rows", table + strings.Repeat("|\n", 10_000)},
			{"rows without pipes", table + strings.Repeat("a\n", 10_000)},
			{"in a quote", "> " + row + "> " + strings.Repeat("-|", 10_000) + "\n" + strings.Repeat("> a\n", 10_000)},
			{"in a list", "- " + row + "  " + strings.Repeat(":-:|", 10_000) + " \n" + strings.Repeat("  a\n", 10_000)},
		},
		"1000000 lines and items": {
			{"items", strings.Repeat("- - - a\n", 250_000)},
			{"numbers", strings.Repeat("1. 2) a\n", 250_000)},
			{"empty items", strings.Repeat("+\n", 1_000_000)},
			{"empty items with hyphens", strings.Repeat("-\n", 500_000)},
			{"headings", strings.Repeat("#\n", 1_000_000)},
			{"short lines", strings.Repeat("a\n", 1_100_000)},
			{"short paragraphs", strings.Repeat("a\n\n", 1_100_000)},
		},
		"1000000 marks": {
			{"asterisks", strings.Repeat("*a* ", 600_000)},
			{"addresses", strings.Repeat("a@b.c ", 600_000)},
			{"addresses of pages", strings.Repeat("www.a.b ftp://a.b ", 300_000)},
		},
		"500 lists and quotes": {
			{"quotes", strings.Repeat("> ", 100_000) + "a"},
			{"lists", strings.Repeat("1. ", 100_000) + "a"},
			{"both", strings.Repeat("- >", 100_000) + "a"},
		},
		"100 open parentheses": {
			{"links", strings.Repeat("[a](", 100_000)},
			{"escaped", strings.Repeat(`[a](\)`, 100_000)},
			{"angles", strings.Repeat("[a](< ", 100_000)},
		},
		"4194304 blocks": {
			{"empty lines", strings.Repeat("+ ", 240) + "a\n" + strings.Repeat("\n", 100_000)},
			{"empty lines in a list", "- a\n" + strings.Repeat("\n", 5_000_000)},
			{"long paragraph", strings.Repeat("> ", 240) + "a\n" + strings.Repeat("a\n", 100_000)},
		},
		"32768 escaped pipes": {{"code in cells", "|a|\n|-|\n" + strings.Repeat("|`\\|`\n", 40_000)}},
		"32768 definitions":   {{"definitions", strings.Repeat("[a]: b\n", 100_000)}},
		"32 MB as HTML": {
			{"quotes", strings.Repeat(`"`, 6_000_000)},
			{"ampersands", strings.Repeat("&", 7_000_000)},
			{"references", "[a]: /" + strings.Repeat("x", 8000) + "\n\n" + strings.Repeat("[a] ", 100_000)},
			{"long references", "[a]: /" + strings.Repeat("é", 2_000_000) + "\n\n" + strings.Repeat("[a] ", 400_000)},
			{"titles", "[a]: / '" + strings.Repeat("x", 8000) + "'\n\n" + strings.Repeat("![a] ", 100_000)},
		},
		"marks of emphasis": {
			{"a paragraph", many},
			{"paragraphs", strings.Repeat(many[:len(many)/10]+"\n\n", 200)},
			{"lines", strings.Repeat("_a*\n", 22_000)},
			{"a quote", strings.Repeat("> _a*\n", 22_000)},
			{"a heading", "- # " + many},
			{"an underlined heading", many + "\n==="},
			{"a cell", "|a|\n|-|\n|" + many},
			{"a cell with pipes", "|a|\n|-|\n|" + strings.Repeat(`_a*\|`, 22_000)},
			{"code", backticks.String()},
		},
	}
}

// A small page of Markdown takes neither much memory nor long.
func TestMarkdownBounds(t *testing.T) {
	for want, pages := range hostileMarkdown() {
		for _, c := range pages {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			var problem *InputError
			took := cputime.Of(func() { _, problem = markdownPage([]byte(c.page), nil) })
			runtime.ReadMemStats(&after)
			if problem == nil || !strings.Contains(problem.Problem, want) || problem.Remedy == "" {
				t.Errorf("%s: %v, want %s", c.name, problem, want)
			}
			if more := after.TotalAlloc - before.TotalAlloc; more > 500<<20 || took > 20*time.Second {
				t.Errorf("%s: %d MB were allocated, in %v", c.name, more>>20, took)
			}
		}
	}
}

// Long pages as people write them are read.
func TestLongMarkdown(t *testing.T) {
	line := "Some prose with *emphasis*, a_name, `code` and (in parentheses) a [link](https://example.org/a_(b)_c \"title\") here.\n"
	var rows, definitions strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&rows, "| %d | **bold** | [a](https://example.org/%d) | `x_y` | _it_ | |\n", i, i)
		fmt.Fprintf(&definitions, "[%d]: https://example.org/%d\n", i, i)
	}
	head := "| a | b | c | d | e | f |\n|---|:-:|--:|---|---|---|\n"
	prose := strings.Repeat("Words of a page that goes on and on, wrapped as an editor wraps it.\n", 5) + "\n"
	for name, page := range map[string]string{
		"prose":       strings.Repeat(prose, MaxRecordBytes/len(prose)),
		"one line":    strings.Repeat(strings.TrimSpace(prose)+" ", 40_000),
		"marks":       strings.Repeat(line+line+"\n", 10_000),
		"table":       head + rows.String(),
		"tables":      strings.Repeat(head+strings.Repeat("| | - | - | - | - | - |\n", 50)+"\n", 400),
		"quoted":      strings.Repeat("> | a | b |\n> |---|---|\n> | 1 | 2 |\n>\n", 5000),
		"list":        strings.Repeat("- [An item](https://example.org/) with *emphasis*\n", 20_000),
		"definitions": "[1]\n\n" + definitions.String(),
		"steps":       strings.Repeat("- a\n  - b\n    - c\n      1. d\n         text\n\n      2. e\n\n", 5000),
		"loose list":  strings.Repeat("* An item of a list that goes on in\n  a second line.\n\n", 50_000),
		"indented":    strings.Repeat("\t\t\t\tcall(a, b)\n", 200_000),
		"rules":       strings.Repeat(strings.Repeat("- ", 600)+"\n\ntext\n\n"+strings.Repeat("*", 600)+"\n\n", 100),
		"code":        "```\n" + strings.Repeat("f(x[0](function(){return(a_b*c_d)}), \"> > >\") // - - -\n", 60_000) + "```\n",
	} {
		if p, problem := markdownPage([]byte(page), nil); problem != nil || len(p.sections[0].blocks) == 0 {
			t.Errorf("%s, %d bytes: %v", name, len(page), problem)
		}
	}
}
