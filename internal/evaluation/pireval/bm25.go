package pireval

import (
	"context"

	"github.com/vantage-search/vantage/internal/evaluation/pir"
	"github.com/vantage-search/vantage/internal/wasm/lexical"
)

// BM25 retrieves by the words of the whole query, as rank_bm25's Okapi does, which
// the paper's Table 2 was computed with. The zero value is ready.
type BM25 struct{}

// BM25Name is the name of the retriever and of its only method.
const BM25Name = "bm25"

func (BM25) Name() string { return BM25Name }

func (BM25) Methods() []Method { return []Method{{Name: BM25Name, Short: BM25Name}} }

func (BM25) Prepare(_ context.Context, task *pir.Task, _ func(texts int)) (Ranker, error) {
	return &bm25{task, lexical.NewOkapi(task.Corpus)}, nil
}

type bm25 struct {
	task  *pir.Task
	okapi *lexical.Okapi
}

func (b *bm25) Rank(i int, _ Method, k int) ([]lexical.Hit, error) {
	return b.rank(b.task.Queries[i], k), nil
}

func (b *bm25) RankRoot(i, k int) ([]lexical.Hit, error) { return b.rank(b.task.Roots[i], k), nil }

func (b *bm25) rank(query string, k int) []lexical.Hit {
	hits := b.okapi.Rank(query)
	return hits[:min(k, len(hits))]
}
