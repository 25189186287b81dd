package pirtables

import (
	"fmt"
	"slices"

	"github.com/vantage-search/vantage/internal/evaluation/pireval"
	"github.com/vantage-search/vantage/internal/evaluation/report"
)

// retrievers has the layout of Table 2: p-Recall@5 by task and retriever.
func (e *Evaluation) retrievers() report.Table {
	rows := e.rows()
	beside := rows[0].paper != nil
	t := report.Table{
		Name: "table2", Stub: "task",
		Caption: fmt.Sprintf("p-Recall@5 (%%) of retrievers by the plain query. Ours: %s.", e.ours()),
		Notes:   []string{"Avg.: mean over the tasks that ran. N: queries/documents."},
	}
	if slices.ContainsFunc(e.Runs, func(r pireval.Run) bool { return r.Retriever == pireval.BM25Name }) {
		t.Notes = append(t.Notes, "bm25: rank_bm25's Okapi as in the paper's notebook, words split at single spaces, with their case.")
	}
	for i := range e.Runs {
		t.Columns = append(t.Columns, report.Column{Group: "ours", Name: e.Runs[i].Retriever, Decimals: 1})
	}
	t.Columns = append(t.Columns, report.Column{Group: "ours", Name: "N"})
	if beside {
		t.Caption += fmt.Sprintf(" %s, Table 2: %s, N in its column.", paper, wholePIR)
		for _, name := range paperRetrievers {
			t.Columns = append(t.Columns, report.Column{Group: paperTable2, Name: name, Decimals: 1})
		}
		t.Columns = append(t.Columns, report.Column{Group: paperTable2, Name: "N"})
	}
	for _, r := range rows {
		t.Rows = append(t.Rows, report.Row{Label: r.title, Cells: e.retrieverCells(r, beside)})
	}
	last := report.Row{Label: "Avg."}
	for i := range e.Runs {
		last.Cells = append(last.Cells, average(&e.Runs[i], plain(&e.Runs[i])))
	}
	last.Cells = append(last.Cells, report.Word(""))
	if beside {
		for _, v := range paperAverages {
			last.Cells = append(last.Cells, report.Figure(v))
		}
		last.Cells = append(last.Cells, report.Word(""))
	}
	t.Rows = append(t.Rows, last)
	return t
}

const paperTable2 = paper + ", " + wholePIR

func (e *Evaluation) retrieverCells(r row, beside bool) []report.Cell {
	var cells []report.Cell
	for i := range e.Runs {
		cells = append(cells, pRecallAt5(&e.Runs[i], r.name, plain(&e.Runs[i])))
	}
	if task := e.find(r.name); task != nil {
		cells = append(cells, sizeCell(len(task.Queries), len(task.Corpus)))
	} else {
		cells = append(cells, report.Missing())
	}
	switch {
	case !beside || r.paper == nil: // short rows are filled up with n/a
	default:
		for _, v := range r.paper.recall {
			cells = append(cells, report.Figure(v))
		}
		cells = append(cells, sizeCell(r.paper.queries, r.paper.documents))
	}
	return cells
}

func sizeCell(queries, documents int) report.Cell {
	return report.Word(fmt.Sprintf("%d/%d", queries, documents))
}
