package pgra

import (
	"cmp"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"

	"github.com/vantage-search/vantage/internal/evaluation/retrieve"
	"github.com/vantage-search/vantage/internal/file"
	"github.com/vantage-search/vantage/internal/model"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/perspective"
)

// Experiment says what is evaluated, and how.
type Experiment struct {
	Retrievers []string // of stage 1: bm25, static (or english), sides, or a model
	Reranker   string   // of stage 2, a language model or another encoder; empty: none
	Tasks      []string // empty: all
	Templates  string   // folder; empty: the paper's
	K, D       int      // candidates of stage 1, evidence of stage 2
	Shots      int      // demonstrations
	Rows       int      // most rows of a task that are tested; 0: all
	Seed       uint64
	FiD        string // folder for a reader's input; empty: none
	Encoding   retrieve.Encoding
}

// Defaults are the paper's settings (§3.1).
const (
	DefaultK     = 150
	DefaultD     = 16
	DefaultShots = 8
)

// Report is the result of an experiment.
type Report struct {
	Dataset    string      `json:"dataset"`
	K          int         `json:"k"`
	D          int         `json:"d"`
	Shots      int         `json:"shots"`
	Seed       uint64      `json:"seed"`
	Reranker   string      `json:"reranker,omitempty"`
	Shown      bool        `json:"demonstrations"` // the reranker reads them
	Tasks      []Task      `json:"tasks"`
	Retrievers []Retriever `json:"retrievers"`
}

// Task is what is evaluated of a task, and what needs no retriever.
type Task struct {
	Name     string     `json:"name"`
	Metric   string     `json:"metric"`
	Labels   []string   `json:"labels"`
	Train    int        `json:"train"`
	Test     int        `json:"test"`
	Evidence int        `json:"evidence"`
	Empty    int        `json:"empty"`    // rows without a text
	Tested   int        `json:"tested"`   // rows of the training split whose text is tested, too
	Repeated int        `json:"repeated"` // rows of the training split whose text was there before
	Shown    []string   `json:"shown"`    // the ids of the demonstrations
	Majority float64    `json:"majority"` // of guessing the most frequent label
	Context  *InContext `json:"in_context,omitempty"`
	Words    float64    `json:"words"` // of a tested text, on average
	Cut      int        `json:"cut"`   // texts that were shortened for the reranker
}

// Retriever is what an encoder of stage 1 finds.
type Retriever struct {
	Name  string  `json:"name"`
	About string  `json:"about"`
	Tasks []Found `json:"tasks"`
}

// Found is what is found for a task: first by stage 1 alone, second with stage 2.
type Found struct {
	Task   string    `json:"task"`
	First  Measures  `json:"first"`
	Second *Measures `json:"second,omitempty"`
	Tried  []Tried   `json:"tried,omitempty"`
}

// Tried is the evidence of stage 2 at other settings.
type Tried struct {
	K        int      `json:"k"`
	D        int      `json:"d"`
	Measures Measures `json:"measures"`
}

// Ks and Ds are the paper's settings of Tables 5 and 6.
var (
	Ks = []int{16, 50, 100, 150}
	Ds = []int{4, 8, 16, 24}
)

// check refuses settings before anything is read.
func (e *Experiment) check() error {
	switch {
	case e.K < 1 || e.K > 10000:
		return fault.Errorf(fault.Query, "--k %d: stage 1 finds from 1 to 10000 texts", e.K)
	case e.D < 1 || e.D > e.K:
		return fault.Errorf(fault.Query, "--d %d: from 1 to as many as stage 1 finds, %d", e.D, e.K)
	case e.Shots < 0 || e.Shots > 1000:
		return fault.Errorf(fault.Query, "--shots %d: from 0 to 1000 demonstrations", e.Shots)
	case e.Rows < 0:
		return fault.Errorf(fault.Query, "--rows %d: at least 1, or 0 for all", e.Rows)
	case len(e.Retrievers) == 0:
		return fault.Errorf(fault.Query, "--retriever is needed: bm25, static, sides, or the folder of a model")
	case e.Reranker == retrieve.BM25Name:
		return fault.Errorf(fault.Query, "--reranker %s: words have no hidden states: name an OPT, or another encoder", e.Reranker)
	case e.FiD != "" && len(e.Retrievers) > 1:
		return fault.Errorf(fault.Query, "--fid writes the evidence of one --retriever, and there are %d", len(e.Retrievers))
	}
	return nil
}

// Evaluate runs the experiment on the data sets in a folder.
func (e *Experiment) Evaluate(ctx context.Context, dir string) (*Report, error) {
	if err := e.check(); err != nil {
		return nil, err
	}
	chosen, err := choose(e.Tasks)
	if err != nil {
		return nil, err
	}
	retrievers, second, err := e.models(ctx)
	if err != nil {
		return nil, err
	}
	templates, err := readTemplates(ctx, e.Templates, chosen, e.Encoding.Console)
	if err != nil {
		return nil, err
	}
	var sets []*Set
	for _, i := range chosen {
		s, err := readSet(ctx, dir, i, templates[tasks[i].template], drawing{e.Seed, e.Shots, e.Rows})
		if err != nil {
			return nil, err
		}
		sets = append(sets, s)
	}
	if err := e.try(ctx, retrievers, second, sets); err != nil {
		return nil, err
	}
	if e.FiD != "" {
		if err := os.MkdirAll(e.FiD, 0o777); err != nil {
			return nil, file.Unwritable(e.FiD, err)
		}
	}
	name, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	out := &Report{Dataset: filepath.Base(name), K: e.K, D: e.D, Shots: e.Shots, Seed: e.Seed}
	for _, s := range sets {
		out.Tasks = append(out.Tasks, s.about())
	}
	show := e.Encoding.Console.Progress()
	defer show.Stop()
	all := make([][]found, len(retrievers))
	for i, m := range retrievers {
		if all[i], err = e.first(ctx, m, sets, show); err != nil {
			return nil, err
		}
		r := Retriever{Name: "BM25", About: "BM25"}
		if m != nil {
			r.Name, r.About = m.Label(), m.About()
		}
		for j, s := range sets {
			r.Tasks = append(r.Tasks, Found{Task: s.task.name, First: s.measure(all[i][j].test, e.D)})
		}
		out.Retrievers = append(out.Retrievers, r)
	}
	if second != nil {
		if err := e.second(ctx, second, sets, all, out, show); err != nil {
			return nil, err
		}
	} else if e.FiD != "" {
		for j, s := range sets {
			if err := e.writeFiD(s, all[0][j].test, all[0][j].train); err != nil {
				return nil, err
			}
		}
	}
	show.End()
	return out, nil
}

// models finds the models of both stages. A nil one is BM25, or no stage 2.
func (e *Experiment) models(ctx context.Context) (retrievers []*retrieve.Model, second *retrieve.Model, err error) {
	var all []*retrieve.Model
	find := func(flag, name string, score perspective.Score) (*retrieve.Model, error) {
		spec, err := retrieve.ParseSpec(flag, name)
		if err != nil {
			return nil, err
		}
		spec.Score = cmp.Or(spec.Score, e.Encoding.Score, score)
		m, err := e.Encoding.Find(ctx, spec)
		if err == nil {
			m.Packs = true // of which only these vectors are used
			all = append(all, m)
		}
		return m, err
	}
	for i, name := range e.Retrievers {
		if name == "english" { // the name of its folder
			name = model.Builtin
		}
		if e.Retrievers[i] = name; slices.Contains(e.Retrievers[:i], name) {
			return nil, nil, fault.Errorf(fault.Query, "--retriever %s is given twice", name)
		}
		if name == retrieve.BM25Name {
			retrievers = append(retrievers, nil)
			continue
		}
		m, err := find("--retriever", name, perspective.Dot) // equation 1
		if err != nil {
			return nil, nil, err
		}
		retrievers = append(retrievers, m)
	}
	if e.Reranker != "" {
		if second, err = find("--reranker", e.Reranker, perspective.Cosine); err != nil { // as the released code
			return nil, nil, err
		}
	}
	return retrievers, second, e.Encoding.Bind(ctx, all)
}

// try opens every model once, and lays out the prompts of all tasks, so that what does not
// fit is refused before the work begins.
func (e *Experiment) try(ctx context.Context, retrievers []*retrieve.Model, second *retrieve.Model, sets []*Set) error {
	models := slices.DeleteFunc(slices.Clone(retrievers), func(m *retrieve.Model) bool { return m == nil })
	if second == nil {
		return retrieve.Try(ctx, models)
	}
	if err := retrieve.Try(ctx, append([]*retrieve.Model{second}, models...)); err != nil {
		return err
	}
	opened, _, close, err := second.Open(ctx)
	if err != nil {
		return err
	}
	r := newReranker(second, opened)
	for _, s := range sets {
		if _, err = r.prompt(ctx, s); err != nil {
			break
		}
	}
	return errors.Join(err, close())
}
