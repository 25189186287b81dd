package perspective_test

import (
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/model/npy"
	"github.com/vantage-search/vantage/internal/testing/approx"
	"github.com/vantage-search/vantage/internal/testing/jsonfile"
	"github.com/vantage-search/vantage/internal/testing/shared"
	"github.com/vantage-search/vantage/metrics"
	"github.com/vantage-search/vantage/perspective"
)

// notAMethod is the only mode of the reference that Vantage lacks, because it mixes in
// BM25.
const notAMethod = "bm25_ranking_repaired"

// readNPY reads rows of 64 float32, the reference embeddings.
func readNPY(t *testing.T, name string) [][]float32 {
	t.Helper()
	data, err := os.ReadFile(shared.Path(t, "data/pir/emb/"+name+".npy"))
	if err != nil {
		t.Fatal(err)
	}
	m, err := npy.Parse(data)
	if err != nil || m.Dim != 64 {
		t.Fatalf("%s: rows of %d: %v", name, m.Dim, err)
	}
	return slices.Collect(slices.Chunk(m.Data, m.Dim))
}

// task is one PIR task with its embeddings.
type task struct {
	name                                    string
	queries, roots, perspectives, corpus    [][]float32
	rootTexts, perspectiveTexts, labelTexts []string
	gold                                    [][]uint32
}

func readTask(t *testing.T, name string) *task {
	t.Helper()
	var tasks map[string]struct {
		SourceQueries []string `json:"source_queries"`
		Perspectives  []string
		QueryLabels   []string            `json:"query_labels"`
		KeyRef        map[string][]uint32 `json:"key_ref"`
	}
	jsonfile.Read(t, shared.Path(t, "data/pir/demo_pir_dataset.json"), &tasks)
	data := tasks[name]
	k := &task{
		name: name, rootTexts: data.SourceQueries, perspectiveTexts: data.Perspectives, labelTexts: data.QueryLabels,
		queries: readNPY(t, name+"_queries"), roots: readNPY(t, name+"_source_queries"),
		perspectives: readNPY(t, name+"_perspectives"), corpus: readNPY(t, name+"_corpus"),
	}
	for i := range k.queries {
		k.gold = append(k.gold, data.KeyRef[strconv.Itoa(i)])
	}
	if len(k.queries) != 100 || len(k.rootTexts) != 100 || len(k.corpus) != 500 {
		t.Fatalf("%s has %d queries, %d root texts and %d documents, want 100, 100 and 500", name, len(k.queries), len(k.rootTexts), len(k.corpus))
	}
	return k
}

// scores are a query's scores by a mode of the notebook. For AmbigQA, the notebook uses
// p = q - r in the cast and projection modes.
func (k *task) scores(t *testing.T, mode string, query int) []float64 {
	t.Helper()
	p := k.perspectives[query]
	if k.name == "ambigqa" && (strings.Contains(mode, "cast") || strings.Contains(mode, "projection")) {
		var err error
		if p, err = perspective.Difference(k.queries[query], k.roots[query]); err != nil {
			t.Fatal(err)
		}
	}
	plan, err := perspective.Compile(perspective.Query{
		Query: k.queries[query], Root: k.roots[query], Perspectives: [][]float32{p}, Method: mode, Lambda: 1,
	})
	if err != nil {
		t.Fatalf("%s, query %d by %s: %v", k.name, query, mode, err)
	}
	return plan.Scores(k.corpus)
}

// rank sorts by score; ties go to the lower index.
func rank(scores []float64) []uint32 {
	ranking := make([]uint32, len(scores))
	for i := range ranking {
		ranking[i] = uint32(i)
	}
	slices.SortStableFunc(ranking, func(a, b uint32) int {
		switch {
		case scores[a] > scores[b]:
			return -1
		case scores[a] < scores[b]:
			return 1
		}
		return 0
	})
	return ranking
}

func TestPIRScores(t *testing.T) {
	var reference struct {
		Scores map[string]map[string]map[string][]float64 // task, mode, query, row
	}
	jsonfile.Read(t, shared.Path(t, "data/pir/reference_scores_perspectrum.json"), &reference)
	modes := 0
	for name, byMode := range reference.Scores {
		k := readTask(t, name)
		for mode, byQuery := range byMode {
			if mode == notAMethod {
				continue
			}
			modes++
			for query, want := range byQuery {
				i, err := strconv.Atoi(query)
				if err != nil {
					t.Fatal(err)
				}
				got := k.scores(t, mode, i)
				if len(got) != len(want) {
					t.Fatalf("%s: %d scores, want %d", mode, len(got), len(want))
				}
				for row := range want {
					if approx.Apart(got[row], want[row], 1e-6) {
						t.Errorf("%s, query %d, row %d: %.9g, want %.9g", mode, i, row, got[row], want[row])
						break
					}
				}
			}
		}
	}
	if modes != 20 {
		t.Errorf("%d modes were compared, want 20", modes)
	}
}

// pirFigures are a mode's figures at k = 1, 5, 10.
type pirFigures struct {
	Overall, Macro []float64
	PerLabel       map[string]struct {
		N      int
		Recall []float64
	} `json:"per_label"`
	PRecall         []float64 `json:"p_recall"`
	PRecallNotebook []float64 `json:"p_recall_notebook"`
	PRecallByUnique []float64 `json:"p_recall_by_unique_perspective"`
}

func TestPIRMetrics(t *testing.T) {
	var reference struct {
		Ks    []int
		Tasks map[string]map[string]struct {
			Recall      pirFigures
			RootDataset *struct{ Stable []float64 } `json:"root_dataset"`
		}
	}
	jsonfile.Read(t, shared.Path(t, "data/pir/reference_modes.json"), &reference)
	compared := 0
	for name, modes := range reference.Tasks {
		k := readTask(t, name)
		for mode, want := range modes {
			if mode == notAMethod {
				continue
			}
			compared++
			rankings := make([][]uint32, len(k.queries))
			judged := make([]metrics.Judgement, len(k.queries))
			for i := range judged {
				rankings[i] = rank(k.scores(t, mode, i))
				judged[i] = metrics.Judgement{
					Root: k.rootTexts[i], Perspective: k.perspectiveTexts[i], Label: k.labelTexts[i], Rank: metrics.FirstRank(rankings[i], k.gold[i]),
				}
			}
			compareFigures(t, name+" "+mode, judged, reference.Ks, want.Recall)
			if want.RootDataset != nil {
				compare(t, name+" "+mode+" root queries", metrics.Recall, k.rootJudgements(rankings), reference.Ks, want.RootDataset.Stable)
			}
		}
	}
	if compared != 60 {
		t.Errorf("%d pairs of task and mode were compared, want 60", compared)
	}
}

// rootJudgements has one judgement per root query. Its gold is the gold of all its
// queries.
func (k *task) rootJudgements(rankings [][]uint32) []metrics.Judgement {
	gold := map[string][]uint32{}
	for i, root := range k.rootTexts {
		gold[root] = append(gold[root], k.gold[i]...)
	}
	var judged []metrics.Judgement
	for i, root := range k.rootTexts {
		if slices.Index(k.rootTexts, root) == i {
			judged = append(judged, metrics.Judgement{Root: root, Rank: metrics.FirstRank(rankings[i], gold[root])})
		}
	}
	return judged
}

func compareFigures(t *testing.T, what string, judged []metrics.Judgement, ks []int, want pirFigures) {
	t.Helper()
	compare(t, what+" overall", metrics.Recall, judged, ks, want.Overall)
	compare(t, what+" macro", metrics.MacroRecall, judged, ks, want.Macro)
	compare(t, what+" p-recall", metrics.PRecall, judged, ks, want.PRecall)
	compare(t, what+" p-recall of the notebook", metrics.PRecallNotebook, judged, ks, want.PRecallNotebook)
	compare(t, what+" p-recall by unique perspective", metrics.PRecallByUniquePerspective, judged, ks, want.PRecallByUnique)
	for i, k := range ks {
		labels := metrics.RecallByLabel(judged, k)
		if len(labels) != len(want.PerLabel) {
			t.Errorf("%s: %d labels, want %d", what, len(labels), len(want.PerLabel))
		}
		for _, l := range labels {
			w := want.PerLabel[l.Label]
			if l.Queries != w.N || approx.Apart(l.Recall, w.Recall[i], 1e-9) {
				t.Errorf("%s, label %s at %d: %v, want %v", what, l.Label, k, l, w)
			}
		}
	}
}

func compare(t *testing.T, what string, metric func([]metrics.Judgement, int) float64, judged []metrics.Judgement, ks []int, want []float64) {
	t.Helper()
	if len(want) != len(ks) {
		t.Fatalf("%s: the reference has %d figures, want %d", what, len(want), len(ks))
	}
	for i, k := range ks {
		if got := metric(judged, k); approx.Apart(got, want[i], 1e-9) {
			t.Errorf("%s at %d: %.12g, want %.12g", what, k, got, want[i])
		}
	}
}
