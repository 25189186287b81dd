package model

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/model/tokenizer"
	"github.com/vantage-search/vantage/internal/model/weights"
	"github.com/vantage-search/vantage/internal/wasm/kernel/dense"
	"github.com/vantage-search/vantage/internal/wasm/transformer"
)

// textEncoder is a transformer with all steps that make one vector of a text.
type textEncoder struct {
	config     *config
	recipe     *recipe
	tokens     tokenizer.Tokenizer
	checkpoint *weights.Checkpoint
	model      transformer.Model // nil on a device
	device     Loaded            // nil on the processor
	size       sized             // on either
	pooler     *transformer.Head
	colbert    *colbert
	dim        int
	maxLength  int
	about      encoder.Info
	notice     func(string)
	workers    *dense.Pool
	passes     *passes
}

func (e *textEncoder) Info() encoder.Info { return e.about }

// Threads is the number of the processor's threads that compute. It is 0 if a device
// computes.
func (e *textEncoder) Threads() int {
	if e.device != nil {
		return 0
	}
	return e.workers.Workers()
}

// Close frees the model.
func (e *textEncoder) Close() error {
	if e.workers != nil {
		e.workers.Close()
	}
	if e.device != nil {
		return errors.Join(e.device.Close(), e.checkpoint.Close())
	}
	return e.checkpoint.Close()
}

// prompt returns the text to put before every text.
func (e *textEncoder) prompt(o encoder.Options) (string, error) {
	if o.Prompt != nil {
		return *o.Prompt, nil
	}
	text, ok := e.about.Prompt(o.Role)
	if !ok {
		known := slices.Sorted(maps.Keys(e.about.Prompts))
		if len(known) == 0 {
			known = []string{"none"}
		}
		return "", fmt.Errorf("%s has no prompt named %q; it has: %s", e.about.ID, o.Role, strings.Join(known, ", "))
	}
	return text, nil
}

// input is the model's input for a text.
type input struct {
	ids, types []uint32
	keys       int // number of tokens that are attended to; 0 means all
	skip       int // number of the prompt's tokens, which pooling leaves out
	rows       int // number of last tokens whose hidden states a decoder asks for; 0 means one
	truncated  bool
}

// Encode implements Encoder.
func (e *textEncoder) Encode(ctx context.Context, texts []string, o encoder.Options) ([]encoder.Embedding, error) {
	if err := o.Check(len(texts)); err != nil {
		return nil, err
	}
	var prompt string
	if o.Prompts == nil {
		var err error
		if prompt, err = e.prompt(o); err != nil {
			return nil, err
		}
	}
	skips := map[string]int{} // number of tokens of each prompt
	inputs := make([]input, len(texts))
	for i, text := range texts {
		if o.Prompts != nil {
			prompt = o.Prompts[i]
		}
		in := &inputs[i]
		in.ids, in.truncated = e.tokens.Frame(e.encode(e.recipe.join(prompt, text)), e.maxLength)
		if !e.recipe.skipPrompt {
			continue
		}
		skip, known := skips[prompt]
		if !known {
			skip = e.promptTokens(prompt)
			skips[prompt] = skip
		}
		in.skip = skip
	}
	return e.embed(ctx, inputs)
}

// promptTokens is the number of tokens of a prompt before a text. It counts the
// truncated prompt alone, without its final special token.
func (e *textEncoder) promptTokens(prompt string) int {
	if prompt == "" {
		return 0
	}
	framed, _ := e.tokens.Frame(e.encode(e.recipe.join(prompt, "")), e.maxLength)
	_, after := e.ends()
	return len(framed) - min(1, len(after), len(framed))
}

// ends returns the special tokens before and after a text.
func (e *textEncoder) ends() (before, after []uint32) {
	special, _ := e.tokens.Frame(nil, 0)
	text := uint32(0)
	for slices.Contains(special, text) {
		text++
	}
	framed, _ := e.tokens.Frame([]uint32{text}, 0)
	at := slices.Index(framed, text)
	return special[:at], special[at:]
}

// EncodeIDs implements encoder.IDEncoder.
func (e *textEncoder) EncodeIDs(ctx context.Context, lists [][]uint32) ([]encoder.Embedding, error) {
	if err := e.about.CheckLists(lists); err != nil {
		return nil, err
	}
	inputs := make([]input, len(lists))
	for i, ids := range lists {
		inputs[i].ids, inputs[i].truncated = e.cut(ids)
	}
	return e.embed(ctx, inputs)
}

// cut shortens ids to the model's limit. If special tokens surround the ids, these stay, and
// it cuts between them, at the end that the tokenizer cuts.
func (e *textEncoder) cut(ids []uint32) (kept []uint32, truncated bool) {
	if e.maxLength == 0 || len(ids) <= e.maxLength {
		return ids, false
	}
	before, after := e.ends()
	first, last := len(before), len(ids)-len(after)
	if first <= last && slices.Equal(ids[:first], before) && slices.Equal(ids[last:], after) {
		return e.tokens.Frame(ids[first:last], e.maxLength)
	}
	return ids[:e.maxLength], true
}

// embed returns the vectors of inputs.
func (e *textEncoder) embed(ctx context.Context, inputs []input) ([]encoder.Embedding, error) {
	if e.device != nil {
		return e.embedOnDevice(ctx, inputs)
	}
	embeddings := make([]encoder.Embedding, len(inputs))
	err := e.forward(ctx, inputs, func(i int, hidden []float32) {
		embeddings[i] = encoder.Embedding{Vector: e.vector(hidden, inputs[i].skip), Tokens: len(inputs[i].ids), Truncated: inputs[i].truncated}
	})
	return embeddings, err
}

// encode returns a text's token ids.
func (e *textEncoder) encode(text string) []uint32 { return e.tokens.Encode(nil, text) }

// vector computes a text's vector from the hidden states of its tokens, without those
// of a prompt that does not count.
func (e *textEncoder) vector(hidden []float32, skip int) []float32 {
	width := e.size.Hidden()
	v := make([]float32, width*len(e.recipe.poolings))
	for i, p := range e.recipe.poolings {
		p.pool(v[i*width:(i+1)*width], hidden, skip)
	}
	return e.finish(v)
}

// finish computes a text's vector from its pooled vectors.
func (e *textEncoder) finish(v []float32) []float32 {
	width := e.size.Hidden()
	for i, p := range e.recipe.poolings {
		if p == Pooler {
			part := v[i*width : (i+1)*width]
			copy(part, e.pooler.Apply(e.workers, part, 1))
		}
	}
	for _, s := range e.recipe.steps {
		v = s.apply(e.workers, v)
	}
	if e.recipe.normalize {
		normalize(v)
	}
	return v
}

// forward runs the inputs through the model in batches, and calls use with the hidden
// states of each input. use must not keep them.
func (e *textEncoder) forward(ctx context.Context, inputs []input, use func(i int, hidden []float32)) error {
	return e.through(ctx, e.model, inputs, use)
}

// through is forward for a given model.
func (e *textEncoder) through(ctx context.Context, m transformer.Model, inputs []input, use func(i int, hidden []float32)) error {
	width := e.size.Hidden()
	most := batchTokens(width)
	for first := 0; first < len(inputs); {
		var b transformer.Batch
		last := first
		for ; last < len(inputs) && (last == first || len(b.IDs)+len(inputs[last].ids) <= most); last++ {
			in := &inputs[last]
			b.IDs = append(b.IDs, in.ids...)
			b.Lengths = append(b.Lengths, len(in.ids))
			keys := in.keys
			if keys == 0 {
				keys = len(in.ids)
			}
			b.Keys = append(b.Keys, keys)
			if in.types != nil || b.Types != nil {
				b.Types = append(b.Types, make([]uint32, len(b.IDs)-len(in.ids)-len(b.Types))...) // the texts before it had no types
				b.Types = append(b.Types, in.types...)
				b.Types = append(b.Types, make([]uint32, len(b.IDs)-len(b.Types))...)
			}
		}
		err := e.passes.do(ctx, m, &b, func(out []float32) {
			at := 0
			for i := first; i < last; i++ {
				n := len(inputs[i].ids) * width
				use(i, out[at:at+n])
				at += n
			}
		})
		if err != nil {
			return err
		}
		first = last
	}
	return nil
}

var errTokens = errors.New("the vocabulary lacks a token that the model needs")

// join puts a prompt before a text. INSTRUCTOR's own package trims the text, and then
// the joined text.
func (r *recipe) join(prompt, text string) string {
	if r.instructor {
		return strings.TrimSpace(prompt + strings.TrimSpace(text))
	}
	return prompt + text
}
