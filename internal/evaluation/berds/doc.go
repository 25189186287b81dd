// Package berds evaluates how many of a question's perspectives retrieval finds, in the
// way of "Open-World Evaluation for Retrieving Diverse Perspectives" (BERDS; Chen and
// Choi, 2024). It reads Perspectrum's claims and pool of perspectives, BERDS' query
// expansions, and BERDS' test file of perspective detection.
//
// BERDS' own corpora were not released. On Perspectrum a question is a claim, its two
// perspectives are to support and to oppose it, and the corpus is the pool. The
// annotation says which document contains which perspective, so that no model needs to
// judge it. BERDS' questions are asked of any corpus; there a detector judges the
// documents that are found (paper, Appendix A).
//
// The files are untrusted. Errors name the file, the line or entry, and what is wrong
// there.
package berds
