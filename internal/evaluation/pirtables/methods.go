package pirtables

import (
	"fmt"

	"github.com/vantage-search/vantage/internal/evaluation/pireval"
	"github.com/vantage-search/vantage/internal/evaluation/report"
)

const simcse = "SimCSE-sup"

// scoring has the layout of Table 4: the methods and their mean p-Recall@5.
func (e *Evaluation) scoring(run *pireval.Run) report.Table {
	t := report.Table{
		Name: "table4", Stub: "method",
		Caption: fmt.Sprintf("Mean p-Recall@5 (%%) of scoring methods over the tasks. Ours, %s: %s.", run.Retriever, e.ours()),
		Columns: []report.Column{{Name: "scoring function"}, {Name: run.Retriever, Decimals: 1}},
	}
	beside := e.rows()[0].paper != nil
	if beside {
		t.Caption += fmt.Sprintf(" %s, Table 4, %s: %s, N = %s.", paper, simcse, wholePIR, paperSizes())
		t.Columns = append(t.Columns, report.Column{Name: paper, Decimals: 1})
	}
	for _, m := range paperMethods {
		if m.scoring == "" {
			continue
		}
		row := report.Row{Label: m.label, Cells: []report.Cell{report.Word(m.scoring), average(run, m.method)}}
		if beside {
			row.Cells = append(row.Cells, report.Figure(m.average))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// methods has the layout of Table 8: p-Recall@5 by method and task.
func (e *Evaluation) methods(run *pireval.Run) report.Table {
	rows := e.rows()
	t := report.Table{
		Name: "table8", Stub: "method",
		Caption: fmt.Sprintf("p-Recall@5 (%%) of scoring methods by task. Ours, %s: %s.", run.Retriever, e.ours()),
		Notes:   []string{"n/a: did not run, or (concat.+) cannot be recovered from paper and code."},
	}
	beside := rows[0].paper != nil
	for _, r := range rows {
		t.Columns = append(t.Columns, report.Column{Name: r.title, Decimals: 1})
	}
	t.Columns = append(t.Columns, report.Column{Name: "Avg.", Decimals: 1})
	if beside {
		t.Caption += fmt.Sprintf(" %s, Table 8, %s: %s, N = %s.", paper, simcse, wholePIR, paperSizes())
		t.Rows = append(t.Rows, report.Row{Label: "ours, " + run.Retriever})
	}
	for _, m := range paperMethods {
		row := report.Row{Label: m.label}
		for _, r := range rows {
			row.Cells = append(row.Cells, pRecallAt5(run, r.name, m.method))
		}
		row.Cells = append(row.Cells, average(run, m.method))
		t.Rows = append(t.Rows, row)
	}
	if !beside {
		return t
	}
	t.Rows = append(t.Rows, report.Row{Label: paper + ", " + simcse + ", " + wholePIR})
	for _, m := range paperMethods {
		row := report.Row{Label: m.label}
		for i := range rows {
			if i < len(m.recall) {
				row.Cells = append(row.Cells, report.Figure(m.recall[i]))
			} else {
				row.Cells = append(row.Cells, report.Missing())
			}
		}
		row.Cells = append(row.Cells, report.Figure(m.average))
		t.Rows = append(t.Rows, row)
	}
	return t
}

// paperSizes lists the paper's numbers of queries and documents by task.
func paperSizes() string {
	text := ""
	for i, t := range paperTasks {
		if i > 0 {
			text += ", "
		}
		text += fmt.Sprintf("%d/%d (%s)", t.queries, t.documents, t.title)
	}
	return text
}
