// Package significance tests whether two systems differ over the same queries: the paired t-test, Fisher's randomisation
// test, Holm's correction for several comparisons, bootstrap intervals, and Pearson's correlation.
//
// Smucker, Allan and Carterette, "A Comparison of Statistical Significance Tests for Information Retrieval Evaluation"
// (CIKM 2007), compare the first two on retrieval runs. Functions that draw at random take a seed, and give the same
// figures for it on every machine. Values must be finite; then no result is NaN.
package significance
