package sides

import (
	"fmt"

	"github.com/vantage-search/vantage/internal/evaluation/report"
	"github.com/vantage-search/vantage/internal/human"
)

// Tables lays out the figures: the measures, and the first hits with their tests against
// β = 0.
func (f *Figures) Tables() []report.Table {
	t := report.Table{Name: "sides", Stub: "measure",
		Caption: fmt.Sprintf("%s: %s, %s; judgements: %d for, %d against, %d neither; %s", f.Dataset, human.Count(f.Roots, "root"), human.Count(f.Texts, "text"),
			f.For, f.Against, f.Neither, f.Model),
		Columns: []report.Column{{Name: "value", Decimals: 4}, {Group: "interval", Name: "from", Decimals: 4}, {Group: "interval", Name: "to", Decimals: 4}, {Name: "n"}, {Name: "of"}},
		Notes: []string{
			"Pairs in order: a text for the root has a higher score than one against it; mean over the roots with pairs, and its bootstrap interval of 95 %.",
			"Right sign: texts for a root have a score above 0, texts against it below 0.",
			fmt.Sprintf("Calibration error: expected calibration error of the probabilities in ten bins (%s).", f.Calibration),
		}}
	ordered := report.Row{Label: "pairs in order"}
	if i := f.OrderedInterval; i != nil {
		ordered.Cells = []report.Cell{report.Figure(*f.Ordered), report.Figure(i.Low), report.Figure(i.High), report.Count(i.Roots), report.Word("roots")}
	}
	t.Rows = []report.Row{ordered,
		{Label: "right sign", Cells: []report.Cell{report.Figure(f.Accuracy), {}, {}, report.Count(f.For + f.Against), report.Word("texts")}},
		{Label: fmt.Sprintf("calibration error, %d classes", f.Classes), Cells: []report.Cell{report.Figure(f.CalibrationError), {}, {}, report.Count(f.For + f.Against + f.Neither), report.Word("texts")}},
		{Label: fmt.Sprintf("on the subject, cosine %g", f.Calibration.Subject), Cells: []report.Cell{report.Figure(f.OnSubject), {}, {}, report.Count(f.For + f.Against + f.Neither), report.Word("texts")}},
	}
	all := []report.Table{t}
	if f.OtherSide != nil {
		all = append(all, f.OtherSide.table(f.Dataset, f.Model))
	}
	if f.Top == nil {
		return all
	}
	tables := f.Top.Tables()
	tables[0].Notes = append(tables[0].Notes, "The first of all texts by cos(root, text) + β·min(score, 0.3), or min(−score, 0.3) if texts against the root are asked for, is one of the root and that side. A query is a root that has texts for or against it. Its value is the share of these sides for which the first text is right.")
	return append(all, tables...)
}
