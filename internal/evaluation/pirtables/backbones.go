package pirtables

import (
	"fmt"

	"github.com/vantage-search/vantage/internal/evaluation/pireval"
	"github.com/vantage-search/vantage/internal/evaluation/report"
)

// projections are the rows of Table 9, with the paper's figures in the order of
// paperBackbones: the mean p-Recall@5, and how much more it is than without them.
var projections = []struct {
	label, method string
	paper         [4][2]float64
}{
	{"PAP", "vec_projection", [4][2]float64{{46.0, 1.7}, {42.0, 0.2}, {46.9, 1.7}, {44.8, 0.6}}},
	{"PAP+", "vec_dual_projection", [4][2]float64{{46.4, 2.1}, {42.5, 0.7}, {47.6, 2.4}, {45.1, 0.9}}},
}

var paperBackbones = [4]string{"SimCSE-base-sup", "SimCSE-base-unsup", "SimCSE-large-sup", "SimCSE-large-unsup"}

// backbones has the layout of Table 9: PAP and PAP+ by retriever. ok is false if neither
// ran.
func (e *Evaluation) backbones() (t report.Table, ok bool) {
	t = report.Table{
		Name: "table9", Stub: "method",
		Caption: fmt.Sprintf("Mean p-Recall@5 (%%) of PAP and PAP+ over the tasks, and the difference from the plain query. Ours: %s.", e.ours()),
		Rows:    []report.Row{{Label: projections[0].label}, {Label: projections[1].label}},
	}
	for i := range e.Runs {
		run := &e.Runs[i]
		if !byMethod(run, projections[0].method) && !byMethod(run, projections[1].method) {
			continue
		}
		ok = true
		t.Columns = append(t.Columns, report.Column{Group: "ours", Name: run.Retriever, Decimals: 1}, report.Column{Group: "ours", Name: "Δ " + run.Retriever, Decimals: 1})
		for r, p := range projections {
			t.Rows[r].Cells = append(t.Rows[r].Cells, gain(run, p.method)...)
		}
	}
	if ok && e.rows()[0].paper != nil {
		t.Caption += fmt.Sprintf(" %s, Table 9: %s, N = %s.", paper, wholePIR, paperSizes())
		for i, name := range paperBackbones {
			t.Columns = append(t.Columns, report.Column{Group: paper + ", " + wholePIR, Name: name, Decimals: 1}, report.Column{Group: paper + ", " + wholePIR, Name: "Δ " + name, Decimals: 1})
			for r, p := range projections {
				t.Rows[r].Cells = append(t.Rows[r].Cells, report.Figure(p.paper[i][0]), report.Figure(p.paper[i][1]))
			}
		}
	}
	return t, ok
}

// gain is a method's mean and its difference from that of the plain query.
func gain(run *pireval.Run, method string) []report.Cell {
	own, ok := mean(run, method)
	if !ok {
		return []report.Cell{report.Missing(), report.Missing()}
	}
	if alone, ok := mean(run, plain(run)); ok {
		return []report.Cell{percent(own), percent(own - alone)}
	}
	return []report.Cell{percent(own), report.Missing()}
}
