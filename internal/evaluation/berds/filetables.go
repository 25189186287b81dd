package berds

import (
	"fmt"

	"github.com/vantage-search/vantage/internal/evaluation/report"
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

// DetectionTable is Table 7 with two rows for the given file: its labels, and guessing.
func DetectionTable(s DetectionStatistics) report.Table {
	t := report.Table{
		Name: "table7",
		Caption: fmt.Sprintf("Table 7: perspective detection (%%). %s: N = %d (document, perspective) pairs, %d positive, of %d questions, %d perspectives and %d documents, %d repeated; the paper: n = 542.",
			s.File, s.Rows, s.Positive, s.Questions, s.Perspectives, s.Documents, s.Repeated),
		Stub: "model",
		Notes: []string{
			fmt.Sprintf("Of %d different (question, document) pairs, %d contain one perspective and %d more.", s.Pairs, s.Supporting, s.ContainMany),
			"Random: expected of guessing positive with the share of positives (the paper: one draw). n/a: did not run; a threshold on similarity would have to be chosen on training pairs, which were not released.",
		},
	}
	for _, group := range []string{"the paper", "this file"} {
		for _, name := range []string{"% pos.", "Acc.", "F1"} {
			t.Columns = append(t.Columns, report.Column{Group: group, Name: name, Decimals: 1})
		}
	}
	for _, p := range paperDetection {
		row := report.Row{Label: p.model}
		for _, v := range p.values {
			row.Cells = append(row.Cells, report.Figure(v))
		}
		switch p.model {
		case referenceHuman:
			row.Cells = append(row.Cells, percent(ratio(s.Positive, s.Rows)))
		case randomGuess:
			row.Cells = append(row.Cells, percent(s.Random.Positive), percent(s.Random.Accuracy), percent(s.Random.F1))
		}
		t.Rows = append(t.Rows, row)
	}
	if d := s.Sides; d != nil {
		t.Rows = append(t.Rows, report.Row{Label: "sides (our pack)", Cells: append(make([]report.Cell, 3), percent(d.Positive), percent(d.Accuracy), percent(d.F1))})
		t.Notes = append(t.Notes, "Sides: a document contains a perspective if it is on its subject, and for is the most probable of for, against and neither.")
	}
	return t
}

// table lays detection on Perspectrum out.
func (d *DetectionOnPerspectrum) table() report.Table {
	t := report.Table{
		Name:    "detection",
		Caption: fmt.Sprintf("Detection of support and opposition (%%). Perspectrum: N = %d (claim, side, document), half of them positive, of %d test claims.", d.Rows, d.Claims),
		Stub:    "model",
		Columns: []report.Column{{Name: "% pos.", Decimals: 1}, {Name: "Acc.", Decimals: 1}, {Name: "F1", Decimals: 1}},
		Notes: []string{
			"Each document that people judged for a claim is asked whether it supports the claim, and whether it opposes it.",
			"Sides: the document is on the subject, and that side is the most probable of for, against and neither.",
		},
	}
	for _, row := range []struct {
		name string
		of   Detection
	}{{randomGuess, d.Random}, {"sides (our pack)", d.Sides}} {
		t.Rows = append(t.Rows, report.Row{Label: row.name, Cells: []report.Cell{percent(row.of.Positive), percent(row.of.Accuracy), percent(row.of.F1)}})
	}
	return t
}
