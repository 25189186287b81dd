package mvrag

import "github.com/vantage-search/vantage/internal/evaluation/report"

// paperRow is a row of the paper's Table 1 or 2, in percent.
type paperRow struct {
	model, system         string
	recall, precision, f1 float64
}

// paperLegal is Table 1, on LeCaRDv2.
var paperLegal = []paperRow{
	{"bge-m3", "plain query", 3.125, 0.938, 1.442}, {"bge-m3", "MVRAG", 16.53, 4.959, 7.629},
	{"bge-large-zh", "plain query", 7.343, 2.204, 3.391}, {"bge-large-zh", "MVRAG", 15.13, 4.533, 6.977},
	{"text2vec", "plain query", 3.959, 1.187, 1.827}, {"text2vec", "MVRAG", 7.675, 2.303, 3.542},
}

// paperMedical is Table 2, on PMC-Patients.
var paperMedical = []paperRow{
	{"gte-large", "plain query", 1.595, 0.109, 0.204}, {"gte-large", "MVRAG", 13.05, 2.134, 3.668},
	{"bge-large-en", "plain query", 8.791, 1.672, 2.809}, {"bge-large-en", "MVRAG", 15.14, 2.234, 3.893},
	{"all-MiniLM-L6", "plain query", 8.285, 0.995, 1.776}, {"all-MiniLM-L6", "MVRAG", 9.875, 1.720, 3.019},
}

// paperRows are the paper's rows on a layout's data, under a heading for each model.
func paperRows(layout string) (rows []report.Row) {
	var of []paperRow
	switch layout {
	case layoutLeCaRD:
		of = paperLegal
	case layoutPPR, layoutPAR:
		of = paperMedical
	}
	heading := ""
	for _, p := range of {
		if p.model != heading {
			heading = p.model
			rows = append(rows, report.Row{Label: "the paper, " + heading})
		}
		rows = append(rows, report.Row{Label: p.system, Cells: []report.Cell{report.Figure(p.recall), report.Figure(p.precision), report.Figure(p.f1)}})
	}
	return rows
}
