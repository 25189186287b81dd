package pirtables

import (
	"context"
	"encoding/csv"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/evaluation/pir"
	"github.com/vantage-search/vantage/internal/evaluation/pireval"
	"github.com/vantage-search/vantage/internal/evaluation/report"
	"github.com/vantage-search/vantage/internal/model"
	"github.com/vantage-search/vantage/internal/testing/approx"
	"github.com/vantage-search/vantage/internal/testing/shared"
)

// TestPaper checks that the paper's printed averages follow from its rows, up to
// rounding, and that its tables agree, to find figures that were copied wrongly.
func TestPaper(t *testing.T) {
	near := func(what string, got, want float64) {
		t.Helper()
		if approx.Apart(got, want, 0.1+1e-9) {
			t.Errorf("%s: %.2f, the paper has %.1f", what, got, want)
		}
	}
	for i, name := range paperRetrievers {
		sum := 0.0
		for _, task := range paperTasks {
			sum += task.recall[i]
		}
		near("Table 2, "+name, sum/6, paperAverages[i])
	}
	for _, m := range paperMethods {
		sum := 0.0
		for _, v := range m.recall {
			sum += v
		}
		near("Table 8, "+m.label, sum/6, m.average)
	}
	for i := range paperTasks {
		if paperMethods[0].recall[i] != paperTasks[i].recall[2] {
			t.Errorf("%s: Table 8 without intervention is not Table 2's SimCSE-sup", paperTasks[i].title)
		}
	}
	for _, p := range projections {
		i := slices.IndexFunc(paperMethods, func(m paperMethod) bool { return m.method == p.method })
		if p.paper[0][0] != paperMethods[i].average { // Table 8's model is the first of Table 9
			t.Errorf("Table 9, %s: %.1f, Table 8 has %.1f", p.label, p.paper[0][0], paperMethods[i].average)
		}
		near("Table 9, "+p.label, p.paper[0][0]-p.paper[0][1], paperAverages[2])
		near("Table 9, "+p.label, p.paper[1][0]-p.paper[1][1], paperAverages[3])
		for b := 2; b < 4; b++ { // both methods are compared with the same plain query
			near("Table 9, "+paperBackbones[b], p.paper[b][0]-p.paper[b][1], projections[0].paper[b][0]-projections[0].paper[b][1])
		}
	}
	for _, row := range paperInstructed {
		near("Table 10, Perspectrum, "+row.name, row.bias[0]+row.bias[1], 100)
	}
	near("Table 10, AllSides", paperInstructed[0].bias[2]+paperInstructed[0].bias[3]+paperInstructed[0].bias[4], 100)
	queries, documents := 0, 0
	for _, task := range paperTasks {
		queries, documents = queries+task.queries, documents+task.documents
	}
	if queries != 7494 || documents != 10286 { // the counts of §1
		t.Errorf("%d queries, %d documents", queries, documents)
	}
	for i, row := range paperBias {
		if i != 5 { // TART's sums to more in the paper
			near("Table 3, Perspectrum, "+paperRetrievers[i], row[0]+row[1], 100)
		}
		near("Table 3, AllSides, "+paperRetrievers[i], row[2]+row[3]+row[4], 100)
	}
}

// evaluation runs BM25 and the built-in model with every measurement, but without the method cast+.
func evaluation(t *testing.T, data string, tasks []pir.Task) *Evaluation {
	t.Helper()
	encoder, err := model.Open(context.Background(), model.Builtin, model.Options{ID: "model"})
	if err != nil {
		t.Fatal(err)
	}
	e := &Evaluation{Data: data, Tasks: tasks, Extraction: pireval.Extraction{By: pireval.Wording}}
	ctx := context.Background()
	for _, r := range []pireval.System{pireval.BM25{}, pireval.Vectors{Embedder: pireval.Encoded{Encoder: encoder}}} {
		methods := slices.DeleteFunc(r.Methods(), func(m pireval.Method) bool { return m.Short == "cast+" })
		run, err := pireval.Evaluate(ctx, tasks, r, methods, func(string, int, int) {}, nil)
		if err != nil {
			t.Fatal(err)
		}
		e.Runs = append(e.Runs, run)
		d := Decomposed{Retriever: r.Name()}
		for i := range tasks {
			of, err := pireval.Decomposed(ctx, &tasks[i], pireval.ByWording(tasks[i].Queries), r, methods[:1])
			if err != nil {
				t.Fatal(err)
			}
			d.Tasks = append(d.Tasks, pireval.Member[pireval.Decomposition]{Name: tasks[i].Name, Value: of})
		}
		e.Decomposed = append(e.Decomposed, d)
	}
	return e
}

// cells reads tables back from CSV. The keys are table, section, row, group and column.
func cells(t *testing.T, tables []report.Table) map[[5]string]string {
	t.Helper()
	var b strings.Builder
	if err := report.CSV(&b, tables...); err != nil {
		t.Fatal(err)
	}
	lines, err := csv.NewReader(strings.NewReader(b.String())).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	values := map[[5]string]string{}
	for _, l := range lines[1:] {
		key := [5]string{l[0], l[2], l[3], l[4], l[5]}
		if _, twice := values[key]; twice {
			t.Errorf("%q stands twice", key)
		}
		values[key] = l[6]
	}
	return values
}

func checkCells(t *testing.T, values map[[5]string]string, want map[[5]string]float64) {
	t.Helper()
	for key, w := range want {
		got, ok := values[key]
		v, err := strconv.ParseFloat(got, 64)
		if !ok || err != nil || approx.Apart(v, w, 1e-9) {
			t.Errorf("%q is %q, want %v", key, got, w)
		}
	}
}

func TestDebates(t *testing.T) {
	tasks, err := pir.Open("../../../examples/debates")
	if err != nil {
		t.Fatal(err)
	}
	e := evaluation(t, "debates", tasks)
	all := e.All()
	names := map[string]bool{}
	for _, table := range all {
		if !strings.Contains(table.Caption, "debates") || !strings.Contains(table.Caption, "N = ") || strings.Contains(table.Caption, paper) {
			t.Errorf("caption of %s: %s", table.Name, table.Caption)
		}
		if names[table.Name] {
			t.Errorf("two tables are called %s", table.Name)
		}
		names[table.Name] = true
		for _, row := range table.Rows {
			if len(row.Cells) > len(table.Columns) {
				t.Errorf("%s, %s: %d cells for %d columns", table.Name, row.Label, len(row.Cells), len(table.Columns))
			}
		}
	}
	values := cells(t, all)
	bm25, plain, papPlus := e.Runs[0].Result("debates", "bm25"), e.Runs[1].Result("debates", "query_cosine"), e.Runs[1].Result("debates", "vec_dual_projection")
	checkCells(t, values, map[[5]string]float64{
		{"table2", "", "debates", "ours", "bm25"}:                                 100 * bm25.PRecall.At5,
		{"table2", "", "debates", "ours", "model"}:                                100 * plain.PRecall.At5,
		{"table4", "", "PAP+", "", "model"}:                                       100 * papPlus.PRecall.At5,
		{"table8", "", "PAP+", "", "debates"}:                                     100 * papPlus.PRecall.At5,
		{"task-debates", "bm25", "bm25", "notebook's", "@10"}:                     100 * bm25.PRecallNotebook.At10,
		{"task-debates", "model", "vec_dual_projection", "root queries", "@1"}:    100 * papPlus.Root.At1,
		{"labels-debates", "model", "query_cosine", "oppose (N = 48)", "@5"}:      100 * plain.Recall.PerLabel.Get("oppose").At5,
		{"bias-debates", "", "oppose", "bm25, documents", "@5"}:                   100 * bm25.Bias.Get("oppose").Documents.At5,
		{"bias-debates", "", "oppose", "model, queries", "@1"}:                    100 * plain.Bias.Get("oppose").At1,
		{"locations-debates-model", "", "Germany", "queries for it", "documents"}: float64(plain.Locations.Desired.Get("Germany").Documents),
		{"decomposition-model", "", "query_cosine", "debates", "given"}:           100 * plain.Recall.Overall.At5,
		{"table6", "", "debates", "ours", "root"}:                                 100 * e.Decomposed[0].Tasks[0].Value.Root.QAF1,
		{"locations-debates-model", "", "Germany", "root queries", "documents"}:   float64(*plain.Locations.Root.Get("Germany")),
	})
	for _, row := range []string{"cast+", "concat.+"} { // evaluation leaves the first out, and there is no method for the second
		if got, ok := values[[5]string{"table8", "", row, "", "debates"}]; !ok || got != "" {
			t.Errorf("%s: %q, want n/a", row, got)
		}
	}
}

func TestDemo(t *testing.T) {
	tasks, err := pir.ReadFile(shared.Path(t, "data/pir/demo_pir_dataset.json"))
	if err != nil {
		t.Fatal(err)
	}
	e := evaluation(t, "demo.json", tasks)
	e.Tasks = e.Tasks[:5] // the table has a row for Ex-FEVER that says that it did not run
	for i := range e.Runs {
		e.Runs[i].Tasks = e.Runs[i].Tasks[:5]
		e.Decomposed[i].Tasks = e.Decomposed[i].Tasks[:5]
	}
	for _, table := range e.All() {
		if table.Name == "table10" {
			t.Error("Table 10 without a model that takes instructions")
		}
	}
	e.Runs[1].Instructed = true
	all := e.All()
	for _, table := range all[:4] {
		if !strings.Contains(table.Caption, "demo.json, 5 tasks of N = 100 queries on 500 documents each") || !strings.Contains(table.Caption, wholePIR) {
			t.Errorf("caption of %s: %s", table.Name, table.Caption)
		}
	}
	mean5 := func(method string) (sum float64) {
		for _, task := range e.Tasks {
			sum += e.Runs[1].Result(task.Name, method).PRecall.At5 / 5
		}
		return sum
	}
	values := cells(t, all)
	theirs := paper + ", " + wholePIR
	checkCells(t, values, map[[5]string]float64{
		{"table2", "", "StoryAnalogy", "ours", "bm25"}:                          100 * e.Runs[0].Result("story", "bm25").PRecall.At5,
		{"table2", "", "StoryAnalogy", theirs, "TART"}:                          12.3,
		{"table2", "", "Ex-FEVER", theirs, "BM25"}:                              53.7,
		{"table3", "ours, queries", "model", "AllSides", "Center"}:              100 * e.Runs[1].Result("allsides", "query_cosine").Bias.Get("center").At5,
		{"table3", theirs, "DPR", "Perspectrum", "Undermine"}:                   44.5,
		{"table4", "", "cast", "", paper}:                                       43.7,
		{"table8", paper + ", SimCSE-sup, " + wholePIR, "add+", "", "AllSides"}: 2.3,
		{"table8", "ours, model", "tri-sum", "", "AmbigQA"}:                     100 * e.Runs[1].Result("ambigqa", "additive_tripple").PRecall.At5,
		{"table6", "", "AGNews", paper, "perspective"}:                          78,
		{"table9", "", "PAP+", theirs, "SimCSE-large-sup"}:                      47.6,
		{"table9", "", "PAP", theirs, "Δ SimCSE-large-unsup"}:                   .6,
		{"table9", "", "PAP+", "ours", "model"}:                                 100 * mean5("vec_dual_projection"),
		{"table9", "", "PAP+", "ours", "Δ model"}:                               100 * (mean5("vec_dual_projection") - mean5("query_cosine")),
		{"table10", "ours, queries", "model", "AllSides", "Center"}:             100 * e.Runs[1].Result("allsides", "query_cosine").Bias.Get("center").At5,
		{"table10", theirs, "INSTRUCTOR-base", "AllSides", "Left"}:              33.7,
	})
	for key, want := range map[[5]string]string{
		{"table2", "", "Ex-FEVER", "ours", "bm25"}:       "",
		{"table8", "ours, model", "PAP", "", "Ex-FEVER"}: "",
		{"table2", "", "Ex-FEVER", theirs, "N"}:          "1104/1104",

		{"table10", theirs, "INSTRUCTOR-large", "AllSides", "Left"}: "",
		{"table2", "", "AGNews", "ours", "N"}:                       "100/500",
		{"table6", "", "AllSides", paper, "Δ BM25"}:                 "6–8",
		{"table6", "", "Ex-FEVER", "ours", "root"}:                  "",
	} {
		if got, ok := values[key]; !ok || got != want {
			t.Errorf("%q is %q, want %q", key, got, want)
		}
	}
}
