package pgra

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/vantage-search/vantage/internal/console"
	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/evaluation/retrieve"
	"github.com/vantage-search/vantage/internal/model"
)

// InContext has the results of in-context learning: the guess is the label whose words are most
// probable after the demonstrations and the text, by the language model.
type InContext struct {
	Plain float64 `json:"plain"`
	// Calibrated is the result if each label's probability is divided by its mean probability
	// after texts without content (Zhao et al. 2021, "Calibrate Before Use").
	Calibrated float64 `json:"calibrated"`
}

// contentFree are that paper's texts without content.
var contentFree = []string{"N/A", "[MASK]", ""}

// inContext classifies the test rows. items are the rows as they follow the prompt.
func (r *reranker) inContext(ctx context.Context, s *Set, p *prompt, items []string, keep string, c *console.Console, told func(n int)) (_ *InContext, err error) {
	name := r.name + ", labels"
	kept := retrieve.Keep(keep, scorer{r.decoder, p.endings}, name, c)
	defer func() { err = errors.Join(err, kept.Close()) }()
	o := encoder.Options{Prompt: &p.lead}
	scores, err := encode(ctx, kept, items, o, told)
	if err != nil {
		return nil, err
	}
	var empty []string
	for _, text := range contentFree {
		empty = append(empty, text+p.after)
	}
	bias, err := encode(ctx, kept, empty, o, func(int) {})
	if err != nil {
		return nil, err
	}
	plain, calibrated := make([]int, len(items)), make([]int, len(items))
	weights := prior(bias)
	for i, of := range scores {
		plain[i], calibrated[i] = argmax(of, nil), argmax(of, weights)
	}
	return &InContext{s.score(plain), s.score(calibrated)}, nil
}

// prior returns the logarithm of each label's mean probability after several texts.
func prior(scores [][]float32) []float64 {
	out := make([]float64, len(scores[0]))
	for _, of := range scores {
		for label, p := range probabilities(of) {
			out[label] += p / float64(len(scores))
		}
	}
	for label := range out {
		out[label] = math.Log(out[label])
	}
	return out
}

// probabilities returns the labels' probabilities, normalised to a sum of 1, from the logarithms
// of their words' probabilities.
func probabilities(of []float32) []float64 {
	out, greatest, sum := make([]float64, len(of)), math.Inf(-1), 0.0
	for _, v := range of {
		greatest = max(greatest, float64(v))
	}
	for i, v := range of {
		out[i] = math.Exp(float64(v) - greatest)
		sum += out[i]
	}
	for i := range out {
		out[i] /= sum
	}
	return out
}

// argmax returns the label with the greatest score, or the first of several. If bias is not nil,
// it is subtracted from the scores.
func argmax(of []float32, bias []float64) int {
	best, highest := 0, math.Inf(-1)
	for label, v := range of {
		score := float64(v)
		if bias != nil {
			score -= bias[label]
		}
		if score > highest {
			best, highest = label, score
		}
	}
	return best
}

// scorer presents a language model as an encoder: the vector of a text has the logarithm of the
// probability of each ending. So these can be kept on disk as vectors are.
type scorer struct {
	model.Decoder
	endings []string
}

// Info implements encoder.Encoder.
func (s scorer) Info() encoder.Info {
	info := s.Decoder.Info()
	info.Pooling, info.Dim = fmt.Sprintf("likelihoods of %q", s.endings), len(s.endings)
	return info
}

// Encode implements encoder.Encoder.
func (s scorer) Encode(ctx context.Context, texts []string, o encoder.Options) ([]encoder.Embedding, error) {
	found, err := s.Likelihoods(ctx, *o.Prompt, texts, s.endings)
	if err != nil {
		return nil, err
	}
	out := make([]encoder.Embedding, len(texts))
	for i, of := range found {
		out[i].Vector = make([]float32, len(of))
		for j, v := range of {
			out[i].Vector[j] = float32(v)
		}
	}
	return out, nil
}

// Close does nothing: the model belongs to the reranker.
func (s scorer) Close() error { return nil }
