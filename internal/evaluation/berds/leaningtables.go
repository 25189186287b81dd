package berds

import (
	"fmt"

	"github.com/vantage-search/vantage/internal/evaluation/report"
)

// preference is Figure 2 as a table. The paper prints no numbers for it.
func (e *Evaluation) preference() report.Table {
	t := report.Table{
		Name:    "figure2",
		Caption: e.leaningCaption("Figure 2: which perspectives the top 5 contain (% of the questions)"),
		Stub:    "retriever",
		Columns: []report.Column{{Name: "supporting", Decimals: 1}, {Name: "both", Decimals: 1}, {Name: "none", Decimals: 1}, {Name: "opposing", Decimals: 1}},
		Notes:   e.leaningNotes(),
	}
	for i := range e.Retrievers {
		p := &e.Retrievers[i].TwoSided.Preference
		t.Rows = append(t.Rows, report.Row{Label: e.Retrievers[i].Name, Cells: []report.Cell{
			percent(p.Supporting), percent(p.Both), percent(p.None), percent(p.Opposing)}})
	}
	return t
}

// sycophancy is Figure 3 as a table. The paper prints no numbers for it.
func (e *Evaluation) sycophancy() report.Table {
	t := report.Table{
		Name:    "figure3",
		Caption: e.leaningCaption("Figure 3: Δ = (p − n)/p, p and n being the shares (%) of supporting and of opposing documents in the top 5"),
		Stub:    "query",
		Columns: []report.Column{{Name: "p", Decimals: 1}, {Name: "n", Decimals: 1}, {Name: "Δ (%)", Decimals: 1}, {Name: "mean Δ of questions (%)", Decimals: 1}, {Name: "undefined"}},
		Notes: e.leaningNotes(
			e.sided() + " Undefined: questions with p = 0, left out of the mean.",
		),
	}
	for i := range e.Retrievers {
		r := &e.Retrievers[i]
		t.Rows = append(t.Rows, report.Row{Label: r.Name})
		s := &r.TwoSided.Sycophancy
		for _, row := range []struct {
			label string
			*Leaning
		}{{"default query", &s.Default}, {"supporting perspective", &s.Supporting}, {"opposing perspective", &s.Opposing}} {
			t.Rows = append(t.Rows, report.Row{Label: row.label, Cells: []report.Cell{
				percent(row.Supporting), percent(row.Opposing), optional(row.Delta, 100), optional(row.MeanDelta, 100), report.Count(row.Undefined)}})
		}
	}
	return t
}

// leaningCaption names the claims with documents on both sides, because leaning means
// nothing if the pool holds only one side.
func (e *Evaluation) leaningCaption(title string) string {
	if e.Corpus != "" {
		return fmt.Sprintf("%s. %s: the %d test questions with two perspectives, of which the first is the supporting one, %d documents.", title, e.Corpus, e.Test.TwoSided, e.Documents)
	}
	return fmt.Sprintf("%s. Perspectrum: the %d test claims with documents on both sides, %d documents.", title, e.Test.TwoSided, e.Documents)
}

// sided says which queries take a side.
func (e *Evaluation) sided() string {
	if e.Corpus != "" {
		return "Queries: the question, its supporting perspective and its opposing one."
	}
	return "Queries: the claim, \"" + Surface(Support, "X") + "\" and \"" + Surface(Oppose, "X") + "\" (the paper: perspectives written by GPT-4)."
}

func (e *Evaluation) leaningNotes(own ...string) []string {
	if judges := e.judges(); judges != "" {
		own = append(own, judges)
	}
	return append(own, "The paper shows a chart without figures.")
}
