package main

import (
	"context"
	"io"
	"os"

	"github.com/spf13/cobra"
)

func newEval() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "eval",
		Short: "Evaluate rankings against judgements",
		Args:  cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return cmd.Help()
			}
			return usagef("unknown evaluation %q", args[0])
		},
	}
	cmd.AddCommand(newEvalTrec(), newEvalCompare(), newEvalPIR(), newEvalBERDS())
	return cmd
}

// readFile reads a file with a reader of its format that names the file in its
// errors.
func readFile[T any](ctx context.Context, path string, read func(r io.Reader, name string) (T, error)) (T, error) {
	var none T
	f, err := os.Open(path)
	if err != nil {
		return none, inputf("%s: %w", path, unnamed(err))
	}
	defer f.Close()
	value, err := read(&interruptible{ctx, f}, path)
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
