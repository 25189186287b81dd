package berds

import (
	"fmt"
	"slices"
	"strings"

	"github.com/vantage-search/vantage/internal/evaluation/report"
	"github.com/vantage-search/vantage/internal/human"
)

const (
	// paperTests describes the questions of the paper's tables.
	paperTests = "the paper: 750 test questions of Arguana, 774 of Kialo, 882 of OpinionQA"
	paperRows  = "The paper's rows are of its own questions and corpora (Wiki: Wikipedia; Sphere; Google: Google Search output), which were not released; n/a: did not run, or not in the paper."
	paperHead  = "the paper, on BERDS"
)

// Tables lays out an evaluation as the paper does.
func (e *Evaluation) Tables() []report.Table {
	return []report.Table{
		e.base("table3", "Table 3: base retrievers, top 5 (%)", 5, paperBase5),
		e.improved(),
		e.coverage(),
		e.union(),
		e.lambda(),
		e.preference(),
		e.sycophancy(),
		e.base("table17", "Table 17: base retrievers, top 10 (%)", 10, paperBase10),
	}
}

// base is Table 3 or 17.
func (e *Evaluation) base(name, title string, k int, paper []paperRow) report.Table {
	t := report.Table{Name: name, Caption: e.caption(title), Stub: "corpus, retriever", Notes: e.notes("If the pool holds documents on one side of a claim only, its MRecall is 0.")}
	if e.Corpus != "" {
		t.Notes = e.notes()
	}
	first := k == 5 // Table 17 has no Prec.@1
	if first {
		for i := range e.Retrievers {
			t.Notes = append(t.Notes, e.Retrievers[i].Name+": "+e.Retrievers[i].About+".")
		}
	} else {
		t.Notes = append(t.Notes, "For DPR on Sphere, the paper's figures for Arguana repeat those of the row above for OpinionQA.")
	}
	theirs, own := e.columns()
	rows := make([][]report.Cell, len(e.Retrievers))
	for i, c := range slices.Concat(theirs, own) {
		names, cutoffs := []string{"Prec.", "MRec."}, []int{k, k}
		if first && i >= len(datasets) { // the paper's data sets have no Prec.@1 of their own
			names, cutoffs = append(names, "Prec.@1"), append(cutoffs, 1)
		}
		for n, name := range names {
			t.Columns = append(t.Columns, report.Column{Group: c.name, Name: name, Decimals: 2})
			for r := range rows {
				cell := report.Missing()
				if c.of != nil {
					figures := &c.of(&e.Retrievers[r]).Default
					cell = percent(figures.Precision[cutoffs[n]])
					if name == "MRec." {
						cell = percent(figures.MRecall[k])
					}
				}
				rows[r] = append(rows[r], cell)
			}
		}
	}
	for i, cells := range rows {
		t.Rows = append(t.Rows, report.Row{Label: e.data() + ", " + e.Retrievers[i].Name, Cells: cells})
	}
	t.Rows = append(t.Rows, fromPaper(paper)...)
	return t
}

// improved is Table 4.
func (e *Evaluation) improved() report.Table {
	expansion, expanded := "+ Query expansion", "Query expansion: what ran are the surface forms of the two perspectives, \""+Surface(Support, "X")+"\" and \""+Surface(Oppose, "X")+"\"; the paper's are perspectives by GPT-4."
	if e.Corpus != "" {
		expanded = fmt.Sprintf("Query expansion: the perspectives of BERDS' files, by GPT-4, for %d of %d questions, %.1f queries each.", e.Expansions.Claims, e.Test.All, e.Expansions.Queries)
	} else if e.Expansions.Source == "given" {
		expanded = fmt.Sprintf("Query expansion: given for %d of %d claims, %.1f queries each; other claims keep their unexpanded ranking.", e.Expansions.Claims, e.Test.All, e.Expansions.Queries)
	}
	t := report.Table{
		Name:    "table4",
		Caption: e.caption("Table 4: re-ranking and query expansion, top 5, and relative change to Default (%)"),
		Stub:    "corpus, retriever",
		Notes: e.notes(
			"Re-ranking: MMR of 100 candidates with the λ of Table 8; similarity of documents: cosine of the built-in encoder's embeddings (the paper: UAE-Large-V1).",
			expanded,
			"Duplicates kept: merged round-robin as the released code does; the paper's text, and its column, skip them.",
		),
	}
	t.Columns = append(t.Columns, report.Column{Group: "Default", Name: "Prec.", Decimals: 2}, report.Column{Group: "Default", Name: "MRec.", Decimals: 2})
	groups := []string{"+ Re-ranking", expansion, expansion + ", duplicates kept"}
	if e.Generated != nil {
		groups = append(groups, expansion+" by "+human.Escape(e.Generated.By))
		t.Notes = append(t.Notes, e.Generated.about())
	}
	for _, group := range groups {
		for _, name := range []string{"Prec.", "MRec."} {
			t.Columns = append(t.Columns, report.Column{Group: group, Name: name, Decimals: 2}, report.Column{Group: group, Name: "change", Decimals: 1})
		}
	}
	for _, set := range e.averaged() {
		t.Rows = append(t.Rows, report.Row{Label: set.name})
		for i := range e.Retrievers {
			results := set.of(&e.Retrievers[i])
			d := &results.Default
			cells := []report.Cell{percent(d.Precision[5]), percent(d.MRecall[5])}
			figures := []*Figures{&results.MMR, &results.Expansion, &results.ExpansionDuplicates}
			if results.Generated != nil {
				figures = append(figures, results.Generated)
			}
			for _, f := range figures {
				cells = append(cells, percent(f.Precision[5]), change(f.Precision[5], d.Precision[5]), percent(f.MRecall[5]), change(f.MRecall[5], d.MRecall[5]))
			}
			t.Rows = append(t.Rows, report.Row{Label: e.Retrievers[i].Name, Cells: cells})
		}
	}
	t.Rows = append(t.Rows, report.Row{Label: paperHead + ", macro-average over three data sets"})
	t.Rows = append(t.Rows, fromPaper(paperImproved)...)
	return t
}

// coverage is Table 5.
func (e *Evaluation) coverage() report.Table {
	t := report.Table{
		Name:    "table5",
		Caption: e.caption("Table 5: documents needed to cover all perspectives, and share of questions whose top 100 cover all"),
		Stub:    "corpus, retriever",
		Columns: []report.Column{{Name: "Avg. size", Decimals: 1}, {Name: "% within top 100", Decimals: 1}, {Name: "covered"}, {Name: "N"}},
		Notes:   e.notes("Sizes are means over the covered questions."),
	}
	for _, set := range e.sets() {
		t.Rows = append(t.Rows, report.Row{Label: set.name})
		for i := range e.Retrievers {
			results := set.of(&e.Retrievers[i])
			c := &results.Coverage
			t.Rows = append(t.Rows, report.Row{Label: e.Retrievers[i].Name, Cells: []report.Cell{
				optional(c.Size, 1), percent(c.Share), report.Count(c.Covered), report.Count(results.N)}})
		}
	}
	t.Rows = append(t.Rows, report.Row{Label: paperHead})
	t.Rows = append(t.Rows, fromPaper(paperCoverage)...)
	return t
}

// union is Table 6.
func (e *Evaluation) union() report.Table {
	t := report.Table{
		Name:    "table6",
		Caption: e.caption("Table 6: MRecall over the union of the top 100 of all retrievers (%)"),
		Stub:    "corpus, retrievers",
		Notes:   e.notes(),
	}
	theirs, own := e.columns()
	row := report.Row{Label: e.data() + ", " + strings.Join(e.Union.Retrievers, " + ")}
	for _, c := range slices.Concat(theirs, own) {
		t.Columns = append(t.Columns, report.Column{Name: c.name, Decimals: 2})
		row.Cells = append(row.Cells, e.unionOf(c.name))
	}
	t.Rows = append(t.Rows, row)
	t.Rows = append(t.Rows, fromPaper(paperUnion)...)
	return t
}

// lambda is Table 8, with the figures of the whole grid.
func (e *Evaluation) lambda() report.Table {
	t := report.Table{
		Name: "table8",
		Caption: fmt.Sprintf("Table 8: MMR's λ, and the figures of the grid (%%). %s: all %d development %s, %d documents; the paper: development questions, 250 of Arguana, 258 of Kialo, 294 of OpinionQA.",
			e.data(), e.Development.All, e.questions(), e.Documents),
		Stub:    "corpus, retriever",
		Columns: []report.Column{{Name: "λ", Decimals: 2}},
		Notes:   e.notes("λ has the highest MRecall@5; of equal ones, the first of the grid."),
	}
	for _, group := range []string{"MRecall@5 with λ", "Precision@5 with λ"} {
		for _, lambda := range e.Lambdas {
			t.Columns = append(t.Columns, report.Column{Group: group, Name: fmt.Sprint(lambda), Decimals: 2})
		}
	}
	for i := range e.Retrievers {
		r := &e.Retrievers[i]
		cells := []report.Cell{report.Figure(r.Lambda)}
		for _, g := range r.Grid {
			cells = append(cells, percent(g.MRecall))
		}
		for _, g := range r.Grid {
			cells = append(cells, percent(g.Precision))
		}
		t.Rows = append(t.Rows, report.Row{Label: e.data() + ", " + r.Name, Cells: cells})
	}
	t.Rows = append(t.Rows, fromPaper(paperLambda)...)
	return t
}

func fromPaper(rows []paperRow) []report.Row {
	out := make([]report.Row, len(rows))
	for i := range rows {
		out[i].Label = rows[i].label()
		for _, v := range rows[i].values {
			out[i].Cells = append(out[i].Cells, report.Figure(v))
		}
	}
	return out
}

func percent(share float64) report.Cell { return report.Figure(100 * share) }

// change is the relative change from base to value in percent; missing if base is 0.
func change(value, base float64) report.Cell {
	return report.Figure(100 * (value/base - 1))
}

// optional is a figure times factor, or missing if the value is nil.
func optional(value *float64, factor float64) report.Cell {
	if value == nil {
		return report.Missing()
	}
	return report.Figure(factor * *value)
}
