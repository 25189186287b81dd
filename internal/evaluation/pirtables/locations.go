package pirtables

import (
	"fmt"
	"slices"
	"strings"

	"github.com/vantage-search/vantage/internal/evaluation/pir"
	"github.com/vantage-search/vantage/internal/evaluation/pireval"
	"github.com/vantage-search/vantage/internal/evaluation/report"
)

// locations is Figures 3, 5 and 6 as a table: the locations of the texts that queries
// for a location find, and how often root queries find each location. The method is the
// plain query, as in the paper, or the run's first method if the plain query did not
// run.
func (e *Evaluation) locations(task *pir.Task, run *pireval.Run) (report.Table, bool) {
	method := plain(run)
	if !byMethod(run, method) {
		method = firstMethod(run)
	}
	r := run.Result(task.Name, method)
	if r == nil || r.Locations == nil {
		return report.Table{}, false
	}
	l := r.Locations
	by := run.Retriever
	if by != method {
		by += ", " + method
	}
	t := report.Table{
		Name: "locations-" + task.Name + "-" + run.Retriever, Stub: "location",
		Caption: fmt.Sprintf("%s, N = %s, %d of which have a known location: locations of the top %d by %s.",
			e.of(task), size(task), l.Documents, l.K, by),
		Columns: []report.Column{{Group: "queries for it", Name: "N"}, {Group: "queries for it", Name: "documents"}, {Group: "portion (%)", Name: "desired", Decimals: 1},
			{Group: "portion (%)", Name: "other", Decimals: 1}, {Group: "portion (%)", Name: "others by location"}, {Group: "root queries", Name: "documents"}},
		Notes: []string{"Portions are of the documents retrieved whose location is known (Figures 3 and 6 of " + paper + "); root queries: documents from there in their top 5 (Figure 5)."},
	}
	names := make([]string, 0, len(l.Desired))
	for _, d := range l.Desired {
		names = append(names, d.Name)
	}
	for _, root := range l.Root {
		if !slices.Contains(names, root.Name) {
			names = append(names, root.Name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		t.Rows = append(t.Rows, report.Row{Label: name, Cells: append(desiredCells(l.Desired.Get(name), name), report.Count(countOf(l.Root.Get(name))))})
	}
	return t, true
}

func countOf(n *int) int {
	if n == nil {
		return 0
	}
	return *n
}

func desiredCells(d *pireval.Desired, location string) []report.Cell {
	if d == nil {
		return []report.Cell{report.Count(0), report.Count(0), report.Missing(), report.Missing(), report.Word("")}
	}
	cells := []report.Cell{report.Count(d.N), report.Count(d.Documents)}
	if d.Documents == 0 {
		return append(cells, report.Missing(), report.Missing(), report.Word(""))
	}
	desired := 0.0
	var others []string
	for _, p := range d.Portions {
		if p.Name == location {
			desired = p.Value
		} else {
			others = append(others, fmt.Sprintf("%s %.1f", p.Name, 100*p.Value))
		}
	}
	return append(cells, percent(desired), percent(1-desired), report.Word(strings.Join(others, ", ")))
}
