package runs

import (
	"context"
	"fmt"
	"io"
	"math"

	"github.com/vantage-search/vantage/internal/console"
	"github.com/vantage-search/vantage/internal/inputs"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/trec"
)

// Evaluation says how a run is evaluated against judgements, as trec_eval does.
type Evaluation struct {
	Qrels, Run string   // files; each may be gzipped
	Measures   []string // none: all_trec
	Level      int      // least grade that is relevant, at least 1
	Options    trec.Options
	PerQuery   bool // print the values of each query
	NoSummary  bool // print no averages
}

func (e *Evaluation) check() error {
	switch {
	case e.Qrels == "" || e.Run == "":
		return fault.Errorf(fault.Query, "--qrels and --run are both needed")
	case e.Level < 1 || e.Level > math.MaxInt32:
		return fault.Errorf(fault.Query, "--level %d: the grade of a relevant document is from 1 to %d", e.Level, math.MaxInt32)
	case e.Options.Collection < 0:
		return fault.Errorf(fault.Query, "--collection counts documents: it cannot be negative")
	}
	return nil
}

// Evaluate reads the files and evaluates the run. Wrong settings and measures are errors
// of kind query, unusable files of kind input.
func (e *Evaluation) Evaluate(ctx context.Context, c *console.Console) (*trec.Evaluation, error) {
	if err := e.check(); err != nil {
		return nil, err
	}
	measures, err := trec.ParseMeasures(e.Measures)
	if err != nil {
		return nil, fault.As(fault.Query, err)
	}
	qrels, err := ReadQrels(ctx, e.Qrels, measures, c)
	if err != nil {
		return nil, err
	}
	run, err := inputs.Read(ctx, e.Run, trec.ReadRun)
	if err != nil {
		return nil, err
	}
	options := e.Options
	options.Level = int32(e.Level)
	evaluation, err := trec.Evaluate(qrels, run, measures, options)
	if err != nil {
		return nil, fault.Errorf(fault.Input, "%s against %s: %w", e.Run, e.Qrels, err)
	}
	return evaluation, nil
}

// Print prints what Evaluate found, in trec_eval's format.
func (e *Evaluation) Print(w io.Writer, found *trec.Evaluation) error {
	if e.PerQuery {
		for i := range found.Queries {
			if _, err := w.Write(found.AppendQuery(nil, i)); err != nil {
				return fmt.Errorf("query %s: %w", found.Queries[i].Query, err)
			}
		}
	}
	_, err := w.Write(found.AppendLines(nil, trec.Lines{Summary: !e.NoSummary}))
	return err
}
