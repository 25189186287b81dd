package sides

import (
	"context"
	"errors"
	"io"
	"path/filepath"

	"github.com/vantage-search/vantage/internal/console"
	"github.com/vantage-search/vantage/internal/encoder/packmodel"
	"github.com/vantage-search/vantage/internal/evaluation/berds"
	"github.com/vantage-search/vantage/internal/evaluation/compare"
	"github.com/vantage-search/vantage/internal/inputs"
	"github.com/vantage-search/vantage/internal/progress"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/internal/wasm/stance"
)

// Formats of data sets.
const (
	Perspectrum  = "perspectrum"
	ClimateFEVER = "climate-fever"
	HealthVer    = "healthver"
	SciFact      = "scifact"
)

// Experiment says what is measured, and on which data set.
type Experiment struct {
	Pack   string // folder of the model
	Format string
	Split  string // of Perspectrum: dev or test
	Tests  compare.Tests

	Console *console.Console
}

// check refuses experiments that make no sense.
func (e *Experiment) check(paths []string) error {
	if e.Pack == "" {
		return fault.Errorf(fault.Query, "the model is missing: give --model PACK, the folder of a pack with an angle branch")
	}
	want, what := 1, "DATA is one file"
	switch e.Format {
	case Perspectrum:
		want, what = max(1, len(paths)), "DATA is the folder of Perspectrum, or its files"
	case SciFact:
		want, what = 2, "DATA is two files, the claims and then the corpus"
	}
	if len(paths) != want {
		return fault.Errorf(fault.Query, "--format %s with %d arguments: %s", e.Format, len(paths), what)
	}
	return e.Tests.Check()
}

// Evaluate measures the model on a data set.
func (e *Experiment) Evaluate(ctx context.Context, paths []string) (_ *Figures, err error) {
	if err := e.check(paths); err != nil {
		return nil, err
	}
	set, err := e.read(ctx, paths)
	if err != nil {
		return nil, err
	}
	model, err := packmodel.OpenFolder(ctx, e.Pack, 0)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, model.Close()) }()
	if model.BranchDim() == 0 {
		return nil, fault.Errorf(fault.Unsupported, "%s: the pack has no angle branch, by which sides are told: make one with vantage model pack --branch", e.Pack)
	}
	constants, err := stance.Of(model.Manifest().Numbers)
	if err != nil {
		return nil, fault.At(e.Pack, err)
	}
	show := e.Console.Progress()
	defer show.Stop()
	v, err := encode(ctx, model, set, func(done, total int64) { show.Update(progress.Embed, done, total) })
	if err != nil {
		return nil, err
	}
	info := model.Info()
	if v.truncated > 0 {
		e.Console.Warnf("%d of %d texts are longer than the %d tokens that the model reads: their ends do not count", v.truncated, len(set.Texts), info.MaxLength)
	}
	f, err := measure(ctx, set, v, constants, &e.Tests, func(done, total int64) { show.Update(progress.Rank, done, total) })
	if err != nil {
		return nil, err
	}
	show.End()
	f.Dataset, f.Model = e.dataset(paths), info.ID+"@"+info.Revision
	return f, nil
}

// dataset is the name of the data set.
func (e *Experiment) dataset(paths []string) string {
	if e.Format == Perspectrum {
		return "Perspectrum, " + e.Split
	}
	return filepath.Base(paths[0])
}

// read reads the data set.
func (e *Experiment) read(ctx context.Context, paths []string) (*Set, error) {
	switch e.Format {
	case ClimateFEVER:
		return inputs.Read(ctx, paths[0], ReadClimateFEVER)
	case HealthVer:
		return inputs.Read(ctx, paths[0], ReadHealthVer)
	case SciFact:
		corpus, err := inputs.Read(ctx, paths[1], ReadSciFactCorpus)
		if err != nil {
			return nil, err
		}
		return inputs.Read(ctx, paths[0], func(r io.Reader, name string) (*Set, error) { return ReadSciFactClaims(r, name, corpus) })
	}
	files, err := berds.Find(paths)
	if err != nil {
		return nil, err
	}
	if files.Claims == "" {
		return nil, fault.Errorf(fault.Input, "%s: no files of Perspectrum: its pool, claims and splits are expected", paths[0])
	}
	data, err := files.Read(ctx)
	if err != nil {
		return nil, err
	}
	s, err := fromPerspectrum(data, e.Split, files.Claims)
	return s, fault.As(fault.Input, err)
}
