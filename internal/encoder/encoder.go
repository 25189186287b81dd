// Package encoder says what turns texts into vectors: the one interface between
// models (internal/model, a program's own) and all that needs vectors (search,
// collections, the server, evaluations). It links nothing but itself.
package encoder

import (
	"context"
	"fmt"
)

// Encoder turns texts into vectors. It may be used by several goroutines.
type Encoder interface {
	Info() Info
	// Encode returns one embedding for each text, in order. A text's embedding is
	// the same to the bit whatever texts it is encoded with; if a device computes
	// it (see Info), to 1e-5.
	Encode(ctx context.Context, texts []string, o Options) ([]Embedding, error)
}

// IDEncoder is an encoder that also takes texts as the ids of their tokens.
type IDEncoder interface {
	Encoder
	// EncodeIDs returns one embedding for each list of ids of the model's tokenizer,
	// as `vantage tokenize` prints them: special tokens included, and the prompt
	// if there is to be one, since none is added. A list that is longer than the
	// model takes is cut as its text would be. See Info.CheckIDs for what is wrong
	// with a list.
	EncodeIDs(ctx context.Context, ids [][]uint32) ([]Embedding, error)
}

// Options say how texts are encoded.
type Options struct {
	// Role picks the prompt of this name, if the model has one. Without a role
	// only the model's default prompt is used.
	Role Role
	// Prompt replaces what Role picks; a pointer to "" is no prompt at all.
	Prompt *string
	// Prompts replace both: one for each text, such as the instructions of INSTRUCTOR;
	// nil: all texts have the same.
	Prompts []string
}

// Check refuses another number of prompts than of texts.
func (o *Options) Check(texts int) error {
	if o.Prompts != nil && len(o.Prompts) != texts {
		return fmt.Errorf("%d prompts for %d texts: give one for each", len(o.Prompts), texts)
	}
	return nil
}

// Embedding is what became of a text.
type Embedding struct {
	Vector    []float32
	Tokens    int  // special ones included, after truncation
	Unknown   int  // of these, those that the vocabulary lacks and that count for nothing; static models alone have such
	Truncated bool // the text was longer than the model takes
}
