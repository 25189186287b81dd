package search

import (
	"context"
	"fmt"
	"sync"

	"github.com/vantage-search/vantage/internal/collection/manifest"
	"github.com/vantage-search/vantage/internal/wasm/encode"
)

// vocabulary is the vocabulary of a collection's static encoder. It is read when it is
// first needed.
type vocabulary struct {
	mu    sync.Mutex
	read  bool
	words *encode.WordPiece // nil if the collection has none
}

// leastWords is the least number of words in a query that may be called mostly unknown.
// In a query of two names, one is often not a whole token.
const leastWords = 4

// Warning says in one sentence why an answer may be unreliable, because the encoder
// cannot read parts of the query. It is "" if nothing is wrong.
func (c *Collection) Warning(ctx context.Context, r *Result) string {
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
		if words := c.vocabularyOf(ctx); words != nil {
			c := words.Coverage(t.Text)
			coverage.Words += c.Words
			coverage.Whole += c.Whole
		}
	}
	unknown := coverage.Words >= leastWords && 2*coverage.Whole < coverage.Words
	if unknown || 2*all.Unknown > all.Tokens {
		return fmt.Sprintf("the words of the query %.60q are mostly unknown to the encoder (%s): the ranking means little", r.Texts[0].Text, manifest.LanguageText(c.language()))
	}
	return ""
}

func (c *Collection) language() string {
	if c.store == nil {
		return ""
	}
	return c.store.Manifest().Model.Language
}

// vocabularyOf is the vocabulary of the given encoder or, without one, of the encoder
// that the collection carries. It is nil if the encoder has no vocabulary or is
// damaged, which opening the encoder reports.
func (c *Collection) vocabularyOf(ctx context.Context) *encode.WordPiece {
	v := &c.vocabulary
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.read {
		return v.words
	}
	var content []byte
	var err error
	static, isStatic := c.options.Encoder.(InCore)
	switch {
	case isStatic:
		content = static.Files.Tokenizer
	case c.store != nil && c.store.Manifest().Encoder != nil:
		content, err = c.store.Read(ctx, c.store.Manifest().Encoder.Tokenizer)
	}
	if err == nil && content != nil {
		if words, err := encode.ParseTokenizer(content); err == nil {
			v.words = words
		}
	}
	v.read = err == nil
	return v.words
}
