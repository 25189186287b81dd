package main

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"github.com/vantage-search/vantage/internal/collection/corpus"
	"github.com/vantage-search/vantage/trec"
)

func newEval() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "eval",
		Short: "Evaluate rankings against judgements",
		Long: `Evaluates rankings: those of a run file, or those of retrievers that it runs
itself on a test collection. Runs are TREC's, judgements TREC's or BEIR's;
measures go by the names of trec_eval (map, P.5,10) and of ir_measures (nDCG@10,
RBP(p=0.8)@10).

Equal scores: where Vantage ranks, the document that comes first in the corpus is
first. Where a run is read, trec_eval's rule holds: the greater document id is
first. Runs are written with equal scores a smallest step apart, so that both
give the same figures.`,
		Example: `  vantage eval trec --qrels qrels.txt --run run.txt -m map -m nDCG@10
  vantage eval compare bm25.run dense.run --qrels qrels.txt -m nDCG@10
  vantage eval beir examples/debates`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return cmd.Help()
			}
			return usagef("unknown evaluation %q%s", args[0], nearest(cmd, args[0]))
		},
	}
	cmd.AddCommand(newEvalTrec(), newEvalCompare(), newEvalPIR(), newEvalBERDS(), newEvalBEIR())
	return cmd
}

// readQrels reads judgements, TREC's or BEIR's, by subtopic where one of the
// measures is over subtopics.
func readQrels(ctx context.Context, path string, measures []*trec.Measure) (*trec.Qrels, error) {
	if !trec.NeedSubtopics(measures) {
		return readFile(ctx, path, trec.ReadQrels)
	}
	qrels, err := readFile(ctx, path, trec.ReadDiversityQrels)
	if err == nil && qrels.Subtopics() < 2 {
		warn(stderr, "%s: no query has more than one subtopic in its second column: are these diversity judgements?", path)
	}
	return qrels, err
}

// readFile reads a file, which may be gzipped, with a reader of its format that
// names the file in its errors.
func readFile[T any](ctx context.Context, path string, read func(r io.Reader, name string) (T, error)) (T, error) {
	var none T
	f, err := openInput(ctx, path)
	if ctx.Err() != nil {
		return none, ctx.Err()
	}
	if err != nil {
		return none, inputf("%s: %w", path, unnamed(err))
	}
	defer f.Close()
	r, err := corpus.Decompressed(&interruptible{ctx, f})
	if err != nil {
		err = wrap(path, err)
	}
	var value T
	if err == nil {
		value, err = read(r, path)
	}
	switch {
	case ctx.Err() != nil:
		return none, ctx.Err()
	case err != nil:
		return none, &inputError{err}
	}
	return value, nil
}

// interruptible is a reader that fails once the context ends.
type interruptible struct {
	ctx context.Context
	r   io.Reader
}

func (i *interruptible) Read(p []byte) (int, error) {
	if err := i.ctx.Err(); err != nil {
		return 0, err
	}
	return i.r.Read(p)
}
