package pireval

import (
	"cmp"
	"context"
	"strings"
	"sync"

	"github.com/vantage-search/vantage/internal/evaluation/pir"
	"github.com/vantage-search/vantage/internal/evaluation/retrieve"
	"github.com/vantage-search/vantage/internal/wasm/lexical"
	"github.com/vantage-search/vantage/perspective"
)

// Embedding holds the vectors of a task's texts. Each list is a sequence of vectors of
// Dim numbers.
type Embedding struct {
	Dim                                  int
	Corpus, Queries, Roots, Perspectives []float32

	Angles *Angles // nil if the encoder gives texts none
}

// Embedder makes or finds the vectors of a task.
type Embedder interface {
	Name() string
	Embed(ctx context.Context, task *pir.Task, encoded func(texts int)) (*Embedding, error)
}

// Vectors retrieves by vectors, with the methods of package perspective. Its function Methods leaves out those that
// need angles, and adds auto.
type Vectors struct {
	Embedder
	Label string            // name in tables; empty means the Embedder's name
	Score perspective.Score // how vectors are compared; empty means by their cosine
}

func (v Vectors) Name() string { return cmp.Or(v.Label, v.Embedder.Name()) }

func (v Vectors) Methods() []Method { return append(VectorMethods(), autoMethod) }

func (v Vectors) Prepare(ctx context.Context, task *pir.Task, encoded func(texts int)) (*Prepared, error) {
	e, err := v.Embed(ctx, task, encoded)
	if err != nil {
		return nil, err
	}
	var retriever *retrieve.Dense
	if e.Angles != nil {
		retriever, err = retrieve.NewAngled(e.Dim, e.Corpus, e.Angles.Corpus)
	} else {
		retriever, err = retrieve.NewVectors(e.Dim, e.Corpus)
	}
	if err != nil {
		return nil, err
	}
	retriever.CompareBy(v.Score)
	q := &queries{e, task}
	return &Prepared{retrieve.WithWords(retriever, sync.OnceValues(func() (retrieve.Retriever, error) { return bm25Of(ctx, task) })), q.query, q.root}, nil
}

// bm25Of ranks a task's texts by words as a search does.
func bm25Of(ctx context.Context, task *pir.Task) (retrieve.Retriever, error) {
	words, err := retrieve.NewBM25(lexical.DefaultParameters)
	if err != nil {
		return nil, err
	}
	return words, retrieve.Fill(ctx, words, task.Corpus, nil)
}

// queries are the queries of a task with their vectors.
type queries struct {
	*Embedding
	task *pir.Task
}

func (v *queries) query(i int, method Method) (retrieve.Query, error) {
	if method == autoMethod {
		method = v.choose(i)
	} else if !method.chosen && method.angles == 2 && v.Angles != nil && v.Angles.Strength != 0 {
		method.Strength = v.Angles.Strength // as a search does
	}
	q := &perspective.Query{
		Query: v.row(v.Queries, i), Root: v.row(v.Roots, i), Perspectives: [][]float32{v.row(v.Perspectives, i)},
		Method: method.scoring, Lambda: method.Lambda,
	}
	if !v.task.OwnPerspectives() && takesDifference(method.scoring) {
		difference, err := perspective.Difference(q.Query, q.Root)
		if err != nil {
			return retrieve.Query{}, err
		}
		q.Perspectives[0] = difference
	}
	if method.angles > 0 {
		var err error
		if q.Angles, err = v.angles(i, method); err != nil {
			return retrieve.Query{}, err
		}
		q.Strength = method.Strength
	}
	return retrieve.Query{Text: v.task.Queries[i], Vectors: q, Hybrid: method.hybrid}, nil
}

func (v *queries) root(i int) retrieve.Query {
	return retrieve.Query{Vectors: &perspective.Query{Query: v.row(v.Roots, i), Method: "query_cosine"}}
}

func (v *queries) row(of []float32, i int) []float32 { return of[i*v.Dim : (i+1)*v.Dim] }

// takesDifference reports whether the notebook uses q − r as the perspective of a
// method if the task has no perspective texts: it does for cast and projection.
func takesDifference(method string) bool {
	return strings.Contains(method, "cast") || strings.Contains(method, "projection")
}
