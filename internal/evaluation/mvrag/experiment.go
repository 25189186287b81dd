// Package mvrag evaluates MVRAG (Chen, Yu and Sha 2024), which package internal/mvrag
// implements: Recall@100, Precision@100 and F1 of the merged ranking, beside that of the
// query as it is, and without each of the perspectives (Tables 1 and 2, Figure 5).
package mvrag

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"slices"

	"github.com/vantage-search/vantage/internal/chat"
	"github.com/vantage-search/vantage/internal/evaluation/beir"
	"github.com/vantage-search/vantage/internal/evaluation/compare"
	"github.com/vantage-search/vantage/internal/evaluation/report"
	"github.com/vantage-search/vantage/internal/evaluation/retrieve"
	"github.com/vantage-search/vantage/internal/mvrag"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/trec"
)

// Limits and defaults of experiments.
const (
	DefaultK   = 100
	maxK       = 10_000
	maxAnswers = 20

	// Each asks for a row for each perspective, without it.
	Each = "each"
)

// Experiment says what is evaluated, and how.
type Experiment struct {
	Retrievers []string // by name: static (or english), sides, or a model
	Domain     string   // name of a shipped domain, or a file
	Threshold  float64  // θ
	K          int      // documents that are measured; each perspective retrieves its share of them, k_i
	Without    []string // perspectives that are left out, one row for each; Each: all of them
	Queries    int      // how many queries are drawn; 0: all
	Answers    int      // documents from which the chat model answers each query; 0: no answers
	Relevant   int      // least grade of a relevant document
	Split      string
	Chat       chat.Settings // no model without a name
	Tests      compare.Tests
	Encoding   retrieve.Encoding
}

func (e *Experiment) check() error {
	switch {
	case e.Domain == "":
		return fault.New(fault.Query, "--domain is missing: name one of the shipped domains, or a file of yours")
	case !(e.Threshold >= 0 && e.Threshold < 1):
		return fault.Errorf(fault.Query, "--threshold is %g, must be from 0 to below 1", e.Threshold)
	case e.K < 1 || e.K > maxK:
		return fault.Errorf(fault.Query, "-k is %d, must be from 1 to %d", e.K, maxK)
	case e.Answers < 0 || e.Answers > maxAnswers:
		return fault.Errorf(fault.Query, "--answers is %d, must be from 0 to %d documents", e.Answers, maxAnswers)
	case e.Answers > 0 && e.Chat.Model == "":
		return fault.New(fault.Query, "--answers asks a chat model, and it has no name: add --chat-model NAME")
	case e.Queries < 0:
		return fault.Errorf(fault.Query, "--queries is %d, must be 0 (all) or more", e.Queries)
	case e.Split == "" || e.Split != filepath.Base(e.Split):
		return fault.Errorf(fault.Query, "--split %q: it is the part of a file's name that says which queries, such as test or dev", e.Split)
	case e.Relevant < 1:
		return fault.Errorf(fault.Query, "--relevant is %d, must be a grade from 1 on", e.Relevant)
	}
	return e.Tests.Check()
}

// Evaluate runs the experiment on the data in a folder.
func (e *Experiment) Evaluate(ctx context.Context, dir string) (_ *Report, err error) {
	if err := e.check(); err != nil {
		return nil, err
	}
	domain, err := mvrag.Open(e.Domain)
	if err != nil {
		return nil, err
	}
	without, err := e.without(domain)
	if err != nil {
		return nil, err
	}
	models, err := e.models(ctx)
	if err != nil {
		return nil, err
	}
	asked, err := chat.OpenNamed(e.Chat, dir, e.Domain)
	if err != nil {
		return nil, err
	}
	if asked == nil {
		e.Encoding.Console.Warnf("no chat model is configured (--chat-model): all perspectives weigh the same, and queries are joined with their descriptions")
	} else {
		defer func() { err = asked.Close(err, e.Encoding.Console.Warnf) }() // what was recorded before a fault is not lost
	}
	set, layout, of, err := e.open(ctx, dir)
	if err != nil {
		return nil, err
	}
	unanswered, err := e.unanswered(set)
	if err != nil {
		return nil, err
	}
	if err := retrieve.Try(ctx, models); err != nil {
		return nil, err
	}
	r := &running{Experiment: e, set: set, domain: domain, without: without, chat: asked, show: e.Encoding.Console.Progress()}
	defer r.show.Stop()
	if err := r.read(ctx); err != nil {
		return nil, err
	}
	out := r.report(layout, of)
	out.Unanswered = unanswered
	labels := retrieve.Labels(models)
	for i, m := range models {
		systems, err := r.retrieve(ctx, m, labels[i])
		if err != nil {
			return nil, err
		}
		if err := r.measure(out, labels[i], m.About(), systems); err != nil {
			return nil, err
		}
		if e.Answers > 0 && out.Answers == nil {
			if out.Answers, err = r.answer(ctx, systems[1]); err != nil {
				return nil, err
			}
		}
	}
	r.show.End()
	out.Documents, out.Steps = set.Documents, r.steps
	if asked != nil {
		used := asked.Usage()
		out.Chat = &used
	}
	return out, nil
}

// unanswered counts the queries without a relevant document. It is an error if none has one.
func (e *Experiment) unanswered(set *beir.Set) (n int, err error) {
	all := trec.NewRun("", "")
	for _, q := range set.Queries {
		_ = all.Add(q.ID, "", 0) // its only errors are about scores and long ids
	}
	level := int32(min(e.Relevant, math.MaxInt32))
	err = trec.JudgeAll(set.Qrels, all, trec.Options{Level: level}, func(j *trec.Judged) {
		if j.Relevant == 0 {
			n++
		}
	})
	if err == nil && n == len(set.Queries) {
		err = fmt.Errorf("%s: no query has a document of grade %d or above (--relevant)", set.Judgements, e.Relevant)
	}
	return n, fault.As(fault.Input, err)
}

// without are the indexes of the perspectives that are left out in turn.
func (e *Experiment) without(d *mvrag.Domain) (list []int, err error) {
	for _, name := range e.Without {
		i, ok := d.Find(name)
		switch {
		case ok && slices.Contains(list, i):
			return nil, fault.Errorf(fault.Query, "--without %s is given twice", name)
		case ok:
			list = append(list, i)
		case name == Each && len(e.Without) == 1:
			for i := range d.Perspectives {
				list = append(list, i)
			}
		default:
			return nil, fault.Errorf(fault.Query, "--without %s: the domain %s has no such perspective: its perspectives are %s; %s alone stands for all of them", name, d.Name, d, Each)
		}
	}
	return list, nil
}

// models finds the models of the retrievers.
func (e *Experiment) models(ctx context.Context) (models []*retrieve.Model, err error) {
	if err := retrieve.CheckNames(e.Retrievers); err != nil {
		return nil, err
	}
	for _, name := range e.Retrievers {
		spec, err := retrieve.ParseSpec("--retriever", name)
		if err != nil {
			return nil, err
		}
		if spec.Name == retrieve.BM25Name || spec.Name == retrieve.OkapiName {
			return nil, fault.Errorf(fault.Query, "--retriever %s: rankings are merged by the cosine of vectors, which words do not have: name static, sides, or a model", name)
		}
		m, err := e.Encoding.Find(ctx, spec)
		if err != nil {
			return nil, err
		}
		models = append(models, m)
	}
	return models, e.Encoding.Bind(ctx, models)
}

// Tables are the report's tables.
func (r *Report) Tables() []report.Table {
	out := []report.Table{r.table(), r.perspectives(), r.costs()}
	for i := range r.Comparisons {
		c := &r.Comparisons[i]
		t := c.Tests.PairTable()
		t.Caption = c.Retriever + ": " + t.Caption
		if i > 0 {
			t.Name = fmt.Sprintf("%s-%d", t.Name, i+1) // the first retriever's has the name of a single one's
		}
		out = append(out, t)
	}
	return out
}

// System is a way to rank, by one retriever.
type System struct {
	Retriever string             `json:"retriever"`
	Name      string             `json:"name"`              // plain query, MVRAG, or MVRAG without a perspective
	Without   string             `json:"without,omitempty"` // the perspective that was left out
	Means     map[string]float64 `json:"means"`             // of R@K and P@K, over the queries
	F1        float64            `json:"f1"`                // of the two means, as in the paper
	Found     float64            `json:"found"`             // documents per query, on average

	ranked [][]mvrag.Found // for each query, at most K
}

// queryOf pairs a query with its reading.
type queryOf struct {
	beir.Query
	*mvrag.Reading
}
