package main

import (
	"context"
	"fmt"
	"sync"

	"github.com/vantage-search/vantage/internal/collection/store"
	"github.com/vantage-search/vantage/internal/search"
	"github.com/vantage-search/vantage/internal/wasm/encode"
)

// judge tells which queries an encoder cannot do justice to.
type judge struct {
	words    func() *encode.WordPiece // the encoder's vocabulary; nil if there is none
	language string
}

// newJudge judges for the encoder given or, if that is nil, for the one that
// the collection carries. The vocabulary is not read before it is needed.
func newJudge(ctx context.Context, st *store.Store, given *search.EncoderFiles) *judge {
	m := st.Manifest()
	return &judge{language: m.Model.Language, words: sync.OnceValue(func() *encode.WordPiece {
		var content []byte
		var err error
		switch {
		case given != nil:
			content = given.Tokenizer
		case m.Encoder != nil:
			content, err = st.Read(ctx, m.Encoder.Tokenizer)
		}
		if err != nil || content == nil {
			return nil
		}
		words, err := encode.ParseTokenizer(content)
		if err != nil {
			return nil // another fault than the queries'; opening the encoder has told it
		}
		return words
	})}
}

// leastWords is how many words a query must have to be called mostly unknown:
// of two names, one is easily no whole token.
const leastWords = 4

// problem says what is wrong with a query's texts for the encoder, or "".
func (j *judge) problem(r *search.Result) string {
	var all encode.Info
	var coverage encode.Coverage
	for _, t := range r.Texts {
		switch {
		case t.Info.Tokens == 0:
			return fmt.Sprintf("the %s %.60q has no words in it", t.Role, t.Text)
		case t.Info.Truncated:
			return fmt.Sprintf("the %s %.60q is longer than the encoder reads: its end was left out", t.Role, t.Text)
		}
		all.Tokens += t.Info.Tokens
		all.Unknown += t.Info.Unknown
		if words := j.words(); words != nil {
			c := words.Coverage(t.Text)
			coverage.Words += c.Words
			coverage.Whole += c.Whole
		}
	}
	unknown := coverage.Words >= leastWords && 2*coverage.Whole < coverage.Words
	if unknown || 2*all.Unknown > all.Tokens {
		return fmt.Sprintf("the words of the query %.60q are mostly unknown to the encoder (%s): the ranking means little", r.Texts[0].Text, languageOf(j.language))
	}
	return ""
}
