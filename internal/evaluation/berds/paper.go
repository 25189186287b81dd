package berds

import "math"

// These are the paper's figures as printed: percentages, except for sizes, λ and Table 1. They
// are for the paper's own questions and corpora, not for Perspectrum.

// none means that the paper prints no figure.
var none = math.NaN()

type paperRow struct {
	corpus, model string
	values        []float64
}

func (r *paperRow) label() string { return r.corpus + ", " + r.model }

// paperBase5 is Table 3: Prec. and MRec. on Arguana, Kialo, OpinionQA and on average,
// and Prec.@1 on average. paperBase10 is Table 17, which has no Prec.@1.
var (
	paperBase5 = []paperRow{
		{"Wiki", "BM25", []float64{22.27, 10.8, 23.82, 10.85, 10.39, 2.95, 18.83, 8.20, 21.72}},
		{"Wiki", "DPR", []float64{18.88, 7.73, 19.48, 7.62, 13.63, 3.29, 17.33, 6.21, 20.22}},
		{"Wiki", "Contriever", []float64{35.79, 19.2, 32.97, 15.63, 23.99, 8.28, 30.92, 14.37, 36.85}},
		{"Sphere", "BM25", []float64{44.96, 27.6, 43.33, 24.16, 50.11, 22.45, 46.13, 24.74, 51.26}},
		{"Sphere", "DPR", []float64{10.80, 4.00, 13.85, 5.43, 8.34, 2.15, 11.00, 3.86, 11.65}},
		{"Sphere", "Contriever", []float64{58.21, 38.27, 54.96, 28.94, 52.77, 24.72, 55.31, 30.64, 58.67}},
		{"Google", "BM25", []float64{35.15, 21.07, 35.43, 22.61, 41.27, 21.09, 37.28, 21.59, 43.02}},
		{"Google", "Contriever", []float64{52.32, 27.6, 50.31, 28.94, 48.91, 22.79, 50.51, 26.44, 57.56}},
	}
	paperBase10 = []paperRow{
		{"Wiki", "BM25", []float64{19.81, 19.33, 20.58, 16.67, 9.13, 5.67, 16.51, 13.89}},
		{"Wiki", "DPR", []float64{17.35, 14.67, 18.17, 13.57, 12.03, 6.35, 15.85, 11.53}},
		{"Wiki", "Contriever", []float64{32.37, 31.07, 30.71, 26.10, 21.50, 13.83, 28.19, 23.67}},
		{"Sphere", "BM25", []float64{42.44, 43.20, 41.54, 37.34, 44.09, 33.67, 42.69, 38.07}},
		{"Sphere", "DPR", []float64{44.09, 33.67, 13.51, 12.40, 8.16, 6.12, 21.92, 17.40}},
		{"Sphere", "Contriever", []float64{55.89, 55.07, 53.89, 43.28, 48.61, 38.66, 52.80, 45.67}},
		{"Google", "BM25", []float64{33.0, 36.40, 34.92, 38.50, 33.81, 29.25, 33.91, 34.72}},
		{"Google", "Contriever", []float64{48.65, 44.53, 47.95, 44.32, 42.73, 35.49, 46.44, 41.45}},
	}
)

// paperImproved is Table 4: Prec. and MRec., then both with their changes after
// re-ranking and after query expansion.
var paperImproved = []paperRow{
	{"Wiki", "BM25", []float64{18.83, 8.20, 18.66, -0.9, 8.03, -2.1, 21.31, 13.2, 10.39, 26.7}},
	{"Wiki", "DPR", []float64{17.33, 6.21, 16.62, -4.1, 6.06, -2.5, 17.78, 2.6, 6.65, 7.1}},
	{"Wiki", "Contriever", []float64{30.92, 14.37, 27.89, -9.8, 15.54, 8.2, 33.23, 7.5, 14.84, 3.3}},
	{"Sphere", "BM25", []float64{46.13, 24.74, 45.43, -1.5, 25.38, 2.6, 44.16, -4.3, 26.24, 6.1}},
	{"Sphere", "DPR", []float64{11.00, 3.86, 8.16, -25.8, 2.60, -32.6, 6.20, -43.6, 2.01, -48.0}},
	{"Sphere", "Contriever", []float64{55.31, 30.64, 54.39, -1.7, 33.55, 9.5, 54.91, -0.7, 33.74, 10.1}},
	{"Google", "BM25", []float64{37.28, 21.59, 36.75, -1.4, 21.18, -1.9, 44.87, 20.3, 24.96, 15.6}},
	{"Google", "Contriever", []float64{50.51, 26.44, 49.33, -2.3, 26.56, 0.4, 52.60, 4.1, 24.83, -6.1}},
}

// paperCoverage is Table 5: average size, share within the top 100.
var paperCoverage = []paperRow{
	{"Wiki", "BM25", []float64{29.8, 41.5}}, {"Wiki", "DPR", []float64{30.9, 36.7}}, {"Wiki", "Contriever", []float64{24.7, 55.6}},
	{"Sphere", "BM25", []float64{20.8, 77.3}}, {"Sphere", "DPR", []float64{37.4, 48.9}}, {"Sphere", "Contriever", []float64{17.8, 83.1}},
	{"Google", "BM25", []float64{21.0, 72.1}}, {"Google", "Contriever", []float64{18.2, 76.2}},
}

// paperUnion is Table 6: MRecall on Arguana, Kialo, OpinionQA and on average.
var paperUnion = []paperRow{
	{"Wiki", "BM25 + DPR + Contriever", []float64{71.87, 61.24, 55.10, 62.74}},
	{"Sphere", "BM25 + DPR + Contriever", []float64{92.80, 85.27, 89.46, 89.18}},
	{"Google", "BM25 + Contriever", []float64{82.67, 82.69, 77.66, 81.01}},
}

// paperLambda is Table 8.
var paperLambda = []paperRow{
	{"Wiki", "BM25", []float64{.99}}, {"Wiki", "DPR", []float64{.95}}, {"Wiki", "Contriever", []float64{.75}},
	{"Sphere", "BM25", []float64{.99}}, {"Sphere", "DPR", []float64{.99}}, {"Sphere", "Contriever", []float64{.95}},
	{"Google", "BM25", []float64{.95}}, {"Google", "Contriever", []float64{.95}},
}

// paperDetection is Table 7: share called positive, accuracy, F1.
var paperDetection = []struct {
	model  string
	values [3]float64
}{
	{referenceHuman, [3]float64{16.8, none, none}},
	{"Another human (176 of the pairs)", [3]float64{22.7, 85.2, 65.8}},
	{randomGuess, [3]float64{16.8, 72.1, 16.9}},
	{"NLI model (T5-11B)", [3]float64{7.2, 85.2, 38.5}},
	{"Llama-2-13b-chat (zero-shot)", [3]float64{31.1, 70.7, 42.6}},
	{"Llama-2-70b-chat (zero-shot)", [3]float64{27.4, 77.7, 52.6}},
	{"Zephyr (zero-shot)", [3]float64{22.4, 80.6, 53.3}},
	{"Gemma (zero-shot)", [3]float64{58.4, 48.9, 37.2}},
	{"Mistral-7B (zero-shot)", [3]float64{19.2, 82.2, 52.0}},
	{"GPT-4 (zero-shot)", [3]float64{17.4, 87.6, 65.6}},
	{"GPT-4 (one-shot)", [3]float64{15.4, 89.1, 67.8}},
	{"Mistral-7B (fine-tuned)", [3]float64{15.8, 87.6, 62.2}},
}

// Rows of Table 7 that need no model.
const (
	referenceHuman = "Reference human"
	randomGuess    = "Random"
)

// paperQuestions is Table 1: development questions, perspectives per question,
// words per perspective by NLTK.
var paperQuestions = []struct {
	dataset             string
	development         int
	perspectives, words float64
}{
	{"Arguana", 250, 2.0, 12.71},
	{"OpinionQA", 294, 2.0, 16.51},
	{"Kialo", 258, 2.9, 12.49},
}
