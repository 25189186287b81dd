package main

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/vantage-search/vantage/internal/model/modeltest"
)

// Shapes that the load is measured with, by name: a forward pass takes as long as
// that of the model it is named after, with a small vocabulary.
var shapes = map[string]modeltest.Shape{
	"MiniLM-L6": small(modeltest.MiniLM),
	"BERT-base": small(modeltest.BERTBase),
	"tiny":      modeltest.Small,
}

func small(s modeltest.Shape) modeltest.Shape {
	s.Vocabulary, s.Positions, s.MaxLength = modeltest.Small.Vocabulary, modeltest.Small.Positions, modeltest.Small.MaxLength
	return s
}

// tokens of a text with its special ones.
const tokens = 16

// text returns a text of the model's vocabulary, which is told from all others by
// its number's digits, so that none is answered from the server's cache.
func text(number int) string {
	r := rand.New(rand.NewPCG(uint64(number), 7))
	words := strings.Split(fmt.Sprint(1_000_000+number), "")
	for len(words) < tokens-2 {
		words = append(words, []string{"claim", "supports", "night", "trains", "people", "work", "uniforms"}[r.IntN(7)])
	}
	return strings.Join(words, " ")
}
