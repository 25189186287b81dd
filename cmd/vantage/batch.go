package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/vantage-search/vantage"
	"github.com/vantage-search/vantage/internal/evaluation/runs"
	"github.com/vantage-search/vantage/internal/search"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/trec"
)

// block is how many queries are answered before their rankings are written:
// enough to keep all processors busy, few enough to hold in memory.
const block = 64

// batch answers the queries of a file and writes a run file.
func (s *searching) batch(ctx context.Context) error {
	queries, err := readQueries(ctx, s.queries, s.base)
	if err != nil {
		return err
	}
	parallel := min(runtime.GOMAXPROCS(0), len(queries))
	show := newProgress()
	defer show.Stop()
	c, err := s.open(ctx, parallel, show)
	if err != nil {
		return err
	}
	defer c.Close()
	for _, q := range queries {
		if err := q.checkDimensions(c.about.Dim); err != nil {
			return s.blame(q, err)
		}
	}
	var tally tally
	err = replaceFile(s.run, func(w io.Writer) error {
		for at := 0; at < len(queries); at += block {
			part := queries[at:min(at+block, len(queries))]
			rankings, err := s.answer(ctx, c, part, parallel, &tally)
			if err != nil {
				return err
			}
			for _, lines := range rankings {
				if _, err := w.Write(lines); err != nil {
					return err
				}
			}
			show.Update("search", int64(at+len(part)), int64(len(queries)))
		}
		return nil
	})
	if err != nil {
		return err
	}
	show.End()
	tally.report()
	name := s.run
	if name == "-" {
		name = "stdout"
	}
	fmt.Fprintf(stderr, "%s: %s of %s, method %s, λ %s\n", name, count(tally.lines, "line"), count(len(queries), "query"),
		strings.Join(slices.Sorted(maps.Keys(tally.methods)), " and "), shortest(float32(s.lambda)))
	return nil
}

// answer runs some queries, several at a time, and returns the lines of each.
func (s *searching) answer(ctx context.Context, c *opened, queries []lineQuery, parallel int, t *tally) ([][]byte, error) {
	rankings, errs := make([][]byte, len(queries)), make([]error, len(queries))
	var next atomic.Int64
	var failed atomic.Bool
	var wait sync.WaitGroup
	for range parallel {
		wait.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= len(queries) || failed.Load() {
					return
				}
				if rankings[i], errs[i] = s.one(ctx, c, queries[i], t); errs[i] != nil {
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
	return rankings, nil
}

func (s *searching) one(ctx context.Context, c *opened, q lineQuery, t *tally) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	r, err := c.Search(ctx, q.Query)
	if err != nil {
		return nil, s.blame(q, err)
	}
	lines, err := runLines(q.id, r, q.MMR != nil, s.tag)
	if err != nil {
		return nil, wrap(s.where, err)
	}
	t.add(r, cmp.Or(r.Notice, c.Warning(ctx, r)))
	return lines, nil
}

// blame adds the query to its error.
func (s *searching) blame(q lineQuery, err error) error {
	name := s.queries
	if name == "-" {
		name = "stdin"
	}
	err = fmt.Errorf("%s:%d: query %.80q: %w", name, q.line, q.id, err)
	if fault.Of(err) == fault.Query && !is[*search.FilterError](err) { // the file asks it, not a flag
		return fault.As(fault.Input, err)
	}
	return err
}

// runLines writes a ranking in TREC's format: qid Q0 docid rank score tag.
// Evaluation sorts by the score, so equal scores are made to differ, and a
// ranking in another order gets scores that fall with the rank.
func runLines(id string, r *vantage.Result, reordered bool, tag string) ([]byte, error) {
	documents, scores := make([]string, len(r.Hits)), make([]float64, len(r.Hits))
	for i, h := range r.Hits {
		if why := runs.BadWord(h.ID); why != "" {
			return nil, inputf("document %d: its id %.80q %s, but a run file has columns between spaces: rename it in the corpus and index again", h.Index, h.ID, why)
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

// tally counts what the user should know about a batch.
type tally struct {
	mu       sync.Mutex
	lines    int
	problems int
	problem  string // the first
	methods  map[string]bool
}

func (t *tally) add(r *vantage.Result, problem string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.lines += len(r.Hits)
	if t.methods == nil {
		t.methods = map[string]bool{}
	}
	t.methods[r.Method] = true
	if problem == "" {
		return
	}
	if t.problems++; t.problem == "" {
		t.problem = problem
	}
}

func (t *tally) report() {
	if t.problems == 0 {
		return
	}
	more := ""
	if t.problems > 1 {
		more = fmt.Sprintf(" (and so with %d more queries)", t.problems-1)
	}
	warn(stderr, "%s%s", t.problem, more)
}
