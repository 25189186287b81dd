// Package pireval measures retrievers and scoring methods on the PIR benchmark
// ("Beyond Relevance: Evaluate and Improve Retrievers on Perspective Awareness",
// Zhao et al., 2024): Recall@k overall, per label and macro-averaged, p-Recall@k
// (Eq. 1) and its variants, root queries and their bias.
//
// A Retriever prepares a task, the Ranker it returns ranks one query by one
// method, and Task judges all of them. Vectors are ranked as the product ranks
// them, by internal/wasm/ranking on an index of float32 rows.
package pireval
