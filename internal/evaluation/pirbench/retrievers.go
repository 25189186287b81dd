package pirbench

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/vantage-search/vantage/internal/evaluation/pir"
	"github.com/vantage-search/vantage/internal/evaluation/pireval"
	"github.com/vantage-search/vantage/internal/evaluation/retrieve"
	"github.com/vantage-search/vantage/internal/evaluation/runs"
	"github.com/vantage-search/vantage/internal/file"
	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// VectorsPrefix precedes the path of a folder of .npy files.
const VectorsPrefix = "vectors:"

// chosenRetriever is a retriever with the methods that it must run.
type chosenRetriever struct {
	name           string // as given by the user
	label          string // name in tables and files
	retriever      pireval.System
	model          *retrieve.Model // makes retriever when opened; nil if retriever needs no model
	several        bool            // other retrievers have the same methods
	methods, swept []pireval.Method
}

// choose finds the retrievers and the methods that each must run. It opens no model.
func (e *Experiment) choose(ctx context.Context) ([]chosenRetriever, error) {
	if len(e.Retrievers) == 0 {
		return nil, fault.Errorf(fault.Query, "--retriever is needed: bm25, static, the folder of a model, or vectors:DIR")
	}
	methods, err := vectorMethods(e.Methods)
	if err != nil {
		return nil, err
	}
	var swept []pireval.Method
	if e.Sweep != "" {
		lambdas, err := pireval.ParseSweep(e.Sweep)
		if err != nil {
			return nil, fault.As(fault.Query, err)
		}
		if swept = pireval.Swept(methods, lambdas); len(swept) == 0 {
			return nil, fault.Errorf(fault.Query, "--sweep needs a method that has a strength: pap or pap+")
		}
		if err := file.CheckReplace(e.SweepTable()); err != nil {
			return nil, err
		}
	}
	var chosen []chosenRetriever
	var byVectors []string
	if err := retrieve.CheckNames(e.Retrievers); err != nil {
		return nil, err
	}
	for _, name := range e.Retrievers {
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
		return nil, fault.Errorf(fault.Query, "--methods names no method for --retriever %s: give names of methods, or all", byVectors[0])
	case len(byVectors) == 0 && (e.Sweep != "" || len(methods) > 0 && !slices.Contains(e.Methods, "all")):
		return nil, fault.Errorf(fault.Query, "--methods and --sweep need a retriever by vectors: leave them out for bm25, or add --retriever static")
	}
	for i := range chosen {
		_, words := chosen[i].retriever.(pireval.BM25)
		chosen[i].several = !words && len(byVectors) > 1
	}
	models, encoding := modelsOf(chosen), e.Encoding
	if len(models) == 0 && len(byVectors) > 0 {
		encoding.Score = "" // of vectors:DIR
	}
	return chosen, encoding.Bind(ctx, models)
}

// find finds the retriever for a name.
func (e *Experiment) find(ctx context.Context, name string) (c chosenRetriever, err error) {
	c.name = name
	if dir, ok := strings.CutPrefix(name, VectorsPrefix); ok {
		c.retriever = pireval.Vectors{Embedder: pireval.VectorFiles{Dir: dir}, Score: e.Encoding.Score}
		return c, file.CheckFolder(dir, "write the vectors of every list of texts as .npy files there")
	}
	spec, err := retrieve.ParseSpec("--retriever", name)
	if err != nil {
		return c, err
	}
	if spec.Name == pireval.BM25Name {
		c.retriever = pireval.BM25{}
		return c, spec.Bare()
	}
	e.Encoding.Late = true
	c.model, err = e.Encoding.Find(ctx, spec)
	return c, err
}

// modelsOf are the models of the retrievers that have one.
func modelsOf(chosen []chosenRetriever) (models []*retrieve.Model) {
	for _, c := range chosen {
		if c.model != nil {
			models = append(models, c.model)
		}
	}
	return models
}

// try opens each model once, reads given vectors, and names the retrievers by the ids
// of their models. If two names would be equal, all retrievers keep the names that the
// user gave.
func (e *Experiment) try(ctx context.Context, chosen []chosenRetriever, tasks []pir.Task) error {
	for i := range chosen {
		vectors, ok := chosen[i].retriever.(pireval.Vectors)
		for t := range tasks {
			if !ok || i == 0 && e.Chat.Model == "" { // the first retriever runs at once, and reports its faults then
				break
			}
			if _, err := vectors.Embed(ctx, &tasks[t], func(int) {}); err != nil {
				return fmt.Errorf("task %s: %w", tasks[t].Name, err)
			}
		}
	}
	if err := retrieve.Try(ctx, modelsOf(chosen)); err != nil {
		return err
	}
	known := map[string]bool{}
	for i := range chosen {
		c := &chosen[i]
		if err := e.sums(c); err != nil {
			return err
		}
		if c.model != nil {
			c.label = c.model.Label()
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
	if e.Runs != "" || e.Sweep != "" {
		return runs.CheckTags(labels)
	}
	return nil
}

// sums restricts a model that ranks by MaxSim to methods that are sums of scores. If all
// methods are asked for, it drops the others. If another one was named or is swept, that is
// an error.
func (e *Experiment) sums(c *chosenRetriever) error {
	if c.model == nil || !c.model.RanksTokens() {
		return nil
	}
	if slices.Contains(e.Methods, "all") {
		c.methods = pireval.SumMethods(c.methods)
	}
	for _, m := range append(slices.Clone(c.methods), c.swept...) {
		if err := m.CheckSum(); err != nil {
			return fmt.Errorf("--retriever %s: %w", c.name, err)
		}
	}
	return nil
}

// open opens the retriever's model, if it has one; the returned function closes it.
func (c *chosenRetriever) open(ctx context.Context) (r pireval.System, close func() error, err error) {
	if c.model == nil {
		if v, ok := c.retriever.(pireval.Vectors); ok {
			v.Label = c.label
			return v, func() error { return nil }, nil
		}
		return c.retriever, func() error { return nil }, nil
	}
	if c.model.RanksTokens() {
		late, err := c.model.OpenTokens(ctx)
		if err != nil {
			return nil, nil, err
		}
		return pireval.Late{Encoder: late, Label: c.label, Bits: c.model.Spec.TokenBits}, late.Close, nil
	}
	documents, queries, close, err := c.model.Open(ctx)
	if err != nil {
		return nil, nil, err
	}
	score, err := c.model.Score()
	if err != nil {
		return nil, nil, errors.Join(err, close())
	}
	return pireval.Vectors{Embedder: pireval.Encoded{Encoder: documents, Queries: queries}, Label: c.label, Score: score}, close, nil
}

// vectorMethods finds the named methods, or all methods if one name is "all".
func vectorMethods(names []string) ([]pireval.Method, error) {
	if slices.Contains(names, "all") {
		return pireval.Vectors{}.Methods(), nil
	}
	var methods []pireval.Method
	for _, name := range names {
		name = strings.TrimSpace(name)
		if name == pireval.BM25Name {
			continue // the only method of bm25, in a list for all retrievers
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
