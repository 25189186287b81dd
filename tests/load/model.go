package main

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/vantage-search/vantage/internal/model/modeltest"
)

// shapes lists models by name. A forward pass takes as long as that of the named
// model, but the vocabulary is small.
var shapes = map[string]modeltest.Shape{
	"MiniLM-L6": small(modeltest.MiniLM),
	"BERT-base": small(modeltest.BERTBase),
	"tiny":      modeltest.Small,
}

func small(s modeltest.Shape) modeltest.Shape {
	s.Vocabulary, s.Positions, s.MaxLength = modeltest.Small.Vocabulary, modeltest.Small.Positions, modeltest.Small.MaxLength
	return s
}

// tokens is the number of tokens in a text, including special ones.
const tokens = 16

// text returns a text in the model's vocabulary. Its number's digits make it
// unique, so that no text is answered from the server's cache.
func text(number int) string {
	r := rand.New(rand.NewPCG(uint64(number), 7))
	words := strings.Split(fmt.Sprint(1_000_000+number), "")
	for len(words) < tokens-2 {
		words = append(words, []string{"claim", "supports", "night", "trains", "people", "work", "uniforms"}[r.IntN(7)])
	}
	return strings.Join(words, " ")
}
