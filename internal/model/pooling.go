package model

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// Pooling is a way to make one vector of a text's token vectors.
type Pooling string

// The ways of pooling.
const (
	CLS      Pooling = "cls"      // the first token, after a prompt that does not count
	Mean     Pooling = "mean"     // mean of all tokens
	Max      Pooling = "max"      // maximum of each component
	Last     Pooling = "last"     // the last token
	Weighted Pooling = "weighted" // mean weighted by the tokens' positions, from 1
	RootMean Pooling = "rootmean" // sum over the square root of the number of tokens
	Pooler   Pooling = "pooler"   // the checkpoint's layer over the first token
)

// poolings are the ways that a user may ask for.
var poolings = []Pooling{CLS, Mean, Max, Last, Weighted, RootMean, Pooler}

// ParsePooling parses the name of a way of pooling.
func ParsePooling(name string) (Pooling, error) {
	if slices.Contains(poolings, Pooling(name)) {
		return Pooling(name), nil
	}
	names := make([]string, len(poolings))
	for i, p := range poolings {
		names[i] = string(p)
	}
	return "", fmt.Errorf("pooling %q is not known: one of %s", name, strings.Join(names, ", "))
}

// pool computes the vector of a text from the hidden states of its tokens. The first
// skip tokens, those of a prompt, do not count, except in the checkpoint's own pooler,
// which always takes the first token. If a prompt fills the text, its last token counts.
func (p Pooling) pool(out, hidden []float32, skip int) {
	dim := len(out)
	tokens := len(hidden) / dim
	row := func(i int) []float32 { return hidden[i*dim : (i+1)*dim] }
	if tokens == 0 {
		clear(out)
		return
	}
	skip = min(skip, tokens-1)
	switch p {
	case Pooler:
		copy(out, row(0))
	case CLS:
		copy(out, row(skip))
	case Last:
		copy(out, row(tokens-1))
	case Max:
		copy(out, row(skip))
		for i := skip + 1; i < tokens; i++ {
			for j, v := range row(i) {
				out[j] = max(out[j], v)
			}
		}
	default:
		clear(out)
		var sum float32
		for i := skip; i < tokens; i++ {
			weight := float32(1)
			if p == Weighted {
				weight = float32(i + 1)
			}
			sum += weight
			for j, v := range row(i) {
				out[j] += weight * v
			}
		}
		if p == RootMean {
			sum = float32(math.Sqrt(float64(sum)))
		}
		for j := range out {
			out[j] /= sum
		}
	}
}

// normalize scales a vector to length 1, unless its length is 0.
func normalize(v []float32) {
	var squares float64
	for _, x := range v {
		squares += float64(x) * float64(x)
	}
	length := max(math.Sqrt(squares), 1e-12)
	for i, x := range v {
		v[i] = float32(float64(x) / length)
	}
}
