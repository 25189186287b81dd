package berds

import (
	"fmt"
	"slices"

	"github.com/vantage-search/vantage/internal/evaluation/report"
	"github.com/vantage-search/vantage/internal/human"
)

// ExpansionTable describes files of expansions in the layout of the paper's Table 1.
func ExpansionTable(files []ExpansionStatistics) report.Table {
	rows, questions := 0, 0
	for _, s := range files {
		rows += s.Rows
		questions += s.Questions
	}
	t := report.Table{
		Name:    "table1",
		Caption: fmt.Sprintf("Table 1: questions and their expansions. %d rows on %d questions.", rows, questions),
		Stub:    "file",
		Columns: []report.Column{{Name: "questions"}, {Name: "org_id"}, {Name: "#p", Decimals: 1}, {Name: "|p|", Decimals: 2}, {Name: "rows"}, {Name: "per question", Decimals: 1}, {Name: "words", Decimals: 2}, {Name: "joined otherwise"}},
		Notes: []string{
			"#p, |p|: reference perspectives per question, and words of each, split at white space (the paper's by NLTK, over all splits). Words: of an expansion's text, likewise. Joined otherwise: rows whose query is not the question, a space and the text.",
			"The paper's n of expansions is 6.1 per question, of 43.98 words on average.",
		},
	}
	for _, s := range files {
		t.Rows = append(t.Rows, report.Row{Label: s.File, Cells: []report.Cell{
			report.Count(s.Questions), report.Count(s.OriginalIDs), report.Figure(s.Perspectives), report.Figure(s.Words),
			report.Count(s.Rows), report.Figure(s.PerQuestion), report.Figure(s.TextWords), report.Count(s.NotPlain)}})
	}
	for _, p := range paperQuestions {
		t.Rows = append(t.Rows, report.Row{Label: "the paper: " + p.dataset + " (dev.)", Cells: []report.Cell{
			report.Count(p.development), report.Missing(), report.Figure(p.perspectives), report.Figure(p.words)}})
	}
	return t
}

// DetectionTable is Table 7, with the given file's figures beside the paper's: those of its
// labels and of guessing, and in a row of its own the answer no. addTo adds detectors.
func DetectionTable(s DetectionStatistics) report.Table {
	t := report.Table{
		Name: "table7",
		Caption: fmt.Sprintf("Table 7: perspective detection (%%). %s: N = %d (document, perspective) pairs, %d positive, of %d questions, %d perspectives and %d documents, %d repeated; the paper: n = 542.",
			s.File, s.Rows, s.Positive, s.Questions, s.Perspectives, s.Documents, s.Repeated),
		Stub: "model",
		Notes: []string{
			fmt.Sprintf("Of %d different (question, document) pairs, %d contain one perspective and %d more.", s.Pairs, s.Supporting, s.ContainMany),
			"Random: expected of guessing positive with the share of positives (the paper: one draw). n/a: did not run.",
		},
	}
	for _, group := range []string{"the paper", "this file"} {
		for _, name := range []string{"F1", "Acc.", "% pos."} {
			t.Columns = append(t.Columns, report.Column{Group: group, Name: name, Decimals: 1})
		}
	}
	t.Rows = append(t.Rows, report.Row{Label: "No to every row", Cells: append(make([]report.Cell, 3), s.alwaysNo().cells()...)})
	for _, p := range paperDetection {
		row := report.Row{Label: p.model}
		for _, v := range slices.Backward(p.values[:]) {
			row.Cells = append(row.Cells, report.Figure(v))
		}
		switch p.model {
		case referenceHuman:
			row.Cells = append(row.Cells, report.Missing(), report.Missing(), percent(ratio(s.Positive, s.Rows)))
		case randomGuess:
			row.Cells = append(row.Cells, s.Random.cells()...)
		}
		t.Rows = append(t.Rows, row)
	}
	if s.Detector != nil {
		for _, d := range append([]*DetectorResult{s.Detector}, s.Also...) {
			d.addTo(&t)
		}
	}
	return t
}

// unusable says in a note how many replies of a chat model were refused.
func unusable(refused int) string {
	if refused == 0 {
		return ""
	}
	return fmt.Sprintf(" %s could not be used and count as no.", human.Count(refused, "reply"))
}

// addTo adds a detector's rows and notes to Table 7.
func (d *DetectorResult) addTo(t *report.Table) {
	add := func(how string, of Detection) {
		t.Rows = append(t.Rows, report.Row{Label: d.Name + ", " + how, Cells: append(make([]report.Cell, 3), of.cells()...)})
	}
	if d.ByPrompt {
		add("by prompt", *d.MostProbable)
		t.Notes = append(t.Notes, d.Name+" was asked by our prompt, without an example."+unusable(d.Refused))
		return
	}
	if d.MostProbable != nil {
		add("most probable answer", *d.MostProbable)
	}
	add("threshold of the other questions", *d.LeftOut)
	if d.Given != nil {
		add("the threshold given", *d.Given)
	}
	t.Notes = append(t.Notes, d.Name+" is "+d.Model+". Its score is "+d.Score+". The threshold of the other questions has the highest F1 on the rows of all questions but the row's own (leave-one-question-out).")
	if d.Threshold != nil {
		t.Notes = append(t.Notes, fmt.Sprintf("On all rows, the threshold with the highest F1 is %g (for --threshold, on other questions).", *d.Threshold))
	}
}

// cells are those of Table 7's columns. F1 comes first, because nearly all rows are
// negative.
func (d Detection) cells() []report.Cell {
	return []report.Cell{percent(d.F1), percent(d.Accuracy), percent(d.Positive)}
}

// alwaysNo is the result of the answer no, whatever the row.
func (s *DetectionStatistics) alwaysNo() Detection {
	return Detection{Accuracy: 1 - ratio(s.Positive, s.Rows)}
}

// table lays detection on Perspectrum out.
func (d *DetectionOnPerspectrum) table() report.Table {
	t := report.Table{
		Name:    "detection",
		Caption: fmt.Sprintf("Detection of support and opposition (%%). Perspectrum: N = %d (claim, side, document), half of them positive, of %d test claims.", d.Rows, d.Claims),
		Stub:    "model",
		Columns: []report.Column{{Name: "F1", Decimals: 1}, {Name: "Acc.", Decimals: 1}, {Name: "% pos.", Decimals: 1}},
		Notes: []string{
			"For each document that people judged for a claim, the detector is asked whether it supports the claim, and whether it opposes it.",
			"The detector's answer is its most probable one, of for, against and neither." + unusable(d.Refused),
		},
	}
	for _, row := range append([]NamedDetection{{randomGuess, d.Random}, {d.name, d.Detector}}, d.Also...) {
		t.Rows = append(t.Rows, report.Row{Label: row.Name, Cells: row.cells()})
	}
	return t
}
