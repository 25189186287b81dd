package retrieve

import (
	"context"
	"sync"

	"github.com/vantage-search/vantage/internal/wasm/lexical"
)

// bm25 ranks by internal/wasm/lexical's Index, the BM25 that searches use.
type bm25 struct{ index *lexical.Index }

// NewBM25 is BM25 over lower-cased Unicode words, as in the command's searches.
func NewBM25(p lexical.Parameters) (Index, error) {
	index, err := lexical.New(p)
	if err != nil {
		return nil, err
	}
	return bm25{index}, nil
}

func (b bm25) Add(_ context.Context, texts []string) error {
	for _, text := range texts {
		if _, err := b.index.Add(text); err != nil {
			return err
		}
	}
	return nil
}

func (b bm25) Rank(_ context.Context, query Query, k int) ([]lexical.Hit, error) {
	return b.index.Search(lexical.Query{Text: query.Text, K: k})
}

// okapi keeps the texts until the first query, because its statistics need the whole
// corpus.
type okapi struct {
	texts []string
	built func() *lexical.Okapi
}

// NewOkapi is BM25 as the Python package rank_bm25 computes it over texts split at
// single spaces. It returns every document, even with a score of 0 or below.
func NewOkapi() Index {
	o := &okapi{}
	o.built = sync.OnceValue(func() *lexical.Okapi {
		index := lexical.NewOkapi(o.texts)
		o.texts = nil
		return index
	})
	return o
}

func (o *okapi) Add(_ context.Context, texts []string) error {
	o.texts = append(o.texts, texts...)
	return nil
}

func (o *okapi) Rank(_ context.Context, query Query, k int) ([]lexical.Hit, error) {
	ranking := o.built().Rank(query.Text)
	return ranking[:min(k, len(ranking))], nil
}
