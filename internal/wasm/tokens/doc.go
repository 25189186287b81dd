// Package tokens ranks documents that have a vector for each of their tokens, by late
// interaction (MaxSim, Khattab and Zaharia 2020, §3.3): the sum, over the vectors of a
// query in order, of the largest dot product with any vector of the document.
//
// A token vector is stored as in ColBERTv2 (Santhanam et al. 2022, §3.3): as the number of
// its nearest centroid, and its difference from that centroid, the residual, with 8, 4 or
// 2 bits per component. Two things differ: each residual has its own scale, a float16, and
// the quantisation levels are the same for every collection. So a vector is
//
//	centroid + scale · level[code]
//
// Its product with a query vector is the sum of two products: the query's with the centroid,
// which all tokens of that centroid share, and the query's with the residual, which package
// kernel computes in integers, with the same code for all three widths.
//
// A search has two steps, as in PLAID (Santhanam et al. 2022). The centroids alone choose
// candidates; then MaxSim ranks the candidates by their vectors as stored. A document
// without vectors scores 0. Sums are float32 and are added in a fixed order. So scores have
// the same bits on all engines, with any number of goroutines, and in whatever order the
// files were loaded. If scores are equal, the lower document comes first. No score is NaN.
package tokens
