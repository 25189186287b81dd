package methods

import (
	"context"
	"io/fs"
	"os"

	"github.com/vantage-search/vantage/internal/evaluation/berds"
	"github.com/vantage-search/vantage/internal/evaluation/pir"
	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// read reads a demo file of PIR, tasks in folders, or a split of Perspectrum.
func (e *Experiment) read(ctx context.Context, path string) ([]pir.Task, error) {
	if matches, err := fs.Glob(os.DirFS(path), "perspectrum_with_answers*.json"); err == nil && len(matches) > 0 {
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
// split that has both, among the perspectives of all these claims.
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
