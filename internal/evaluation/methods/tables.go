package methods

import (
	"fmt"
	"strings"

	"github.com/vantage-search/vantage/internal/evaluation/report"
	"github.com/vantage-search/vantage/internal/human"
	"github.com/vantage-search/vantage/perspective"
)

// Tables lays out the candidates of each kind and, at the end, the choices.
func (f *Figures) Tables() []report.Table {
	var tables []report.Table
	chosen := report.Table{Name: "auto", Stub: "kind", Caption: "Chosen for " + f.Encoder,
		Columns: []report.Column{{Name: "method"}, {Name: "queries"}, {Name: f.Measure, Decimals: 4}, {Name: "over plain", Decimals: 4}, {Name: "p of the best", Decimals: 4}},
		Notes: []string{
			fmt.Sprintf("The best method of a kind is chosen if it beats the plain cosine at p ≤ %g (two-sided paired randomisation test, times the number of other candidates); otherwise %s, the safer of the plain cosine and the sum of root, query and perspective over all queries with one. Queries without a perspective have the plain cosine then.", Level, f.Safest),
			"Kinds without data have " + f.Safest + ", too; queries without a perspective, the plain cosine.",
			fmt.Sprintf("hybrid: fused with BM25 (%s), the words' weight %g or as it is named.", perspective.HybridFusion, perspective.HybridWeight),
		}}
	for _, k := range f.Kinds {
		name := string(k.Kind)
		if k.Kind == perspective.KindNone {
			name = "no perspective"
		}
		t := report.Table{Name: "kind-" + name, Stub: "method", Caption: fmt.Sprintf("%s: %s", name, human.Count(k.Queries, "query")),
			Columns: []report.Column{{Name: f.Measure, Decimals: 4}}}
		mean := 0.0
		for _, c := range k.Candidates {
			t.Rows = append(t.Rows, report.Row{Label: labelOf(c.Choice), Cells: []report.Cell{report.Figure(c.Mean)}})
			if c.Choice == k.Chosen {
				mean = c.Mean
			}
		}
		tables = append(tables, t)
		chosen.Rows = append(chosen.Rows, report.Row{Label: name, Cells: []report.Cell{report.Word(labelOf(k.Chosen)), report.Count(k.Queries),
			report.Figure(mean), report.Figure(k.Margin), report.Figure(k.P)}})
	}
	return append(tables, chosen)
}

// labelOf is a choice without its kind.
func labelOf(c perspective.Choice) string {
	_, label, _ := strings.Cut(c.String(), " ")
	return label
}
