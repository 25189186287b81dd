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

// InContext is in-context learning: the label whose words the language model finds most
// probable behind demonstrations and text.
type InContext struct {
	Plain float64 `json:"plain"`
	// Calibrated divides the probabilities of labels by those behind texts without content
	// (Zhao et al. 2021, "Calibrate Before Use").
	Calibrated float64 `json:"calibrated"`
}

// contentFree are the texts without content of that paper.
var contentFree = []string{"N/A", "[MASK]", ""}

// inContext classifies the tested rows, given as items behind the prompt.
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

// prior is the logarithm of the mean probability of each label behind several texts.
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

// probabilities of labels, among all labels, by the logarithms of their words'.
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

// argmax is the label with the greatest score, less the bias of each if it is not nil; of
// several, the first.
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

// scorer is a language model as an encoder: a text's vector is the logarithms of the
// probabilities of its endings. So they are kept as vectors are.
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

// Close leaves the model open, which is another's.
func (s scorer) Close() error { return nil }
