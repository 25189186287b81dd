package report

import (
	"strings"
	"unicode/utf8"
)

// text lays out a table in columns of fixed width: labels are aligned to the left,
// figures to the right, and a group's heading is above its columns.
func (t *Table) text(b *strings.Builder) {
	label := utf8.RuneCountInString(oneLine(t.Stub))
	for _, row := range t.Rows {
		label = max(label, utf8.RuneCountInString(oneLine(row.Label)))
	}
	widths := make([]int, len(t.Columns))
	for i, c := range t.Columns {
		widths[i] = utf8.RuneCountInString(oneLine(c.Name))
		for r := range t.Rows {
			if len(t.Rows[r].Cells) > 0 {
				widths[i] = max(widths[i], utf8.RuneCountInString(t.Rows[r].cell(i).text(c.Decimals)))
			}
		}
	}
	spans, grouped := t.spans()
	for _, s := range spans {
		width := 2 * (s.last - s.first)
		for i := s.first; i <= s.last; i++ {
			width += widths[i]
		}
		if need := utf8.RuneCountInString(oneLine(s.group)); need > width {
			widths[s.first] += need - width
		}
	}
	b.WriteString(oneLine(t.Caption) + "\n\n")
	var line strings.Builder
	end := func() {
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
		line.Reset()
	}
	if grouped {
		line.WriteString(strings.Repeat(" ", label))
		for _, s := range spans {
			width := 2 * (s.last - s.first)
			for i := s.first; i <= s.last; i++ {
				width += widths[i]
			}
			line.WriteString("  " + pad(oneLine(s.group), width, false))
		}
		end()
	}
	line.WriteString(pad(oneLine(t.Stub), label, false))
	for i, c := range t.Columns {
		line.WriteString("  " + pad(oneLine(c.Name), widths[i], true))
	}
	end()
	for r := range t.Rows {
		row := &t.Rows[r]
		line.WriteString(pad(oneLine(row.Label), label, false))
		if len(row.Cells) > 0 {
			for i, c := range t.Columns {
				line.WriteString("  " + pad(row.cell(i).text(c.Decimals), widths[i], true))
			}
		}
		end()
	}
	for _, note := range t.Notes {
		b.WriteString("\n" + oneLine(note) + "\n")
	}
}

// pad fills s with spaces to a width in characters. If right, the spaces precede s.
func pad(s string, width int, right bool) string {
	fill := strings.Repeat(" ", max(0, width-utf8.RuneCountInString(s)))
	if right {
		return fill + s
	}
	return s + fill
}
