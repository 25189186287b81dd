package pirtables

import (
	"fmt"

	"github.com/vantage-search/vantage/internal/evaluation/pireval"
	"github.com/vantage-search/vantage/internal/evaluation/report"
	"github.com/vantage-search/vantage/internal/human"
)

// Decomposed holds one retriever's results with the queries of all tasks split.
type Decomposed struct {
	Retriever string
	Tasks     pireval.Ordered[pireval.Decomposition]
}

// decomposition has the layout of Table 6: QA-F1 of the extracted parts, and Recall@5
// with the given and the extracted parts, for BM25 and, for retrievers by vectors, PAP+.
func (e *Evaluation) decomposition() report.Table {
	rows := e.rows()
	beside := rows[0].paper != nil
	t := report.Table{
		Name: "table6", Stub: "task",
		Caption: fmt.Sprintf("Perspective extraction by %s: QA-F1 (%%), and Recall@5 (%%) with given–extracted parts. Ours: %s.", e.extractor(), e.ours()),
		Columns: []report.Column{{Group: "ours", Name: "split"}, {Group: "ours", Name: "perspective", Decimals: 1}, {Group: "ours", Name: "root", Decimals: 1}},
		Notes:   []string{"split: queries that were taken apart; what is not extracted counts 0, and such a query is ranked as it is. QA-F1 compares the sets of words."},
	}
	if c := e.Extraction.Chat; c != nil {
		refused := 0
		for _, task := range e.Decomposed[0].Tasks {
			refused += task.Value.Refused
		}
		t.Notes = append(t.Notes, fmt.Sprintf("%s; %s refused, whose queries are not split.", c, human.Count(refused, "reply")))
	}
	for _, d := range e.Decomposed {
		t.Columns = append(t.Columns, report.Column{Group: "ours, given–extracted", Name: d.Retriever})
	}
	if beside {
		t.Caption += fmt.Sprintf(" %s, Table 6: GPT-3.5-Turbo, 50 queries of each task.", paper)
		t.Columns = append(t.Columns, report.Column{Group: paper, Name: "perspective", Decimals: 1})
		for _, name := range []string{"Δ BM25", "Δ DPR", "Δ SimCSE"} {
			t.Columns = append(t.Columns, report.Column{Group: paper, Name: name})
		}
	}
	for _, r := range rows {
		row := report.Row{Label: r.title}
		if d := e.Decomposed[0].Tasks.Get(r.name); d != nil {
			row.Cells = append(row.Cells, report.Word(fmt.Sprintf("%d/%d", d.Split, d.N)), percent(d.Perspective.QAF1), percent(d.Root.QAF1))
		} else {
			row.Cells = append(row.Cells, report.Missing(), report.Missing(), report.Missing())
		}
		for i := range e.Decomposed {
			row.Cells = append(row.Cells, changeCell(&e.Decomposed[i], r.name, shownMethod(&e.Decomposed[i])))
		}
		if r.paper != nil {
			row.Cells = append(row.Cells, report.Figure(r.paper.qaF1))
			for _, change := range r.paper.changes {
				row.Cells = append(row.Cells, report.Word(change))
			}
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// extractor says in a caption what has split the queries.
func (e *Evaluation) extractor() string {
	switch by := e.Extraction; {
	case by.NoModel:
		return "the wording of queries, because no chat model is configured"
	case by.By == pireval.Wording:
		return "the wording of queries"
	}
	return human.Escape(e.Extraction.By)
}

// shownMethod is the method whose Recall@5 Table 6 shows: BM25's own, or PAP+ for vectors.
func shownMethod(d *Decomposed) string {
	if d.Retriever == pireval.BM25Name {
		return pireval.BM25Name
	}
	return "vec_dual_projection"
}

func changeCell(d *Decomposed, task, method string) report.Cell {
	if of := d.Tasks.Get(task); of != nil {
		if c := of.Recall.Get(method); c != nil {
			return report.Word(fmt.Sprintf("%.1f–%.1f", 100*c.Given.At5, 100*c.Split.At5))
		}
	}
	return report.Missing()
}

// changes shows Recall@5 with the given and the extracted parts by every method.
func (e *Evaluation) changes(d *Decomposed) report.Table {
	t := report.Table{
		Name: "decomposition-" + d.Retriever, Stub: "method",
		Caption: fmt.Sprintf("Recall@5 (%%) of %s with given and with extracted roots and perspectives: %s.", d.Retriever, e.ours()),
	}
	for i := range e.Tasks {
		for _, name := range []string{"given", "extracted"} {
			t.Columns = append(t.Columns, report.Column{Group: e.Tasks[i].Name, Name: name, Decimals: 1})
		}
	}
	for _, m := range d.Tasks[0].Value.Recall {
		row := report.Row{Label: m.Name}
		for _, task := range d.Tasks {
			c := task.Value.Recall.Get(m.Name)
			row.Cells = append(row.Cells, percent(c.Given.At5), percent(c.Split.At5))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}
