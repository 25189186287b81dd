package report

import (
	"encoding/csv"
	"go/ast"
	"go/parser"
	"go/token"
	"math"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"unicode"
)

// sample has a group of two columns, a column without a group, a heading, a missing
// figure, a short row, and text that must be escaped in each format.
func sample() Table {
	return Table{
		Name:    "table_2",
		Caption: "Recall on a_b | 50 % of 10 queries",
		Stub:    "retriever",
		Columns: []Column{{"news", "@1", 1}, {"news", "@5", 1}, {"", "N", 0}},
		Rows: []Row{
			{Label: "ours"},
			{Label: "bm25", Cells: []Cell{Figure(12.345), Figure(math.NaN()), Count(10)}},
			{Label: "x & y\n<b>", Cells: []Cell{Word("R\\D|"), Figure(1.0 / 3)}},
		},
		Notes: []string{"n/a: did not run."},
	}
}

// In LaTeX, every character of our captions and notes is ASCII or a command.
func TestLaTeXKnowsOurTexts(t *testing.T) {
	paths, err := filepath.Glob("../*/*.go")
	if err != nil || len(paths) == 0 {
		t.Fatal("no sources", err)
	}
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			if literal, ok := n.(*ast.BasicLit); ok && literal.Kind == token.STRING && filepath.Base(path) != "latex.go" {
				text, err := strconv.Unquote(literal.Value)
				if err != nil {
					t.Fatal(err)
				}
				for _, r := range latexText(text) {
					if r > unicode.MaxASCII && unicode.IsPrint(r) {
						t.Errorf("%s: %q in %.80q", path, r, text)
					}
				}
			}
			return true
		})
	}
}

func TestText(t *testing.T) {
	want := `Recall on a_b | 50 % of 10 queries

           news
retriever    @1   @5    N
ours
bm25       12.3  n/a   10
x & y <b>  R\D|  0.3  n/a

n/a: did not run.
`
	var b strings.Builder
	if err := Text(&b, sample()); err != nil || b.String() != want {
		t.Errorf("%v\n%s", err, b.String())
	}
}

func TestTextKeepsWideGroups(t *testing.T) {
	var b strings.Builder
	table := Table{Caption: "c", Columns: []Column{{"a long heading", "@1", 0}, {"b", "@1", 0}}, Rows: []Row{{"r", []Cell{Count(1), Count(2)}}}}
	if err := Text(&b, table); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(b.String(), "\n")
	if at := strings.Index(lines[2], "b"); at < 0 || !strings.HasPrefix(lines[3][at:], "@1") || !strings.HasSuffix(lines[4], "2") {
		t.Errorf("group headings do not stand above their columns:\n%s", b.String())
	}
}

func TestMarkdown(t *testing.T) {
	want := `**Recall on a\_b \| 50 % of 10 queries**

| retriever | news @1 | news @5 | N |
|---|---:|---:|---:|
| **ours** | | | |
| bm25 | 12.3 | n/a | 10 |
| x & y &lt;b> | R\\D\| | 0.3 | n/a |

n/a: did not run.
`
	var b strings.Builder
	if err := Markdown(&b, sample()); err != nil || b.String() != want {
		t.Errorf("%v\n%s", err, b.String())
	}
}

func TestLaTeX(t *testing.T) {
	want := `% \usepackage{booktabs}
\begin{table}
\centering
\caption{Recall on a\_b \textbar{} 50 \% of 10 queries}
\label{tab:table-2}
\begin{tabular}{lrrr}
\toprule
 & \multicolumn{2}{c}{news} & \multicolumn{1}{c}{} \\
\cmidrule(lr){2-3}
retriever & @1 & @5 & N \\
\midrule
\multicolumn{4}{l}{\textit{ours}} \\
bm25 & 12.3 & n/a & 10 \\
x \& y \textless{}b\textgreater{} & R\textbackslash{}D\textbar{} & 0.3 & n/a \\
\bottomrule
\end{tabular}
\par\smallskip\footnotesize n/a: did not run.
\end{table}
`
	var b strings.Builder
	if err := LaTeX(&b, sample()); err != nil || b.String() != want {
		t.Errorf("%v\n%s", err, b.String())
	}
}

// A row whose label begins with a bracket or a star is not read as an option of the line break before it.
func TestLaTeXOptions(t *testing.T) {
	var b strings.Builder
	table := Table{Name: "t", Columns: []Column{{Name: "n"}}, Rows: []Row{{Label: "[1].run", Cells: []Cell{Count(1)}}, {Label: "*.run", Cells: []Cell{Count(2)}}, {Label: "a[1]*", Cells: []Cell{Count(3)}}}}
	if err := LaTeX(&b, table); err != nil || !strings.Contains(b.String(), "\\\\\n\\midrule\n{}[1].run & 1 \\\\\n{}*.run & 2 \\\\\na[1]* & 3 \\\\\n") {
		t.Errorf("%v\n%s", err, b.String())
	}
}

func TestCSVReadsBackExactly(t *testing.T) {
	var b strings.Builder
	if err := CSV(&b, sample(), sample()); err != nil {
		t.Fatal(err)
	}
	lines, err := csv.NewReader(strings.NewReader(b.String())).ReadAll()
	if err != nil || len(lines) != 1+2*2*3 {
		t.Fatalf("%d lines, %v", len(lines), err)
	}
	for _, line := range lines[1:] {
		if line[2] != "ours" {
			t.Errorf("section of %q is %q", line[3], line[2])
		}
	}
	if v, err := strconv.ParseFloat(lines[5][6], 64); err != nil || v != 1.0/3 {
		t.Errorf("1/3 became %q", lines[5][6])
	}
	if lines[2][6] != "" || lines[3][6] != "10" || lines[4][3] != "x & y\n<b>" {
		t.Errorf("%q", lines[2:5])
	}
}
