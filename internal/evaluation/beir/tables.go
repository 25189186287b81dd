package beir

import (
	"fmt"
	"strings"

	"github.com/vantage-search/vantage/internal/evaluation/report"
	"github.com/vantage-search/vantage/internal/human"
)

// judgements names the judgements, and the part of them that was considered.
func (f *Figures) judgements() string {
	if f.Part == "" {
		return f.Judgements
	}
	return f.Judgements + ", " + human.Escape(f.Part)
}

// Tables are one table with the means of all measures, and one with the tests for each
// measure.
func (f *Figures) Tables() []report.Table {
	t := report.Table{Name: "beir-" + f.Dataset, Stub: "retriever or run",
		Caption: fmt.Sprintf("%s, %s: %s, %s; means over all of these queries", f.Dataset, f.judgements(), human.Count(f.Queries, "query"), human.Count(f.Documents, "document"))}
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
	if len(f.beyond) > 0 {
		t.Notes = append(t.Notes, fmt.Sprintf("%s: retrievers returned %s for a query (-k), and what is beyond counts as not found", strings.Join(f.beyond, ", "), human.Count(f.Retrieved, "document")))
	}
	tables := []report.Table{t}
	for i := range f.Comparisons {
		tables = append(tables, f.Comparisons[i].PairTable())
	}
	return tables
}
