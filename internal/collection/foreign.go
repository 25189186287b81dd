package collection

import (
	"context"
	_ "embed" // for the questions
	"math"
	"slices"
	"strings"

	"github.com/vantage-search/vantage/internal/collection/manifest"
	"github.com/vantage-search/vantage/internal/wasm/index"
	"github.com/vantage-search/vantage/internal/wasm/ranking"
	"github.com/vantage-search/vantage/internal/wasm/shard"
	"github.com/vantage-search/vantage/perspective"
)

// foreignText has questions on many subjects, one a line. Most collections answer few of them.
//
//go:embed foreign.txt
var foreignText string

// foreignDeviations is how far the level lies above the mean of the questions' best cosines,
// in standard deviations. The greatest of these cosines would not do as the level, because a
// collection may answer some of the questions.
const foreignDeviations = 2

// ceilings are the greatest levels, by the encoder. Without them, the level would be too high in
// a collection that answers questions of all kinds, and close hits would seem far. They were
// chosen with the development questions and the judged queries of examples/debates
// (docs/accuracy.md).
var ceilings = map[string]float64{
	"vantage-sides":     0.50,
	"vantage-static-en": 0.40,
}

// foreign finds the level of a collection: the least cosine of query and document at which a
// hit counts as close to the query (manifest.Close). It asks questions that the collection
// probably cannot answer.
type foreign struct {
	queries [][]float32
	best    []float64 // for each query, the greatest cosine with a row so far
}

// newForeign encodes the questions. It returns nil if the encoder has no ceiling, or if the
// vectors are given.
func newForeign(ctx context.Context, src rowSource, m *manifest.Manifest) (*foreign, error) {
	made, ok := src.(maker)
	if _, known := ceilings[m.Model.ID]; !ok || !known {
		return nil, nil
	}
	questions := strings.Split(strings.TrimSpace(foreignText), "\n")
	f := &foreign{best: slices.Repeat([]float64{-1}, len(questions))}
	var err error
	f.queries, err = made.encode(ctx, questions)
	return f, err
}

// see compares the questions with the rows of a vector file, as a search would.
func (f *foreign) see(file []byte) error {
	rows, err := shard.DecodeRows(file)
	if err != nil {
		return err
	}
	dtype := shard.F32
	if rows.DType == shard.I8 {
		dtype = shard.I8
	}
	ix, err := index.New(rows.Dim, dtype, rows.N)
	if err != nil {
		return err
	}
	if err := ix.Load(0, rows); err != nil {
		return err
	}
	for i, q := range f.queries {
		hits, err := ranking.Search(ix, &ranking.Request{Query: perspective.Query{Query: q, Method: "none"}, K: 1})
		if err != nil {
			return err
		}
		for _, h := range hits {
			f.best[i] = max(f.best[i], float64(h.Score))
		}
	}
	return nil
}

// level returns the level, rounded to three decimal places.
func (f *foreign) level(encoder string) float64 {
	var sum, squares float64
	for _, b := range f.best {
		sum += b
	}
	mean := sum / float64(len(f.best))
	for _, b := range f.best {
		squares += (b - mean) * (b - mean)
	}
	level := mean + foreignDeviations*math.Sqrt(squares/float64(len(f.best)))
	return max(0.001, math.Round(min(level, ceilings[encoder])*1000)/1000)
}
