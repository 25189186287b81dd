package pireval

import (
	"context"
	"testing"

	"github.com/vantage-search/vantage/internal/evaluation/pir"
	"github.com/vantage-search/vantage/internal/testing/approx"
)

func TestQAF1(t *testing.T) {
	for _, c := range []struct {
		extracted string
		golds     []string
		want      float64
	}{
		{"a claim that opposes", []string{"a claim that opposes"}, 1},
		{"A claim, that OPPOSES!", []string{"a claim that opposes a claim"}, 1},
		{"a claim that opposes it", []string{"the claim that supports it", "a claim"}, 3. / 7},
		{"a b", []string{"c", "a b c d"}, 2. / 4},
		{"", []string{"a"}, 0},
		{"…", []string{""}, 0},
		{"a", nil, 0},
	} {
		if got := QAF1(c.extracted, c.golds...); approx.Apart(got, c.want, 1e-15) {
			t.Errorf("QAF1(%q, %q) = %v, want %v", c.extracted, c.golds, got, c.want)
		}
	}
}

// TestDecomposed checks that given parts have the same recall as in an evaluation, and
// that a query that cannot be split is ranked by its wording.
func TestDecomposed(t *testing.T) {
	ctx := context.Background()
	tasks, retriever := debates(t)
	d, err := Decomposed(ctx, &tasks[0], ByWording(tasks[0].Queries), retriever, retriever.Methods())
	if err != nil {
		t.Fatal(err)
	}
	if d.N != 203 || d.Split < 165 || d.Split > 203 || d.Root.QAF1 < 0.8 || d.Root.Equal < 165 || d.Perspective.QAF1 < 0.75 || d.Root.Equal > d.Split {
		t.Errorf("%+v", d)
	}
	results := evaluateTask(t, &tasks[0], retriever)
	for _, c := range d.Recall {
		if given := results.Get(c.Name).Recall.Overall; c.Value.Given != given {
			t.Errorf("%s: given parts have %v, evaluated %v", c.Name, c.Value.Given, given)
		}
	}
	if c := d.Recall.Get("query_cosine"); c.Given != c.Split {
		t.Errorf("the plain query changes with its parts: %v", c)
	}

	questions := pir.Task{
		Name: "questions", Corpus: []string{"Paris is in France", "Rome is in Italy", "Oslo"}, Queries: []string{"Where is Paris?"}, Roots: []string{"Oslo"},
		Perspectives: []string{"Rome"}, Labels: []string{"where"}, Gold: [][]int{{0}},
	}
	for _, r := range []System{retriever, BM25{}} {
		d, err := Decomposed(ctx, &questions, ByWording(questions.Queries), r, r.Methods())
		if err != nil {
			t.Fatal(err)
		}
		if d.Split != 0 || d.Root != (Extracted{}) {
			t.Errorf("%+v", d)
		}
		for _, c := range d.Recall {
			if c.Value.Split.At1 != 1 {
				t.Errorf("%s: %v", c.Name, c.Value)
			}
		}
		if r.Name() == BM25Name && d.Recall[0].Value.Given.At1 != 0 {
			t.Errorf("given perspective and root are not what is searched for: %v", d.Recall)
		}
	}
}
