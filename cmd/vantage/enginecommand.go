package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/signal"

	"github.com/spf13/cobra"

	"github.com/vantage-search/vantage/internal/model"
	"github.com/vantage-search/vantage/internal/model/child"
)

// engineName is the command that other commands run as a process of its own.
const engineName = "engine"

func newEngine() *cobra.Command {
	return &cobra.Command{
		Use:    engineName,
		Short:  "Encode for another vantage process",
		Long:   `Encodes for the vantage process that started it, over stdin and stdout, in frames that are no interface for others.`,
		Hidden: true,
		Args:   noArguments,
		RunE: func(*cobra.Command, []string) error {
			// Ctrl-C reaches all processes of the terminal; this one ends when its parent does.
			signal.Ignore(os.Interrupt)
			out, err := frameOutput()
			if err != nil {
				return err
			}
			return child.Serve(os.Stdin, out, openEngine)
		},
	}
}

// openEngine opens the model that the parent asks for.
func openEngine(ctx context.Context, config []byte) (model.Encoder, error) {
	var c engineConfig
	if err := json.Unmarshal(config, &c); err != nil {
		return nil, err
	}
	o := model.Options{ID: c.ID, Revision: c.Revision, Pooling: c.Pooling, MaxLength: c.MaxLength, Threads: c.Threads, Int8: c.Int8, Normalize: c.Normalize,
		Notice: func(text string) { fmt.Fprintln(stderr, text) }}
	if c.CUDA {
		var err error
		if o.Device, err = openCUDA(c.GPU, c.BF16, func(text string) { fmt.Fprintln(stderr, text) }); err != nil {
			return nil, err
		}
	}
	defer boundGarbage()()
	e, err := model.Open(ctx, c.Dir, o)
	if err != nil {
		return nil, &child.ModelError{Err: err}
	}
	if _, tokens := e.(model.TokenEncoder); tokens && c.Pooling == "" {
		return nil, errors.Join(&child.ModelError{Err: fmt.Errorf("%s gives a vector for each token (ColBERT), which --device %s does not: average them with --pooling mean, or leave --device out", c.Dir, onProcess)}, e.Close())
	}
	if w, ok := e.(interface{ Warm(context.Context) error }); ok && c.Warm {
		if err := w.Warm(ctx); err != nil {
			return nil, err
		}
	}
	return e, nil
}
