package packer

import (
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/vantage-search/vantage/internal/wasm/pack"
)

// sample is a text as the model reads it; types is nil if all are 0. Tokens attend to the
// first tokens, as many as keys says, or to all if it is 0.
type sample struct {
	ids, types []uint32
	keys       int
}

// seen is how many tokens are attended to.
func (s *sample) seen() int {
	if s.keys > 0 {
		return s.keys
	}
	return len(s.ids)
}

// Bounds of what rounding looks at. More texts change little, and all of them are
// in memory.
const (
	fitTokens = 16_000
	heldEvery = 5 // one text in so many is held out
	salads    = 8 // one text of random pieces is added for every so many samples
)

// divide makes samples of the texts: those that rounding looks at, and others that
// show whether what it learnt holds for texts it has not seen.
//
// Queries are shorter than what is searched, and the tokens of a short text differ from
// those of a long one: more of them are special tokens. So some words of each text are
// samples, too, unless the model is a classifier.
func (p *packing) divide() (fit, held []sample) {
	var fitted, others []string
	for i, text := range p.options.Samples {
		if i%heldEvery == heldEvery-1 {
			others = append(others, text)
		} else {
			fitted = append(fitted, text)
		}
	}
	prompt := p.manifest.Prompts[p.manifest.DefaultPrompt]
	fit = spacedTokens(p.samples(fitted, prompt), fitTokens)
	return append(fit, p.salads(len(fit)/salads)...), p.samples(others, prompt)
}

// salads are texts of random pieces, so that weights are also fitted to what the samples
// do not have, such as rare words, other scripts and rows of punctuation.
func (p *packing) salads(n int) (list []sample) {
	r := rand.New(rand.NewPCG(1, 2))
	frame := p.tokenizer.EncodeSpecial(nil, "", 0)
	for i := range n {
		s := sample{ids: slices.Clone(frame[:len(frame)/2])}
		for range min(2+i%23, p.manifest.Config.MaxLength-len(frame)) {
			s.ids = append(s.ids, uint32(r.IntN(len(p.pieces))))
		}
		s.ids = append(s.ids, frame[len(frame)/2:]...)
		list = append(list, s)
	}
	return list
}

// samples of texts, each with a few of its words beside it. Those of a classifier are pairs.
func (p *packing) samples(texts []string, prompt string) (list []sample) {
	for i, text := range texts {
		words := strings.Fields(text)
		short := func(n int) string {
			at := 37 * i % max(1, len(words)-n)
			return strings.Join(words[at:min(len(words), at+n)], " ")
		}
		if p.manifest.Kind == pack.Classifier {
			first, second, ok := strings.Cut(text, "\t")
			if !ok {
				first, second = short(8), text
			}
			list = append(list, p.pair(first, second))
			continue
		}
		if p.manifest.Config.Tokens != nil {
			list = append(list, p.tokenSample(text, true), p.tokenSample(short(1+i%4), false), p.tokenSample(short(5+i%9), false), p.tokenSample(short(14+i%11), true))
			continue
		}
		for _, text := range []string{text, short(1 + i%4), short(5 + i%9), short(14 + i%11)} {
			list = append(list, sample{ids: p.tokenizer.EncodeSpecial(nil, prompt+text, p.manifest.Config.MaxLength)})
		}
	}
	return list
}

// pair is what a classifier reads of two texts, or of one if it takes no pairs.
func (p *packing) pair(first, second string) (s sample) {
	most := p.manifest.Config.MaxLength
	if !p.tokenizer.TakesPairs() || p.manifest.Config.Types < 2 {
		s.ids = p.tokenizer.EncodeSpecial(nil, second, most)
		return s
	}
	s.ids, s.types, _ = p.tokenizer.FramePair(p.tokenizer.Encode(nil, first), p.tokenizer.Encode(nil, second), most)
	return s
}

// spaced are n of the samples, evenly spaced.
func spaced(samples []sample, n int) (some []sample) {
	n = min(n, len(samples))
	for i := range n {
		some = append(some, samples[i*len(samples)/n])
	}
	return some
}

// spacedTokens are samples, evenly spaced, that together have about the given number of tokens.
func spacedTokens(samples []sample, tokens int) []sample {
	all := 0
	for _, s := range samples {
		all += len(s.ids)
	}
	return spaced(samples, max(1, int(int64(len(samples))*int64(tokens)/int64(max(tokens, all)))))
}
