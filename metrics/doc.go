// Package metrics has the retrieval metrics of "Beyond Relevance: Evaluate and Improve Retrievers on Perspective Awareness"
// (Zhao et al., 2024; §2.3): success, Recall@k overall, per label and macro-averaged, and p-Recall@k.
//
// A query is judged once, by the rank of its best gold entry; every metric at every k is then a mean over judgements:
//
//	judged[i] = metrics.Judgement{Root: root, Perspective: perspective, Label: label, Rank: metrics.FirstRank(ranking, gold)}
//	metrics.PRecall(judged, 5)
//
// Beside them are precision, recall, F1 and average precision of a ranking against its gold entries. Package trec has
// trec_eval's measures.
//
// Rankings are corpus indexes, best first, ties broken by the lower index. Every metric of no queries is 0.
package metrics
