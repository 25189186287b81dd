package pgra

import (
	"math"

	"github.com/vantage-search/vantage/internal/evaluation/report"
)

// The paper's figures as printed, in percent (CoLA: Matthews' correlation times 100, except in
// Table 10), in the order of its columns: the eight tasks, and their average. NaN stands for an
// empty cell.

type paperRow struct {
	section, name string
	values        [9]float64
}

// trained are the systems that have no figures of ours, because their readers must be trained.
var trained = []string{"LM-BFF", "T5", "RAG", "FiD", "PGRA (with a reader)"}

// paperSystems is Table 2.
var paperSystems = []paperRow{
	{"the paper", "ICL (OPT-13b)", [9]float64{93.0, 46.0, 1.8, 26.8, 73.2, 61.7, 71.6, 51.1, 53.2}},
	{"the paper, T5-base, d 16", "k-NN", [9]float64{59.2, 22.8, 1.0, 28.0, 51.8, 55.1, 52.6, 72.1, 42.9}},
	{"the paper, T5-base, d 16", "LM-BFF", [9]float64{86.0, 45.5, 5.5, 76.2, 90.0, 83.1, 82.3, 90.2, 69.9}},
	{"the paper, T5-base, d 16", "T5", [9]float64{91.3, 56.7, 30.4, 80.4, 89.8, 89.4, 89.2, 96.0, 77.9}},
	{"the paper, T5-base, d 16", "RAG", [9]float64{93.0, 57.5, 58.5, 80.4, 87.2, 90.2, 89.5, 96.5, 81.6}},
	{"the paper, T5-base, d 16", "FiD", [9]float64{92.2, 56.6, 56.9, 80.8, 91.3, 90.1, 89.8, 96.6, 81.8}},
	{"the paper, T5-base, d 16", "PGRA (with a reader)", [9]float64{93.9, 56.9, 57.0, 80.8, 91.7, 91.1, 90.3, 97.0, 82.3}},
	{"the paper, T5-large, d 8", "k-NN", [9]float64{64.5, 23.6, 2.1, 28.8, 56.8, 58.2, 53.7, 72.4, 45.0}},
	{"the paper, T5-large, d 8", "LM-BFF", [9]float64{90.8, 49.0, 6.9, 70.6, 91.1, 83.5, 89.5, 88.4, 71.2}},
	{"the paper, T5-large, d 8", "T5", [9]float64{95.2, 59.2, 60.7, 80.8, 92.1, 91.5, 90.7, 97.3, 83.4}},
	{"the paper, T5-large, d 8", "RAG", [9]float64{95.2, 57.2, 60.1, 80.2, 91.2, 92.1, 90.6, 96.4, 82.9}},
	{"the paper, T5-large, d 8", "FiD", [9]float64{94.8, 59.5, 60.2, 80.8, 92.4, 92.5, 90.6, 97.5, 83.5}},
	{"the paper, T5-large, d 8", "PGRA (with a reader)", [9]float64{95.7, 59.8, 61.1, 80.9, 92.6, 92.4, 90.6, 97.5, 83.8}},
}

var nan = math.NaN()

// paperConsistency is Table 10. Its evidence is from Wiki1M, with labels that a trained T5 gave;
// k is 150 and d is 16.
var paperConsistency = []paperRow{
	{"the paper", "OPT 350m", [9]float64{63.4, 28.8, 69.0, nan, nan, 60.3, 56.6, nan, 55.6}},
	{"the paper", "OPT 1.3b", [9]float64{68.3, 32.2, 69.3, nan, nan, 55.6, 53.6, nan, 55.9}},
	{"the paper", "OPT 2.7b", [9]float64{68.9, 32.5, 69.0, nan, nan, 65.8, 55.2, nan, 58.3}},
	{"the paper", "OPT 6.7b", [9]float64{70.1, 32.0, 69.1, nan, nan, 69.3, 54.2, nan, 58.9}},
	{"the paper", "OPT 13b", [9]float64{75.2, 30.2, 69.1, nan, nan, 70.5, 57.3, nan, 60.5}},
}

// paperK is Table 5, at d 16, and paperD Table 6, at k 150, both with a T5-base reader.
var (
	paperK = []paperRow{
		{"the paper, with a reader", "k 16", [9]float64{93.6, 55.7, 56.0, 80.6, 91.7, 90.8, 90.1, 97.0, 81.9}},
		{"the paper, with a reader", "k 50", [9]float64{92.8, 56.4, 58.9, 80.6, 91.8, 90.5, 90.2, 96.7, 82.2}},
		{"the paper, with a reader", "k 100", [9]float64{93.7, 56.0, 56.8, 80.6, 92.1, 91.5, 89.8, 97.0, 82.2}},
		{"the paper, with a reader", "k 150", [9]float64{94.4, 57.0, 57.7, 81.0, 92.5, 90.8, 90.3, 97.0, 82.6}},
	}
	paperD = []paperRow{
		{"the paper, with a reader", "d 4", [9]float64{94.4, 56.2, 57.3, 80.8, 91.7, 90.9, 90.1, 96.7, 82.3}},
		{"the paper, with a reader", "d 8", [9]float64{94.3, 56.5, 55.7, 80.6, 92.2, 91.5, 90.4, 97.0, 82.3}},
		{"the paper, with a reader", "d 16", [9]float64{94.4, 57.0, 57.7, 81.0, 92.5, 90.8, 90.3, 97.0, 82.6}},
		{"the paper, with a reader", "d 24", [9]float64{94.2, 57.8, 56.4, 80.8, 92.1, 91.8, 90.5, 97.0, 82.6}},
	}
)

// paperReaders are of Tables 4, 9 and 11, and the averages and deviations of Table 8.
var paperReaders = []paperRow{
	{"Table 4: FiD by d", "d 8", [9]float64{92.2, 56.6, 56.9, 80.8, 91.3, 90.1, 89.8, 96.6, 81.8}},
	{"Table 4: FiD by d", "d 48", [9]float64{93.3, 56.8, 56.3, 81.0, 91.2, 90.8, 89.5, 96.8, 82.0}},
	{"Table 8: three runs of PGRA", "T5-base, average", [9]float64{93.9, 56.9, 57.6, 80.8, 91.7, 91.1, 90.3, 97.0, 82.4}},
	{"Table 8: three runs of PGRA", "T5-base, deviation", [9]float64{0.45, 0.32, 0.10, 0.20, 0.97, 0.26, 0.15, 0.0, 0.21}},
	{"Table 8: three runs of PGRA", "T5-large, average", [9]float64{95.7, 59.8, 61.1, 80.9, 92.6, 92.4, 90.6, 97.5, 83.8}},
	{"Table 8: three runs of PGRA", "T5-large, deviation", [9]float64{0.31, 0.38, 2.59, 0.31, 0.49, 0.56, 0.17, 0.17, 0.45}},
	{"Table 9: PGRA by OPT", "OPT 350m", [9]float64{93.9, 56.2, 55.1, 80.8, 90.8, 90.3, 90.0, 97.2, 81.8}},
	{"Table 9: PGRA by OPT", "OPT 1.3b", [9]float64{93.8, 57.8, 54.8, 80.6, 92.4, 90.5, 90.0, 96.7, 82.1}},
	{"Table 9: PGRA by OPT", "OPT 2.7b", [9]float64{94.2, 56.5, 55.4, 81.0, 91.6, 90.7, 90.9, 96.7, 82.1}},
	{"Table 9: PGRA by OPT", "OPT 6.7b", [9]float64{93.6, 57.5, 56.2, 80.6, 92.2, 90.6, 90.6, 96.8, 82.3}},
	{"Table 9: PGRA by OPT", "OPT 13b", [9]float64{94.4, 57.0, 57.7, 81.0, 92.5, 90.8, 90.3, 97.0, 82.6}},
	{"Table 11: by stage 1", "FiD (BM25)", [9]float64{93.6, 56.4, 56.7, 80.6, 90.2, 89.7, 88.2, 96.8, 81.5}},
	{"Table 11: by stage 1", "PGRA (BM25)", [9]float64{93.9, 56.6, 56.9, 80.4, 91.4, 90.4, 90.5, 96.5, 82.1}},
	{"Table 11: by stage 1", "FiD (BERT)", [9]float64{92.2, 56.6, 56.9, 80.8, 91.3, 90.1, 89.8, 96.6, 81.8}},
	{"Table 11: by stage 1", "PGRA (BERT)", [9]float64{94.4, 57.0, 57.7, 81.0, 92.5, 90.8, 90.3, 97.0, 82.6}},
	{"Table 11: by stage 1", "FiD (SimCSE)", [9]float64{93.2, 56.8, 56.2, 81.0, 90.9, 90.5, 90.1, 96.3, 81.9}},
	{"Table 11: by stage 1", "PGRA (SimCSE)", [9]float64{93.5, 57.7, 55.9, 81.0, 92.0, 91.0, 90.4, 96.9, 82.3}},
}

// paperRows are rows of the paper under headings.
func paperRows(rows []paperRow) (out []report.Row) {
	heading := ""
	for _, p := range rows {
		if p.section != heading {
			heading = p.section
			out = append(out, report.Row{Label: heading})
		}
		row := report.Row{Label: p.name}
		for _, value := range p.values {
			row.Cells = append(row.Cells, report.Figure(value))
		}
		out = append(out, row)
	}
	return out
}
