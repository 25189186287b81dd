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
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/perspective"
)

// Experiment says what is evaluated, and how.
type Experiment struct {
	Retrievers []string // for stage 1: bm25, static (or english), sides, or a model
	Reranker   string   // for stage 2: a language model or another encoder; empty: there is no stage 2
	Tasks      []string // names; empty: all
	Templates  string   // folder of templates; empty: the paper's
	K, D       int      // number of candidates of stage 1, and of those that stage 2 keeps as evidence
	Shots      int      // number of demonstrations
	Rows       int      // the most rows of a task that are tested; 0: all
	Seed       uint64   // of all random choices
	FiD        string   // folder for the input of a reader; empty: it is not written
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
	Shown      bool        `json:"demonstrations"` // whether the reranker reads the demonstrations
	Tasks      []Task      `json:"tasks"`
	Retrievers []Retriever `json:"retrievers"`
}

// Task describes a task's data, and has the results that need no retriever.
type Task struct {
	Name     string     `json:"name"`
	Metric   string     `json:"metric"`
	Labels   []string   `json:"labels"`
	Train    int        `json:"train"`
	Test     int        `json:"test"`
	Evidence int        `json:"evidence"`
	Empty    int        `json:"empty"`    // rows without a text
	Tested   int        `json:"tested"`   // rows of the training split with the text of a test row
	Repeated int        `json:"repeated"` // rows of the training split with the text of an earlier row
	Shown    []string   `json:"shown"`    // the ids of the demonstrations
	Majority float64    `json:"majority"` // the metric's value if every guess is the most frequent label
	Context  *InContext `json:"in_context,omitempty"`
	Words    float64    `json:"words"` // average number of words of a test row
	Cut      int        `json:"cut"`   // number of texts that were shortened for the reranker
}

// Retriever has the results of a retriever of stage 1.
type Retriever struct {
	Name  string  `json:"name"`
	About string  `json:"about"`
	Tasks []Found `json:"tasks"`
}

// Found has the results for a task: First with the evidence of stage 1 alone, Second with that of stage 2.
type Found struct {
	Task   string    `json:"task"`
	First  Measures  `json:"first"`
	Second *Measures `json:"second,omitempty"`
	Tried  []Tried   `json:"tried,omitempty"`
}

// Tried has the results of stage 2 for one pair of k and d of the paper's tables (see Ks and Ds).
type Tried struct {
	K        int      `json:"k"`
	D        int      `json:"d"`
	Measures Measures `json:"measures"`
}

// Ks and Ds are the values of k and d in the paper's Tables 5 and 6.
var (
	Ks = []int{16, 50, 100, 150}
	Ds = []int{4, 8, 16, 24}
)

// check returns an error if a setting is invalid. It is called before anything is read.
func (e *Experiment) check() error {
	switch {
	case e.K < 1 || e.K > 10000:
		return fault.Errorf(fault.Query, "--k %d: must be from 1 to 10000", e.K)
	case e.D < 1 || e.D > e.K:
		return fault.Errorf(fault.Query, "--d %d: must be from 1 to --k, %d", e.D, e.K)
	case e.Shots < 0 || e.Shots > 1000:
		return fault.Errorf(fault.Query, "--shots %d: must be from 0 to 1000", e.Shots)
	case e.Rows < 0:
		return fault.Errorf(fault.Query, "--rows %d: must be at least 1, or 0 for all", e.Rows)
	case len(e.Retrievers) == 0:
		return fault.Errorf(fault.Query, "--retriever is needed: bm25, static, sides, or the folder of a model")
	case e.Reranker == retrieve.BM25Name:
		return fault.Errorf(fault.Query, "--reranker %s: BM25 gives no vectors: name an OPT, or another encoder", e.Reranker)
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
	labels := retrieve.Labels(retrievers)
	for i, m := range retrievers {
		if all[i], err = e.first(ctx, m, sets, show); err != nil {
			return nil, err
		}
		r := Retriever{Name: labels[i], About: "BM25"}
		if m != nil {
			r.About = m.About()
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

// models finds the models of both stages. A nil retriever is BM25; second is nil if there is no stage 2.
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
			m.Packs = true // kept vectors come without angles, which are not used here
			all = append(all, m)
		}
		return m, err
	}
	if err := retrieve.CheckNames(e.Retrievers); err != nil {
		return nil, nil, err
	}
	for _, name := range e.Retrievers {
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
		if second, err = find("--reranker", e.Reranker, perspective.Cosine); err != nil { // as in the released code
			return nil, nil, err
		}
	}
	return retrievers, second, e.Encoding.Bind(ctx, all)
}

// try opens every model and builds the prompts of all tasks, so that a prompt that does
// not fit is an error before the work begins.
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
