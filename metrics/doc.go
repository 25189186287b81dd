// Package metrics has the retrieval metrics of "Beyond Relevance: Evaluate and Improve Retrievers on Perspective Awareness"
// (Zhao et al., 2024; §2.3): success, Recall@k overall, per label and macro-averaged, and p-Recall@k.
//
// Each query is judged once, by the rank of its best gold entry. Every metric at every
// k is then a mean over these judgements:
//
//	judged[i] = metrics.Judgement{Root: root, Perspective: perspective, Label: label, Rank: metrics.FirstRank(ranking, gold)}
//	metrics.PRecall(judged, 5)
//
// The package also has precision, recall, F1 and average precision of a ranking against
// its gold entries. Package trec has trec_eval's measures.
//
// Rankings are corpus indexes, best first; ties go to the lower index. Without queries,
// every metric is 0.
package metrics
