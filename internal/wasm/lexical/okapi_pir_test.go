package lexical_test

import (
	"slices"
	"strconv"
	"testing"

	"github.com/vantage-search/vantage/internal/testing/approx"
	"github.com/vantage-search/vantage/internal/testing/jsonfile"
	"github.com/vantage-search/vantage/internal/testing/shared"
	"github.com/vantage-search/vantage/internal/wasm/lexical"
	"github.com/vantage-search/vantage/metrics"
)

type pirTask struct {
	Corpus        []string
	Queries       []string
	SourceQueries []string `json:"source_queries"`
	Perspectives  []string
	KeyRef        map[string][]uint32 `json:"key_ref"`
	QueryLabels   []string            `json:"query_labels"`
}

type figures [3]float64 // at 1, 5 and 10

var cutoffs = [3]int{1, 5, 10}

type evaluation struct {
	N        int
	Overall  figures
	PerLabel map[string]struct {
		N      int
		Recall figures
	} `json:"per_label"`
	Macro                      figures
	PRecall                    figures `json:"p_recall"`
	PRecallNotebook            figures `json:"p_recall_notebook"`
	PRecallByUniquePerspective figures `json:"p_recall_by_unique_perspective"`
}

type pirReference struct {
	LabelOrder map[string][]string `json:"label_order"`
	Tasks      map[string]struct {
		NQueries  int `json:"n_queries"`
		NRoots    int `json:"n_roots"`
		NCorpus   int `json:"n_corpus"`
		Singleton int `json:"singleton_roots"`
		BM25      struct {
			AvgDL        float64
			Vocabulary   int
			AverageIDF   float64  `json:"average_idf"`
			Negative     int      `json:"negative_idf_words"`
			NegativeList []string `json:"negative_idf_word_list"`
			Floored      float64  `json:"floored_idf"`
		}
		Queries      map[string]evaluation
		RootDataset  map[string]evaluation `json:"root_dataset"`
		RootText     map[string]evaluation `json:"root_text_per_perspective"`
		SampleScores map[string]struct {
			Sum, Max float64
			Top      []uint32  `json:"top10_stable"`
			Scores   []float64 `json:"top10_scores"`
		} `json:"sample_scores"`
	}
}

// TestOkapiParity compares, to 1e-9, with every figure of the reference that comes from a
// stable sort and from each query's own gold, not from the notebook's aliased gold.
func TestOkapiParity(t *testing.T) {
	var reference pirReference
	var tasks map[string]pirTask
	jsonfile.Read(t, shared.Path(t, "data/pir/reference_bm25.json"), &reference)
	jsonfile.Read(t, shared.Path(t, "data/pir/demo_pir_dataset.json"), &tasks)
	if len(reference.Tasks) != 6 {
		t.Fatalf("the reference has %d tasks, want 6", len(reference.Tasks))
	}
	for name, want := range reference.Tasks {
		t.Run(name, func(t *testing.T) {
			task := tasks[name]
			gold := make([][]uint32, len(task.Queries))
			for i := range gold {
				gold[i] = task.KeyRef[strconv.Itoa(i)]
			}
			c := comparison{t: t}
			o := lexical.NewOkapi(task.Corpus)
			c.same("queries", len(task.Queries), want.NQueries)
			c.same("corpus", len(task.Corpus), want.NCorpus)
			c.close("mean length", o.MeanLength, want.BM25.AvgDL)
			c.same("vocabulary", o.Vocabulary(), want.BM25.Vocabulary)
			c.close("mean idf", o.MeanIDF, want.BM25.AverageIDF)
			c.close("idf of negative words", o.FloorIDF, want.BM25.Floored)
			c.same("negative words", len(o.Negative), want.BM25.Negative)
			negative := slices.Sorted(slices.Values(o.Negative))
			if !slices.Equal(negative, want.BM25.NegativeList) && len(negative) > 0 {
				t.Errorf("negative words %q, want %q", negative, want.BM25.NegativeList)
			}
			for query, sample := range want.SampleScores {
				i, _ := strconv.Atoi(query)
				c.sample(o, task.Queries[i], sample.Sum, sample.Max, sample.Top, sample.Scores)
			}
			c.evaluation("queries", judge(o, &task, task.Queries, gold), want.Queries["stable"], reference.LabelOrder[name])
			c.evaluation("root texts", judge(o, &task, task.SourceQueries, gold), want.RootText["stable"], reference.LabelOrder[name])

			roots, rootGold := distinctRoots(&task, gold)
			c.same("roots", len(roots), want.NRoots)
			c.recall("root queries", judge(o, nil, roots, rootGold), want.RootDataset["stable"])
			t.Logf("%d figures compared", c.compared)
		})
	}
}

// judge ranks the corpus for each query. Without a task, queries have no root,
// perspective and label.
func judge(o *lexical.Okapi, task *pirTask, queries []string, gold [][]uint32) []metrics.Judgement {
	judged := make([]metrics.Judgement, len(queries))
	for i, query := range queries {
		ranking := make([]uint32, 0)
		for _, hit := range o.Rank(query) {
			ranking = append(ranking, hit.Document)
		}
		judged[i].Rank = metrics.FirstRank(ranking, gold[i])
		if task != nil {
			judged[i].Root, judged[i].Perspective, judged[i].Label = task.SourceQueries[i], task.Perspectives[i], task.QueryLabels[i]
		}
	}
	return judged
}

// distinctRoots are the root queries in the order in which they first occur, each with the gold of all its queries.
func distinctRoots(task *pirTask, gold [][]uint32) (roots []string, rootGold [][]uint32) {
	for i, root := range task.SourceQueries {
		at := slices.Index(roots, root)
		if at < 0 {
			at = len(roots)
			roots, rootGold = append(roots, root), append(rootGold, nil)
		}
		rootGold[at] = append(rootGold[at], gold[i]...)
	}
	return roots, rootGold
}

type comparison struct {
	t        *testing.T
	compared int
}

func (c *comparison) close(what string, got, want float64) {
	c.t.Helper()
	c.compared++
	if approx.Apart(got, want, 1e-9) {
		c.t.Errorf("%s: %.17g, want %.17g", what, got, want)
	}
}

func (c *comparison) same(what string, got, want int) {
	c.t.Helper()
	c.close(what, float64(got), float64(want))
}

func (c *comparison) sample(o *lexical.Okapi, query string, sum, most float64, top []uint32, scores []float64) {
	c.t.Helper()
	got := 0.0
	for _, score := range o.Scores(query) {
		got += score
	}
	hits := o.Rank(query)
	c.close("sum of scores", got, sum)
	c.close("greatest score", hits[0].Score, most)
	for i, document := range top {
		c.same("document", int(hits[i].Document), int(document))
		c.close("score", hits[i].Score, scores[i])
	}
}

func (c *comparison) recall(what string, judged []metrics.Judgement, want evaluation) {
	c.t.Helper()
	c.same(what, len(judged), want.N)
	for i, k := range cutoffs {
		c.close(what+": recall", metrics.Recall(judged, k), want.Overall[i])
	}
}

func (c *comparison) evaluation(what string, judged []metrics.Judgement, want evaluation, labels []string) {
	c.t.Helper()
	c.recall(what, judged, want)
	for i, k := range cutoffs {
		c.close(what+": macro recall", metrics.MacroRecall(judged, k), want.Macro[i])
		c.close(what+": p-recall", metrics.PRecall(judged, k), want.PRecall[i])
		c.close(what+": p-recall of the notebook", metrics.PRecallNotebook(judged, k), want.PRecallNotebook[i])
		c.close(what+": p-recall by perspective", metrics.PRecallByUniquePerspective(judged, k), want.PRecallByUniquePerspective[i])
		byLabel := metrics.RecallByLabel(judged, k)
		c.same(what+": labels", len(byLabel), len(labels))
		for _, got := range byLabel {
			if !slices.Contains(labels, got.Label) {
				c.t.Errorf("%s: label %q is not in the reference", what, got.Label)
			}
			c.same(what+": queries of label "+got.Label, got.Queries, want.PerLabel[got.Label].N)
			c.close(what+": recall of label "+got.Label, got.Recall, want.PerLabel[got.Label].Recall[i])
		}
	}
}
