// Package pirbench runs retrievers and scoring methods on the PIR benchmark, writes
// their rankings as runs, and lays out the figures as the paper does.
package pirbench

import (
	"context"
	"errors"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/vantage-search/vantage/internal/chat"
	"github.com/vantage-search/vantage/internal/console"
	"github.com/vantage-search/vantage/internal/evaluation/part"
	"github.com/vantage-search/vantage/internal/evaluation/pir"
	"github.com/vantage-search/vantage/internal/evaluation/pireval"
	"github.com/vantage-search/vantage/internal/evaluation/pirtables"
	"github.com/vantage-search/vantage/internal/evaluation/report"
	"github.com/vantage-search/vantage/internal/evaluation/retrieve"
	"github.com/vantage-search/vantage/internal/evaluation/runs"
	"github.com/vantage-search/vantage/internal/file"
	"github.com/vantage-search/vantage/internal/human"
	"github.com/vantage-search/vantage/internal/progress"
	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// Experiment says what is evaluated, and how.
type Experiment struct {
	Retrievers []string      // by name: bm25, static (or english), a model, or vectors:DIR
	Methods    []string      // scoring methods for retrievers by vectors, or "all"
	Decompose  bool          // also measure how well queries can be split by their wording
	Extract    bool          // the same by a chat model, or by their wording if there is none
	Chat       chat.Settings // the model, or none if it has no name
	Sweep      string        // lambda=FROM:TO:STEP: also evaluate those of Methods that have a strength, pap and pap+, for these λ
	SweepTo    string        // path of the sweep's files, without .csv and .svg
	Runs       string        // folder to write the rankings to
	Part       part.Part
	Roots      string // pir.AllRoots or a half
	Encoding   retrieve.Encoding
}

// Evaluate runs the experiment on the tasks in data: demo files of PIR, folders of
// tasks, and folders of such folders.
func (e *Experiment) Evaluate(ctx context.Context, data []string) (_ *Result, err error) {
	chosen, err := e.choose(ctx)
	if err != nil {
		return nil, err
	}
	tasks, err := read(data, e.Part, e.Roots, e.Encoding.Console)
	if err != nil {
		return nil, err
	}
	asked, err := e.openChat(data)
	if err != nil {
		return nil, err
	}
	if asked != nil {
		defer func() { err = asked.Close(err, e.Encoding.Console.Warnf) }() // what was recorded before a fault is not lost
	}
	into, err := newFolder(e.Runs, tasks, e.Encoding.Console)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			into.abandon()
		}
	}()
	if err := e.try(ctx, chosen, tasks); err != nil {
		return nil, err
	}
	show := e.Encoding.Console.Progress()
	defer show.Stop()
	out := &Result{}
	out.evaluation = pirtables.Evaluation{Data: DataName(data, e.Part), Tasks: tasks}
	extracted, err := e.extract(ctx, asked, &out.evaluation, show)
	if err != nil {
		return nil, err
	}
	var sweeps []pireval.Run
	for i := range chosen {
		sweep, err := e.run(ctx, &chosen[i], &out.evaluation, extracted, into, show)
		if err != nil {
			return nil, err
		}
		if len(sweep.Methods) > 0 {
			sweeps = append(sweeps, sweep)
		}
	}
	out.Report = pireval.NewReport(out.evaluation.Data, out.evaluation.Runs)
	for _, d := range out.evaluation.Decomposed {
		out.Report.AddDecompositions(d.Retriever, d.Tasks)
	}
	if extracted != nil {
		out.Report.Extraction = &out.evaluation.Extraction
	}
	show.End()
	into.tell()
	for i := range sweeps {
		if err := e.writeSweep(&out.evaluation, &sweeps[i], len(sweeps) > 1); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// Result is the result of an experiment.
type Result struct {
	Report pireval.Report // the figures that --json writes

	evaluation pirtables.Evaluation
}

// Tables are the result's tables.
func (r *Result) Tables() []report.Table { return r.evaluation.All() }

// run evaluates one retriever and returns its figures over λ. It opens the retriever's
// model and closes it again.
func (e *Experiment) run(ctx context.Context, c *chosenRetriever, evaluation *pirtables.Evaluation, extracted [][]pireval.Parts, into *folder, show *progress.Bar) (sweep pireval.Run, err error) {
	retriever, close, err := c.open(ctx)
	if err != nil {
		return sweep, err
	}
	defer func() { err = errors.Join(err, close()) }()
	tasks := evaluation.Tasks
	run, err := pireval.Evaluate(ctx, tasks, retriever, slices.Concat(c.methods, c.swept), func(stage string, done, total int) {
		show.Update(stage, int64(done), int64(total))
	}, into.keep(c.label, c.several, c.methods))
	if err != nil {
		return sweep, err
	}
	run.Instructed = c.model != nil && c.model.Instructed()
	run, sweep = run.Cut(len(c.methods))
	evaluation.Runs = append(evaluation.Runs, run)
	if extracted == nil {
		return sweep, nil
	}
	d := pirtables.Decomposed{Retriever: c.label}
	for i := range tasks {
		show.Update(decomposeStage, int64(i), int64(len(tasks)))
		of, err := pireval.Decomposed(ctx, &tasks[i], extracted[i], retriever, c.methods)
		if err != nil {
			return sweep, err
		}
		d.Tasks = append(d.Tasks, pireval.Member[pireval.Decomposition]{Name: tasks[i].Name, Value: of})
	}
	show.Update(decomposeStage, int64(len(tasks)), int64(len(tasks)))
	evaluation.Decomposed = append(evaluation.Decomposed, d)
	return sweep, nil
}

// decomposeStage is a stage that counts tasks.
const decomposeStage = "decompose"

// SweepTable is the file of the sweep's figures; "" without a sweep.
func (e *Experiment) SweepTable() string {
	if e.Sweep == "" {
		return ""
	}
	return e.SweepTo + ".csv"
}

// writeSweep writes the figures over λ and their chart. With several retrievers, the
// retriever's name precedes the files' extensions.
func (e *Experiment) writeSweep(evaluation *pirtables.Evaluation, run *pireval.Run, several bool) error {
	name := e.SweepTo
	if several {
		name += "." + runs.Tag(run.Retriever)
	}
	files := []struct {
		name  string
		write func(io.Writer) error
	}{
		{name + ".csv", func(w io.Writer) error { return pirtables.SweepCSV(w, run) }},
		{name + ".svg", func(w io.Writer) error { c := evaluation.SweepChart(run); return c.SVG(w) }},
	}
	for _, f := range files {
		if err := file.Replace(f.name, f.write); err != nil {
			return err
		}
	}
	e.Encoding.Console.Printf("%s and %s: %s over λ\n", human.Escape(files[0].name), human.Escape(files[1].name), human.Count(len(run.Methods), "figure"))
	return nil
}

// read reads the tasks of all data. It is an error if two have the same name.
func read(data []string, p part.Part, roots string, c *console.Console) ([]pir.Task, error) {
	var tasks []pir.Task
	from := map[string]string{}
	for _, path := range data {
		found, err := pir.OpenPart(path, p)
		if err != nil {
			return nil, fault.As(fault.Input, err)
		}
		for _, t := range found {
			other, taken := from[t.Name]
			if taken && other == path {
				return nil, fault.Errorf(fault.Input, "%s is given twice", path)
			}
			if taken {
				return nil, fault.Errorf(fault.Input, "task %s is in both %s and %s: evaluate them one at a time", t.Name, other, path)
			}
			from[t.Name] = path
			if t.Unjudged > 0 {
				c.Warnf("%s: %s of task %s without a gold text left out", path, human.Count(t.Unjudged, "query"), t.Name)
			}
			if t, err = t.OfRoots(roots); err != nil {
				return nil, err
			}
			tasks = append(tasks, t)
		}
	}
	return tasks, nil
}

// DataName is the name of the data in captions.
func DataName(data []string, p part.Part) string {
	names := make([]string, len(data))
	for i, path := range data {
		if absolute, err := filepath.Abs(path); err == nil {
			path = absolute
		}
		names[i] = filepath.Base(path)
	}
	name := strings.Join(names, " and ")
	if p.All() {
		return name
	}
	return name + ", " + human.Escape(p.String())
}
