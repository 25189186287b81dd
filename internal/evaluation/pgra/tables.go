package pgra

import (
	"fmt"
	"strings"

	"github.com/vantage-search/vantage/internal/evaluation/report"
	"github.com/vantage-search/vantage/internal/human"
)

// Tables are the report's tables, in the layout of the paper's.
func (r *Report) Tables() []report.Table {
	out := []report.Table{r.systems(), r.consistency()}
	if r.Reranker != "" {
		out = append(out, r.tried("5", "by k, the candidates of stage 1", paperK, Ks, func(t *Tried, k int) bool { return t.K == k && t.D == r.D }, "k"),
			r.tried("6", "by d, the evidence of stage 2", paperD, Ds, func(t *Tried, d int) bool { return t.K == r.K && t.D == d }, "d"))
	}
	readers := r.table("readers", "results that need a trained reader, from the paper: ours n/a", "the paper")
	readers.Rows = paperRows(paperReaders)
	readers.Notes = []string{"--fid writes the input of a Fusion-in-Decoder reader."}
	return append(out, readers, r.data())
}

// table has the columns of the paper's tables.
func (r *Report) table(name, about, stub string) report.Table {
	t := report.Table{Name: "pgra-" + name, Stub: stub, Caption: r.Dataset + ", " + about}
	for _, name := range Names() {
		t.Columns = append(t.Columns, report.Column{Name: name, Decimals: 1})
	}
	t.Columns = append(t.Columns, report.Column{Name: "Average", Decimals: 1})
	return t
}

// row returns a row with a value for each task that was evaluated, and their average if all
// tasks in averaged were. value gives values from 0 to 1; the row has percent.
func (r *Report) row(label string, averaged []string, value func(i int, t *Task) (v float64, ok bool)) report.Row {
	row := report.Row{Label: label}
	sum, n := 0.0, 0
	for _, name := range Names() {
		cell := report.Missing()
		for i := range r.Tasks {
			v, ok := value(i, &r.Tasks[i])
			if r.Tasks[i].Name != name || !ok {
				continue
			}
			cell = report.Figure(100 * v)
			for _, counted := range averaged {
				if counted == name {
					sum, n = sum+100*v, n+1
				}
			}
		}
		row.Cells = append(row.Cells, cell)
	}
	if n < len(averaged) {
		return report.Row{Label: label, Cells: append(row.Cells, report.Missing())}
	}
	row.Cells = append(row.Cells, report.Figure(sum/float64(n)))
	return row
}

// systems is the paper's Table 2.
func (r *Report) systems() report.Table {
	t := r.table("table2", fmt.Sprintf("systems: accuracy, for CoLA Matthews' correlation × 100; k %d, d %d, %s, seed %d", r.K, r.D, human.Count(r.Shots, "demonstration"), r.Seed), "system")
	all := Names()
	t.Rows = append(t.Rows, report.Row{Label: "ours"},
		r.row("most frequent label", all, func(_ int, t *Task) (float64, bool) { return t.Majority, true }))
	for _, way := range []struct {
		name string
		of   func(c *InContext) float64
	}{{"ICL", func(c *InContext) float64 { return c.Plain }}, {"ICL, calibrated", func(c *InContext) float64 { return c.Calibrated }}} {
		model, _, _ := strings.Cut(r.with(way.name), " (") // without the way of comparing states, which in-context learning does not use
		t.Rows = append(t.Rows, r.row(model, all, func(_ int, t *Task) (float64, bool) {
			if t.Context == nil {
				return 0, false
			}
			return way.of(t.Context), true
		}))
	}
	for i := range r.Retrievers {
		of := &r.Retrievers[i]
		t.Rows = append(t.Rows, r.row("k-NN, "+of.Name, all, func(i int, _ *Task) (float64, bool) { return of.Tasks[i].First.Vote, true }))
	}
	for i := range r.Retrievers {
		of := &r.Retrievers[i]
		t.Rows = append(t.Rows, r.row(r.with("k-NN of PGRA's evidence, "+of.Name+" →"), all, func(i int, _ *Task) (float64, bool) {
			return of.Tasks[i].second(func(m *Measures) float64 { return m.Vote })
		}))
	}
	for _, name := range trained {
		t.Rows = append(t.Rows, r.row(name, all, func(int, *Task) (float64, bool) { return 0, false }))
	}
	t.Rows = append(t.Rows, paperRows(paperSystems)...)
	t.Notes = append(t.Notes, "k-NN: the most frequent label of the d nearest texts of the training split; if several are, that of the nearest text. The paper's k-NN uses embeddings of T5.",
		"Ours retrieves from the training split. The paper retrieves from Wiki1M, without labels, and its readers are trained; ours are n/a.")
	switch {
	case r.Reranker == "":
		t.Notes = append(t.Notes, "No --reranker: stage 2 and in-context learning did not run.")
	case !r.Shown:
		t.Notes = append(t.Notes, r.Reranker+" is no language model: it reads the template without demonstrations, and there is no in-context learning.")
	}
	for i := range r.Tasks {
		if r.Tasks[i].Cut > 0 {
			t.Notes = append(t.Notes, fmt.Sprintf("%s: %s shortened to fit behind the demonstrations.", r.Tasks[i].Name, human.Count(r.Tasks[i].Cut, "text")))
		}
	}
	return t
}

// with returns the name of a system with the reranker's name.
func (r *Report) with(name string) string {
	if r.Reranker == "" {
		return strings.TrimSuffix(name, " →")
	}
	if strings.HasSuffix(name, "→") {
		return name + " " + r.Reranker
	}
	return name + ", " + r.Reranker
}

func (f *Found) second(value func(m *Measures) float64) (float64, bool) {
	if f.Second == nil {
		return 0, false
	}
	return value(f.Second), true
}

// paperFive are the tasks of Table 10; its average is over these five.
var paperFive = []string{"SST-2", "SST-5", "CoLA", "MR", "MPQA"}

// consistency is the paper's Table 10.
func (r *Report) consistency() report.Table {
	t := r.table("table10", fmt.Sprintf("label consistency: the share of the evidence that has the text's label, in percent; k %d, d %d", r.K, r.D), "evidence by")
	consistency := func(m *Measures) float64 { return m.Consistency }
	t.Rows = append(t.Rows, report.Row{Label: "ours"})
	for i := range r.Retrievers {
		of := &r.Retrievers[i]
		t.Rows = append(t.Rows, r.row(of.Name, paperFive, func(i int, _ *Task) (float64, bool) { return of.Tasks[i].First.Consistency, true }))
		if r.Reranker != "" {
			t.Rows = append(t.Rows, r.row(of.Name+" → "+r.Reranker, paperFive, func(i int, _ *Task) (float64, bool) { return of.Tasks[i].second(consistency) }))
		}
	}
	t.Rows = append(t.Rows, paperRows(paperConsistency)...)
	t.Notes = append(t.Notes, "The average is over SST-2, SST-5, CoLA, MR and MPQA, as in the paper. Our labels are those of the training split; the paper's are those that a trained T5 gives to Wiki1M.")
	return t
}

// tried is the paper's Table 5 or 6, with the vote in place of a reader.
func (r *Report) tried(number, about string, paper []paperRow, settings []int, is func(t *Tried, setting int) bool, letter string) report.Table {
	t := r.table("table"+number, "k-NN of PGRA's evidence "+about, "stage 1, "+letter)
	for i := range r.Retrievers {
		of := &r.Retrievers[i]
		t.Rows = append(t.Rows, report.Row{Label: "ours, " + of.Name + " → " + r.Reranker})
		for _, setting := range settings {
			t.Rows = append(t.Rows, r.row(fmt.Sprintf("%s %d", letter, setting), Names(), func(i int, _ *Task) (float64, bool) {
				for j := range of.Tasks[i].Tried {
					if tried := &of.Tasks[i].Tried[j]; is(tried, setting) {
						return tried.Measures.Vote, true
					}
				}
				return 0, false
			}))
		}
	}
	t.Rows = append(t.Rows, paperRows(paper)...)
	return t
}

// data describes the tasks that were evaluated, as the paper's Table 12 does.
func (r *Report) data() report.Table {
	t := report.Table{Name: "pgra-table12", Stub: "task", Caption: r.Dataset + ", the tasks", Columns: []report.Column{
		{Name: "metric"}, {Name: "labels"}, {Name: "test"}, {Name: "train"}, {Name: "evidence"}, {Group: "words of a text", Name: "ours", Decimals: 1}, {Group: "words of a text", Name: "the paper"}}}
	for i := range r.Tasks {
		of := &r.Tasks[i]
		length := 0
		for j := range tasks {
			if tasks[j].name == of.Name {
				length = tasks[j].length
			}
		}
		t.Rows = append(t.Rows, report.Row{Label: of.Name, Cells: []report.Cell{
			report.Word(of.Metric), report.Count(len(of.Labels)), report.Count(of.Test), report.Count(of.Train), report.Count(of.Evidence), report.Figure(of.Words), report.Count(length)}})
		if n := of.Empty + of.Tested + of.Repeated; n > 0 {
			t.Notes = append(t.Notes, fmt.Sprintf("%s: left out are %d rows without a text, %d rows of the training split with the text of a test row, and %d that repeat an earlier row.", of.Name, of.Empty, of.Tested, of.Repeated))
		}
	}
	t.Notes = append(t.Notes, fmt.Sprintf("Evidence is the training split without the demonstrations. CR, MR, MPQA and Subj have no test split: at most 2,000 rows of each are drawn by seed %d.", r.Seed))
	return t
}
