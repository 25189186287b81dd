// Package encoder is the interface between models (internal/model, or a program's own)
// and everything that needs vectors (search, collections, the server, evaluations). It
// links no code of models.
package encoder

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math"

	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// Encoder turns texts into vectors. It may be used by several goroutines.
type Encoder interface {
	Info() Info
	// Encode returns one embedding for each text, in order. A text's embedding has the
	// same bits in any batch; on a device (see Info), batches may change it by 1e-5.
	Encode(ctx context.Context, texts []string, o Options) ([]Embedding, error)
}

// IDEncoder is an encoder that also takes texts as the ids of their tokens.
type IDEncoder interface {
	Encoder
	// EncodeIDs returns one embedding for each list of ids of the model's tokenizer,
	// as `vantage tokenize` prints them. The list must include special tokens and any
	// prompt, since none are added. A list that is too long for the model is truncated
	// like its text. Info.CheckIDs checks a list.
	EncodeIDs(ctx context.Context, ids [][]uint32) ([]Embedding, error)
}

// AngleEncoder is an encoder that can give a text a second vector, its angle: from which
// side the text sees its subject.
type AngleEncoder interface {
	Encoder
	// AngleDim is the number of components of an angle; 0: the model has none.
	AngleDim() int
	// EncodeAngles returns the angle of each text, in order. Without angles, it is an
	// error.
	EncodeAngles(ctx context.Context, texts []string, o Options) ([][]float32, error)
	// Tables are what travels with the model by name, such as the wordings that ask for
	// a side, and the constants of a calibration. They must not be changed.
	Tables() (numbers map[string][]float64, texts map[string][]string)
}

// Remote is an encoder that can say that it sends texts to a server.
type Remote interface {
	Encoder
	Remote() bool
}

// Options say how texts are encoded.
type Options struct {
	// Role picks the model's prompt for this role. A model may lack one for queries and
	// documents; for any other role, that is an error (see Info.Prompt). Without a role,
	// the model's default prompt is used, if it has one.
	Role Role
	// Prompt replaces the prompt that Role picks; a pointer to "" means no prompt.
	Prompt *string
	// Prompts, if not nil, replace both: one for each text, such as the instructions
	// of INSTRUCTOR.
	Prompts []string
}

// Check refuses prompts that are not one for each text.
func (o *Options) Check(texts int) error {
	if o.Prompts != nil && len(o.Prompts) != texts {
		return fmt.Errorf("%d prompts for %d texts: give one for each", len(o.Prompts), texts)
	}
	return nil
}

// Embedding is the result for one text.
type Embedding struct {
	Vector    []float32
	Tokens    int  // number of tokens with special ones, after truncation; of static models, and of packs in a core, all tokens of the text, without special ones
	Unknown   int  // those of Tokens that the vocabulary lacks; 0 also of models that do not count them
	Truncated bool // the text was longer than the model's limit
}

// AnswerError says that an encoder did not give a text what it must.
type AnswerError struct {
	ID      string // of the encoder
	Text    int    // index of the text
	Problem string // what it gave, and what it must give
}

func (e *AnswerError) Error() string {
	return fmt.Sprintf("the encoder %s gave text %d %s", e.ID, e.Text, e.Problem)
}

// Is reports the kind of fault: input.
func (e *AnswerError) Is(target error) bool { return target == fault.Input }

// Among gives an error of Encode for a portion of texts the index of its text among all of them.
func Among(first int, err error) error {
	if answer, ok := errors.AsType[*AnswerError](err); ok {
		answer.Text += first
	}
	return err
}

// NonFinite says which number of a vector is NaN or infinite; "" if none is.
func NonFinite(v []float32) string {
	for i, x := range v {
		if !(math.Abs(float64(x)) <= math.MaxFloat32) {
			return fmt.Sprintf("%v at place %d", x, i)
		}
	}
	return ""
}

// checkFinite refuses a vector of a text with a number that is NaN or infinite.
func checkFinite(id string, text int, v []float32) error {
	if found := NonFinite(v); found != "" {
		return &AnswerError{id, text, "a vector with " + found + ": its code is wrong, or its weights are damaged"}
	}
	return nil
}

// Encode calls e.Encode and checks the answer of an encoder that may be a program's
// own. It is an error if the answer is not one embedding of Info().Dim finite components per
// text.
func Encode(ctx context.Context, e Encoder, texts []string, o Options) ([]Embedding, error) {
	embeddings, err := e.Encode(ctx, texts, o)
	if err != nil {
		return nil, err
	}
	info := e.Info()
	if len(embeddings) != len(texts) {
		return nil, fault.Errorf(fault.Input, "the encoder %s gave %d vectors for %d texts: it must give one for each", info.ID, len(embeddings), len(texts))
	}
	for i, v := range embeddings {
		if len(v.Vector) != info.Dim {
			return nil, &AnswerError{info.ID, i, fmt.Sprintf("a vector of %d components: its description says %d", len(v.Vector), info.Dim)}
		}
		if err := checkFinite(info.ID, i, v.Vector); err != nil {
			return nil, err
		}
	}
	return embeddings, nil
}

// Portions splits texts into portions of a good size for one call of an encoder (see
// Info.PortionBytes), each with the index of its first text.
func Portions(e Encoder, texts []string) iter.Seq2[int, []string] {
	info := e.Info()
	return func(yield func(int, []string) bool) {
		first, size := 0, 0
		for i, text := range texts {
			if size += len(text); size >= info.PortionBytes() || i == len(texts)-1 {
				if !yield(first, texts[first:i+1]) {
					return
				}
				first, size = i+1, 0
			}
		}
	}
}
