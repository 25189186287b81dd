// Package diversity measures how well a ranking covers the several perspectives of a question: MRecall@k and Precision@k of
// "Open-World Evaluation for Retrieving Diverse Perspectives" (BERDS; Chen and Choi, 2024), the size of the smallest
// prefix that covers all of them, α-nDCG@k of Clarke et al. (SIGIR 2008), and the other measures of ndeval. It also measures
// which side of a question retrieval leans to (BERDS).
//
// A ranking is given by the perspectives that its documents contain: for each rank, the
// distinct perspectives (0 to m−1) of that document. The caller computes means over
// questions.
package diversity
