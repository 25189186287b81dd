// Package tokens ranks documents that have a vector for each of their tokens, by late
// interaction (MaxSim, Khattab and Zaharia 2020, §3.3): the sum, over the vectors of a
// query in order, of the largest dot product with any vector of the document.
//
// Token vectors are stored as ColBERTv2 stores them (Santhanam et al. 2022, §3.3): the
// number of the nearest centroid, and what is left of the vector, its residual, in 8, 4 or
// 2 bits a component. Unlike there, each residual has a scale of its own, a float16, and
// the levels are the same for every collection. So a vector is
//
//	centroid + scale · level[code]
//
// and its product with a query vector is that with the centroid, which all tokens of one
// centroid share, and an integer product, which the kernels of package kernel make for all
// widths alike.
//
// A search has two steps, as in PLAID (Santhanam et al. 2022): candidates by the
// centroids alone, then MaxSim of what is left with the vectors as stored. A document
// without vectors scores 0. Sums are made in a fixed order in float32, so all engines
// have the same bits, whatever the number of goroutines, and in whichever order the files
// were loaded. Equal scores: the lower document comes first. No score is NaN.
package tokens
