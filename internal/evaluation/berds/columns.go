package berds

import (
	"fmt"
	"slices"
	"strings"

	"github.com/vantage-search/vantage/internal/evaluation/report"
	"github.com/vantage-search/vantage/internal/human"
)

// data is the name of the data in the tables' rows.
func (e *Evaluation) data() string {
	if e.Corpus == "" {
		return "Perspectrum"
	}
	return e.Corpus
}

// caption names the data of a table.
func (e *Evaluation) caption(title string) string {
	return fmt.Sprintf("%s. %s: %s; %s.", title, e.data(), e.claims(), paperTests)
}

func (e *Evaluation) claims() string {
	if e.Corpus == "" {
		return fmt.Sprintf("%d test claims (all), %d of them with documents on both sides (both sides), the pool of %d perspectives as documents", e.Test.All, e.Test.TwoSided, e.Documents)
	}
	var sets []string
	for _, d := range e.Datasets {
		sets = append(sets, fmt.Sprintf("%d of %s", d.Test, d.Name))
	}
	return fmt.Sprintf("%d documents; %d test questions, %s", e.Documents, e.Test.All, strings.Join(sets, ", "))
}

// judges says who judged the documents.
func (e *Evaluation) judges() string {
	if e.Detector == nil {
		return ""
	}
	how := "its most probable answer"
	if e.Threshold != nil {
		how = fmt.Sprintf("a score of %g or more", *e.Threshold)
	}
	return fmt.Sprintf("Judged by %s (%s), %s, not by people: %d pairs of document and perspective.%s The paper's are judged by a fine-tuned Mistral-7B.",
		e.Detector.Name, e.Detector.Model, how, e.Judged, unusable(e.Refused))
}

// notes returns a table's own notes, followed by those that all tables share.
func (e *Evaluation) notes(own ...string) []string {
	if judges := e.judges(); judges != "" {
		own = append(own, judges)
	}
	return append(own, paperRows)
}

// set is a set of claims with its name.
type set struct {
	name string
	of   func(*RetrieverResult) *Results
}

// sets are the sets of claims.
func (e *Evaluation) sets() []set {
	all := func(r *RetrieverResult) *Results { return &r.All }
	if e.Corpus != "" {
		return []set{{fmt.Sprintf("%s, all %d questions", e.data(), e.Test.All), all}}
	}
	return []set{
		{fmt.Sprintf("Perspectrum, all %d claims", e.Test.All), all},
		{fmt.Sprintf("Perspectrum, %d claims with both sides", e.Test.TwoSided), func(r *RetrieverResult) *Results { return &r.TwoSided }},
	}
}

// averaged are the sets of Table 4, which has the macro-average over the data sets.
func (e *Evaluation) averaged() []set {
	if e.Corpus == "" {
		return e.sets()
	}
	return []set{{fmt.Sprintf("%s, macro-average over %s", e.data(), human.Count(len(e.Datasets), "data set")), (*RetrieverResult).average}}
}

// column is the set of a column of Table 3: a data set of the paper or another one, or the
// macro-average.
type column struct {
	name string
	of   func(*RetrieverResult) *Results // nil: the retrievers did not run on it
}

const averageColumn = "Average"

// columns are those of the paper, and then those that the paper does not have.
func (e *Evaluation) columns() (paper, own []column) {
	dataset := func(i int) func(*RetrieverResult) *Results {
		return func(r *RetrieverResult) *Results { return &r.Datasets[i] }
	}
	for _, name := range datasets {
		c := column{name: name}
		if at := slices.IndexFunc(e.Datasets, func(d Dataset) bool { return d.Name == name }); at >= 0 {
			c.of = dataset(at)
		}
		paper = append(paper, c)
	}
	average := column{name: averageColumn}
	if e.Corpus == "" {
		own = []column{{"Perspectrum, all", func(r *RetrieverResult) *Results { return &r.All }},
			{"Perspectrum, both sides", func(r *RetrieverResult) *Results { return &r.TwoSided }}}
	} else {
		average.of = (*RetrieverResult).average
		for i, d := range e.Datasets {
			if !slices.Contains(datasets, d.Name) {
				own = append(own, column{d.Name, dataset(i)})
			}
		}
	}
	return append(paper, average), own
}

// average has the macro-averages of precision and recall over the data sets.
func (r *RetrieverResult) average() *Results {
	out := &Results{N: r.All.N}
	all := func(r *Results) []*Figures {
		list := []*Figures{&r.Default, &r.MMR, &r.Expansion, &r.ExpansionDuplicates}
		if r.Generated != nil {
			list = append(list, r.Generated)
		}
		return list
	}
	if len(r.Datasets) > 0 && r.Datasets[0].Generated != nil {
		out.Generated = &Figures{}
	}
	for i, figures := range all(out) {
		figures.MRecall, figures.Precision = map[int]float64{}, map[int]float64{}
		for d := range r.Datasets {
			own := &r.Datasets[d]
			from := all(own)[i]
			for k, v := range from.MRecall {
				figures.MRecall[k] += v / float64(len(r.Datasets))
			}
			for k, v := range from.Precision {
				figures.Precision[k] += v / float64(len(r.Datasets))
			}
		}
	}
	return out
}

// unionOf is the union's MRecall on a column's set.
func (e *Evaluation) unionOf(name string) report.Cell {
	switch {
	case name == "Perspectrum, all":
		return percent(e.Union.All)
	case name == "Perspectrum, both sides":
		return percent(e.Union.TwoSided)
	case name == averageColumn && e.Corpus != "":
		sum := 0.0
		for _, v := range e.Union.Datasets {
			sum += v
		}
		return percent(sum / float64(len(e.Union.Datasets)))
	}
	for i, d := range e.Datasets {
		if d.Name == name {
			return percent(e.Union.Datasets[i])
		}
	}
	return report.Missing()
}

// questions is what the data ask.
func (e *Evaluation) questions() string {
	if e.Corpus == "" {
		return "claims"
	}
	return "questions"
}
