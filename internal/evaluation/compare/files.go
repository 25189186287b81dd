package compare

import (
	"context"
	"fmt"
	"math"

	"github.com/vantage-search/vantage/internal/console"
	"github.com/vantage-search/vantage/internal/evaluation/runs"
	"github.com/vantage-search/vantage/internal/inputs"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/trec"
)

// Files are the runs to compare, and the judgements to compare them by.
type Files struct {
	Qrels    string   // file of judgements in TREC's or BEIR's format
	Runs     []string // files in TREC's format
	Measures []string // by their names
	Level    int      // least grade that is relevant
	Complete bool     // average over all judged queries, not only those that at least one run answers
}

// check refuses missing files and invalid settings.
func (f *Files) check() error {
	switch {
	case f.Qrels == "":
		return fault.Errorf(fault.Query, "--qrels is needed")
	case len(f.Measures) == 0:
		return fault.Errorf(fault.Query, "name a measure with -m, such as -m nDCG@10")
	case f.Level < 1 || f.Level > math.MaxInt32:
		return fault.Errorf(fault.Query, "--level is %d, must be 1 or greater", f.Level)
	}
	return nil
}

// Compare reads the files and tests every run against every other by each measure. It
// warns on the console if a run lacks queries.
func (f *Files) Compare(ctx context.Context, tests *Tests, c *console.Console) ([]Comparison, error) {
	if err := f.check(); err != nil {
		return nil, err
	}
	if err := tests.Check(); err != nil {
		return nil, err
	}
	measures, err := trec.ParseMeasures(f.Measures)
	if err != nil {
		return nil, fault.As(fault.Query, err)
	}
	qrels, err := runs.ReadQrels(ctx, f.Qrels, measures, c)
	if err != nil {
		return nil, err
	}
	read := make([]*trec.Run, len(f.Runs))
	for i, path := range f.Runs {
		if read[i], err = inputs.Read(ctx, path, trec.ReadRun); err != nil {
			return nil, err
		}
	}
	values, missing, err := trec.CompareValues(qrels, read, measures, trec.Options{Level: int32(f.Level), Complete: f.Complete})
	if err != nil {
		return nil, fault.As(fault.Input, err)
	}
	for i, n := range missing {
		if n > 0 {
			c.Warnf("%s lacks %d of %d queries: they count 0", f.Runs[i], n, len(values[0].Queries))
		}
	}
	out := make([]Comparison, len(values))
	for i, v := range values {
		if out[i], err = tests.Compare(f.Runs, v, missing); err != nil {
			return nil, fault.As(fault.Input, fmt.Errorf("%s: %w", v.Measure, err))
		}
	}
	return out, nil
}
