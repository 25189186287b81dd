// Package berds evaluates how many of a question's perspectives retrieval finds, in the
// way of "Open-World Evaluation for Retrieving Diverse Perspectives" (BERDS; Chen and
// Choi, 2024). It reads Perspectrum's claims and pool of perspectives, BERDS' query
// expansions, and BERDS' test file of perspective detection.
//
// BERDS' own corpora were not released. On Perspectrum, a claim is the question, its two
// perspectives are support and opposition, and the pool is the corpus. The annotations say
// which document contains which perspective, so no model has to judge it. BERDS' questions
// can be asked of any corpus. Then a detector judges the documents that are found (paper,
// Appendix A).
//
// The files are untrusted. Errors name the file, the line or entry, and what is wrong
// there.
package berds
