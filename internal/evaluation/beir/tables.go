package beir

import (
	"fmt"

	"github.com/vantage-search/vantage/internal/evaluation/report"
	"github.com/vantage-search/vantage/internal/human"
)

// Tables are one table with the means of all measures, and one with the tests for each
// measure.
func (f *Figures) Tables() []report.Table {
	t := report.Table{Name: "beir-" + f.Dataset, Stub: "retriever or run",
		Caption: fmt.Sprintf("%s, %s: %s, %s; means over all of these queries", f.Dataset, f.Judgements, human.Count(f.Queries, "query"), human.Count(f.Documents, "document"))}
	for _, m := range f.measures {
		t.Columns = append(t.Columns, report.Column{Name: m, Decimals: 4})
	}
	for _, s := range f.Systems {
		row := report.Row{Label: s.Name}
		for _, m := range f.measures {
			row.Cells = append(row.Cells, report.Figure(s.Means[m]))
		}
		t.Rows = append(t.Rows, row)
		note := s.Name + ": " + s.About
		if s.Dropped > 0 {
			note += fmt.Sprintf("; %s with the query's id left out", human.Count(s.Dropped, "document"))
		}
		t.Notes = append(t.Notes, note)
	}
	tables := []report.Table{t}
	for i := range f.Comparisons {
		tables = append(tables, f.Comparisons[i].PairTable())
	}
	return tables
}
