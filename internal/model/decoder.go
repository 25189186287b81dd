package model

import (
	"context"
	"math"
	"slices"

	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/internal/wasm/transformer"
)

// decoder is OPT.
type decoder struct {
	*textEncoder
	kept keptPrompt
}

func (d *decoder) TokenID(token string) (uint32, bool) { return d.tokens.ID(token) }

// Count implements Decoder.
func (d *decoder) Count(text string) int {
	framed, _ := d.tokens.Frame(d.encode(text), 0)
	return len(framed)
}

func (d *decoder) opt() *transformer.OPT { return d.model.(*transformer.OPT) }

// Encode implements Encoder.
func (d *decoder) Encode(ctx context.Context, texts []string, o encoder.Options) ([]encoder.Embedding, error) {
	if o.Prompts != nil || !slices.Equal(d.recipe.poolings, []Pooling{Last}) {
		return d.textEncoder.Encode(ctx, texts, o)
	}
	prompt, err := d.prompt(o)
	if err != nil {
		return nil, err
	}
	inputs := make([]input, len(texts))
	for i, text := range texts {
		inputs[i].ids, inputs[i].truncated = d.tokens.Frame(d.encode(d.recipe.join(prompt, text)), d.maxLength)
	}
	embeddings := make([]encoder.Embedding, len(inputs))
	err = d.behind(ctx, prompt, inputs, func(i int, hidden []float32) {
		embeddings[i] = encoder.Embedding{Vector: d.vector(hidden, 0), Tokens: len(inputs[i].ids), Truncated: inputs[i].truncated}
	})
	return embeddings, err
}

// Logits implements Decoder.
func (d *decoder) Logits(ctx context.Context, texts []string) ([]Scores, error) {
	prompt, err := d.prompt(encoder.Options{})
	if err != nil {
		return nil, err
	}
	inputs := make([]input, len(texts))
	for i, text := range texts {
		inputs[i].ids, inputs[i].truncated = d.tokens.Frame(d.encode(prompt+text), d.maxLength)
	}
	scores := make([]Scores, len(texts))
	err = d.forward(ctx, inputs, func(i int, hidden []float32) {
		scores[i] = Scores{Tokens: len(inputs[i].ids), Truncated: inputs[i].truncated}
		if len(hidden) > 0 {
			last := hidden[len(hidden)-d.size.Hidden():]
			scores[i].Logits = d.opt().Logits(d.workers, last, 1)
		}
	})
	return scores, err
}

// Likelihoods implements Decoder.
func (d *decoder) Likelihoods(ctx context.Context, prompt string, texts, endings []string) ([][]float64, error) {
	_, specials := d.ends() // as a rule there are none, because OPT's tokenizer adds nothing after a text
	out := make([][]float64, len(texts))
	var inputs []input
	// An input is a text with an ending, without the ending's last token. Its hidden states
	// score the tokens of that ending. All endings of one token share the text's own input.
	type asked struct {
		text, ending int
		tokens       []uint32
	}
	var uses [][]asked
	for i, text := range texts {
		out[i] = make([]float64, len(endings))
		base, _ := d.tokens.Frame(d.encode(prompt+text), 0)
		base = base[:len(base)-len(specials)]
		alone := -1 // the input without an ending
		for j, ending := range endings {
			whole, _ := d.tokens.Frame(d.encode(prompt+text+ending), 0)
			whole = whole[:len(whole)-len(specials)]
			switch {
			case len(base) == 0 || len(whole) <= len(base) || !slices.Equal(whole[:len(base)], base):
				return nil, fault.Errorf(fault.Query, "the ending %q runs together with the text before it: begin it with a space, and end the text without one", ending)
			case len(whole)-1 > d.maxLength:
				return nil, fault.Errorf(fault.Limit, "a text of %d tokens with its prompt and the ending %q: %s reads at most %d", len(whole), ending, d.about.ID, d.maxLength)
			}
			use := asked{i, j, whole[len(base):]}
			if len(use.tokens) == 1 && alone >= 0 {
				uses[alone] = append(uses[alone], use)
				continue
			}
			if len(use.tokens) == 1 {
				alone = len(inputs)
			}
			inputs, uses = append(inputs, input{ids: whole[:len(whole)-1], rows: len(use.tokens)}), append(uses, []asked{use})
		}
	}
	err := d.behind(ctx, prompt, inputs, func(i int, hidden []float32) {
		rows := inputs[i].rows
		logits := d.opt().Logits(d.workers, hidden[len(hidden)-rows*d.size.Hidden():], rows)
		for row := range rows {
			of := logits[row*d.size.Vocabulary() : (row+1)*d.size.Vocabulary()]
			whole := logSum(of)
			for _, use := range uses[i] {
				out[use.text][use.ending] += float64(of[use.tokens[row]]) - whole
			}
		}
	})
	return out, err
}

// logSum is the logarithm of the sum of the exponentials.
func logSum(values []float32) float64 {
	greatest, sum := float64(slices.Max(values)), 0.0
	for _, v := range values {
		sum += math.Exp(float64(v) - greatest)
	}
	return greatest + math.Log(sum)
}
