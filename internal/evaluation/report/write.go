package report

import (
	"encoding/csv"
	"io"
	"strings"
)

// Text writes tables for a terminal, with aligned columns.
func Text(w io.Writer, tables ...Table) error {
	var b strings.Builder
	for i := range tables {
		if i > 0 {
			b.WriteString("\n")
		}
		tables[i].text(&b)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// Markdown writes tables in GitHub's Markdown.
func Markdown(w io.Writer, tables ...Table) error {
	var b strings.Builder
	for i := range tables {
		if i > 0 {
			b.WriteString("\n")
		}
		tables[i].markdown(&b)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// LaTeX writes tables for a document that loads the package booktabs.
func LaTeX(w io.Writer, tables ...Table) error {
	var b strings.Builder
	b.WriteString("% \\usepackage{booktabs}\n")
	for i := range tables {
		tables[i].latex(&b)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// CSV writes a header line and one line per cell (RFC 4180): table, caption, section,
// row, group, column, value. Numbers have the fewest digits that read back as the same
// number; a missing cell has an empty value.
func CSV(w io.Writer, tables ...Table) error {
	out := csv.NewWriter(w)
	out.Write([]string{"table", "caption", "section", "row", "group", "column", "value"})
	for i := range tables {
		t := &tables[i]
		section := ""
		for r := range t.Rows {
			row := &t.Rows[r]
			if len(row.Cells) == 0 {
				section = row.Label
				continue
			}
			for c, column := range t.Columns {
				out.Write([]string{t.Name, t.Caption, section, row.Label, column.Group, column.Name, row.cell(c).exact()})
			}
		}
	}
	out.Flush()
	return out.Error()
}
