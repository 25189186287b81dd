package main

import (
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
	cmd.AddCommand(newEvalTrec(), newEvalCompare())
	return cmd
}

// readFile reads a file with a reader of its format that names the file in its
// errors.
func readFile[T any](path string, read func(f *os.File, name string) (T, error)) (T, error) {
	var none T
	f, err := os.Open(path)
	if err != nil {
		return none, inputf("%s: %w", path, unnamed(err))
	}
	defer f.Close()
	value, err := read(f, path)
	if err != nil {
		return none, &inputError{err}
	}
	return value, nil
}
