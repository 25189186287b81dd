// Package report lays out tables of figures once and writes them for a
// terminal, in Markdown, as CSV and in LaTeX. It also draws line charts as SVG.
package report

import (
	"math"
	"strconv"
	"strings"
)

// A Table has rows with a label and one cell per column.
type Table struct {
	Name    string // short and unique in a report, such as "table2"; LaTeX's label and CSV's first field
	Caption string // names the data set and how many queries and documents it has
	Stub    string // heading above the rows' labels; may be empty
	Columns []Column
	Rows    []Row
	Notes   []string
}

// Column is a column of figures. Neighbouring columns of the same Group share its
// heading.
type Column struct {
	Group    string // may be empty
	Name     string
	Decimals int // decimals of its figures
}

// Row is a line of a table. A row without cells is a heading of the rows below it.
type Row struct {
	Label string
	Cells []Cell
}

// Cell is a figure, a count, a word, or missing.
type Cell struct {
	kind  kind
	value float64
	word  string
}

type kind uint8

const (
	missing kind = iota
	figure
	count
	word
)

// Figure is a cell that prints value with its column's decimals. For NaN and infinities
// it is Missing.
func Figure(value float64) Cell {
	if math.IsNaN(value) || math.IsInf(value, 0) {
		return Cell{}
	}
	return Cell{kind: figure, value: value}
}

// Count is a cell that prints n without decimals.
func Count(n int) Cell { return Cell{kind: count, value: float64(n)} }

// Word is a cell of text.
func Word(text string) Cell { return Cell{kind: word, word: text} }

// Missing is a cell without a value; it prints n/a.
func Missing() Cell { return Cell{} }

// text is the text of a cell for people.
func (c Cell) text(decimals int) string {
	switch c.kind {
	case figure:
		return strconv.FormatFloat(c.value, 'f', decimals, 64)
	case count:
		return strconv.FormatFloat(c.value, 'f', 0, 64)
	case word:
		return oneLine(c.word)
	}
	return "n/a"
}

// exact is the text of a cell that reads back as the same number; empty if the cell is
// missing.
func (c Cell) exact() string {
	switch c.kind {
	case figure, count:
		return strconv.FormatFloat(c.value, 'g', -1, 64)
	case word:
		return c.word
	}
	return ""
}

// cell is the row's cell in a column. Cells that a short row lacks are missing.
func (r *Row) cell(column int) Cell {
	if column < len(r.Cells) {
		return r.Cells[column]
	}
	return Cell{}
}

// span is a run of neighbouring columns of the same group.
type span struct {
	group       string
	first, last int
}

// spans are the spans of all columns, in order. grouped is true if a column has a group.
func (t *Table) spans() (spans []span, grouped bool) {
	for i, c := range t.Columns {
		grouped = grouped || c.Group != ""
		if n := len(spans); n > 0 && c.Group != "" && spans[n-1].group == c.Group {
			spans[n-1].last = i
			continue
		}
		spans = append(spans, span{c.Group, i, i})
	}
	return spans, grouped
}

// oneLine replaces line breaks and control characters in text of a data set by spaces,
// so that the text fits into a line of a table.
func oneLine(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || (r >= 0x80 && r < 0xa0) || r == '\u2028' || r == '\u2029' {
			return ' '
		}
		return r
	}, s)
}
