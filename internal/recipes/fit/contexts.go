package fit

import (
	"math"
	"slices"

	"github.com/vantage-search/vantage/internal/wasm/encode"
)

// Limits of the contexts.
const (
	maxContexts   = 1 << 16
	maxImage      = 1 << 26 // contexts × dimensions: 0.5 GB while learning
	passageTokens = 64
)

// contexts are the texts in which tokens count as occurring together: documents, or
// passages of them if there are few documents.
type contexts struct {
	vocabulary int
	tokens     [][]uint32 // known tokens of each context, ascending
	passages   bool
	skipped    int // number of documents left out because of the limit
}

// newContexts splits a corpus into contexts of tokens.
func newContexts(c *corpus, tokenizer *encode.WordPiece, dim int) *contexts {
	pieces := make([][]uint32, len(c.words))
	for i, word := range c.words {
		pieces[i] = slices.DeleteFunc(tokenizer.Encode(nil, word), func(id uint32) bool { return id == tokenizer.UnknownID() })
	}
	t := &contexts{vocabulary: tokenizer.VocabSize(), passages: len(c.ends) < dim}
	most := min(maxContexts, maxImage/(dim+oversampling))
	chosen := min(len(c.ends), most)
	t.skipped = len(c.ends) - chosen
	for i := range chosen {
		document := i * len(c.ends) / chosen
		start := 0
		if document > 0 {
			start = c.ends[document-1]
		}
		var ids []uint32
		for _, word := range c.sequence[start:c.ends[document]] {
			ids = append(ids, pieces[word]...)
		}
		parts := 1
		if t.passages {
			parts = max(1, min(len(ids)/passageTokens, most/chosen))
		}
		for part := range parts {
			passage := slices.Clone(ids[part*len(ids)/parts : (part+1)*len(ids)/parts])
			slices.Sort(passage)
			t.tokens = append(t.tokens, passage)
		}
	}
	return t
}

// tfidf returns the contexts' tf-idf vectors, (1 + log tf) × idf, as rows of
// length 1, and the tokens' idf, log((1+N)/(1+df)) + 1. Tokens that never occur
// have idf 0.
func (t *contexts) tfidf() (*sparse, []float64) {
	idf := make([]float64, t.vocabulary)
	for _, tokens := range t.tokens {
		for id := range runs(tokens) {
			idf[id]++
		}
	}
	for id, df := range idf {
		if df > 0 {
			idf[id] = math.Log(float64(1+len(t.tokens))/(1+df)) + 1
		}
	}
	m := &sparse{cols: t.vocabulary}
	var row []entry
	for _, tokens := range t.tokens {
		row = row[:0]
		for id, tf := range runs(tokens) {
			row = append(row, entry{int32(id), float32((1 + math.Log(float64(tf))) * idf[id])})
		}
		normalizeRow(row)
		m.appendRow(row)
	}
	return m, idf
}

// runs iterates over the distinct elements of an ascending list, with the number of
// occurrences of each.
func runs(list []uint32) func(yield func(uint32, int) bool) {
	return func(yield func(uint32, int) bool) {
		for i := 0; i < len(list); {
			j := i + 1
			for j < len(list) && list[j] == list[i] {
				j++
			}
			if !yield(list[i], j-i) {
				return
			}
			i = j
		}
	}
}
