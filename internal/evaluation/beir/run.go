package beir

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/vantage-search/vantage/internal/evaluation/retrieve"
	"github.com/vantage-search/vantage/trec"
)

// DefaultDepth is the number of documents that BEIR retrieves per query.
const DefaultDepth = 1000

// Retrieve ranks the k best documents for each query. Scores are those of
// trec.Descending, so that the run evaluates to the same figures after it was written
// and read. s.SameID says whether documents with the query's id are dropped. empty is
// the number of queries without results. progress may be nil; it receives the number of
// answered queries and is called from one goroutine at a time.
func (s *Set) Retrieve(ctx context.Context, r retrieve.Retriever, name string, k int, progress func(done int64)) (run *trec.Run, empty int, err error) {
	type answer struct {
		documents []string
		scores    []float32
	}
	answers, errs := make([]answer, len(s.Queries)), make([]error, len(s.Queries))
	var next atomic.Int64
	var failed atomic.Bool
	var wait sync.WaitGroup
	var mu sync.Mutex
	done := int64(0) // mu guards it, so that progress never goes back
	for range min(runtime.GOMAXPROCS(0), len(s.Queries)) {
		wait.Go(func() {
			for !failed.Load() {
				i := int(next.Add(1)) - 1
				if i >= len(s.Queries) {
					return
				}
				a := &answers[i]
				if a.documents, a.scores, errs[i] = s.answer(ctx, r, s.Queries[i], k); errs[i] != nil {
					failed.Store(true)
					return
				}
				if progress != nil {
					mu.Lock()
					done++
					progress(done)
					mu.Unlock()
				}
			}
		})
	}
	wait.Wait()
	for i, err := range errs {
		if err != nil {
			return nil, 0, fmt.Errorf("query %.80q: %w", s.Queries[i].ID, err)
		}
	}
	run = trec.NewRun(name, name)
	for i, a := range answers {
		if len(a.documents) == 0 {
			empty++
		}
		for rank, document := range a.documents {
			if err := run.Add(s.Queries[i].ID, document, a.scores[rank]); err != nil {
				return nil, 0, err
			}
		}
	}
	return run, empty, nil
}

// answer ranks the documents for one query.
func (s *Set) answer(ctx context.Context, r retrieve.Retriever, q Query, k int) (documents []string, scores []float32, err error) {
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	wanted := k
	self, dropped := s.Dropped(q)
	if dropped {
		wanted++
	}
	hits, err := r.Rank(ctx, retrieve.Query{Text: q.Text, Root: q.Root, Perspective: q.Perspective}, wanted)
	if err != nil {
		return nil, nil, err
	}
	values := make([]float64, 0, len(hits))
	for _, h := range hits {
		if dropped && h.Document == self || len(values) == k {
			continue
		}
		documents, values = append(documents, s.ids[h.Document]), append(values, h.Score)
	}
	scores, err = trec.Descending(values)
	return documents, scores, err
}

// Adopt prepares a run from another system for evaluation on this set. If the run has a
// query or document that is not in the set, the error names its line. s.SameID says
// whether documents with the query's id are dropped; dropped counts them. Documents
// outside the set's part are removed from the run. Queries without judgements stay in
// the run and are ignored.
func (s *Set) Adopt(run *trec.Run, file string) (adopted *trec.Run, dropped int, err error) {
	outside := 0
	run.Each(func(line int, query, document string, _ float32) bool {
		_, known := s.number[document]
		leftOut := s.chosen.LeftOut(document)
		if !s.asked[query] {
			err = &trec.LineError{File: file, Line: line, Problem: fmt.Sprintf("there is no query %.80q among the queries", query)}
		} else if !known && !leftOut {
			err = &trec.LineError{File: file, Line: line, Problem: fmt.Sprintf("there is no document %.80q in the corpus", document)}
		}
		if leftOut {
			outside++
		} else if query == document && s.SameID == Drop {
			dropped++
		}
		return err == nil
	})
	if err != nil || dropped+outside == 0 {
		return run, 0, err
	}
	adopted = trec.NewRun(run.ID(), file)
	run.Each(func(_ int, query, document string, score float32) bool {
		if !s.chosen.LeftOut(document) && (query != document || s.SameID == Keep) {
			err = adopted.Add(query, document, score)
		}
		return err == nil
	})
	return adopted, dropped, err
}
