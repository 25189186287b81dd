package pireval

import (
	"context"
	"slices"
	"testing"

	"github.com/viterin/vek"

	"github.com/vantage-search/vantage/internal/evaluation/pir"
	"github.com/vantage-search/vantage/internal/testing/approx"
	"github.com/vantage-search/vantage/internal/testing/shared"
)

// vector is an embedding in float64, for the methods as written in the notebook.
type vector []float64

func cosine(a, b vector) float64 { return vek.CosineSimilarity(a, b) }

// along is a + w·b.
func along(a vector, w float64, b vector) vector { return vek.Add(a, vek.MulNumber(b, w)) }

// off is a without the share λ of its component along p.
func off(a, p vector, lambda float64) vector { return along(a, -lambda*vek.Dot(a, p)/vek.Dot(p, p), p) }

// directly are the formulas by the notebook's names, and that of add+, which only the paper
// has. d is p, or q − r if the task has no perspectives of its own.
var directly = map[string]func(q, r, p, d, c vector) float64{
	"query_cosine":        func(q, r, p, d, c vector) float64 { return cosine(q, c) },
	"source_cosine":       func(q, r, p, d, c vector) float64 { return cosine(r, c) },
	"vec_add":             func(q, r, p, d, c vector) float64 { return cosine(along(r, 1, p), c) },
	"add+":                func(q, r, p, d, c vector) float64 { return cosine(along(r, 1, p), along(c, 1, p)) },
	"vec_concat":          func(q, r, p, d, c vector) float64 { return cosine(slices.Concat(r, p), slices.Concat(c, p)) },
	"vec_dual_concat":     func(q, r, p, d, c vector) float64 { return cosine(slices.Concat(r, p), slices.Concat(c, p)) },
	"vec_aug_add":         func(q, r, p, d, c vector) float64 { return cosine(along(q, 1, p), c) },
	"vec_aug_concat":      func(q, r, p, d, c vector) float64 { return cosine(slices.Concat(q, p), slices.Concat(c, p)) },
	"vec_cast_single":     func(q, r, p, d, c vector) float64 { return cosine(along(r, -1, d), c) },
	"vec_cast":            func(q, r, p, d, c vector) float64 { return cosine(along(r, -1, d), along(c, -1, d)) },
	"vec_aug_cast_single": func(q, r, p, d, c vector) float64 { return cosine(along(q, -1, d), c) },
	"vec_aug_cast":        func(q, r, p, d, c vector) float64 { return cosine(along(q, -1, d), along(c, -1, d)) },
	"additive":            func(q, r, p, d, c vector) float64 { return cosine(r, c) + cosine(p, c) },
	"additive_aug":        func(q, r, p, d, c vector) float64 { return cosine(q, c) + cosine(p, c) },
	"additive_tripple":    func(q, r, p, d, c vector) float64 { return cosine(r, c) + cosine(q, c) + cosine(p, c) },
	"vec_projection":      func(q, r, p, d, c vector) float64 { return cosine(off(q, d, 1), c) },
	"vec_dual_projection": func(q, r, p, d, c vector) float64 { return cosine(off(q, d, 1), off(c, d, 1)) },
	"vec_projection_rev":  func(q, r, p, d, c vector) float64 { return cosine(off(q, d, -1), c) },
	"vec_dual_projection_rev": func(q, r, p, d, c vector) float64 {
		return cosine(off(q, d, -1), off(c, d, -1))
	},
}

// gatedBy maps methods to the one that preselects the best fifth of the texts, and the one that
// ranks these.
var gatedBy = map[string][2]string{"re-ranking": {"source_cosine", "additive"}, "re-ranking_aug": {"query_cosine", "additive_aug"}}

// direct ranks every text for query i.
func direct(e *Embedding, own bool, method string, i int) []int {
	at := func(rows []float32, i int) vector { return vek.FromFloat32(rows[i*e.Dim : (i+1)*e.Dim]) }
	q, r, p := at(e.Queries, i), at(e.Roots, i), at(e.Perspectives, i)
	d := p
	if !own {
		d = along(q, -1, r)
	}
	n := len(e.Corpus) / e.Dim
	scores := func(method string) []float64 {
		scores := make([]float64, n)
		for c := range scores {
			scores[c] = directly[method](q, r, p, d, at(e.Corpus, c))
		}
		return scores
	}
	var final []float64
	if names, gated := gatedBy[method]; gated {
		gate := scores(names[0])
		final = scores(names[1])
		sorted := slices.Sorted(slices.Values(gate))
		place := 0.8 * float64(n-1)
		low := int(place)
		cut := sorted[low] + (place-float64(low))*(sorted[low+1]-sorted[low])
		for c := range final {
			if gate[c] < cut {
				final[c] = -100
			}
		}
	} else {
		final = scores(method)
	}
	order := make([]int, n)
	for c := range order {
		order[c] = c
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case final[a] > final[b]:
			return -1
		case final[a] < final[b]:
			return 1
		}
		return 0
	})
	return order
}

// TestDirectly compares every method on all six tasks with its formula in float64, and
// the figures with sums written out here.
func TestDirectly(t *testing.T) {
	files := VectorFiles{shared.Path(t, "data/pir/emb")}
	for _, task := range demo(t) {
		t.Run(task.Name, func(t *testing.T) {
			t.Parallel()
			e, err := files.Embed(context.Background(), &task, func(int) {})
			if err != nil {
				t.Fatal(err)
			}
			results := evaluateTask(t, &task, Vectors{Embedder: files})
			for _, method := range VectorMethods() {
				got := results.Get(method.Name)
				var hit [][3]bool
				for i := range task.Queries {
					ranking := direct(e, task.OwnPerspectives(), method.Name, i)
					hit = append(hit, [3]bool{anyOf(ranking[:1], task.Gold[i]), anyOf(ranking[:5], task.Gold[i]), anyOf(ranking[:10], task.Gold[i])})
				}
				c := comparison{T: t}
				c.same(method.Name+": overall", got.Recall.Overall, shareOf(hit, nil))
				macro, byRoot, notebook := [3]float64{}, [3]float64{}, [3]float64{}
				for k := range 3 {
					macro[k] = meanBy(hit, k, task.Labels, 1)
					byRoot[k] = meanBy(hit, k, task.Roots, 1)
					notebook[k] = meanBy(hit, k, task.Roots, 2)
				}
				c.same(method.Name+": macro", got.Recall.Macro, macro)
				c.same(method.Name+": p-recall", got.PRecall, byRoot)
				c.same(method.Name+": notebook's", got.PRecallNotebook, notebook)
				for _, label := range got.Recall.PerLabel {
					c.same(method.Name+": "+label.Name, label.Value.Figures, shareOf(hit, func(i int) bool { return task.Labels[i] == label.Name }))
				}
			}
			checkBias(t, e, &task, &results[0].Value)
		})
	}
}

func anyOf(ranking, gold []int) bool {
	return slices.ContainsFunc(ranking, func(text int) bool { return slices.Contains(gold, text) })
}

// shareOf is the share of hits among the kept queries.
func shareOf(hit [][3]bool, keep func(i int) bool) (share [3]float64) {
	for k := range share {
		n := 0
		for i := range hit {
			if keep == nil || keep(i) {
				n++
				if hit[i][k] {
					share[k]++
				}
			}
		}
		share[k] /= float64(n)
	}
	return share
}

// meanBy is the mean over keys of each key's share of hits. A key with fewer than least
// queries counts 0.
func meanBy(hit [][3]bool, k int, keys []string, least int) float64 {
	hits, n := map[string]float64{}, map[string]float64{}
	for i, key := range keys {
		n[key]++
		if hit[i][k] {
			hits[key]++
		}
	}
	sum := 0.0
	for key := range n {
		if n[key] >= float64(least) {
			sum += hits[key] / n[key]
		}
	}
	return sum / float64(len(n))
}

// checkBias recomputes the figures of root queries and their bias at k = 5.
func checkBias(t *testing.T, e *Embedding, task *pir.Task, got *Result) {
	t.Helper()
	const k = 5
	first := map[string]int{}
	labels := map[string]map[string]bool{} // root → labels found
	answered := 0.0
	for i, root := range task.Roots {
		if _, known := first[root]; !known {
			first[root] = i
			labels[root] = map[string]bool{}
		}
		ranking := direct(e, true, "source_cosine", i)[:k]
		if anyOf(ranking, task.Gold[i]) {
			labels[root][task.Labels[i]] = true
		}
	}
	for _, found := range labels {
		if len(found) > 0 {
			answered++
		}
	}
	if want := answered / float64(len(first)); got.Root.N != len(first) || approx.Apart(got.Root.At5, want, 1e-9) {
		t.Errorf("root queries: %v of %d, want %v of %d", got.Root.At5, got.Root.N, want, len(first))
	}
	sum := 0.0
	for _, b := range got.Bias {
		n := 0.0
		for _, found := range labels {
			if found[b.Name] {
				n++
			}
		}
		if want := n / answered; approx.Apart(b.Value.At5, want, 1e-9) {
			t.Errorf("bias towards %s: %v, want %v", b.Name, b.Value.At5, want)
		}
		sum += b.Value.Documents.At5
	}
	if approx.Apart(sum, 1, 1e-9) {
		t.Errorf("the partition of documents sums to %v", sum)
	}
}
