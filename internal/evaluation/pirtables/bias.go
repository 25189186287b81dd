package pirtables

import (
	"fmt"
	"slices"

	"github.com/vantage-search/vantage/internal/evaluation/pir"
	"github.com/vantage-search/vantage/internal/evaluation/pireval"
	"github.com/vantage-search/vantage/internal/evaluation/report"
)

// sideColumns are the columns of Table 3.
var sideColumns = []struct{ task, title, label, name string }{
	{"perspectrum", "Perspectrum", "support", "Support"}, {"perspectrum", "Perspectrum", "undermine", "Undermine"},
	{"allsides", "AllSides", "left", "Left"}, {"allsides", "AllSides", "right", "Right"}, {"allsides", "AllSides", "center", "Center"},
}

// sides has the layout of Table 3: what root queries find of each side at k = 5.
func (e *Evaluation) sides() report.Table {
	all := func(*pireval.Run) bool { return true }
	t := e.sidesOf("3", all)
	for i, name := range paperRetrievers {
		row := report.Row{Label: name}
		for _, v := range paperBias[i] {
			row.Cells = append(row.Cells, report.Figure(v))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// instructed has the layout of Table 10, which is that of Table 3 for retrievers whose
// queries are instructions and texts. ok is false if none ran.
func (e *Evaluation) instructed() (t report.Table, ok bool) {
	instructed := func(run *pireval.Run) bool { return run.Instructed }
	if !slices.ContainsFunc(e.Runs, func(run pireval.Run) bool { return run.Instructed }) {
		return t, false
	}
	t = e.sidesOf("10", instructed)
	for _, p := range paperInstructed {
		row := report.Row{Label: p.name}
		for _, v := range p.bias {
			row.Cells = append(row.Cells, report.Figure(v))
		}
		t.Rows = append(t.Rows, row)
	}
	return t, true
}

// sidesOf is a table of the sides that the runs find, with the heading of the paper's
// rows as its last row.
func (e *Evaluation) sidesOf(number string, has func(*pireval.Run) bool) report.Table {
	t := report.Table{
		Name: "table" + number, Stub: "retriever",
		Caption: fmt.Sprintf("Portion (%%) of perspectives where root queries find something, k = 5. Ours: %s. %s, Table %s: %s, N = %s.",
			e.ours(), paper, number, wholePIR, "1431 queries on 2773 documents (Perspectrum), 645 on 645 (AllSides)"),
		Notes: []string{"Documents: share of the gold documents found that have the perspective, to compare with the paper's portions, which add up to 100 (but for TART's on Perspectrum). Queries: share of the root queries with a hit whose hits include the perspective; a query can count for several."},
	}
	for _, c := range sideColumns {
		t.Columns = append(t.Columns, report.Column{Group: c.title, Name: c.name, Decimals: 1})
	}
	for _, kind := range biasKinds {
		t.Rows = append(t.Rows, report.Row{Label: "ours, " + kind.name})
		for i := range e.Runs {
			run := &e.Runs[i]
			if !has(run) {
				continue
			}
			row := report.Row{Label: run.Retriever}
			for _, c := range sideColumns {
				row.Cells = append(row.Cells, biasCell(run, c.task, c.label, at5, kind.of))
			}
			t.Rows = append(t.Rows, row)
		}
	}
	t.Rows = append(t.Rows, report.Row{Label: paper + ", " + wholePIR})
	return t
}

// biasKinds are the two ways of counting, the paper's first.
var biasKinds = []struct {
	name string
	of   func(*pireval.Bias) pireval.Figures
}{
	{"documents", func(b *pireval.Bias) pireval.Figures { return b.Documents }},
	{"queries", func(b *pireval.Bias) pireval.Figures { return b.Figures }},
}

// biasCell is missing if root queries found nothing.
func biasCell(run *pireval.Run, task, label string, k cutoff, of func(*pireval.Bias) pireval.Figures) report.Cell {
	r := run.Result(task, firstMethod(run))
	if r == nil || k.of(r.Root.Figures) == 0 {
		return report.Missing()
	}
	b := r.Bias.Get(label)
	if b == nil {
		return report.Missing()
	}
	return percent(k.of(of(b)))
}

// firstMethod is the run's first method. Root queries have the same figures with every
// method.
func firstMethod(run *pireval.Run) string { return run.Methods[0].Name }

// bias shows what a task's root queries find of each label, counted in both ways, at
// every k.
func (e *Evaluation) bias(task *pir.Task) report.Table {
	t := report.Table{Name: "bias-" + task.Name, Stub: "perspective"}
	for i := range e.Runs {
		run := &e.Runs[i]
		if r := run.Result(task.Name, firstMethod(run)); r != nil && t.Caption == "" {
			t.Caption = fmt.Sprintf("%s, N = %d root queries on %d documents: portion (%%) of perspectives where root queries find something.", e.of(task), r.Root.N, len(task.Corpus))
			for _, b := range r.Bias {
				t.Rows = append(t.Rows, report.Row{Label: b.Name})
			}
		}
		for _, kind := range biasKinds {
			for _, k := range cutoffs {
				t.Columns = append(t.Columns, report.Column{Group: run.Retriever + ", " + kind.name, Name: k.name, Decimals: 1})
				for r := range t.Rows {
					t.Rows[r].Cells = append(t.Rows[r].Cells, biasCell(run, task.Name, t.Rows[r].Label, k, kind.of))
				}
			}
		}
	}
	return t
}
