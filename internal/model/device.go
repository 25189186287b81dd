package model

import (
	"context"
	"errors"
	"fmt"

	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/wasm/transformer"
)

// Device computes transformers on other hardware than the processor, such as a GPU.
// This package computes dense layers and normalisation after the pooling.
type Device interface {
	// Load puts a model on the device. The architecture is a transformer.BERTConfig,
	// transformer.OPTConfig or transformer.T5Config. Load does not use the tensors
	// after it has returned.
	Load(architecture any, t transformer.Tensors) (Loaded, error)
	// Name is the device's name for people.
	Name() string
	// BF16 reports whether models compute in bfloat16 rather than in float32.
	BF16() bool
}

// Loaded is a model on a device. It may be used by several goroutines.
type Loaded interface {
	Hidden() int
	Vocabulary() int
	MaxTokens() int // most tokens of a text; 0 means no limit
	// Pool runs texts through the model and returns their token vectors, pooled in each
	// of the ways: [texts, poolings, hidden]. The first skips[i] tokens of text i do
	// not count; if skips is nil, all count. A text without tokens has zeros. For
	// Pooler, Pool returns the first token. The last bits of a vector may depend on the
	// other texts.
	Pool(ctx context.Context, texts [][]uint32, skips []int, poolings []Pooling) ([]float32, error)
	// Warm compiles programs for texts of up to length tokens, so that no text has to
	// wait for compilation. 0 is no limit: then programs for texts of usual lengths.
	Warm(ctx context.Context, poolings []Pooling, length int) error
	Close() error
}

// sized is the common interface of models on the processor and on a device.
type sized interface {
	Hidden() int
	Vocabulary() int
	MaxTokens() int
}

// load builds the transformer, on the device if there is one.
func (e *textEncoder) load(o Options) error {
	architecture, err := e.config.architecture(o.Int8)
	if err != nil {
		return err
	}
	if o.Device == nil {
		if e.model, err = buildModel(architecture, e.checkpoint); err == nil {
			e.size = e.model
		}
		return err
	}
	if o.Int8 {
		return errors.New("weights of 8 bits are for the processor: a device computes in f32 or bf16")
	}
	if e.device, err = o.Device.Load(architecture, e.checkpoint); err == nil {
		e.size = e.device
	}
	return err
}

// embedOnDevice implements embed for a device.
func (e *textEncoder) embedOnDevice(ctx context.Context, inputs []input) ([]encoder.Embedding, error) {
	ids, skips := make([][]uint32, len(inputs)), make([]int, len(inputs))
	for i, in := range inputs {
		ids[i], skips[i] = in.ids, in.skip
		for _, id := range in.ids {
			if int(id) >= e.size.Vocabulary() {
				return nil, fmt.Errorf("token id %d, the model has %d tokens", id, e.size.Vocabulary())
			}
		}
	}
	pooled, err := e.device.Pool(ctx, ids, skips, e.recipe.poolings)
	if err != nil {
		return nil, err
	}
	embeddings := make([]encoder.Embedding, len(inputs))
	width := e.size.Hidden() * len(e.recipe.poolings)
	for i, in := range inputs {
		embeddings[i] = encoder.Embedding{Vector: e.finish(pooled[i*width : (i+1)*width : (i+1)*width]), Tokens: len(in.ids), Truncated: in.truncated}
	}
	return embeddings, nil
}

// Warm prepares a model on a device for texts of any length, or of usual lengths if it has no
// limit. On the processor it does nothing.
func (e *textEncoder) Warm(ctx context.Context) error {
	if e.device == nil {
		return nil
	}
	return e.device.Warm(ctx, e.recipe.poolings, e.maxLength)
}
