package named

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"github.com/vantage-search/vantage/internal/memory"
	"github.com/vantage-search/vantage/internal/model"
	"github.com/vantage-search/vantage/internal/model/child"
)

// EngineCommand is the command with which a Device other than CPU starts this program again,
// as a child process. The command calls Engine.
const EngineCommand = "engine"

// Engine encodes for the parent process, over stdin and stdout, until the parent ends.
func Engine() error {
	out, err := child.Output()
	if err != nil {
		return err
	}
	return child.Serve(os.Stdin, out, openEngine)
}

// openEngine opens the model that the parent asks for.
func openEngine(ctx context.Context, config []byte) (model.Encoder, error) {
	var c engineConfig
	if err := json.Unmarshal(config, &c); err != nil {
		return nil, err
	}
	o := model.Options{ID: c.ID, Revision: c.Revision, Pooling: c.Pooling, MaxLength: c.MaxLength, Threads: c.Threads, Int8: c.Int8, Normalize: c.Normalize, Prompts: c.Prompts,
		Notice: func(text string) { fmt.Fprintln(os.Stderr, text) }}
	if c.CUDA {
		var err error
		if o.Device, err = openCUDA(c.GPU, c.BF16, func(text string) { fmt.Fprintln(os.Stderr, text) }); err != nil {
			return nil, err
		}
	}
	defer memory.BoundGarbage()()
	e, err := model.Open(ctx, c.Dir, o)
	if err != nil {
		return nil, &child.ModelError{Err: err}
	}
	if _, tokens := e.(model.TokenEncoder); tokens && c.Pooling == "" {
		return nil, errors.Join(&child.ModelError{Err: fmt.Errorf("%s gives a vector for each token (ColBERT), which --device %s cannot give: average them with --pooling mean, or leave --device out", c.Dir, Process)}, e.Close())
	}
	if w, ok := e.(interface{ Warm(context.Context) error }); ok && c.Warm {
		if err := w.Warm(ctx); err != nil {
			return nil, err
		}
	}
	return e, nil
}
