package main

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"path/filepath"
	"strings"

	"github.com/vantage-search/vantage/model/modeltest"
)

// shape of a BERT model.
type shape struct{ hidden, layers, heads int }

// Shapes that the load is measured with, by name.
var shapes = map[string]shape{
	"MiniLM-L6": {384, 6, 12},
	"BERT-base": {768, 12, 12},
	"tiny":      {modeltest.Hidden, modeltest.Layers, modeltest.Heads},
}

// tokens of a text with its special ones.
const tokens = 16

// write writes a model of random weights and a small vocabulary into a folder;
// its forward pass takes as long as that of the model it is named after.
func (s shape) write(dir string) error {
	t := modeltest.NewTensors(1)
	linear := func(name string, out, in int) {
		t.Add(name+".weight", math.Sqrt(1/float64(in)), out, in)
		t.Add(name+".bias", .05, out)
	}
	norm := func(name string) {
		t.Add(name+".weight", 1, s.hidden)
		t.Add(name+".bias", .1, s.hidden)
	}
	t.Add("embeddings.word_embeddings.weight", .1, len(modeltest.Vocabulary()), s.hidden)
	t.Add("embeddings.position_embeddings.weight", .1, modeltest.Positions, s.hidden)
	t.Add("embeddings.token_type_embeddings.weight", .1, 2, s.hidden)
	norm("embeddings.LayerNorm")
	for i := range s.layers {
		at := fmt.Sprintf("encoder.layer.%d.", i)
		for _, name := range []string{"attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense"} {
			linear(at+name, s.hidden, s.hidden)
		}
		norm(at + "attention.output.LayerNorm")
		linear(at+"intermediate.dense", 4*s.hidden, s.hidden)
		linear(at+"output.dense", s.hidden, 4*s.hidden)
		norm(at + "output.LayerNorm")
	}
	linear("pooler.dense", s.hidden, s.hidden)
	config := modeltest.Config()
	maps.Copy(config, modeltest.Object{"hidden_size": s.hidden, "num_hidden_layers": s.layers, "num_attention_heads": s.heads, "intermediate_size": 4 * s.hidden})
	files := modeltest.SentenceTransformer()
	files["config.json"], files["tokenizer.json"] = config, modeltest.Tokenizer()
	files["1_Pooling/config.json"] = modeltest.Object{"word_embedding_dimension": s.hidden, "pooling_mode_mean_tokens": true}
	if err := modeltest.WriteJSON(dir, files); err != nil {
		return err
	}
	return t.Write(filepath.Join(dir, "model.safetensors"))
}

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
