package pireval

import (
	"context"
	"fmt"

	"github.com/vantage-search/vantage/internal/chat"
	"github.com/vantage-search/vantage/internal/evaluation/pir"
)

// Run is one retriever's results by task and method.
type Run struct {
	Retriever  string
	Instructed bool // its queries are roots as texts, with their perspectives as instructions
	Methods    []Method
	Tasks      Ordered[Ordered[Result]]
}

// Stages of an evaluation.
const (
	StageEmbed = "embed" // counts texts
	StageRank  = "rank"  // counts rankings
)

// Evaluate runs a system on tasks by the given methods. show receives the progress of
// each stage over all tasks; keep is passed to Task.
func Evaluate(ctx context.Context, tasks []pir.Task, system System, methods []Method, show func(stage string, done, total int), keep func(Rankings) error) (Run, error) {
	texts, rankings := 0, 0
	for _, t := range tasks {
		texts += len(t.Corpus) + 3*len(t.Queries)
		rankings += len(rootsOf(&t)) + len(methods)*len(t.Queries)
	}
	stage := func(name string, total int) func(int) {
		done := 0
		return func(n int) { done += n; show(name, done, total) }
	}
	encoded, ranked := stage(StageEmbed, texts), stage(StageRank, rankings)
	run := Run{Retriever: system.Name(), Methods: methods}
	prepared := make([]*Prepared, len(tasks))
	for i := range tasks {
		var err error
		prepared[i], err = system.Prepare(ctx, &tasks[i], encoded)
		if err != nil {
			return run, fmt.Errorf("task %s: %w", tasks[i].Name, err)
		}
	}
	for i := range tasks {
		results, err := Task(ctx, &tasks[i], prepared[i], methods, ranked, keep)
		if err != nil {
			return run, err
		}
		run.Tasks = append(run.Tasks, Member[Ordered[Result]]{tasks[i].Name, results})
	}
	return run, nil
}

// Report holds the figures of runs in the layout of the JSON output: by task, then by
// method, or by MethodKey if several retrievers have the method.
type Report struct {
	Data          string                   `json:"data"` // name of the data set
	Tasks         Ordered[Ordered[Result]] `json:"tasks"`
	Decomposition Ordered[Decomposition]   `json:"decomposition,omitempty"` // by task
	Extraction    *Extraction              `json:"extraction,omitempty"`    // of the decomposition

	shared map[string]bool // methods that more than one run has
}

// Wording is the name of the extraction by wording.
const Wording = "wording"

// Extraction says what took queries apart.
type Extraction struct {
	By      string      `json:"by"`                 // Wording, or the name of a chat model
	NoModel bool        `json:"no_model,omitempty"` // the wording stands in for a chat model, because none is configured
	Chat    *chat.Usage `json:"chat,omitempty"`
}

// NewReport groups the runs' results on a data set by task.
func NewReport(data string, runs []Run) Report {
	r := Report{Data: data, shared: map[string]bool{}}
	known := map[string]bool{}
	for _, run := range runs {
		for _, m := range run.Methods {
			r.shared[m.Name] = known[m.Name]
			known[m.Name] = true
		}
	}
	for _, run := range runs {
		for _, task := range run.Tasks {
			if r.Tasks.Get(task.Name) == nil {
				r.Tasks = append(r.Tasks, Member[Ordered[Result]]{Name: task.Name})
			}
			methods := r.Tasks.Get(task.Name)
			for _, result := range task.Value {
				method := result.Name
				result.Value.Retriever = run.Retriever
				if r.shared[method] {
					result.Name, result.Value.Method = MethodKey(method, run.Retriever), method
				}
				*methods = append(*methods, result)
			}
		}
	}
	return r
}

// MethodKey is a method's key in a report if several retrievers have the method.
func MethodKey(method, retriever string) string { return method + " of " + retriever }

// AddDecompositions adds one retriever's decompositions.
func (r *Report) AddDecompositions(retriever string, tasks Ordered[Decomposition]) {
	for _, task := range tasks {
		var recall Ordered[Change]
		for _, change := range task.Value.Recall {
			if r.shared[change.Name] {
				change.Name = MethodKey(change.Name, retriever)
			}
			recall = append(recall, change)
		}
		known := r.Decomposition.Get(task.Name)
		if known == nil {
			task.Value.Recall = nil
			r.Decomposition = append(r.Decomposition, task)
			known = r.Decomposition.Get(task.Name)
		}
		known.Recall = append(known.Recall, recall...)
	}
}

// Result is the result for a task by a method, nil if it did not run.
func (r *Run) Result(task, method string) *Result {
	results := r.Tasks.Get(task)
	if results == nil {
		return nil
	}
	return results.Get(method)
}
