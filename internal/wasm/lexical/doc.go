// Package lexical ranks texts by BM25 and fuses rankings.
//
//   - Index is the BM25 of searches: lower-cased Unicode words in an inverted index that
//     accepts documents at run time, and its files, which a page can fetch term by term.
//   - Okapi is the BM25 of the Python package rank_bm25 (a test compares them to 1e-9), with
//     which the tables of "Beyond Relevance" are computed. It is only for comparisons.
//   - ReciprocalRank and WeightedSum fuse rankings, for example with those of an
//     encoder.
//
// The same input gives the same bits on every machine, even in logarithms. In every
// ranking, higher scores come first, and ties go to the lower document.
package lexical
