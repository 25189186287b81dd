package pireval

import (
	"context"
	"testing"

	"github.com/vantage-search/vantage/internal/evaluation/pir"
	"github.com/vantage-search/vantage/internal/testing/approx"
	"github.com/vantage-search/vantage/internal/testing/jsonfile"
	"github.com/vantage-search/vantage/internal/testing/shared"
)

func demo(t testing.TB) []pir.Task {
	t.Helper()
	tasks, err := pir.ReadFile(shared.Path(t, "data/pir/demo_pir_dataset.json"))
	if err != nil {
		t.Fatal(err)
	}
	return tasks
}

// reference is a block of figures, each at 1, 5 and 10.
type reference struct {
	N        int
	Overall  [3]float64
	Macro    [3]float64
	PerLabel map[string]labelReference `json:"per_label"`
	PRecall  [3]float64                `json:"p_recall"`
	Notebook [3]float64                `json:"p_recall_notebook"`
	ByUnique [3]float64                `json:"p_recall_by_unique_perspective"`
}

type labelReference struct {
	N      int
	Recall [3]float64
}

// comparison compares figures and counts the comparisons.
type comparison struct {
	*testing.T
	figures int
}

func (c *comparison) same(what string, got Figures, want [3]float64) {
	c.Helper()
	for i, g := range []float64{got.At1, got.At5, got.At10} {
		if c.figures++; approx.Apart(g, want[i], 1e-9) {
			c.Errorf("%s: %v, want %v", what, got, want)
		}
	}
}

func (c *comparison) count(what string, got, want int) {
	c.Helper()
	if c.figures++; got != want {
		c.Errorf("%s: %d, want %d", what, got, want)
	}
}

func (c *comparison) result(what string, got *Result, want *reference, labels []string) {
	c.Helper()
	c.same(what+": overall", got.Recall.Overall, want.Overall)
	c.same(what+": macro", got.Recall.Macro, want.Macro)
	c.same(what+": p-recall", got.PRecall, want.PRecall)
	c.same(what+": notebook's", got.PRecallNotebook, want.Notebook)
	c.same(what+": by perspective", got.PRecallByUniquePerspective, want.ByUnique)
	c.count(what+": labels", len(got.Recall.PerLabel), len(labels))
	for _, label := range labels {
		l := got.Recall.PerLabel.Get(label)
		if l == nil {
			c.Errorf("%s: no label %q", what, label)
			continue
		}
		c.count(what+": queries of "+label, l.N, want.PerLabel[label].N)
		c.same(what+": "+label, l.Figures, want.PerLabel[label].Recall)
	}
}

func evaluateTask(t testing.TB, task *pir.Task, retriever System) Ordered[Result] {
	t.Helper()
	ctx := context.Background()
	ranker, err := retriever.Prepare(ctx, task, func(int) {})
	if err != nil {
		t.Fatal(err)
	}
	results, err := Task(ctx, task, ranker, retriever.Methods(), func(int) {}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return results
}

// bm25Reference has the parts of the reference that use clean gold and stable ties.
type bm25Reference struct {
	Order map[string][]string `json:"label_order"`
	Tasks map[string]struct {
		NQueries  int `json:"n_queries"`
		NRoots    int `json:"n_roots"`
		Queries   struct{ Stable reference }
		Roots     struct{ Stable reference } `json:"root_dataset"`
		RootTexts struct{ Stable reference } `json:"root_text_per_perspective"`
	}
}

func TestBM25Reference(t *testing.T) {
	var want bm25Reference
	jsonfile.Read(t, shared.Path(t, "data/pir/reference_bm25.json"), &want)
	for _, task := range demo(t) {
		t.Run(task.Name, func(t *testing.T) {
			c, w := comparison{T: t}, want.Tasks[task.Name]
			got := evaluateTask(t, &task, BM25{}).Get(BM25Name)
			c.count("queries", got.N, w.NQueries)
			c.result("queries", got, &w.Queries.Stable, want.Order[task.Name])
			c.count("root queries", got.Root.N, w.NRoots)
			c.same("root queries", got.Root.Figures, w.Roots.Stable.Overall)

			// The query's text is replaced by the root's.
			byRoot := task
			byRoot.Queries = task.Roots
			c.result("root texts", evaluateTask(t, &byRoot, BM25{}).Get(BM25Name), &w.RootTexts.Stable, want.Order[task.Name])
			t.Logf("%d figures", c.figures)
		})
	}
}

// TestModesReference compares every method of the reference on the tasks for which it has
// figures.
func TestModesReference(t *testing.T) {
	var want struct {
		Tasks map[string]map[string]struct {
			Recall reference
			Roots  struct{ Stable [3]float64 } `json:"root_dataset"`
		}
	}
	jsonfile.Read(t, shared.Path(t, "data/pir/reference_modes.json"), &want)
	var orders bm25Reference
	jsonfile.Read(t, shared.Path(t, "data/pir/reference_bm25.json"), &orders)
	compared := 0
	for _, task := range demo(t) {
		modes, ok := want.Tasks[task.Name]
		if !ok {
			continue
		}
		compared++
		t.Run(task.Name, func(t *testing.T) {
			c := comparison{T: t}
			results := evaluateTask(t, &task, Vectors{Embedder: VectorFiles{shared.Path(t, "data/pir/emb")}})
			for mode, w := range modes {
				if mode == "bm25_ranking_repaired" {
					continue // the notebook's BM25, which is no method by vectors
				}
				got := results.Get(mode)
				if got == nil {
					t.Errorf("%s is missing", mode)
					continue
				}
				c.count(mode+": queries", got.N, len(task.Queries))
				c.count(mode+": without an answer", got.Unanswered, 0)
				c.result(mode, got, &w.Recall, orders.Order[task.Name])
			}
			c.same("root queries", results.Get("vec_add").Root.Figures, modes["source_cosine"].Roots.Stable)
			t.Logf("%d figures", c.figures)
		})
	}
	if compared != 3 {
		t.Errorf("%d tasks compared, want 3", compared)
	}
}
