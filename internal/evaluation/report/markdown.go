package report

import "strings"

func (t *Table) markdown(b *strings.Builder) {
	b.WriteString("**" + markdownText(t.Caption) + "**\n\n|" + cellOf(t.Stub) + "|")
	for _, c := range t.Columns {
		name := c.Name
		if c.Group != "" {
			name = c.Group + " " + c.Name
		}
		b.WriteString(cellOf(name) + "|")
	}
	b.WriteString("\n|---|" + strings.Repeat("---:|", len(t.Columns)) + "\n")
	for r := range t.Rows {
		row := &t.Rows[r]
		if len(row.Cells) == 0 { // Markdown has no headings that span columns
			b.WriteString("| **" + markdownText(row.Label) + "** |" + strings.Repeat(" |", len(t.Columns)) + "\n")
			continue
		}
		b.WriteString("|" + cellOf(row.Label) + "|")
		for i, c := range t.Columns {
			b.WriteString(cellOf(row.cell(i).text(c.Decimals)) + "|")
		}
		b.WriteString("\n")
	}
	for _, note := range t.Notes {
		b.WriteString("\n" + markdownText(note) + "\n")
	}
}

// cellOf puts spaces around a cell's text; an empty cell is one space.
func cellOf(s string) string {
	if s == "" {
		return " "
	}
	return " " + markdownText(s) + " "
}

// markdownText keeps text from being read as markup or HTML.
func markdownText(s string) string { return markdownEscapes.Replace(oneLine(s)) }

var markdownEscapes = strings.NewReplacer(`\`, `\\`, "|", `\|`, "*", `\*`, "_", `\_`, "`", "\\`", "<", "&lt;", "[", `\[`, "]", `\]`)
