// Package methods makes the table of the default ranking, auto, for an encoder: from judged
// queries, it chooses the method that ranks each kind of perspective best.
package methods

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"

	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/evaluation/berds"
	"github.com/vantage-search/vantage/internal/evaluation/compare"
	"github.com/vantage-search/vantage/internal/evaluation/pir"
	"github.com/vantage-search/vantage/internal/evaluation/pireval"
	"github.com/vantage-search/vantage/internal/evaluation/retrieve"
	"github.com/vantage-search/vantage/internal/progress"
	"github.com/vantage-search/vantage/internal/search"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/internal/wasm/significance"
	"github.com/vantage-search/vantage/perspective"
	"github.com/vantage-search/vantage/trec"
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
	Safest  string   `json:"safest"` // for kinds without data, and those for which nothing is better
	Kinds   []*Kind  `json:"kinds"`
	Table   []string `json:"auto"` // the choices as the encoder's table "auto" has them
}

// Set is a data set, with the queries that count.
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
	documents, queries, closeModel, err := model.Open(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, closeModel()) }()
	system := pireval.Vectors{Embedder: pireval.Encoded{Encoder: documents, Queries: queries}}
	hearing, ok := documents.(encoder.AngleEncoder)
	angles := ok && hearing.AngleDim() > 0
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

// read reads a demo file of PIR, tasks in folders, or a split of Perspectrum.
func (e *Experiment) read(ctx context.Context, path string) ([]pir.Task, error) {
	if matches, err := filepath.Glob(filepath.Join(path, "perspectrum_with_answers*.json")); err == nil && len(matches) > 0 {
		files, err := berds.Find([]string{path})
		if err != nil {
			return nil, err
		}
		data, err := files.Read(ctx)
		if err != nil {
			return nil, err
		}
		task := fromPerspectrum(data, e.Split)
		if len(task.Queries) == 0 {
			return nil, fault.Errorf(fault.Input, "%s: no claim of the %s split has perspectives on both sides", path, e.Split)
		}
		return []pir.Task{task}, nil
	}
	if _, err := os.Stat(path); err != nil {
		return nil, fault.Errorf(fault.Input, "%s: %w: check the path", path, fault.Unnamed(err))
	}
	tasks, err := pir.Open(path)
	if err != nil {
		return nil, fault.As(fault.Input, err)
	}
	for i := range tasks {
		if tasks[i], err = tasks[i].OfRoots(e.Roots); err != nil {
			return nil, err
		}
	}
	return tasks, nil
}

// fromPerspectrum returns the task of finding the perspectives for and against each claim of a
// split that has both, among all perspectives of the split.
func fromPerspectrum(p *berds.Perspectrum, split string) pir.Task {
	t := pir.Task{Name: "Perspectrum, " + split}
	place := map[uint32]int{}
	for _, c := range p.Split(split) {
		if !c.TwoSided() {
			continue
		}
		for side, documents := range c.Documents {
			verb := [...]string{berds.Support: "supports", berds.Oppose: "opposes"}[side]
			var gold []int
			for _, d := range documents {
				at, known := place[d]
				if !known {
					at = len(t.Corpus)
					place[d] = at
					t.Corpus = append(t.Corpus, p.Pool[d])
				}
				gold = append(gold, at)
			}
			wanted := "a claim that " + verb + " the argument"
			t.Queries, t.Roots, t.Perspectives = append(t.Queries, "Find "+wanted+": "+c.Text), append(t.Roots, c.Text), append(t.Perspectives, wanted)
			t.Labels, t.Gold = append(t.Labels, verb), append(t.Gold, gold)
		}
	}
	return t
}

// measure computes Measure for a task's queries with each candidate, and adds the values to the queries' kinds.
func (e *Experiment) measure(ctx context.Context, task *pir.Task, system pireval.System, angles bool, kinds map[perspective.Kind]*Kind) error {
	show := e.Encoding.Console.Progress()
	defer show.Stop()
	done := 0
	prepared, err := system.Prepare(ctx, task, func(n int) {
		done += n
		show.Update(progress.Embed, int64(done), int64(len(task.Corpus)+3*len(task.Queries)))
	})
	if err != nil {
		return fmt.Errorf("task %s: %w", task.Name, err)
	}
	show.End()
	measures, err := trec.ParseMeasures([]string{Measure})
	if err != nil {
		return err
	}
	byKind := map[perspective.Kind][]int{}
	for i := range task.Queries {
		kind := pireval.KindOf(task, i)
		byKind[kind] = append(byKind[kind], i)
	}
	for kind, queries := range byKind {
		if kinds[kind] == nil {
			kinds[kind] = &Kind{Kind: kind}
			for _, c := range candidates(kind, angles) {
				kinds[kind].Candidates = append(kinds[kind].Candidates, Candidate{Choice: c})
			}
		}
		kinds[kind].Queries += len(queries)
		part := *task
		part.Queries, part.Roots, part.Perspectives, part.Labels, part.Gold = nil, nil, nil, nil, nil
		part.QueryIDs, part.Desired, part.Locations = nil, nil, nil
		for _, i := range queries {
			part.Queries, part.Roots, part.Perspectives = append(part.Queries, task.Queries[i]), append(part.Roots, task.Roots[i]), append(part.Perspectives, task.Perspectives[i])
			part.Labels, part.Gold, part.QueryIDs = append(part.Labels, task.Labels[i]), append(part.Gold, task.Gold[i]), append(part.QueryIDs, task.QueryID(i))
		}
		for j := range kinds[kind].Candidates {
			c := &kinds[kind].Candidates[j]
			method := pireval.Chosen(c.Choice)
			these := *prepared
			these.Query = func(i int, m pireval.Method) (retrieve.Query, error) { return prepared.Query(queries[i], m) }
			these.Root = func(i int) retrieve.Query { return prepared.Root(queries[i]) }
			values, err := valuesOf(ctx, &part, &these, method, measures)
			if err != nil {
				return err
			}
			c.values = append(c.values, values...)
		}
	}
	return nil
}

// valuesOf returns the values of a method for each query.
func valuesOf(ctx context.Context, task *pir.Task, prepared *pireval.Prepared, method pireval.Method, measures []*trec.Measure) (values []float64, err error) {
	_, err = pireval.Task(ctx, task, prepared, []pireval.Method{method}, func(int) {}, func(r pireval.Rankings) error {
		if r.Method == "" {
			return nil
		}
		run, err := r.Run(method.Name)
		if err != nil {
			return err
		}
		qrels := trec.NewQrels(task.Name)
		if err := r.EachJudgement(func(query, text string) error { qrels.Add(query, text, 1); return nil }); err != nil {
			return err
		}
		compared, _, err := trec.CompareValues(qrels, []*trec.Run{run}, measures, trec.Options{Complete: true})
		if err != nil {
			return err
		}
		values = compared[0].Runs[0]
		return nil
	})
	return values, err
}

// candidates returns the methods to try for a kind. angles says whether the encoder can give
// texts angles.
func candidates(kind perspective.Kind, angles bool) (out []perspective.Choice) {
	add := func(method string, strengths ...float64) {
		for _, s := range strengths {
			out = append(out, perspective.Choice{Kind: kind, Method: method, Strength: s})
		}
	}
	hybrid := func(method string) {
		for _, weight := range []float64{perspective.HybridWeight, 2 * perspective.HybridWeight} {
			out = append(out, perspective.Choice{Kind: kind, Method: method, Hybrid: true, Weight: weight})
		}
	}
	add(plain, 0)
	hybrid(plain)
	if kind == perspective.KindNone {
		return out
	}
	add(sum, 0)
	hybrid(sum)
	hybrid("root")
	add("root", 0)
	add("add", 0)
	add("aug-add", 0)
	add("dual-sum", 0)
	add("pap", -1, -.5, .5, 1)
	add("pap+", -1, -.5, .5, 1)
	if angles {
		add("aspect", .1, .25, .5)
	}
	if angles && kind == perspective.KindStance {
		add("contrast", .2, .4, .6, .8)
	}
	return out
}

// choose fills in the choices.
func (e *Experiment) choose(f *Figures, kinds map[perspective.Kind]*Kind) error {
	var plains, sums float64
	for _, kind := range perspective.Kinds() {
		k := kinds[kind]
		if k == nil {
			continue
		}
		f.Kinds = append(f.Kinds, k)
		for i := range k.Candidates {
			c := &k.Candidates[i]
			for _, v := range c.values {
				c.Mean += v / float64(len(c.values))
			}
			switch {
			case k.Kind == perspective.KindNone || c.Hybrid:
			case c.Method == plain:
				plains += c.Mean * float64(k.Queries)
			case c.Method == sum:
				sums += c.Mean * float64(k.Queries)
			}
		}
	}
	f.Safest = plain
	if sums > plains {
		f.Safest = sum
	}
	for _, k := range f.Kinds {
		safest := f.Safest
		if k.Kind == perspective.KindNone {
			safest = plain // there is nothing to add
		}
		if err := e.chooseFor(k, safest); err != nil {
			return err
		}
	}
	for _, kind := range perspective.Kinds() {
		line := perspective.Choice{Kind: kind, Method: f.Safest}
		if kind == perspective.KindNone {
			line.Method = plain
		}
		if k := kinds[kind]; k != nil {
			line = k.Chosen
		}
		f.Table = append(f.Table, line.String())
		if search.HasAngles(line.Method) {
			f.Table = append(f.Table, perspective.Choice{Kind: kind, Method: f.Safest}.String()) // for queries or collections without angles
		}
	}
	return nil
}

// chooseFor chooses the best candidate of a kind if it is significantly better than the
// plain cosine, and otherwise the safest.
func (e *Experiment) chooseFor(k *Kind, safest string) error {
	base := k.Candidates[0]
	slices.SortStableFunc(k.Candidates, func(a, b Candidate) int {
		switch {
		case a.Mean > b.Mean:
			return -1
		case a.Mean < b.Mean:
			return 1
		}
		return 0
	})
	chosen := k.Candidates[0]
	k.P = 1
	if k.Queries > 1 && chosen.Choice != base.Choice {
		p, err := significance.Randomization(chosen.values, base.values, e.Tests.Rounds, e.Tests.Seed)
		if err != nil {
			return err
		}
		k.P = min(1, p*float64(len(k.Candidates)-1))
	}
	if !(k.P <= Level) {
		for _, c := range k.Candidates {
			if c.Method == safest && !c.Hybrid {
				chosen = c
			}
		}
	}
	k.Chosen = chosen.Choice
	k.Margin = chosen.Mean - base.Mean
	if math.IsNaN(k.Margin) {
		k.Margin = 0
	}
	return nil
}
