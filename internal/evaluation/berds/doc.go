// Package berds evaluates how many of a question's perspectives retrieval finds,
// in the way of "Open-World Evaluation for Retrieving Diverse Perspectives"
// (BERDS; Chen and Choi, 2024). It reads the necessary files: Perspectrum, whose
// claims and pool of perspectives it uses, BERDS' query expansions, and its test
// file of perspective detection.
//
// BERDS' own corpora were not released. On Perspectrum a question is a claim, its
// two perspectives are to support and to oppose it, the corpus is the pool, and
// the annotation says which document contains which perspective: nothing needs
// to be judged by a model.
//
// Readers take untrusted files: their errors name the file, the line or entry,
// and what is wrong there.
package berds
