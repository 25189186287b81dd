package pireval

import (
	"slices"

	"github.com/vantage-search/vantage/internal/evaluation/pir"
	"github.com/vantage-search/vantage/metrics"
)

// Bias is how often root queries, which ask for no perspective, retrieve texts of one
// label: of the root queries with a gold text among the first k, the share that found one
// with the label. A query that found both sides counts for both, so the shares can sum to
// more than 1.
//
// Documents counts texts instead: the share of all retrieved gold texts that have the label.
// These shares sum to 1, as the portions of the paper's Table 3 do, except one row. If a text is gold for several
// labels of its root, it counts for the query with the fewest gold texts, which is the most
// specific one ("a claim that supports the argument", not "… relates to the argument"). Both
// shares are 0 at a k if no root query finds anything.
type Bias struct {
	Figures
	Documents Figures `json:"documents"`
}

// judgeRoots fills in the figures of the root queries' rankings.
func judgeRoots(task *pir.Task, roots []root, rankings [][]int) (Counted, Ordered[Bias]) {
	judged := make([]metrics.Judgement, len(roots))
	for r := range roots {
		judged[r].Rank = metrics.FirstRank(rankings[r], roots[r].gold)
	}
	recall := Counted{len(roots), figuresOf(func(k int) float64 { return metrics.Recall(judged, k) })}
	var bias Ordered[Bias]
	for _, label := range labelsOf(task) {
		bias = append(bias, Member[Bias]{label, Bias{
			Figures:   figuresOf(func(k int) float64 { return share(task, roots, rankings, k, allLabels, label).Queries }),
			Documents: figuresOf(func(k int) float64 { return share(task, roots, rankings, k, ownLabel, label).Documents }),
		}})
	}
	return recall, bias
}

// labelsOf are the task's labels in the order in which they first appear.
func labelsOf(task *pir.Task) []string {
	var labels []string
	for _, label := range task.Labels {
		if !slices.Contains(labels, label) {
			labels = append(labels, label)
		}
	}
	return labels
}

// share is one label's share of the gold texts among the first k.
func share(task *pir.Task, roots []root, rankings [][]int, k int, labels func(*pir.Task, *root, int) []string, label string) metrics.LabelShare {
	hits := make([][]string, len(roots))
	for r, ranking := range rankings {
		for _, text := range ranking[:min(k, len(ranking))] {
			hits[r] = append(hits[r], labels(task, &roots[r], text)...)
		}
	}
	shares, _ := metrics.Bias(hits)
	for _, s := range shares {
		if s.Label == label {
			return s
		}
	}
	return metrics.LabelShare{}
}

// allLabels are the labels of the root's queries for which a text is gold.
func allLabels(task *pir.Task, r *root, text int) []string {
	var labels []string
	for _, i := range r.queries {
		if slices.Contains(task.Gold[i], text) && !slices.Contains(labels, task.Labels[i]) {
			labels = append(labels, task.Labels[i])
		}
	}
	return labels
}

// ownLabel is the label of the query with the fewest gold texts; the first wins a tie.
func ownLabel(task *pir.Task, r *root, text int) []string {
	fewest := -1
	for _, i := range r.queries {
		if slices.Contains(task.Gold[i], text) && (fewest < 0 || len(task.Gold[i]) < len(task.Gold[fewest])) {
			fewest = i
		}
	}
	if fewest < 0 {
		return nil
	}
	return []string{task.Labels[fewest]}
}
