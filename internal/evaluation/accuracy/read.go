package accuracy

import (
	"context"
	"os"
	"path/filepath"

	"github.com/vantage-search/vantage"
	"github.com/vantage-search/vantage/internal/collection/corpus"
	"github.com/vantage-search/vantage/internal/evaluation/pir"
	"github.com/vantage-search/vantage/internal/inputs/queries"
	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// Read reads a BEIR folder or a demo file of PIR.
func Read(ctx context.Context, path string) ([]Task, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fault.Errorf(fault.Input, "%s: %w: check the path", path, fault.Unnamed(err))
	}
	if info.IsDir() {
		task, err := readBEIR(ctx, path)
		return []Task{task}, err
	}
	read, err := pir.ReadFile(path)
	if err != nil {
		return nil, fault.As(fault.Input, err)
	}
	var tasks []Task
	for _, t := range read {
		task := Task{Name: t.Name, Documents: t.Corpus}
		for i, text := range t.Queries {
			q := Query{Text: text, Root: t.Roots[i]}
			if t.OwnPerspectives() {
				q.Perspectives = []string{t.Perspectives[i]}
			}
			task.Queries = append(task.Queries, q)
		}
		tasks = append(tasks, task)
	}
	return tasks, nil
}

func readBEIR(ctx context.Context, dir string) (Task, error) {
	absolute, err := filepath.Abs(dir)
	if err != nil {
		return Task{}, err
	}
	task := Task{Name: filepath.Base(absolute)}
	c, err := corpus.Open(filepath.Join(dir, "corpus.jsonl"), corpus.Options{})
	if err != nil {
		return task, err
	}
	for doc, err := range c.Documents() {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return task, err
		}
		task.Documents = append(task.Documents, doc.EncodedText())
	}
	path := filepath.Join(dir, "queries.jsonl")
	asked, err := queries.Read(ctx, path, vantage.Query{})
	if err != nil {
		return task, err
	}
	for _, q := range asked {
		if missing := q.MissingText(); missing != "" {
			return task, fault.Errorf(fault.Input, "%s:%d: query %.80q has no %s: add it, because the model encodes all texts", path, q.Line, q.ID, missing)
		}
		out := Query{Text: q.Query.Query.Text}
		if q.Root != nil {
			out.Root = q.Root.Text
		}
		for _, p := range q.Perspectives {
			out.Perspectives = append(out.Perspectives, p.Text)
		}
		task.Queries = append(task.Queries, out)
	}
	return task, nil
}
