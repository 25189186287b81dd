package pirtables

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"

	"github.com/vantage-search/vantage/internal/evaluation/pireval"
	"github.com/vantage-search/vantage/internal/evaluation/report"
)

// SweepCSV writes a run over several λ, with a line per task, method and λ. Figures are
// shares, written with the fewest digits that read back as the same number.
func SweepCSV(w io.Writer, run *pireval.Run) error {
	out := csv.NewWriter(w)
	head := []string{"task", "method", "lambda", "n"}
	for _, m := range measures {
		for _, k := range cutoffs {
			head = append(head, m.key+k.name)
		}
	}
	out.Write(head)
	for _, task := range run.Tasks {
		for i, m := range run.Methods {
			r := &task.Value[i].Value
			line := []string{task.Name, m.Name, shortest(m.Lambda), strconv.Itoa(r.N)}
			for _, m := range measures {
				for _, k := range cutoffs {
					line = append(line, shortest(k.of(m.of(r))))
				}
			}
			out.Write(line)
		}
	}
	out.Flush()
	return out.Error()
}

func shortest(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// SweepChart draws p-Recall@5 over λ, with one panel per task.
func (e *Evaluation) SweepChart(run *pireval.Run) report.Chart {
	c := report.Chart{Title: fmt.Sprintf("p-Recall@5 (%%) by strength λ: %s on %s", run.Retriever, e.Data), X: "λ", Y: "p-Recall@5 (%)"}
	for t, task := range run.Tasks {
		panel := report.Panel{Title: fmt.Sprintf("%s, N = %d", task.Name, len(e.Tasks[t].Queries))}
		for i, m := range run.Methods {
			if i == 0 || m.Name != run.Methods[i-1].Name {
				panel.Lines = append(panel.Lines, report.Line{Name: m.Short})
			}
			line := &panel.Lines[len(panel.Lines)-1]
			line.Points = append(line.Points, report.Point{X: m.Lambda, Y: 100 * task.Value[i].Value.PRecall.At5})
		}
		c.Panels = append(c.Panels, panel)
	}
	return c
}
