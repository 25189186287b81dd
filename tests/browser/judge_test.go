package browser

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/metrics"
)

// judged is the input of the library's `judge`.
type judged struct {
	Rankings     [][]int  `json:"rankings"`
	Gold         [][]int  `json:"gold"`
	Roots        []string `json:"roots,omitempty"`
	Perspectives []string `json:"perspectives,omitempty"`
	Labels       []string `json:"labels,omitempty"`
	Ks           []int    `json:"ks,omitempty"`
}

// native judges by the metrics in Go, and returns the layout of the library.
func (q *judged) native(ks []int) map[string]any {
	judgements := make([]metrics.Judgement, len(q.Rankings))
	ranks := []int{}
	for i := range judgements {
		judgements[i].Rank = metrics.FirstRank(q.Rankings[i], q.Gold[i])
		ranks = append(ranks, judgements[i].Rank)
		if q.Roots != nil {
			judgements[i].Root = q.Roots[i]
		}
		if q.Perspectives != nil {
			judgements[i].Perspective = q.Perspectives[i]
		}
		if q.Labels != nil {
			judgements[i].Label = q.Labels[i]
		}
	}
	atK := func(value func([]metrics.Judgement, int) float64) map[string]any {
		out := map[string]any{}
		for _, k := range ks {
			out[fmt.Sprint(k)] = value(judgements, k)
		}
		return out
	}
	recall := map[string]any{"overall": atK(metrics.Recall)}
	out := map[string]any{"n": len(judgements), "ranks": ranks, "recall": recall}
	if q.Labels != nil {
		perLabel := map[string]map[string]any{}
		for _, k := range ks {
			for _, l := range metrics.RecallByLabel(judgements, k) {
				if perLabel[l.Label] == nil {
					perLabel[l.Label] = map[string]any{"n": l.Queries}
				}
				perLabel[l.Label][fmt.Sprint(k)] = l.Recall
			}
		}
		recall["macro"], recall["per_label"] = atK(metrics.MacroRecall), perLabel
	}
	if q.Roots != nil {
		roots := map[string]bool{}
		for _, r := range q.Roots {
			roots[r] = true
		}
		out["roots"], out["p_recall"], out["p_recall_notebook"] = len(roots), atK(metrics.PRecall), atK(metrics.PRecallNotebook)
		if q.Perspectives != nil {
			out["p_recall_by_unique_perspective"] = atK(metrics.PRecallByUniquePerspective)
		}
	}
	return out
}

// randomQueries returns queries with at most three gold entries, rankings of up to 40
// entries, roots with one query or many, and labels that are difficult as keys.
func randomQueries(r *rand.Rand, n int) *judged {
	q := &judged{}
	labels := []string{"support", "undermine", "__proto__", "1", ""}
	for range n {
		ranking := r.Perm(40)[:r.IntN(41)]
		q.Rankings = append(q.Rankings, ranking)
		q.Gold = append(q.Gold, r.Perm(45)[:r.IntN(4)])
		q.Roots = append(q.Roots, fmt.Sprint("root ", int(r.ExpFloat64()*5)))
		q.Perspectives = append(q.Perspectives, fmt.Sprint("perspective ", r.IntN(3)))
		q.Labels = append(q.Labels, labels[r.IntN(len(labels))])
	}
	return q
}

const judge = `async (worker, given) => {
	const { Vantage } = await import('/static/lib/index.js');
	const vantage = await Vantage.create({ encoder: null, worker });
	const out = [];
	for (const queries of given) out.push(JSON.stringify(await vantage.judge(queries)));
	vantage.close();
	return out;
}`

// The browser's figures equal those of the metrics in Go, to the last bit.
func TestJudge(t *testing.T) {
	t.Parallel()
	r := seeded()
	none := &judged{Rankings: [][]int{}, Gold: [][]int{}}
	all := []*judged{none, randomQueries(r, 1), randomQueries(r, 300)}
	all[2].Ks = []int{1, 2, 3, 7, 1000}
	for _, drop := range []func(*judged){
		func(q *judged) { q.Roots = nil },
		func(q *judged) { q.Perspectives = nil },
		func(q *judged) { q.Labels = nil },
		func(q *judged) { q.Roots, q.Perspectives, q.Labels = nil, nil, nil },
	} {
		q := randomQueries(r, 50)
		drop(q)
		all = append(all, q)
	}
	for _, worker := range []bool{true, false} {
		got := call[[]string](t, library(t), judge, worker, all)
		for i, q := range all {
			ks := q.Ks
			if ks == nil {
				ks = []int{1, 5, 10}
			}
			encoded, err := json.Marshal(q.native(ks))
			if err != nil {
				t.Fatal(err)
			}
			var have, want any
			if err := json.Unmarshal([]byte(got[i]), &have); err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal(encoded, &want); err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(have, want) {
				t.Errorf("worker %v, queries %d:\n%s\nwant\n%s", worker, i, got[i], encoded)
			}
		}
	}
}

func TestJudgeRefuses(t *testing.T) {
	t.Parallel()
	page := library(t)
	for name, c := range map[string]struct{ given, want string }{
		"nothing":           {`undefined`, "rankings must be a list"},
		"no gold":           {`{ rankings: [[1]] }`, "gold must be a list"},
		"other lengths":     {`{ rankings: [[1]], gold: [[1], [2]] }`, "2 lists of gold for 1 rankings"},
		"a flat list":       {`{ rankings: [1], gold: [[1]] }`, "rankings[0] is not a list"},
		"a fraction":        {`{ rankings: [[1, 0.5]], gold: [[1]] }`, "rankings[0] has 0.5"},
		"below 0":           {`{ rankings: [[1]], gold: [[-1]] }`, "gold[0] has -1"},
		"a text":            {`{ rankings: [['1']], gold: [[1]] }`, "rankings[0] has 1"},
		"too few roots":     {`{ rankings: [[1]], gold: [[1]], roots: [] }`, "roots must be a list of 1 texts"},
		"a label of number": {`{ rankings: [[1]], gold: [[1]], labels: [1] }`, "labels[0] is not a text"},
		"k of 0":            {`{ rankings: [[1]], gold: [[1]], ks: [0] }`, "ks must be"},
		"k beyond":          {`{ rankings: [[1]], gold: [[1]], ks: [2 ** 40] }`, "ks must be"},
	} {
		got := call[seenFault](t, page, `async () => {
			const lib = await import('/static/lib/index.js');`+describeFault+`
			const vantage = await lib.Vantage.create({ encoder: null });
			try {
				return await vantage.judge(`+c.given+`).then(() => ({}), describe);
			} finally {
				vantage.close();
			}
		}`)
		if got.Name != "QueryError" || !strings.Contains(got.Message, c.want) {
			t.Errorf("%s: %+v, want a QueryError with %q", name, got, c.want)
		}
	}
}

// An engine without an encoder evaluates, and refuses documents, searches and texts
// to encode with a clear error.
func TestEvaluatorAlone(t *testing.T) {
	t.Parallel()
	got := call[[]seenFault](t, library(t), `async () => {
		const lib = await import('/static/lib/index.js');`+describeFault+`
		const vantage = await lib.Vantage.create({ encoder: null });
		const failures = [];
		for (const attempt of [
			() => vantage.search({ query: 'x', root: 'y', method: 'add' }).then(({ notice }) => { if (notice) throw new lib.QueryError(notice); }), () => vantage.search({ query: [1, 2] }), () => vantage.rerank(['a'], { query: 'b' }), () => vantage.encode('x'),
			() => vantage.add([{ id: 'a', text: 'b' }]), () => vantage.add([{ id: 'a', text: 'b', vector: [1] }]), () => vantage.documents([0]),
		]) failures.push(await attempt().then(() => ({}), describe));
		await vantage.ready;
		failures.push({ name: JSON.stringify([vantage.info.encodes, vantage.info.dim, vantage.info.model.dim, vantage.info.documents, vantage.coverage]) });
		vantage.close();
		return failures;
	}`)
	for i, f := range got[:len(got)-1] {
		if f.Name != "QueryError" {
			t.Errorf("attempt %d: %+v, want a QueryError", i, f)
		}
	}
	if want := `[false,0,0,0,{"rows":0,"total":0}]`; got[len(got)-1].Name != want {
		t.Errorf("%s, want %s", got[len(got)-1].Name, want)
	}
}
