package pirbench

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/vantage-search/vantage/internal/console"
	"github.com/vantage-search/vantage/internal/evaluation/pir"
	"github.com/vantage-search/vantage/internal/evaluation/pireval"
	"github.com/vantage-search/vantage/internal/evaluation/runs"
	"github.com/vantage-search/vantage/internal/file"
	"github.com/vantage-search/vantage/internal/folders"
	"github.com/vantage-search/vantage/internal/human"
	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// folder writes rankings to a folder: TASK.METHOD.run (TASK.METHOD.RETRIEVER.run if
// there are several retrievers by vectors) and TASK.root-RETRIEVER.run, with the
// judgements in TASK.qrels and TASK.root.qrels.
type folder struct {
	dir   string
	runs  int
	qrels map[string]bool // files of judgements written so far
	undo  func()

	console *console.Console
}

// newFolder makes the folder. If dir is empty, it returns nil, and no runs are written.
func newFolder(dir string, tasks []pir.Task, c *console.Console) (*folder, error) {
	if dir == "" {
		return nil, nil
	}
	names := map[string]string{}
	for _, t := range tasks {
		tag := runs.Tag(t.Name)
		if other, taken := names[tag]; taken {
			return nil, fault.Errorf(fault.Input, "the files of the tasks %q and %q would both be called %s: rename the folder of one", other, t.Name, tag)
		}
		names[tag] = t.Name
	}
	if info, err := os.Stat(dir); err == nil && !info.IsDir() {
		return nil, fault.Errorf(fault.Query, "--runs %s is a file: name a folder", dir)
	} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, file.Unwritable(dir, err)
	}
	undo, err := folders.Make(dir)
	if err != nil {
		return nil, file.Unwritable(dir, err)
	}
	return &folder{dir: dir, qrels: map[string]bool{}, undo: undo, console: c}, nil
}

// abandon removes the folder if newFolder made it and no run is in it.
func (p *folder) abandon() {
	if p != nil {
		p.undo()
	}
}

// keep returns the function that receives a retriever's rankings, by any of the
// methods. several says that other retrievers have the same methods. The function is
// nil if no runs are asked for.
func (p *folder) keep(retriever string, several bool, methods []pireval.Method) func(pireval.Rankings) error {
	if p == nil {
		return nil
	}
	kept := 0 // rankings of the task so far; those after len(methods) are of the sweep and not written
	return func(r pireval.Rankings) error {
		name, qrels := r.Method, runs.Tag(r.Task.Name)
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
			p.console.Warnf("task %s, %s: no query has an answer, so there is no run of it", r.Task.Name, name)
			return nil
		}
		if err := p.judgements(filepath.Join(p.dir, qrels+".qrels"), &r); err != nil {
			return err
		}
		tag := runs.Tag(name)
		if _, err := runs.Replace(filepath.Join(p.dir, runs.Tag(r.Task.Name)+"."+tag+".run"), run, tag); err != nil {
			return err
		}
		p.runs++
		return nil
	}
}

// judgements writes each task's judgements once.
func (p *folder) judgements(path string, r *pireval.Rankings) error {
	if p.qrels[path] {
		return nil
	}
	p.qrels[path] = true
	return file.Replace(path, func(w io.Writer) error {
		return r.EachJudgement(func(query, text string) error {
			if err := runs.CheckWords(query, text); err != nil {
				return err
			}
			_, err := fmt.Fprintf(w, "%s 0 %s 1\n", query, text)
			return err
		})
	})
}

// tell prints what was written.
func (p *folder) tell() {
	if p != nil {
		p.console.Printf("%s: %s, %s of judgements\n", human.Escape(p.dir), human.Count(p.runs, "run"), human.Count(len(p.qrels), "file"))
	}
}
