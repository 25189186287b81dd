// Package pirtables lays out an evaluation on PIR in the form of the paper's tables
// (Zhao et al., 2024, Tables 2, 3, 4, 6, 8, 9 and 10), with the paper's own figures beside
// ours, and in full by task. Each figure is labelled with its data set.
package pirtables

import (
	"fmt"
	"slices"
	"strings"

	"github.com/vantage-search/vantage/internal/evaluation/pir"
	"github.com/vantage-search/vantage/internal/evaluation/pireval"
	"github.com/vantage-search/vantage/internal/evaluation/report"
)

// Evaluation is the data of the tables.
type Evaluation struct {
	Data  string // name of the data set, such as a file's name
	Tasks []pir.Task
	Runs  []pireval.Run // one run per retriever, each over all tasks

	Decomposed []Decomposed // by retriever; nil if not asked for
	Extraction pireval.Extraction
}

// All are first the paper's tables, then tables with every figure.
func (e *Evaluation) All() []report.Table {
	tables := []report.Table{e.retrievers()}
	if e.has("perspectrum", "allsides") {
		tables = append(tables, e.sides())
		if t, ok := e.instructed(); ok {
			tables = append(tables, t)
		}
	}
	byVectors := 0
	for i := range e.Runs {
		if run := &e.Runs[i]; slices.ContainsFunc(paperMethods, func(m paperMethod) bool { return byMethod(run, m.method) }) {
			scoring, methods := e.scoring(run), e.methods(run)
			if byVectors++; byVectors > 1 {
				scoring.Name, methods.Name = fmt.Sprintf("%s-%d", scoring.Name, byVectors), fmt.Sprintf("%s-%d", methods.Name, byVectors)
			}
			tables = append(tables, scoring, methods)
		}
	}
	if t, ok := e.backbones(); ok {
		tables = append(tables, t)
	}
	if len(e.Decomposed) > 0 {
		tables = append(tables, e.decomposition())
		for i := range e.Decomposed {
			if d := &e.Decomposed[i]; len(d.Tasks[0].Value.Recall) > 0 {
				tables = append(tables, e.changes(d))
			}
		}
	}
	for i := range e.Tasks {
		tables = append(tables, e.task(&e.Tasks[i]), e.labels(&e.Tasks[i]), e.bias(&e.Tasks[i]))
		for r := range e.Runs {
			if t, ok := e.locations(&e.Tasks[i], &e.Runs[r]); ok {
				tables = append(tables, t)
			}
		}
	}
	return tables
}

// byMethod reports whether a run has a method. It is false for the empty name.
func byMethod(run *pireval.Run, method string) bool {
	return method != "" && slices.ContainsFunc(run.Methods, func(m pireval.Method) bool { return m.Name == method })
}

func (e *Evaluation) has(names ...string) bool {
	return slices.ContainsFunc(e.Tasks, func(t pir.Task) bool { return slices.Contains(names, t.Name) })
}

// plain is the run's method that ranks by the whole query's wording alone.
func plain(run *pireval.Run) string {
	if byMethod(run, pireval.BM25Name) {
		return pireval.BM25Name
	}
	return "query_cosine"
}

// ours is the name and size of the data for captions.
func (e *Evaluation) ours() string {
	sizes := make([]string, len(e.Tasks))
	for i := range e.Tasks {
		sizes[i] = size(&e.Tasks[i])
	}
	if len(sizes) > 1 && !slices.ContainsFunc(sizes, func(s string) bool { return s != sizes[0] }) {
		return fmt.Sprintf("%s, %d tasks of N = %s each", e.Data, len(sizes), sizes[0])
	}
	if len(sizes) == 1 && e.Data == e.Tasks[0].Name {
		return e.Data + ", N = " + sizes[0]
	}
	for i := range sizes {
		sizes[i] = e.Tasks[i].Name + " N = " + sizes[i]
	}
	return e.Data + ", " + strings.Join(sizes, "; ")
}

// of is the name of a task with the name of its data.
func (e *Evaluation) of(t *pir.Task) string {
	if t.Name == e.Data {
		return t.Name
	}
	return fmt.Sprintf("%s (%s)", t.Name, e.Data)
}

func size(t *pir.Task) string {
	return fmt.Sprintf("%d queries on %d documents", len(t.Queries), len(t.Corpus))
}

// wholePIR is the name of the paper's data.
const wholePIR = "whole PIR"

// percent is a share in percent, as the paper prints it.
func percent(share float64) report.Cell { return report.Figure(100 * share) }

// row is a task in a table.
type row struct {
	name, title string
	paper       *paperTask // nil if not in the paper
}

// rows are the paper's tasks in its order, even those that did not run, followed by all
// other tasks. If none of the paper's tasks ran, only the others are listed.
func (e *Evaluation) rows() []row {
	var rows []row
	inPaper := func(name string) bool {
		return slices.ContainsFunc(paperTasks, func(t paperTask) bool { return t.name == name })
	}
	if slices.ContainsFunc(e.Tasks, func(t pir.Task) bool { return inPaper(t.Name) }) {
		for i := range paperTasks {
			rows = append(rows, row{paperTasks[i].name, paperTasks[i].title, &paperTasks[i]})
		}
	}
	for _, t := range e.Tasks {
		if !inPaper(t.Name) {
			rows = append(rows, row{name: t.Name, title: t.Name})
		}
	}
	return rows
}

// find is the task with a name, nil if it did not run.
func (e *Evaluation) find(name string) *pir.Task {
	for i := range e.Tasks {
		if e.Tasks[i].Name == name {
			return &e.Tasks[i]
		}
	}
	return nil
}

// pRecallAt5 is a method's p-Recall@5 on a task in percent; missing if it did not run.
func pRecallAt5(run *pireval.Run, task, method string) report.Cell {
	if r := run.Result(task, method); r != nil {
		return percent(r.PRecall.At5)
	}
	return report.Missing()
}

func average(run *pireval.Run, method string) report.Cell {
	if m, ok := mean(run, method); ok {
		return percent(m)
	}
	return report.Missing()
}

// mean is a method's p-Recall@5, averaged over the tasks on which it ran; ok is false if it
// ran on none.
func mean(run *pireval.Run, method string) (m float64, ok bool) {
	sum, n := 0.0, 0
	for _, task := range run.Tasks {
		if r := task.Value.Get(method); r != nil {
			sum += r.PRecall.At5
			n++
		}
	}
	return sum / float64(max(n, 1)), n > 0
}
