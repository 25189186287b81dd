// Package batch answers the queries of a file and writes their rankings as a TREC
// run.
package batch

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/vantage-search/vantage"
	"github.com/vantage-search/vantage/internal/file"
	"github.com/vantage-search/vantage/internal/inputs"
	"github.com/vantage-search/vantage/internal/inputs/queries"
	"github.com/vantage-search/vantage/internal/progress"
	"github.com/vantage-search/vantage/internal/search"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/trec"
)

// block is the number of queries that are answered before their rankings are written:
// enough to keep all processors busy, but few enough to hold in memory.
const block = 64

// Searcher answers queries and may be used concurrently. *vantage.Collection implements
// it.
type Searcher interface {
	Search(ctx context.Context, q vantage.Query) (*vantage.Result, error)
	// Warning says why an answer may be unreliable, or "".
	Warning(ctx context.Context, r *vantage.Result) string
}

// Batch has the queries of a file and the options to answer them.
type Batch struct {
	Queries  []queries.Query
	File     string // file of the queries; "-" means stdin
	Contexts string // file of the private contexts, or ""
	Place    string // folder or URL of the collection
	Dim      int    // length of the collection's vectors
	Tokens   bool   // these are vectors of tokens
	Tag      string // id of the run, its last column
	Output   string // file of the run; "-" means stdout
}

// Parallel is the number of queries that are answered at a time.
func (b *Batch) Parallel() int { return min(runtime.GOMAXPROCS(0), len(b.Queries)) }

// Summary is the result of a batch.
type Summary struct {
	Lines    int
	Methods  []string // names of the methods that ranked, sorted
	Problems int      // number of queries with a warning
	Problem  string   // the first warning; "" if there is none
}

// Answer answers all queries and writes their rankings to the output file. If anything
// fails, the old file stays. The bar may be nil.
func (b *Batch) Answer(ctx context.Context, s Searcher, show *progress.Bar) (*Summary, error) {
	for _, q := range b.Queries {
		if err := q.CheckDimensions(b.Dim, b.Tokens); err != nil {
			return nil, b.blame(q, err)
		}
	}
	if err := file.CheckResult(b.Output, b.File, b.Contexts, b.Place); err != nil {
		return nil, err
	}
	summary, methods := &Summary{}, map[string]bool{}
	err := file.Replace(b.Output, func(w io.Writer) error {
		for at := 0; at < len(b.Queries); at += block {
			part := b.Queries[at:min(at+block, len(b.Queries))]
			answers, err := b.answer(ctx, s, part)
			if err != nil {
				return err
			}
			for _, a := range answers {
				if _, err := w.Write(a.lines); err != nil {
					return err
				}
				summary.Lines += a.hits
				methods[a.method] = true
				if a.problem != "" {
					summary.Problems++
					summary.Problem = cmp.Or(summary.Problem, a.problem)
				}
			}
			show.Update(progress.Search, int64(at+len(part)), int64(len(b.Queries)))
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	summary.Methods = slices.Sorted(maps.Keys(methods))
	return summary, nil
}

// answer is the answer to one query.
type answer struct {
	lines           []byte // of the run
	hits            int
	method, problem string
}

// answer answers queries concurrently.
func (b *Batch) answer(ctx context.Context, s Searcher, asked []queries.Query) ([]answer, error) {
	answers, errs := make([]answer, len(asked)), make([]error, len(asked))
	var next atomic.Int64
	var failed atomic.Bool
	var wait sync.WaitGroup
	for range b.Parallel() {
		wait.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= len(asked) || failed.Load() {
					return
				}
				if answers[i], errs[i] = b.one(ctx, s, asked[i]); errs[i] != nil {
					failed.Store(true)
				}
			}
		})
	}
	wait.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return answers, nil
}

func (b *Batch) one(ctx context.Context, s Searcher, q queries.Query) (a answer, err error) {
	if err := ctx.Err(); err != nil {
		return a, err
	}
	r, err := s.Search(ctx, q.Query)
	if err != nil {
		return a, b.blame(q, err)
	}
	if a.lines, err = runLines(q.ID, r, q.MMR != nil, b.Tag); err != nil {
		return a, fault.At(b.Place, err)
	}
	a.hits, a.method, a.problem = len(r.Hits), r.Method, cmp.Or(r.Notice, s.Warning(ctx, r))
	return a, nil
}

// blame adds the query to an error.
func (b *Batch) blame(q queries.Query, err error) error {
	name := b.File
	if name == "-" {
		name = "stdin"
	}
	err = fmt.Errorf("%s:%d: query %.80q: %w", name, q.Line, q.ID, err)
	if fault.Of(err) == fault.Query && !fault.Is[*search.FilterError](err) { // the file asks for it, not a flag
		return fault.As(fault.Input, err)
	}
	return err
}

// runLines writes a ranking in TREC's format: qid Q0 docid rank score tag. Evaluation
// sorts by score. So equal scores are made distinct, and if hits were reordered, each is
// written with a score made from its rank.
func runLines(id string, r *vantage.Result, reordered bool, tag string) ([]byte, error) {
	documents, scores := make([]string, len(r.Hits)), make([]float64, len(r.Hits))
	for i, h := range r.Hits {
		if why := inputs.BadWord(h.ID); why != "" {
			return nil, fault.Errorf(fault.Input, "document %d: its id %.80q %s, but a run file has columns between spaces: rename it in the corpus and index again", h.Index, h.ID, why)
		}
		documents[i], scores[i] = h.ID, float64(h.Score)
		if reordered {
			scores[i] = float64(r.K - h.Rank + 1)
		}
	}
	written, err := trec.Descending(scores)
	if err != nil {
		return nil, err
	}
	return trec.AppendRanking(nil, id, documents, written, tag), nil
}
