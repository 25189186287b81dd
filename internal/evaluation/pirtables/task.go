package pirtables

import (
	"fmt"
	"strings"

	"github.com/vantage-search/vantage/internal/evaluation/pir"
	"github.com/vantage-search/vantage/internal/evaluation/pireval"
	"github.com/vantage-search/vantage/internal/evaluation/report"
)

// cutoff is one of the benchmark's cut-offs.
type cutoff struct {
	name string
	of   func(pireval.Figures) float64
}

var (
	at5     = cutoff{"@5", func(f pireval.Figures) float64 { return f.At5 }}
	cutoffs = []cutoff{{"@1", func(f pireval.Figures) float64 { return f.At1 }}, at5, {"@10", func(f pireval.Figures) float64 { return f.At10 }}}
)

// measures are the columns of a task's table.
var measures = []struct {
	name, key string // key is the name in machine-readable files, as in the JSON
	of        func(*pireval.Result) pireval.Figures
}{
	{"Recall", "recall", func(r *pireval.Result) pireval.Figures { return r.Recall.Overall }},
	{"macro", "macro", func(r *pireval.Result) pireval.Figures { return r.Recall.Macro }},
	{"p-Recall", "p_recall", func(r *pireval.Result) pireval.Figures { return r.PRecall }},
	{"notebook's", "p_recall_notebook", func(r *pireval.Result) pireval.Figures { return r.PRecallNotebook }},
	{"by perspective", "p_recall_by_unique_perspective", func(r *pireval.Result) pireval.Figures { return r.PRecallByUniquePerspective }},
	{"root queries", "root", func(r *pireval.Result) pireval.Figures { return r.Root.Figures }},
}

// task shows every measure of every method on a task.
func (e *Evaluation) task(task *pir.Task) report.Table {
	t := report.Table{
		Name: "task-" + task.Name, Stub: "method",
		Notes: []string{"notebook's and by perspective: the variants of p-Recall in which a root with a single query counts 0, and in which every perspective text of a root counts alike."},
	}
	for _, m := range measures {
		for _, k := range cutoffs {
			t.Columns = append(t.Columns, report.Column{Group: m.name, Name: k.name, Decimals: 1})
		}
	}
	roots := 0
	t.Rows = e.methodRows(task, func(r *pireval.Result) []report.Cell {
		roots = r.Root.N
		var cells []report.Cell
		for _, m := range measures {
			for _, k := range cutoffs {
				cells = append(cells, percent(k.of(m.of(r))))
			}
		}
		return cells
	})
	t.Caption = fmt.Sprintf("%s, N = %s, %d root queries: %s by method (%%).", e.of(task), size(task), roots, e.names())
	for i := range e.Runs {
		for _, m := range e.Runs[i].Methods {
			if r := e.Runs[i].Result(task.Name, m.Name); r != nil && r.Unanswered > 0 {
				t.Notes = append(t.Notes, fmt.Sprintf("%s, %s has no answer to %d of the queries: they count as missed.", e.Runs[i].Retriever, m.Name, r.Unanswered))
			}
		}
	}
	return t
}

// labels shows Recall@k by the label of the queries.
func (e *Evaluation) labels(task *pir.Task) report.Table {
	t := report.Table{Name: "labels-" + task.Name, Stub: "method"}
	t.Rows = e.methodRows(task, func(r *pireval.Result) []report.Cell {
		var cells []report.Cell
		fresh := len(t.Columns) == 0
		for _, label := range r.Recall.PerLabel {
			for _, k := range cutoffs {
				if fresh {
					t.Columns = append(t.Columns, report.Column{Group: fmt.Sprintf("%s (N = %d)", label.Name, label.Value.N), Name: k.name, Decimals: 1})
				}
				cells = append(cells, percent(k.of(label.Value.Figures)))
			}
		}
		return cells
	})
	t.Caption = fmt.Sprintf("%s, N = %s: Recall (%%) by the kind of perspective, %s by method.", e.of(task), size(task), e.names())
	return t
}

// methodRows has a row for each method of each run with results for a task. If there
// are several retrievers, each has a heading.
func (e *Evaluation) methodRows(task *pir.Task, cells func(*pireval.Result) []report.Cell) []report.Row {
	var rows []report.Row
	for i := range e.Runs {
		run := &e.Runs[i]
		if len(e.Runs) > 1 {
			rows = append(rows, report.Row{Label: run.Retriever})
		}
		for _, m := range run.Methods {
			if r := run.Result(task.Name, m.Name); r != nil {
				rows = append(rows, report.Row{Label: m.Name, Cells: cells(r)})
			}
		}
	}
	return rows
}

// names lists the retrievers' names.
func (e *Evaluation) names() string {
	names := make([]string, len(e.Runs))
	for i := range e.Runs {
		names[i] = e.Runs[i].Retriever
	}
	return strings.Join(names, " and ")
}
