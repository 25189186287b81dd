// Package methods makes the table of the default ranking, auto, for an encoder: from judged
// queries, it chooses the method that ranks each kind of perspective best.
package methods

import (
	"context"
	"errors"

	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/evaluation/compare"
	"github.com/vantage-search/vantage/internal/evaluation/pir"
	"github.com/vantage-search/vantage/internal/evaluation/pireval"
	"github.com/vantage-search/vantage/internal/evaluation/retrieve"
	"github.com/vantage-search/vantage/perspective"
)

// Measure is the measure by which methods are compared.
const Measure = "nDCG@10"

// Level is the greatest p at which the best candidate is chosen. p is that of the randomisation
// test against the plain cosine, multiplied by the number of other candidates (Bonferroni).
const Level = .05

// Experiment says for which encoder methods are chosen, and on which data.
type Experiment struct {
	Model    string
	Roots    string // which roots of PIR's tasks: pir.AllRoots, or a half
	Split    string // of Perspectrum
	Tests    compare.Tests
	Encoding retrieve.Encoding
}

// Figures are the figures of all candidates, and what was chosen.
type Figures struct {
	Encoder string   `json:"encoder"`
	Measure string   `json:"measure"`
	Sets    []Set    `json:"sets"`
	Safest  string   `json:"safest"` // for kinds without data, and where nothing is better; KindNone then has the plain cosine
	Kinds   []*Kind  `json:"kinds"`
	Table   []string `json:"auto"` // the choices as the encoder's table "auto" has them
}

// Set is a data set, with the number of its queries.
type Set struct {
	Name    string `json:"name"`
	Queries int    `json:"queries"`
}

// Kind is a kind of perspective with its candidates.
type Kind struct {
	Kind       perspective.Kind   `json:"kind"`
	Queries    int                `json:"queries"`
	Candidates []Candidate        `json:"candidates"` // best first; the plain cosine is one of them
	Chosen     perspective.Choice `json:"chosen"`
	Margin     float64            `json:"margin"` // of the chosen method's mean over the plain cosine's
	P          float64            `json:"p"`      // of the best candidate, as for Level
}

// Candidate is a method, at one strength, alone or fused with words, for a kind of
// perspective.
type Candidate struct {
	perspective.Choice
	Mean float64 `json:"mean"`

	values []float64 // by query
}

// The methods that are safe without data for a kind. Figures.Safest is the better of the two.
const (
	plain = "none"
	sum   = "tri-sum"
)

// Evaluate measures every candidate on the data and chooses.
func (e *Experiment) Evaluate(ctx context.Context, data []string) (_ *Figures, err error) {
	if err := e.Tests.Check(); err != nil {
		return nil, err
	}
	var tasks []pir.Task
	for _, path := range data {
		found, err := e.read(ctx, path)
		if err != nil {
			return nil, err
		}
		tasks = append(tasks, found...)
	}
	model, err := e.open(ctx)
	if err != nil {
		return nil, err
	}
	if err := retrieve.Try(ctx, []*retrieve.Model{model}); err != nil {
		return nil, err
	}
	documents, queries, closeModel, err := model.Open(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, closeModel()) }()
	score, err := model.Score()
	if err != nil {
		return nil, err
	}
	system := pireval.Vectors{Embedder: pireval.Encoded{Encoder: documents, Queries: queries}, Score: score}
	angled, ok := documents.(encoder.AngleEncoder)
	angles := ok && angled.AngleDim() > 0
	f := &Figures{Encoder: retrieve.Title(documents.Info()), Measure: Measure}
	found := map[perspective.Kind]*Kind{}
	for i := range tasks {
		f.Sets = append(f.Sets, Set{tasks[i].Name, len(tasks[i].Queries)})
		if err := e.measure(ctx, &tasks[i], system, angles, found); err != nil {
			return nil, err
		}
	}
	return f, e.choose(f, found)
}

func (e *Experiment) open(ctx context.Context) (*retrieve.Model, error) {
	spec, err := retrieve.ParseSpec("--model", e.Model)
	if err != nil {
		return nil, err
	}
	model, err := e.Encoding.Find(ctx, spec)
	if err != nil {
		return nil, err
	}
	return model, e.Encoding.Bind(ctx, []*retrieve.Model{model})
}
