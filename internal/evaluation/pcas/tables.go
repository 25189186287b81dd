package pcas

import (
	"fmt"

	"github.com/vantage-search/vantage/internal/evaluation/report"
	"github.com/vantage-search/vantage/internal/human"
)

// columns are the measures. In the table, each is followed by its interval.
var columns = []struct{ group, name string }{{"documents", "R@1"}, {"documents", "R@5"}, {"documents", "MAP@5"}, {"contexts", "R@1"}}

// table has the systems on a split, in the layout of the paper's Tables 3 and 4.
func (r *Report) table(name string, at int, paper []paperRow) report.Table {
	s := &r.Retrievers[0].Splits[at]
	t := report.Table{Name: "pcas-" + name, Stub: "retriever, system", Caption: fmt.Sprintf(
		"%s, %s: %s, %d of them with a right context, %s; in percent, with bootstrap intervals of 95 %% (%d rounds, seed %d)",
		r.Dataset, name, human.Count(s.Questions, "question"), s.WithContext, human.Count(r.Documents, "document"), r.Rounds, r.Seed)}
	for _, c := range columns {
		t.Columns = append(t.Columns, report.Column{Group: c.group, Name: c.name, Decimals: 2}, report.Column{Group: c.group, Name: "95 %"})
	}
	for i := range r.Retrievers {
		of := &r.Retrievers[i]
		t.Rows = append(t.Rows, report.Row{Label: of.Name})
		for j := range of.Splits[at].Systems {
			s := &of.Splits[at].Systems[j]
			row := report.Row{Label: s.label(of)}
			for _, f := range []*Figure{&s.R1, &s.R5, &s.MAP5, s.Contexts} {
				if f == nil {
					row.Cells = append(row.Cells, report.Missing(), report.Missing())
					continue
				}
				row.Cells = append(row.Cells, report.Figure(100*f.Mean), report.Word(fmt.Sprintf("%.1f–%.1f", 100*f.Low, 100*f.High)))
			}
			t.Rows = append(t.Rows, row)
		}
		if of.Truncated > 0 {
			t.Notes = append(t.Notes, fmt.Sprintf("%s: %s longer than the model reads: their ends do not count.", of.Name, human.Count(of.Truncated, "text")))
		}
	}
	t.Notes = append(t.Notes, "OR: question + right context; B1: question + all contexts; B2: question → documents → context; B3: question → context, both → documents. PCAS at the setting with the highest MAP@5 on validation, and at the paper's on its test set (on validation, it has K 7 for DPR and ANCE).")
	t.Notes = append(t.Notes, r.notes...)
	if r.paper {
		t.Rows = append(t.Rows, paperRows(paper)...)
		t.Notes = append(t.Notes, "The paper's rows are of its own contexts (ORCA-ShARC), which were not released.")
	}
	return t
}

// label is the name of a system, with the setting if it is PCAS.
func (s *System) label(of *Retriever) string {
	switch {
	case s.Setting == nil:
		return s.Name
	case *s.Setting == of.Chosen && of.Chosen != of.paper:
		return fmt.Sprintf("%s, K %d, λ %.2f (chosen)", s.Name, s.Setting.K, s.Setting.Lambda)
	}
	return fmt.Sprintf("%s, K %d, λ %.2f (the paper's on test)", s.Name, s.Setting.K, s.Setting.Lambda)
}

// sweep has the best λ for each K, on the validation split.
func (r *Report) sweep() report.Table {
	t := report.Table{Name: "pcas-sweep", Stub: "retriever, K", Caption: fmt.Sprintf("%s, validation: the λ with the highest MAP@5 for each K, in percent", r.Dataset),
		Columns: []report.Column{{Name: "λ", Decimals: 2}, {Group: "documents", Name: "R@1", Decimals: 2}, {Group: "documents", Name: "R@5", Decimals: 2}, {Group: "documents", Name: "MAP@5", Decimals: 2}, {Group: "contexts", Name: "R@1", Decimals: 2}},
		Notes:   []string{fmt.Sprintf("λ was tried from %.2f to %.2f in steps of 0.05. All settings are in --json.", Lambdas[0], Lambdas[len(Lambdas)-1])}}
	for i := range r.Retrievers {
		of := &r.Retrievers[i]
		t.Rows = append(t.Rows, report.Row{Label: of.Name})
		for _, k := range Ks {
			var best *Tried
			for j := range of.Sweep {
				if tried := &of.Sweep[j]; tried.K == k && (best == nil || tried.better(best)) {
					best = tried
				}
			}
			contexts := report.Missing()
			if best.Contexts != nil {
				contexts = report.Figure(100 * *best.Contexts)
			}
			t.Rows = append(t.Rows, report.Row{Label: fmt.Sprintf("K %d", k), Cells: []report.Cell{
				report.Figure(best.Lambda), report.Figure(100 * best.R1), report.Figure(100 * best.R5), report.Figure(100 * best.MAP5), contexts}})
		}
	}
	return t
}
