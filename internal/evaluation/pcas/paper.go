package pcas

import "github.com/vantage-search/vantage/internal/evaluation/report"

// paperRow is a row of the paper's Table 3 or 4, in percent. contexts is 0 if the paper
// says NA.
type paperRow struct {
	retriever, system      string
	r1, r5, map5, contexts float64
}

// paperValidation is Table 3.
var paperValidation = []paperRow{
	{"ColBERT", "OR", 60.81, 84.25, 70.52, 0},
	{"ColBERT", "B1", 34.93, 59.82, 44.47, 0},
	{"ColBERT", "B2", 55.57, 90.77, 70.30, 27.24},
	{"ColBERT", "B3", 52.85, 78.01, 62.34, 20.90},
	{"ColBERT", "PCAS", 59.19, 90.77, 71.78, 25.79},
	{"DPR", "OR", 31.58, 54.93, 40.78, 0},
	{"DPR", "B1", 14.84, 35.66, 22.24, 0},
	{"DPR", "B2", 28.96, 51.67, 38.38, 32.13},
	{"DPR", "B3", 18.91, 38.73, 25.94, 31.58},
	{"DPR", "PCAS", 30.04, 56.02, 38.81, 32.49},
	{"ANCE", "OR", 58.37, 84.52, 68.69, 0},
	{"ANCE", "B1", 41.18, 73.85, 53.01, 0},
	{"ANCE", "B2", 44.98, 77.29, 55.35, 37.74},
	{"ANCE", "B3", 42.53, 75.48, 55.46, 31.04},
	{"ANCE", "PCAS", 52.85, 83.26, 65.71, 41.36},
	{"S-BERT", "OR", 68.15, 91.40, 77.55, 0},
	{"S-BERT", "B1", 45.43, 75.84, 57.00, 0},
	{"S-BERT", "B2", 55.57, 91.04, 68.57, 39.01},
	{"S-BERT", "B3", 53.30, 82.26, 63.53, 23.44},
	{"S-BERT", "PCAS", 63.53, 91.04, 74.28, 42.80},
}

// paperTest is Table 4.
var paperTest = []paperRow{
	{"ColBERT", "OR", 66.16, 85.08, 73.32, 0},
	{"ColBERT", "B1", 39.36, 60.30, 47.40, 0},
	{"ColBERT", "B2", 70.50, 93.30, 79.09, 34.77},
	{"ColBERT", "B3", 58.49, 78.85, 66.49, 28.87},
	{"ColBERT", "PCAS", 67.09, 93.30, 77.07, 32.79},
	{"DPR", "OR", 33.21, 56.38, 41.70, 0},
	{"DPR", "B1", 17.28, 33.46, 22.99, 0},
	{"DPR", "B2", 29.25, 57.10, 39.31, 34.13},
	{"DPR", "B3", 23.30, 41.93, 29.89, 33.59},
	{"DPR", "PCAS", 29.92, 58.96, 40.24, 35.74},
	{"ANCE", "OR", 63.55, 83.52, 71.20, 0},
	{"ANCE", "B1", 49.73, 72.19, 58.08, 0},
	{"ANCE", "B2", 59.80, 83.73, 68.72, 45.51},
	{"ANCE", "B3", 54.45, 77.24, 62.95, 36.83},
	{"ANCE", "PCAS", 59.92, 83.73, 68.94, 45.89},
	{"S-BERT", "OR", 69.91, 89.13, 77.38, 0},
	{"S-BERT", "B1", 47.32, 75.18, 57.90, 0},
	{"S-BERT", "B2", 60.94, 88.50, 72.42, 42.98},
	{"S-BERT", "B3", 55.29, 78.13, 63.85, 28.70},
	{"S-BERT", "PCAS", 66.75, 88.50, 75.29, 44.88},
}

// paperRows turns rows of the paper into rows of a report, under a heading for each
// retriever.
func paperRows(rows []paperRow) (out []report.Row) {
	heading := ""
	for _, p := range rows {
		if p.retriever != heading {
			heading = p.retriever
			out = append(out, report.Row{Label: "the paper, " + heading})
		}
		row := report.Row{Label: p.system}
		for _, value := range []float64{p.r1, p.r5, p.map5} {
			row.Cells = append(row.Cells, report.Figure(value), report.Missing())
		}
		if p.contexts > 0 {
			row.Cells = append(row.Cells, report.Figure(p.contexts))
		}
		out = append(out, row)
	}
	return out
}
