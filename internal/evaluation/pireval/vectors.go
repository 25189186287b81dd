package pireval

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/vantage-search/vantage/internal/evaluation/pir"
	"github.com/vantage-search/vantage/internal/wasm/index"
	"github.com/vantage-search/vantage/internal/wasm/lexical"
	"github.com/vantage-search/vantage/internal/wasm/ranking"
	"github.com/vantage-search/vantage/internal/wasm/shard"
	"github.com/vantage-search/vantage/perspective"
)

// Embedding holds the vectors of a task's texts, each list one vector of Dim
// numbers after the other.
type Embedding struct {
	Dim                                  int
	Corpus, Queries, Roots, Perspectives []float32
}

// Embedder makes or finds the vectors of a task.
type Embedder interface {
	Name() string
	Embed(ctx context.Context, task *pir.Task, encoded func(texts int)) (*Embedding, error)
}

// Vectors retrieves by vectors, with every method that perspective has.
type Vectors struct {
	Embedder
	Label string // names the retriever in tables; empty: as the Embedder is called
}

func (v Vectors) Name() string { return cmp.Or(v.Label, v.Embedder.Name()) }

func (v Vectors) Methods() []Method { return VectorMethods() }

func (v Vectors) Prepare(ctx context.Context, task *pir.Task, encoded func(texts int)) (Ranker, error) {
	e, err := v.Embed(ctx, task, encoded)
	if err != nil {
		return nil, err
	}
	ix, err := index.FromVectors(shard.F32, e.Dim, e.Corpus)
	if err != nil {
		return nil, err
	}
	return &vectors{ix, e, task.OwnPerspectives()}, nil
}

type vectors struct {
	index *index.Index
	*Embedding
	ownPerspectives bool
}

func (v *vectors) Rank(i int, method Method, k int) ([]lexical.Hit, error) {
	q := perspective.Query{
		Query: v.row(v.Queries, i), Root: v.row(v.Roots, i), Perspectives: [][]float32{v.row(v.Perspectives, i)},
		Method: method.scoring, Lambda: method.Lambda,
	}
	if !v.ownPerspectives && takesDifference(method.scoring) {
		difference, err := perspective.Difference(q.Query, q.Root)
		if err != nil {
			return nil, err
		}
		q.Perspectives[0] = difference
	}
	return v.rank(q, k)
}

func (v *vectors) RankRoot(i, k int) ([]lexical.Hit, error) {
	return v.rank(perspective.Query{Query: v.row(v.Roots, i), Method: "query_cosine"}, k)
}

func (v *vectors) row(of []float32, i int) []float32 { return of[i*v.Dim : (i+1)*v.Dim] }

func (v *vectors) rank(q perspective.Query, k int) ([]lexical.Hit, error) {
	found, err := ranking.Search(v.index, &ranking.Request{Query: q, K: k})
	if _, degenerate := errors.AsType[*perspective.DegenerateError](err); degenerate {
		return nil, fmt.Errorf("%w: %w", ErrUnanswerable, err)
	}
	if err != nil {
		return nil, err
	}
	hits := make([]lexical.Hit, len(found))
	for i, h := range found {
		hits[i] = lexical.Hit{Document: uint32(h.Row), Score: float64(h.Score)}
	}
	return hits, nil
}

// takesDifference tells the methods for which the notebook makes q − r the
// perspective if a task has no texts of its own for it: cast and projection.
func takesDifference(method string) bool {
	return strings.Contains(method, "cast") || strings.Contains(method, "projection")
}
