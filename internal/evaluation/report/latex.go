package report

import (
	"fmt"
	"strings"
)

func (t *Table) latex(b *strings.Builder) {
	fmt.Fprintf(b, "\\begin{table}\n\\centering\n\\caption{%s}\n\\label{tab:%s}\n\\begin{tabular}{l%s}\n\\toprule\n",
		latexText(t.Caption), labelText(t.Name), strings.Repeat("r", len(t.Columns)))
	if spans, grouped := t.spans(); grouped {
		var rules strings.Builder
		for _, s := range spans {
			fmt.Fprintf(b, " & \\multicolumn{%d}{c}{%s}", s.last-s.first+1, latexText(s.group))
			if s.group != "" {
				fmt.Fprintf(&rules, "\\cmidrule(lr){%d-%d}", s.first+2, s.last+2)
			}
		}
		b.WriteString(" \\\\\n" + rules.String() + "\n")
	}
	b.WriteString(latexText(t.Stub))
	for _, c := range t.Columns {
		b.WriteString(" & " + latexText(c.Name))
	}
	b.WriteString(" \\\\\n\\midrule\n")
	for r := range t.Rows {
		row := &t.Rows[r]
		if len(row.Cells) == 0 {
			if r > 0 {
				b.WriteString("\\midrule\n")
			}
			fmt.Fprintf(b, "\\multicolumn{%d}{l}{\\textit{%s}} \\\\\n", len(t.Columns)+1, latexText(row.Label))
			continue
		}
		label := latexText(row.Label)
		if strings.HasPrefix(label, "[") || strings.HasPrefix(label, "*") {
			label = "{}" + label // the end of the line before would read it as its option
		}
		b.WriteString(label)
		for i, c := range t.Columns {
			b.WriteString(" & " + latexText(row.cell(i).text(c.Decimals)))
		}
		b.WriteString(" \\\\\n")
	}
	b.WriteString("\\bottomrule\n\\end{tabular}\n")
	for _, note := range t.Notes {
		b.WriteString("\\par\\smallskip\\footnotesize " + latexText(note) + "\n")
	}
	b.WriteString("\\end{table}\n")
}

func latexText(s string) string { return latexEscapes.Replace(oneLine(s)) }

// latexEscapes replaces characters that TeX reads as commands or prints as others, and
// characters of our captions that older TeX engines do not know.
var latexEscapes = strings.NewReplacer(
	`\`, `\textbackslash{}`, "{", `\{`, "}", `\}`, "$", `\$`, "&", `\&`, "#", `\#`, "%", `\%`, "_", `\_`,
	"~", `\textasciitilde{}`, "^", `\textasciicircum{}`, "<", `\textless{}`, ">", `\textgreater{}`, "|", `\textbar{}`, `"`, `''`,
	"α", `$\alpha$`, "β", `$\beta$`, "γ", `$\gamma$`, "θ", `$\theta$`, "λ", `$\lambda$`, "τ", `$\tau$`, "Δ", `$\Delta$`,
	"→", `$\rightarrow$`, "−", `$-$`, "–", "--", "≥", `$\geq$`, "≤", `$\leq$`, "×", `$\times$`, "·", `$\cdot$`, "…", `\dots{}`, "’", "'", "”", "''")

// labelText keeps letters, digits, '-' and ':' of a label.
func labelText(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '-' || r == ':' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return '-'
	}, s)
}
