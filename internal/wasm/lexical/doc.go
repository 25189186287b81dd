// Package lexical ranks texts by their words.
//
//   - Index is the BM25 of searches: lower-cased Unicode words in an inverted index that
//     accepts documents at run time, and its files, which a page can fetch term by term.
//   - Okapi is the BM25 of the Python package rank_bm25 to the last digit, which
//     the tables of "Beyond Relevance" are computed with. It is for comparing, not for use.
//   - ReciprocalRank and WeightedSum fuse rankings, those of an encoder included.
//
// The same input gives the same bits on every machine, logarithms included. Every ranking
// has higher scores first, and if scores are equal, the lower document first.
package lexical
