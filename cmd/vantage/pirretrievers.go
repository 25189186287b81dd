package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/vantage-search/vantage/internal/evaluation/pir"
	"github.com/vantage-search/vantage/internal/evaluation/pireval"
)

// vectorsPrefix stands before a folder of .npy files.
const vectorsPrefix = "vectors:"

// chosenRetriever is a retriever with what it is to run.
type chosenRetriever struct {
	name           string // as it was written
	label          string // in tables and files
	retriever      pireval.Retriever
	model          *evalModel // that makes the retriever when it is open; nil: it is there
	several        bool       // others have the same methods
	methods, swept []pireval.Method
}

// choose finds the retrievers and tells which methods each is to run. No model is
// open yet.
func (e *evaluatingPIR) choose(ctx context.Context) ([]chosenRetriever, error) {
	if len(e.retrievers) == 0 {
		return nil, usagef("--retriever is needed: bm25, static, the folder of a model, or vectors:DIR")
	}
	methods, err := vectorMethods(e.methods)
	if err != nil {
		return nil, err
	}
	var swept []pireval.Method
	if e.sweep != "" {
		lambdas, err := pireval.ParseSweep(e.sweep)
		if err != nil {
			return nil, &usageError{err}
		}
		if swept = pireval.Swept(methods, lambdas); len(swept) == 0 {
			return nil, usagef("--sweep needs a method that has a strength: pap or pap+")
		}
	}
	var chosen []chosenRetriever
	var byVectors []string
	for i, name := range e.retrievers {
		if name == "english" { // as its folder is called
			name = builtinName
			e.retrievers[i] = name
		}
		if slices.Contains(e.retrievers[:i], name) {
			return nil, usagef("--retriever %s is given twice", name)
		}
		c, err := e.find(ctx, name)
		if err != nil {
			return nil, err
		}
		if _, words := c.retriever.(pireval.BM25); words {
			c.methods = c.retriever.Methods()
		} else {
			c.methods, c.swept, byVectors = methods, swept, append(byVectors, name)
		}
		chosen = append(chosen, c)
	}
	switch {
	case len(byVectors) > 0 && len(methods) == 0:
		return nil, usagef("--methods names none for --retriever %s: give their names, or all", byVectors[0])
	case len(byVectors) == 0 && (e.sweep != "" || len(methods) > 0 && !slices.Contains(e.methods, "all")):
		return nil, usagef("--methods and --sweep are for retrievers by vectors: leave them out for bm25, or add --retriever static")
	}
	for i := range chosen {
		_, words := chosen[i].retriever.(pireval.BM25)
		chosen[i].several = !words && len(byVectors) > 1
	}
	return chosen, e.bind(ctx, modelsOf(chosen))
}

// find finds one retriever.
func (e *evaluatingPIR) find(ctx context.Context, name string) (c chosenRetriever, err error) {
	c.name = name
	if dir, ok := strings.CutPrefix(name, vectorsPrefix); ok {
		c.retriever = pireval.Vectors{Embedder: pireval.VectorFiles{Dir: dir}}
		return c, checkFolder(dir, "write the vectors of every list of texts as .npy files there")
	}
	spec, err := parseModelSpec(name)
	if err != nil {
		return c, err
	}
	if spec.name == pireval.BM25Name {
		c.retriever = pireval.BM25{}
		return c, spec.bare()
	}
	c.model, err = e.retrieverFlags.find(ctx, spec)
	return c, err
}

// modelsOf are the models of retrievers.
func modelsOf(chosen []chosenRetriever) (models []*evalModel) {
	for _, c := range chosen {
		if c.model != nil {
			models = append(models, c.model)
		}
	}
	return models
}

// try opens the models for a moment, reads given vectors, and names the retrievers:
// by the ids of their models, or all as they were written if two would have the
// same name.
func (e *evaluatingPIR) try(ctx context.Context, chosen []chosenRetriever, tasks []pir.Task) error {
	for i := range chosen {
		vectors, ok := chosen[i].retriever.(pireval.Vectors)
		for t := range tasks {
			if !ok || i == 0 { // the first's turn is now
				break
			}
			if _, err := vectors.Embed(ctx, &tasks[t], func(int) {}); err != nil {
				return fmt.Errorf("task %s: %w", tasks[t].Name, err)
			}
		}
	}
	if err := try(ctx, modelsOf(chosen)); err != nil {
		return err
	}
	known := map[string]bool{}
	for i := range chosen {
		c := &chosen[i]
		if c.model != nil {
			c.label = c.model.label()
		} else {
			c.label = c.retriever.Name()
		}
		known[c.label] = true
	}
	labels := make([]string, len(chosen))
	for i := range chosen {
		if c := &chosen[i]; len(known) < len(chosen) {
			c.label = c.name
		}
		labels[i] = chosen[i].label
	}
	if e.runs != "" || e.sweep != "" {
		return checkTags(labels)
	}
	return nil
}

// open opens the retriever's model, if it has one. close closes it.
func (c *chosenRetriever) open(ctx context.Context) (r pireval.Retriever, close func() error, err error) {
	if c.model == nil {
		if v, ok := c.retriever.(pireval.Vectors); ok {
			v.Label = c.label
			return v, func() error { return nil }, nil
		}
		return c.retriever, func() error { return nil }, nil
	}
	documents, queries, close, err := c.model.open(ctx)
	if err != nil {
		return nil, nil, err
	}
	return pireval.Vectors{Embedder: pireval.Encoded{Encoder: documents, Queries: queries}, Label: c.label}, close, nil
}

// vectorMethods finds the methods that are named, all where one is "all".
func vectorMethods(names []string) ([]pireval.Method, error) {
	if slices.Contains(names, "all") {
		return pireval.VectorMethods(), nil
	}
	var methods []pireval.Method
	for _, name := range names {
		name = strings.TrimSpace(name)
		if name == pireval.BM25Name {
			continue // that retriever's only one, in a list for both
		}
		m, err := pireval.VectorMethod(name)
		if err != nil {
			return nil, err
		}
		if !slices.Contains(methods, m) {
			methods = append(methods, m)
		}
	}
	return methods, nil
}
