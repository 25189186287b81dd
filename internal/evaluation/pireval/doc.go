// Package pireval measures retrievers and scoring methods on the PIR benchmark
// ("Beyond Relevance: Evaluate and Improve Retrievers on Perspective Awareness",
// Zhao et al., 2024): Recall@k overall, per label and macro-averaged, p-Recall@k
// (Eq. 1) and its variants, root queries and their bias.
//
// A System prepares a task: it makes a retriever for the corpus, and translates the
// task's queries for that retriever. Task judges the answers to all queries. Vectors
// are ranked in the same way as in a search, by internal/wasm/ranking on an index of
// float32 rows.
package pireval
