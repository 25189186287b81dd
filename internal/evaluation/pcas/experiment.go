package pcas

import (
	"context"
	"errors"

	"github.com/vantage-search/vantage/internal/evaluation/compare"
	"github.com/vantage-search/vantage/internal/evaluation/report"
	"github.com/vantage-search/vantage/internal/evaluation/retrieve"
	"github.com/vantage-search/vantage/internal/progress"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/perspective"
)

// Experiment says what is evaluated, and how.
type Experiment struct {
	Retrievers []string // by name: static (or english), sides, or a model
	Tests      compare.Tests
	Encoding   retrieve.Encoding
}

// Report is the result of an experiment.
type Report struct {
	Dataset    string      `json:"dataset"`
	Documents  int         `json:"documents"`
	Seed       uint64      `json:"seed"` // of the drawn contexts and of the bootstrap
	Rounds     int         `json:"rounds"`
	Retrievers []Retriever `json:"retrievers"`

	notes []string
	paper bool // whether the data set is the paper's, so that its figures are printed, too
}

// Retriever has the figures of all systems with one encoder.
type Retriever struct {
	Name      string  `json:"name"`
	About     string  `json:"about"`
	Chosen    Setting `json:"chosen"` // the setting of PCAS with the highest MAP@5 on the validation split
	Splits    []Split `json:"splits"`
	Sweep     []Tried `json:"sweep"`     // on the validation split
	Truncated int     `json:"truncated"` // texts that were longer than the model reads

	paper Setting // the paper's setting for a retriever of this kind
}

// Evaluate runs the experiment on the data set in a folder.
func (e *Experiment) Evaluate(ctx context.Context, dir string) (*Report, error) {
	if err := e.Tests.Check(); err != nil {
		return nil, err
	}
	models, err := e.models(ctx)
	if err != nil {
		return nil, err
	}
	set, err := Open(ctx, dir, e.Tests.Seed)
	if err != nil {
		return nil, err
	}
	if err := retrieve.Try(ctx, models); err != nil {
		return nil, err
	}
	if err := byCosine(models); err != nil {
		return nil, err
	}
	out := &Report{Dataset: set.Name, Documents: len(set.Documents), Seed: e.Tests.Seed, Rounds: e.Tests.Rounds, notes: set.Notes, paper: exists(dir, snippetsFile)}
	show := e.Encoding.Console.Progress()
	defer show.Stop()
	labels := retrieve.Labels(models)
	for i, m := range models {
		r, err := e.run(ctx, set, m, show)
		if err != nil {
			return nil, err
		}
		r.Name = labels[i]
		out.Retrievers = append(out.Retrievers, *r)
	}
	show.End()
	return out, nil
}

// models finds the models of the retrievers.
func (e *Experiment) models(ctx context.Context) (models []*retrieve.Model, err error) {
	if len(e.Retrievers) == 0 {
		return nil, fault.Errorf(fault.Query, "--retriever is needed: static, sides, or the folder of a model")
	}
	e.Encoding.Late = true
	if err := retrieve.CheckNames(e.Retrievers); err != nil {
		return nil, err
	}
	for _, name := range e.Retrievers {
		spec, err := retrieve.ParseSpec("--retriever", name)
		if err != nil {
			return nil, err
		}
		if spec.Name == retrieve.BM25Name || spec.Name == retrieve.OkapiName {
			return nil, fault.Errorf(fault.Query, "--retriever %s: words do not compare contexts with documents as vectors do: name static, sides, or a model", name)
		}
		if spec.TokenBits != 0 {
			return nil, fault.Errorf(fault.Query, "--retriever %s: contexts are compared with the vectors as the model gives them: leave %s out", name, retrieve.TokenBitsOption)
		}
		m, err := e.Encoding.Find(ctx, spec)
		if err != nil {
			return nil, err
		}
		m.Packs = true // kept vectors come without angles, which are not used here
		models = append(models, m)
	}
	if err := e.Encoding.Bind(ctx, models); err != nil {
		return nil, err
	}
	for _, m := range models {
		if m.Spec.Score == perspective.Dot {
			return nil, fault.Errorf(fault.Query, "--retriever %s: contexts are compared by the cosine: leave --score %s and %s=%[2]s out", m.Spec.Given, perspective.Dot, retrieve.ScoreOption)
		}
	}
	return models, nil
}

// byCosine makes a model that says dot product itself say cosine, as it is compared here. The
// models must have been open before.
func byCosine(models []*retrieve.Model) error {
	for _, m := range models {
		if m.RanksTokens() {
			continue
		}
		score, err := m.Score()
		if err != nil {
			return err
		}
		if score == perspective.Dot {
			m.Spec.Score = perspective.Cosine
		}
	}
	return nil
}

// run evaluates one retriever.
func (e *Experiment) run(ctx context.Context, set *Set, m *retrieve.Model, show *progress.Bar) (_ *Retriever, err error) {
	x, close, err := open(ctx, m)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, close()) }()
	if err := x.encode(set, func(done, total int) { show.Update(progress.Embed, int64(done), int64(total)) }); err != nil {
		return nil, err
	}
	all := int64(len(set.Validation) + len(set.Test))
	validation, err := x.answer(set.Validation, func(done int) { show.Update(progress.Rank, int64(done), all) })
	if err != nil {
		return nil, err
	}
	test, err := x.answer(set.Test, func(done int) { show.Update(progress.Rank, int64(len(set.Validation)+done), all) })
	if err != nil {
		return nil, err
	}
	out := &Retriever{About: m.About(), Truncated: len(x.truncated), paper: Paper}
	if m.RanksTokens() {
		out.paper = PaperMaxSim
	}
	out.Sweep, out.Chosen = sweep(set.Validation, validation)
	settings := []Setting{out.Chosen, out.paper}
	if out.Chosen == out.paper {
		settings = settings[:1]
	}
	for _, s := range []struct {
		name      string
		questions []Question
		of        *answers
	}{{"validation", set.Validation, validation}, {"test", set.Test, test}} {
		split, err := split(s.name, s.questions, s.of, settings, e.Tests)
		if err != nil {
			return nil, err
		}
		out.Splits = append(out.Splits, *split)
	}
	return out, nil
}

// Tables are the report's tables.
func (r *Report) Tables() []report.Table {
	out := []report.Table{r.table("validation", 0, paperValidation), r.table("test", 1, paperTest)}
	return append(out, r.sweep())
}
