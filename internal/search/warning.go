package search

import (
	"context"
	"fmt"

	"github.com/vantage-search/vantage/internal/collection/manifest"
	"github.com/vantage-search/vantage/internal/wasm/encode"
	"github.com/vantage-search/vantage/internal/wasm/pack"
)

// vocabulary is the vocabulary of the encoder that a collection carries, or of a given
// static one. It is read when it is first needed.
type vocabulary struct {
	reading chan struct{} // holds a token while a query reads it
	read    bool
	words   *encode.WordPiece // nil if the collection has none
}

func newVocabulary() vocabulary { return vocabulary{reading: make(chan struct{}, 1)} }

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

// vocabularyOf is the vocabulary of the given static encoder or, without one, of the encoder
// that the collection carries. It is nil if the encoder has no vocabulary or is
// damaged, which opening the encoder reports.
func (c *Collection) vocabularyOf(ctx context.Context) *encode.WordPiece {
	v := &c.vocabulary
	select {
	case v.reading <- struct{}{}:
		defer func() { <-v.reading }()
	case <-ctx.Done():
		return nil
	}
	if v.read {
		return v.words
	}
	var err error
	v.words, err = c.readVocabulary(ctx)
	v.read = err == nil
	return v.words
}

// readVocabulary reads the vocabulary. After an error, the next call tries again. The
// damaged vocabulary of a static encoder is no error: it is nil.
func (c *Collection) readVocabulary(ctx context.Context) (*encode.WordPiece, error) {
	var content []byte
	var err error
	static, isStatic := c.options.Encoder.(InCore)
	switch {
	case isStatic:
		content = static.Files.Tokenizer
	case c.store == nil || c.store.Manifest().Encoder == nil:
	case c.store.Manifest().Model.Kind == manifest.KindPack:
		return c.readPackVocabulary(ctx)
	default:
		content, err = c.store.Read(ctx, c.store.Manifest().Encoder.Tokenizer)
	}
	if err != nil || content == nil {
		return nil, err
	}
	words, err := encode.ParseTokenizer(content)
	if err != nil {
		return nil, nil
	}
	return words, nil
}

// readPackVocabulary is readVocabulary for a pack.
func (c *Collection) readPackVocabulary(ctx context.Context) (*encode.WordPiece, error) {
	_, json, err := c.readPack(ctx)
	if err != nil {
		return nil, err
	}
	p, err := pack.Open(json, nil)
	if err != nil {
		return nil, err
	}
	d, err := p.Read(pack.Vocabulary)
	if err != nil {
		return nil, err
	}
	for _, f := range p.Manifest.Section(pack.Vocabulary).Files {
		content, err := c.read(ctx, payload(f, &c.store.Manifest().Encoder.PackFiles))
		if err != nil {
			return nil, err
		}
		if err := d.File(content); err != nil {
			return nil, err
		}
	}
	if err := d.Close(); err != nil {
		return nil, err
	}
	return p.Tokenizer(), nil
}
