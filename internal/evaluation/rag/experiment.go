// Package rag measures what retrieval does for a chat model that reads the texts found
// (Beyond Relevance, Section 3.3 and Table 5): exact match of answers to questions, and
// whether the sentiment of essays follows the stance that they were to take.
package rag

import (
	"context"
	"path/filepath"
	"slices"

	"github.com/vantage-search/vantage/internal/chat"
	"github.com/vantage-search/vantage/internal/evaluation/part"
	"github.com/vantage-search/vantage/internal/evaluation/pir"
	"github.com/vantage-search/vantage/internal/evaluation/pirbench"
	"github.com/vantage-search/vantage/internal/evaluation/pireval"
	"github.com/vantage-search/vantage/internal/evaluation/retrieve"
	"github.com/vantage-search/vantage/internal/human"
	"github.com/vantage-search/vantage/internal/inputs"
	"github.com/vantage-search/vantage/internal/progress"
	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// Experiment says what is read, and by what.
type Experiment struct {
	Retrievers []string // as pirbench.Experiment takes them
	Methods    []string // scoring methods; nil: those of the paper's table
	Answers    string   // file of answers, or ""; see ReadAnswers
	Sample     int      // queries that are drawn of each task; 0: all
	Seed       uint64   // of the draw
	Chat       chat.Settings
	Part       part.Part
	Encoding   retrieve.Encoding
}

// paperMethods are the methods of Table 5.
var paperMethods = []string{"none", "pap", "pap+"}

// Evaluate runs the experiment on the tasks in data that are read: those that kindOf calls
// essays or questions.
func (e *Experiment) Evaluate(ctx context.Context, data []string) (_ *Report, err error) {
	bench := pirbench.Experiment{Retrievers: e.Retrievers, Methods: e.Methods, Part: e.Part, Encoding: e.Encoding}
	if e.Methods == nil {
		if bench.Methods = paperMethods; !slices.ContainsFunc(e.Retrievers, func(name string) bool { return name != pireval.BM25Name }) {
			bench.Methods = []string{"all"} // BM25 has one of its own
		}
	}
	var answers Answers
	if e.Answers != "" {
		if answers, err = inputs.Read(ctx, e.Answers, ReadAnswers); err != nil {
			return nil, fault.As(fault.Input, err)
		}
	}
	asked, err := chat.OpenNamed(e.Chat, append(slices.Clone(data), e.Answers)...)
	if err != nil {
		return nil, err
	}
	reader := &reader{client: asked}
	if asked != nil {
		defer func() { err = e.end(ctx, asked, err) }()
		if err := reader.instruct(); err != nil {
			return nil, err
		}
	} else {
		e.Encoding.Console.Warnf("no chat model is configured (--chat-model), so nothing is read: the figures are of the texts found")
	}
	tasks, ranked, err := bench.Rank(ctx, data, func(t *pir.Task) bool { return kindOf(t, answers) != none })
	if err != nil {
		return nil, err
	}
	if len(tasks) == 0 {
		return nil, fault.New(fault.Input, "no task has queries that take sides, or questions with answers in --answers: there is nothing to read")
	}
	out := &Report{Data: pirbench.DataName(data, e.Part), NoModel: asked == nil, Polarity: polarityName, Sample: e.Sample, Seed: e.Seed, AnswersFile: filepath.Base(e.Answers)}
	if e.Answers == "" {
		out.AnswersFile = ""
	}
	sets := make([]*queries, len(tasks))
	for i := range tasks {
		sets[i] = chooseQueries(&tasks[i], answers, e.Sample, e.Seed)
	}
	if answers != nil && !slices.ContainsFunc(sets, func(s *queries) bool { return len(s.answers) > 0 }) {
		return nil, fault.Errorf(fault.Input, "%s answers none of the questions of the data: check that it has their wording", e.Answers)
	}
	for i, set := range sets {
		result, err := e.task(ctx, reader, set, ranked, i, out)
		if err != nil {
			return nil, err
		}
		out.Tasks = append(out.Tasks, result)
	}
	if asked != nil {
		used := asked.Usage()
		used.Kept += reader.reused
		out.Model, out.Chat = asked.Model(), &used
		if n := used.Kept - reader.reused; n > 0 && e.Chat.Replay == "" {
			e.Encoding.Console.Printf("vantage: %s of an earlier run\n", human.Count(n, "reply"))
		}
	}
	return out, nil
}

// end closes the client, and says after a run that was stopped what remains of it.
func (e *Experiment) end(ctx context.Context, asked *chat.Client, err error) error {
	if err != nil && asked.Usage().Requests > 0 && !e.Chat.Anew {
		e.Encoding.Console.Warnf("the replies so far are kept: the same command goes on where this one ends")
	}
	return asked.Close(err, e.Encoding.Console.Warnf)
}

// task reads the queries of a task without texts, with its gold texts, and with what each
// retriever found by each method.
func (e *Experiment) task(ctx context.Context, r *reader, set *queries, ranked []pirbench.Ranked, number int, out *Report) (TaskResult, error) {
	result := TaskResult{Name: set.task.Name, Kind: set.kind.String(), Queries: len(set.chosen), Repeated: set.repeated, Unanswered: set.unanswered, Texts: len(set.task.Corpus), Depth: set.kind.depth()}
	type source struct {
		name, method, label string
		texts               func(query int) []int
		seconds             float64
	}
	sources := []source{{name: None, label: None, texts: func(int) []int { return nil }}, {name: Gold, label: Gold, texts: set.gold}}
	for i := range ranked {
		if x := (retrieved{&ranked[i]}); x.Task == number {
			label := x.Retriever
			if x.Method.Name != pireval.BM25Name {
				label += ", " + x.Method.Short
			}
			sources = append(sources, source{x.Retriever, x.Method.Name, label, x.places, x.Seconds})
		}
	}
	show := e.Encoding.Console.Progress()
	defer show.Stop()
	total := int64(len(sources) * len(set.chosen))
	for i, s := range sources {
		contexts := make([][]string, len(set.chosen))
		for c, query := range set.chosen {
			texts := s.texts(query)
			for _, t := range texts[:min(len(texts), set.kind.depth())] {
				contexts[c] = append(contexts[c], set.task.Corpus[t])
			}
		}
		row := Row{Source: s.name, Method: s.method, label: s.label}
		readable := r.client != nil && (set.kind == essays || len(set.answers) > 0)
		var replies []string
		if readable {
			before := int64(i * len(set.chosen))
			var step Step
			var err error
			replies, step, err = r.read(ctx, set, contexts, func(done int) { show.Update(progress.Ask, before+int64(done), total) })
			if err != nil {
				return result, err
			}
			step.Task, step.Source, step.Method, step.label, step.RetrievalSeconds = set.task.Name, s.name, s.method, s.label, s.seconds
			out.Steps = append(out.Steps, step)
		}
		set.measure(&row, contexts, replies, s.name != None)
		result.Rows = append(result.Rows, row)
	}
	if r.client != nil {
		show.End()
	}
	return result, nil
}

// retrieved are the rankings of a retriever by a method.
type retrieved struct{ *pirbench.Ranked }

// places are the texts found for a query, the best first.
func (r retrieved) places(query int) (places []int) {
	for _, hit := range r.Rankings.Rankings[query] {
		places = append(places, int(hit.Document))
	}
	return places
}
