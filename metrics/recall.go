package metrics

// Recall is Recall@k as the paper defines it: the share of the queries with a gold
// entry among the first k ("find one is ok"), regardless of the number of their gold
// entries.
func Recall(queries []Judgement, k int) float64 {
	var m mean
	for i := range queries {
		m.add(queries[i].success(k))
	}
	return m.value()
}

// LabelRecall is the Recall@k of the queries with one label.
type LabelRecall struct {
	Label   string
	Queries int
	Recall  float64
}

// RecallByLabel is Recall@k for each label, in the order in which the labels first appear.
func RecallByLabel(queries []Judgement, k int) []LabelRecall {
	labels := group(queries, func(j *Judgement) string { return j.Label })
	recalls := make([]LabelRecall, len(labels))
	for i, l := range labels {
		recalls[i] = LabelRecall{Label: l.key, Queries: len(l.members), Recall: Recall(l.members, k)}
	}
	return recalls
}

// MacroRecall is the unweighted mean of RecallByLabel.
func MacroRecall(queries []Judgement, k int) float64 {
	var m mean
	for _, l := range RecallByLabel(queries, k) {
		m.add(l.Recall)
	}
	return m.value()
}
