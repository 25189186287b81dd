package mvrag

import (
	"context"
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"

	"github.com/vantage-search/vantage/internal/evaluation/beir"
	"github.com/vantage-search/vantage/internal/file"
	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// Layouts of data.
const (
	layoutBEIR   = "BEIR"
	layoutLeCaRD = "LeCaRDv2"
	layoutPPR    = "PMC-Patients PPR"
	layoutPAR    = "PMC-Patients PAR"
)

// open reads the data in a folder, in the layout that its files and its name (PPR, PAR) show, and
// draws some of its queries if not all are asked for. of is how many there were.
func (e *Experiment) open(ctx context.Context, dir string) (set *beir.Set, layout string, of int, err error) {
	if err := file.CheckFolder(dir, "it must hold BEIR's corpus.jsonl, LeCaRDv2's query and label, or be PPR or PAR of PMC-Patients"); err != nil {
		return nil, "", 0, err
	}
	absolute, err := filepath.Abs(dir)
	if err != nil {
		return nil, "", 0, err
	}
	var parts *beir.Parts
	name := filepath.Base(absolute)
	switch {
	case exists(dir, "query") && exists(dir, "label"):
		layout = layoutLeCaRD
		parts, err = openLeCaRD(ctx, dir, e.Split)
	case (name == "PPR" || name == "PAR") && !exists(dir, "qrels"):
		layout = "PMC-Patients " + name
		parts, err = openPMC(ctx, absolute, name, e.Split)
	default:
		layout = layoutBEIR
		set, err = beir.Open(dir, beir.Options{Split: e.Split})
	}
	if err == nil && parts != nil {
		parts.Folder = dir
		set, err = beir.New(*parts)
	}
	if err != nil {
		return nil, "", 0, blame(ctx, err)
	}
	if layout == layoutLeCaRD {
		set.SameID = beir.Keep // queries and candidates are numbered separately
	}
	of = len(set.Queries)
	if e.Queries > 0 && e.Queries < of {
		err = e.draw(set)
	}
	if err == nil && len(set.Queries) == 0 {
		err = fault.Errorf(fault.Input, "%s: no query has a judgement in %s", dir, set.Judgements)
	}
	return set, layout, of, err
}

// draw keeps as many of the queries as are asked for, by the seed, in their order.
func (e *Experiment) draw(set *beir.Set) error {
	random := rand.New(rand.NewPCG(e.Tests.Seed, 0))
	chosen := random.Perm(len(set.Queries))[:e.Queries]
	slices.Sort(chosen)
	var queries []beir.Query
	for _, i := range chosen {
		queries = append(queries, set.Queries[i])
	}
	return set.Keep(queries)
}

// blame makes an error of the data a fault.Input, unless the context ended.
func blame(ctx context.Context, err error) error {
	if ctx.Err() != nil && (errors.Is(err, ctx.Err()) || errors.Is(err, context.Cause(ctx))) {
		return err
	}
	return fault.As(fault.Input, err)
}

func exists(dir, name string) bool {
	_, err := os.Stat(filepath.Join(dir, name))
	return err == nil
}

// first is the first of the files that is there.
func first(paths ...string) (string, error) {
	for _, path := range paths {
		if _, err := os.Stat(path); err == nil {
			return path, nil
		} else if !errors.Is(err, fs.ErrNotExist) {
			return "", fault.Errorf(fault.Input, "%s: %w", path, fault.Unnamed(err))
		}
	}
	return "", fault.Errorf(fault.Input, "%s: there is no such file", paths[0])
}
