// Package transformer computes the forward pass of the encoders and decoders that
// retrieval uses: BERT and similar models, T5's encoder, OPT.
//
// The texts of a batch follow each other without padding, and a text's result
// depends only on its own tokens, to the bit.
//
// The package follows the rules for code in the browser module (see tests/core),
// because the core links it.
package transformer

import (
	"errors"
	"strconv"

	"github.com/vantage-search/vantage/internal/wasm/kernel/dense"
)

// Tensors are a checkpoint's weights by their names.
type Tensors interface {
	// Tensor returns the values, row-major, and the shape, or false if there is
	// no such tensor. The model keeps the values and does not change them.
	Tensor(name string) (values []float32, shape []int, ok bool)
}

// Model is a stack of layers over token embeddings.
type Model interface {
	// Hidden is the number of components of a token's output.
	Hidden() int
	// Vocabulary is the number of token ids.
	Vocabulary() int
	// MaxTokens of a text; 0: any number.
	MaxTokens() int
	// Forward writes the last hidden state of every token, [tokens, hidden]. A batch
	// may hold sequences without tokens, or no sequences at all.
	Forward(out []float32, b *Batch, s *Scratch) error
}

// Batch is a number of token sequences, one after the other.
type Batch struct {
	IDs     []uint32
	Types   []uint32 // token types, one each; nil: all 0
	Lengths []int    // of the sequences; their sum is len(IDs)
	Keys    []int    // how many of a sequence's first tokens are attended to, one at least; nil: all
}

// Scratch is the memory of one forward pass at a time, and the workers that
// share it.
type Scratch struct {
	Pool *dense.Pool

	a, b, c, d []float32
}

// grow returns a buffer of n floats in place of *s.
func grow(s *[]float32, n int) []float32 {
	if cap(*s) < n {
		*s = make([]float32, n+n/4)
	}
	return (*s)[:n]
}

var errBatch = errors.New("transformer: lengths, ids, types and keys of a batch do not agree")

// check refuses a batch that does not fit the model.
func check(m Model, types int, out []float32, b *Batch) error {
	if err := b.check(m.Vocabulary(), types, m.MaxTokens()); err != nil {
		return err
	}
	if len(out) < len(b.IDs)*m.Hidden() {
		return errors.New("transformer: the output has no room for the batch")
	}
	return nil
}

// check refuses a batch that does not fit a model of that many ids and token types,
// or has a text of more than most tokens, unless that is 0.
func (b *Batch) check(vocabulary, types, most int) error {
	tokens := 0
	if b.Keys != nil && len(b.Keys) != len(b.Lengths) {
		return errBatch
	}
	for i, n := range b.Lengths {
		if n < 0 {
			return errors.New("transformer: a sequence of negative length")
		}
		if most > 0 && n > most {
			return errors.New("transformer: a text of " + strconv.Itoa(n) + " tokens, the model takes at most " + strconv.Itoa(most) + ": truncate it")
		}
		if b.Keys != nil && (b.Keys[i] < min(1, n) || b.Keys[i] > n) {
			return errors.New("transformer: a sequence of " + strconv.Itoa(n) + " tokens that attends to " + strconv.Itoa(b.Keys[i]))
		}
		tokens += n
	}
	if tokens != len(b.IDs) || b.Types != nil && len(b.Types) != tokens {
		return errBatch
	}
	for _, id := range b.IDs {
		if int(id) >= vocabulary {
			return errors.New("transformer: token id " + strconv.Itoa(int(id)) + ", the model has " + strconv.Itoa(vocabulary) + ": the tokenizer belongs to another model")
		}
	}
	for _, t := range b.Types {
		if int(t) >= types {
			return errors.New("transformer: token type " + strconv.Itoa(int(t)) + ", the model has " + strconv.Itoa(types))
		}
	}
	return nil
}
