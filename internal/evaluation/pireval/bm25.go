package pireval

import (
	"context"

	"github.com/vantage-search/vantage/internal/evaluation/pir"
	"github.com/vantage-search/vantage/internal/evaluation/retrieve"
)

// BM25 retrieves by the words of the whole query as rank_bm25's Okapi does, which the
// paper used for Table 2. The zero value is ready to use.
type BM25 struct{}

// BM25Name is the name of the retriever and of its only method.
const BM25Name = retrieve.BM25Name

func (BM25) Name() string { return BM25Name }

func (BM25) Methods() []Method { return []Method{{Name: BM25Name, Short: BM25Name}} }

func (BM25) Prepare(ctx context.Context, task *pir.Task, _ func(texts int)) (*Prepared, error) {
	words := retrieve.NewOkapi()
	if err := retrieve.Fill(ctx, words, task.Corpus, nil); err != nil {
		return nil, err
	}
	return &Prepared{
		Retriever: words,
		Query:     func(i int, _ Method) (retrieve.Query, error) { return retrieve.Query{Text: task.Queries[i]}, nil },
		Root:      func(i int) retrieve.Query { return retrieve.Query{Text: task.Roots[i]} },
	}, nil
}
