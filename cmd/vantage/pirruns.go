package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/vantage-search/vantage/internal/evaluation/pir"
	"github.com/vantage-search/vantage/internal/evaluation/pireval"
	"github.com/vantage-search/vantage/internal/folders"
)

// pirRuns writes the rankings of `vantage eval pir` to a folder: TASK.METHOD.run,
// of several retrievers by vectors TASK.METHOD.RETRIEVER.run, and
// TASK.root-RETRIEVER.run, with the judgements in TASK.qrels and TASK.root.qrels.
type pirRuns struct {
	dir   string
	runs  int
	qrels map[string]bool // files of judgements that are written
	undo  func()
}

// newPIRRuns makes the folder. Without a name for it there are no runs: nil.
func newPIRRuns(dir string, tasks []pir.Task) (*pirRuns, error) {
	if dir == "" {
		return nil, nil
	}
	names := map[string]string{}
	for _, t := range tasks {
		tag := runTag(t.Name)
		if other, taken := names[tag]; taken {
			return nil, inputf("the files of the tasks %q and %q would both be called %s: rename one's folder", other, t.Name, tag)
		}
		names[tag] = t.Name
	}
	if info, err := os.Stat(dir); err == nil && !info.IsDir() {
		return nil, usagef("--runs %s: it is a file, name a folder", dir)
	} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, unwritable(dir, err)
	}
	undo, err := folders.Make(dir)
	if err != nil {
		return nil, unwritable(dir, err)
	}
	return &pirRuns{dir: dir, qrels: map[string]bool{}, undo: undo}, nil
}

// abandon removes the folder where it was made for the runs and none is in it.
func (p *pirRuns) abandon() {
	if p != nil {
		p.undo()
	}
}

// keep is what an evaluation of a retriever gives its rankings to, by any of the
// methods, which several may have; nil where no runs are asked for.
func (p *pirRuns) keep(retriever string, several bool, methods []pireval.Method) func(pireval.Rankings) error {
	if p == nil {
		return nil
	}
	kept := 0 // of the task; those over λ follow, and are not
	return func(r pireval.Rankings) error {
		name, qrels := r.Method, runTag(r.Task.Name)
		if r.Method == "" {
			kept, name, qrels = 0, "root-"+retriever, qrels+".root"
		} else if kept++; kept > len(methods) {
			return nil
		} else if several {
			name += "." + retriever
		}
		run, err := r.Run(name)
		if err != nil {
			return err
		}
		if run.Len() == 0 {
			warn(stderr, "task %s, %s: no query has an answer, so there is no run of it", r.Task.Name, name)
			return nil
		}
		if err := p.judgements(filepath.Join(p.dir, qrels+".qrels"), &r); err != nil {
			return err
		}
		tag := runTag(name)
		if _, err := replaceRun(filepath.Join(p.dir, runTag(r.Task.Name)+"."+tag+".run"), run, tag); err != nil {
			return err
		}
		p.runs++
		return nil
	}
}

// judgements writes those of a task once.
func (p *pirRuns) judgements(path string, r *pireval.Rankings) error {
	if p.qrels[path] {
		return nil
	}
	p.qrels[path] = true
	return replaceFile(path, func(w io.Writer) error {
		return r.EachJudgement(func(query, text string) error {
			if err := checkWords(query, text); err != nil {
				return err
			}
			_, err := fmt.Fprintf(w, "%s 0 %s 1\n", query, text)
			return err
		})
	})
}

// tell says what was written.
func (p *pirRuns) tell() {
	if p != nil {
		fmt.Fprintf(stderr, "%s: %s, %s of judgements\n", escape(p.dir), count(p.runs, "run"), count(len(p.qrels), "file"))
	}
}
