package fit

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"slices"
	"unicode/utf8"

	"github.com/vantage-search/vantage/internal/wasm/encode"
)

// Limits of the part of a corpus that is read.
const (
	maxWords     = 64 << 20 // most occurrences of words; 4 bytes each
	maxDistinct  = 4 << 20  // most distinct words
	maxWordRunes = 100      // most characters of a word; WordPiece does not know longer ones
)

// corpus is a corpus in numbers: the words of each document, in order.
type corpus struct {
	words     []string // distinct normalised words, in order of first occurrence
	counts    []int64  // number of occurrences of each word
	sequence  []int32  // words of all documents in sequence
	ends      []int    // the end in sequence of each document that has words
	documents int      // number of documents, including those without words
	cut       bool     // the corpus exceeded the limits
}

// readCorpus splits the texts into words.
func readCorpus(ctx context.Context, texts iter.Seq[string], progress func(done int64)) (*corpus, error) {
	c := &corpus{}
	index := map[string]int32{}
	var buffer []byte
	for text := range texts {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if len(c.sequence) >= maxWords || len(c.words) >= maxDistinct {
			c.cut = true
			break
		}
		c.documents++
		buffer = encode.BertUncased.Append(buffer[:0], text)
		begin := len(c.sequence)
		for word := range encode.Words(buffer) {
			if len(word) > maxWordRunes && utf8.RuneCount(word) > maxWordRunes {
				continue
			}
			id, known := index[string(word)]
			if !known {
				id = int32(len(c.words))
				c.words = append(c.words, string(word))
				c.counts = append(c.counts, 0)
				index[c.words[id]] = id
			}
			c.counts[id]++
			c.sequence = append(c.sequence, id)
		}
		if len(c.sequence) > begin {
			c.ends = append(c.ends, len(c.sequence))
		}
		progress(int64(c.documents))
	}
	if len(c.ends) < 2 {
		return nil, errors.New("at least 2 documents must have words in them: there is nothing to compare in fewer")
	}
	return c, nil
}

// byCount returns the words' indexes, the most frequent first, equal ones in
// lexical order.
func (c *corpus) byCount() []int32 {
	order := make([]int32, len(c.words))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(a, b int32) int {
		return cmp.Or(cmp.Compare(c.counts[b], c.counts[a]), cmp.Compare(c.words[a], c.words[b]))
	})
	return order
}
