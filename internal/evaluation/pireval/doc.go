// Package pireval measures retrievers and scoring methods on the PIR benchmark
// ("Beyond Relevance: Evaluate and Improve Retrievers on Perspective Awareness",
// Zhao et al., 2024): Recall@k overall, per label and macro-averaged, p-Recall@k
// (Eq. 1) and its variants, root queries and their bias.
//
// A System prepares a task: it makes a retriever of the corpus, and the queries as
// that takes them by a method. Task judges the answers to all of them. Vectors are
// ranked as the product ranks them, by internal/wasm/ranking on an index of float32
// rows.
package pireval
