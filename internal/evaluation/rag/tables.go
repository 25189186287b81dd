package rag

import (
	"fmt"

	"github.com/vantage-search/vantage/internal/evaluation/report"
	"github.com/vantage-search/vantage/internal/human"
)

// paperRows is Table 5: exact match on AmbigQA (120 questions) and the correlation on
// Perspectrum (30 topics with a stance), in percent, with a star where p < 0.05.
var paperRows = []struct{ retriever, acc, corr string }{
	{"no", "62.5", "16.1*"},
	{"gold", "77.5", "38.7*"},
	{"SimCSE-sup", "72.5", "-2.4"},
	{"SimCSE-sup, PAP", "74.2", "18.5*"},
	{"SimCSE-sup, PAP+", "76.7", "20.9*"},
}

// figures has the layout of Table 5.
func (r *Report) figures() report.Table {
	by := "read by " + human.Escape(r.Model)
	if r.NoModel {
		by = "of the texts found: no chat model is configured, so nothing is read"
	}
	t := report.Table{
		Name: "table5", Stub: "texts",
		Caption: fmt.Sprintf("Retrieval for reading (%%), %s. Ours: %s, %s. Zhao et al. 2024, Table 5: GPT-3.5-Turbo, 120 questions of AmbigQA and 30 essays on Perspectrum.", by, human.Escape(r.Data), r.drawn()),
		Notes: []string{
			"no: without texts; gold: with the texts that are right. acc.: exact match of answers; corr.: Pearson's r of the essays' polarity with their stance, p by Student's t. n/a: not measured, or not defined.",
			"in texts: questions with an answer in the text; texts' corr.: r of the texts' own polarity. Polarity is by " + r.Polarity + "; the paper's is by TextBlob.",
		},
	}
	var rows []report.Row
	for i := range r.Tasks {
		task := &r.Tasks[i]
		t.Notes = append(t.Notes, r.about(task))
		names := []string{"acc.", "in texts"}
		if task.Kind == essays.String() {
			names = []string{"corr.", "p", "texts' corr.", "refused"}
		} else {
			names = append(names, "refused")
		}
		for _, name := range names {
			decimals := 1
			if name == "p" {
				decimals = 3
			}
			t.Columns = append(t.Columns, report.Column{Group: task.Name, Name: name, Decimals: decimals})
		}
		for n := range task.Rows {
			row := &task.Rows[n]
			if i == 0 {
				rows = append(rows, report.Row{Label: row.label})
			}
			rows[n].Cells = append(rows[n].Cells, row.cells(task.Kind, r.NoModel)...)
		}
	}
	ours := len(t.Columns)
	t.Columns = append(t.Columns, report.Column{Group: "Zhao et al. 2024", Name: "AmbigQA acc."}, report.Column{Group: "Zhao et al. 2024", Name: "Perspectrum corr."})
	t.Rows = rows
	for i, p := range paperRows {
		cells := []report.Cell{report.Word(p.acc), report.Word(p.corr)}
		if i < 2 { // no and gold are ours, too
			t.Rows[i].Cells = append(t.Rows[i].Cells, cells...)
			continue
		}
		t.Rows = append(t.Rows, report.Row{Label: "the paper: " + p.retriever, Cells: append(make([]report.Cell, ours), cells...)})
	}
	if r.Chat != nil {
		t.Notes = append(t.Notes, r.Chat.String()+".")
	}
	return t
}

func (r *Report) drawn() string {
	if r.Sample == 0 {
		return "all queries"
	}
	return fmt.Sprintf("at most %s of each task, drawn with seed %d", human.Count(r.Sample, "query"), r.Seed)
}

// about says which queries of a task are read.
func (r *Report) about(t *TaskResult) string {
	what := human.Count(t.Queries, "question")
	if t.Kind == essays.String() {
		what = human.Count(t.Queries, "topic") + " with a stance"
	}
	text := fmt.Sprintf("%s: %s on %s, the first %d of each ranking", t.Name, what, human.Count(t.Texts, "text"), t.Depth)
	if t.Repeated > 0 {
		text += fmt.Sprintf("; %d that ask the same again are left out", t.Repeated)
	}
	if t.Unanswered > 0 {
		text += fmt.Sprintf("; %d without an answer in %s are left out", t.Unanswered, human.Escape(r.AnswersFile))
	}
	if t.Kind == questions.String() && r.AnswersFile == "" {
		text += "; exact match is n/a, because no file of answers is given (--answers)"
	}
	return text + "."
}

func (row *Row) cells(kind string, noModel bool) []report.Cell {
	share := func(v *float64) report.Cell {
		if v == nil {
			return report.Missing()
		}
		return report.Figure(100 * *v)
	}
	refused := report.Count(row.Refused)
	if noModel || len(row.Replies) == 0 {
		refused = report.Missing()
	}
	if kind != essays.String() {
		return []report.Cell{share(row.Accuracy), share(row.InContext), refused}
	}
	r, p, own := report.Missing(), report.Missing(), report.Missing()
	if c := row.Polarity; c != nil {
		r, p = report.Figure(100*c.R), report.Figure(c.P)
	}
	if c := row.ContextPolarity; c != nil {
		own = report.Figure(100 * c.R)
	}
	return []report.Cell{r, p, own, refused}
}

// steps says what each step of reading took.
func (r *Report) steps() report.Table {
	t := report.Table{
		Name: "steps", Stub: "texts",
		Caption: fmt.Sprintf("What reading took, by %s: %s, %s.", human.Escape(r.Model), human.Escape(r.Data), r.drawn()),
		Columns: []report.Column{{Name: "retrieval s", Decimals: 1}, {Name: "reading s", Decimals: 1}, {Name: "requests"}, {Name: "kept"}, {Name: "prompt tokens"}, {Name: "reply tokens"}, {Name: "US $", Decimals: 4}},
		Notes:   []string{"kept: replies from the cache or a recording, and of the same texts read before. retrieval: of all tasks and methods of the retriever together."},
	}
	task := ""
	for i := range r.Steps {
		s := &r.Steps[i]
		if s.Task != task {
			task = s.Task
			t.Rows = append(t.Rows, report.Row{Label: task})
		}
		cost := report.Missing()
		if s.Cost > 0 {
			cost = report.Figure(s.Cost)
		}
		t.Rows = append(t.Rows, report.Row{Label: s.label, Cells: []report.Cell{
			report.Figure(s.RetrievalSeconds), report.Figure(s.Seconds), report.Count(s.Requests), report.Count(s.Kept),
			report.Count(int(s.PromptTokens)), report.Count(int(s.ReplyTokens)), cost}})
	}
	return t
}
