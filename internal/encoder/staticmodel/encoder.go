package staticmodel

import (
	"context"
	"encoding/json"
	"errors"
	"runtime"
	"slices"

	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/encoder/threads"
	"github.com/vantage-search/vantage/internal/wasm/encode"
)

// Architecture is what Info says of static models.
const Architecture = "static"

// Options of Files.Encoder.
type Options struct {
	Normalize *bool    // whether vectors have length 1; nil: as the model's configuration says
	Threads   int      // that encode the texts of a call; 0: as many as there are processors
	Special   []uint32 // tokens that the tokenizer puts around texts: EncodeIDs leaves them out
}

// Encoder is an open static model. It is an encoder.IDEncoder without prompts of its own.
// Its embedded Static encodes single texts as they are.
type Encoder struct {
	*encode.Static

	files   Files
	options Options
}

// Encoder opens the model, which checks its files.
func (f Files) Encoder(o Options) (*Encoder, error) {
	s, err := f.Open()
	if err == nil && o.Normalize != nil && *o.Normalize != s.Normalize() {
		s, err = f.normalizing(*o.Normalize)
	}
	if err != nil {
		return nil, err
	}
	if o.Threads <= 0 {
		o.Threads = runtime.GOMAXPROCS(0)
	}
	return &Encoder{s, f, o}, nil
}

// normalizing opens the model with another "normalize" in its configuration.
func (f Files) normalizing(normalize bool) (*encode.Static, error) {
	var c map[string]any
	if err := json.Unmarshal(f.Config, &c); err != nil {
		return nil, err
	}
	c["normalize"] = normalize
	var err error
	if f.Config, err = json.Marshal(c); err != nil {
		return nil, err
	}
	return f.Open()
}

// Files are those that the encoder was opened from.
func (e *Encoder) Files() Files { return e.files }

// Info describes the model.
func (e *Encoder) Info() encoder.Info {
	return encoder.Info{ID: e.files.ID, Revision: e.files.Revision, Language: e.files.Language, Architecture: Architecture, Dim: e.Dim(), Pooling: "mean",
		Normalize: e.Normalize(), MaxLength: e.MaxLength(), Vocabulary: e.Tokenizer().VocabSize()}
}

// Close does nothing: there is nothing to free.
func (e *Encoder) Close() error { return nil }

// Encode implements encoder.Encoder. Without a prompt in the options, a role other than those of
// queries and documents is an error.
func (e *Encoder) Encode(ctx context.Context, texts []string, o encoder.Options) ([]encoder.Embedding, error) {
	if err := o.Check(len(texts)); err != nil {
		return nil, err
	}
	prompt := ""
	switch {
	case o.Prompts != nil:
	case o.Prompt != nil:
		prompt = *o.Prompt
	case o.Role != encoder.NoRole && !o.Role.Common():
		return nil, errors.New(e.files.ID + " is a static model, which has no prompts: it knows no role " + string(o.Role))
	}
	return e.each(ctx, len(texts), func(v []float32, i int) encode.Info {
		before := prompt
		if o.Prompts != nil {
			before = o.Prompts[i]
		}
		return e.Static.Encode(v, before+texts[i])
	})
}

// EncodeIDs implements encoder.IDEncoder.
func (e *Encoder) EncodeIDs(ctx context.Context, lists [][]uint32) ([]encoder.Embedding, error) {
	info := e.Info()
	if err := info.CheckLists(lists); err != nil {
		return nil, err
	}
	return e.each(ctx, len(lists), func(v []float32, i int) encode.Info {
		return e.Static.EncodeIDs(v, slices.DeleteFunc(slices.Clone(lists[i]), func(id uint32) bool { return slices.Contains(e.options.Special, id) }))
	})
}

// each encodes n texts on several threads.
func (e *Encoder) each(ctx context.Context, n int, one func(v []float32, i int) encode.Info) ([]encoder.Embedding, error) {
	embeddings := make([]encoder.Embedding, n)
	workers := min(e.options.Threads, n)
	var all threads.Group
	for w := range workers {
		all.Go(func() {
			for i := w; i < n && ctx.Err() == nil; i += workers {
				v := make([]float32, e.Dim())
				info := one(v, i)
				embeddings[i] = encoder.Embedding{Vector: v, Tokens: info.Tokens, Unknown: info.Unknown, Truncated: info.Truncated}
			}
		})
	}
	all.Wait()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return embeddings, nil
}
