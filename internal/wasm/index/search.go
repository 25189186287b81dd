package index

import (
	"errors"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"

	"github.com/vantage-search/vantage/internal/wasm/kernel"
	"github.com/vantage-search/vantage/perspective"
)

func errDimension(have, want int) error {
	return errors.New("index: a vector of the query has " + strconv.Itoa(have) + " components, the collection's have " + strconv.Itoa(want))
}

// Hit is a row of an answer. Row is its number in the index, Document the number of its
// document in the collection, which the vector file has for each row.
type Hit struct {
	Row      int
	Document uint32
	Score    float32
}

// Search returns the k best rows by a plan among those that the mask allows, best
// first. There are fewer if the mask allows fewer.
func (ix *Index) Search(plan *perspective.Plan, k int, m Mask) ([]Hit, error) {
	hits, _, err := ix.SearchBeside(plan, nil, k, m)
	return hits, err
}

// SearchBeside is Search, and in the same pass scores all rows by a second plan without
// a gate, to rank the hits by that plan, too. It costs next to nothing if both plans
// multiply rows by the same vector.
func (ix *Index) SearchBeside(plan, second *perspective.Plan, k int, m Mask) ([]Hit, *Beside, error) {
	if k < 1 {
		return nil, nil, &LimitError{"index: k is " + strconv.Itoa(k) + ", must be at least 1"}
	}
	ix.mu.RLock()
	defer ix.mu.RUnlock()
	p, err := ix.ready(plan, m)
	if err != nil {
		return nil, nil, err
	}
	var other *Beside
	if second != nil {
		if other, err = ix.beside(plan, p, second); err != nil {
			return nil, nil, err
		}
	}
	k = min(k, ix.live)
	if k == 0 {
		return nil, other, nil
	}
	var mu sync.Mutex
	best := topK{k: k}
	ix.scan(p, m, func() visitor {
		threshold := float32(lowest)
		return visitor{
			block: func(s *segment, lo int, b *block, scores []float32) {
				if other != nil {
					other.score(s, lo, b, m)
				}
				n := kernel.Select(b.index, scores, threshold)
				mu.Lock()
				defer mu.Unlock()
				for _, i := range b.index[:n] {
					best.push(scored{s.first + lo + int(i), scores[i]})
				}
				threshold = best.threshold()
				if p.gate == nil {
					b.floor = threshold
				}
			},
		}
	})
	hits := make([]Hit, len(best.heap))
	for i, s := range best.sorted() {
		segment, at := ix.locate(s.row)
		hits[i] = Hit{s.row, segment.rows.IDs[at], s.score}
	}
	return hits, other, nil
}

// Scores writes the score of row i to out[i]; -Inf if the row is absent, removed or
// not allowed by the mask.
func (ix *Index) Scores(plan *perspective.Plan, m Mask, out []float32) error {
	ix.mu.RLock()
	defer ix.mu.RUnlock()
	if len(out) < ix.extent() {
		return &LimitError{"index: room for " + strconv.Itoa(len(out)) + " scores of " + strconv.Itoa(ix.extent()) + " rows"}
	}
	p, err := ix.ready(plan, m)
	if err != nil {
		return err
	}
	for i := range out {
		out[i] = absent
	}
	ix.scan(p, m, func() visitor {
		return visitor{block: func(s *segment, lo int, _ *block, scores []float32) { copy(out[s.first+lo:], scores) }}
	})
	return nil
}

// ready prepares a plan, and runs the first stage of a gated one over the rows that
// the mask allows.
func (ix *Index) ready(plan *perspective.Plan, m Mask) (*prepared, error) {
	p, err := ix.prepare(plan)
	if err != nil {
		return nil, err
	}
	switch {
	case p.gate == nil:
	case plan.Gate.Cut != nil:
		p.cut = *plan.Gate.Cut
	default:
		p.cut = perspective.Quantile(ix.allowed(p.gate, m), plan.Gate.Quantile)
	}
	return p, nil
}

// allowed lists a plan's scores of the rows that the mask allows, in any order.
func (ix *Index) allowed(p *prepared, m Mask) []float32 {
	var mu sync.Mutex
	var scores []float32
	ix.scan(p, m, func() visitor {
		return visitor{block: func(_ *segment, _ int, _ *block, block []float32) {
			mu.Lock()
			defer mu.Unlock()
			for _, s := range block {
				if s != absent {
					scores = append(scores, s)
				}
			}
		}}
	})
	return scores
}

// visitor receives scored blocks on one goroutine. done is called after the last one.
type visitor struct {
	block func(s *segment, lo int, b *block, scores []float32)
	done  func()
}

// span is the rows that one goroutine scores before it asks for more: one block or, with
// angles, several.
type span struct {
	segment *segment
	lo, hi  int
}

// parallelRows is the number of rows below which starting a second goroutine costs more
// than it saves.
const parallelRows = 32 * blockRows

// scan scores every row, block by block, on at most as many goroutines as there
// are processors (one in the browser). Each gets a visitor of its own.
func (ix *Index) scan(p *prepared, m Mask, open func() visitor) {
	var spans []span
	rows := 0
	for _, s := range ix.segments {
		rows += s.rows.N
	}
	processors := runtime.GOMAXPROCS(0)
	step := blockRows
	if p.angle != nil || p.gate != nil && p.gate.angle != nil {
		step *= max(1, min(aheadBlocks, rows/blockRows/(4*processors)))
	}
	for _, s := range ix.segments {
		for lo := 0; lo < s.rows.N; {
			hi := lo + step
			if len(spans) < processors { // the first are short, because all of their angles are read
				hi = lo + blockRows
			}
			hi = min(hi, s.rows.N)
			spans = append(spans, span{s, lo, hi})
			lo = hi
		}
	}
	var next atomic.Int64
	work := func() {
		b, v := newBlock(rows), open()
		for {
			i := int(next.Add(1)) - 1
			if i >= len(spans) {
				break
			}
			s := spans[i]
			b.until = s.segment.first + s.hi
			for lo := s.lo; lo < s.hi; lo += blockRows {
				hi := min(lo+blockRows, s.hi)
				p.run(s.segment, lo, hi, b)
				scores := b.score[:hi-lo]
				m.apply(s.segment, lo, scores)
				v.block(s.segment, lo, b, scores)
			}
		}
		if v.done != nil {
			v.done()
		}
	}
	workers := 1
	if rows >= parallelRows {
		workers = min(processors, len(spans))
	}
	if workers == 1 {
		work()
		return
	}
	var group sync.WaitGroup
	for range workers {
		group.Go(work)
	}
	group.Wait()
}
