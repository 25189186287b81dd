package tokens

import (
	"runtime"
	"sort"
	"strconv"
	"sync"
	"sync/atomic"

	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/internal/wasm/kernel"
	"github.com/vantage-search/vantage/internal/wasm/shard"
	"github.com/vantage-search/vantage/internal/wasm/topk"
)

// MaxQuery is the most vectors of a query.
const MaxQuery = 4096

// Query is a query that is prepared for an index.
type Query struct {
	centroids [][]float32      // for each vector of the query, its products with the centroids
	residuals []kernel.QueryI8 // the vectors, quantised for products with residuals
}

// Query prepares the vectors [n, dim] of a query, with n from 1 to MaxQuery. MaxSim is a sum
// over the query's vectors. So the score of a query with the vectors of two others is the sum
// of their scores. The wrong number of vectors, or one that is not finite, is an error
// (fault.Query).
func (ix *Index) Query(vectors []float32) (*Query, error) {
	c := ix.book
	n := len(vectors) / c.dim
	if len(vectors)%c.dim != 0 || n < 1 || n > MaxQuery {
		return nil, fault.New(fault.Query, "tokens: a query of "+strconv.Itoa(len(vectors))+" numbers, must be 1 to "+strconv.Itoa(MaxQuery)+
			" vectors of "+strconv.Itoa(c.dim)+" dimensions each")
	}
	q := &Query{}
	row := make([]float32, c.stride)
	for i := range n {
		vector := vectors[i*c.dim:][:c.dim]
		copy(row, vector)
		if !(kernel.DotF32(row, row) <= shard.MaxNorm2) {
			return nil, fault.New(fault.Query, "tokens: vector "+strconv.Itoa(i)+" of the query is not finite, or its squared length is above 1e36")
		}
		dots := make([]float32, c.Len())
		kernel.ScanF32(dots, c.rows, c.stride, row)
		q.centroids = append(q.centroids, dots)
		q.residuals = append(q.residuals, kernel.QuantizeQuery(vector, c.padded()))
	}
	return q, nil
}

// padded is the length of a row of levels in memory.
func (c *Codebook) padded() int { return kernel.PadI8(c.dim) }

// Candidates returns the n loaded documents with the highest estimates of MaxSim, best first.
// The estimate takes each vector of a document for its centroid. allowed has a byte per
// document, 0 for those that must not be returned; nil allows all.
//
// For each vector of the query, the centroids are ranked by their product with it. A document
// with a vector stored by one of the first `probes` centroids gets the product of the best of
// these, less that of the next centroid after them (if there is none, of the last of them), which
// is the most that any other document can reach. A document's estimate is the sum of these differences. If two are equal, the lower
// document comes first. If there are at most n documents, all are returned.
func (ix *Index) Candidates(q *Query, probes, n int, allowed []byte) []Hit {
	ix.mu.RLock()
	defer ix.mu.RUnlock()
	sums := make([]float32, ix.documents)
	for d := range sums {
		sums[d] = absent
	}
	for _, s := range ix.segments {
		for d := s.first; d < s.first+s.Documents(); d++ {
			if allowed == nil || d < len(allowed) && allowed[d] != 0 {
				sums[d] = 0
			}
		}
	}
	seen := make([]uint32, ix.documents) // one more than the last vector of the query that found a document
	for i, scores := range q.centroids {
		near := Best(scores, probes+1)
		var floor float32
		if len(near) > probes {
			floor = near[probes].Score
			near = near[:probes]
		} else {
			floor = near[len(near)-1].Score
		}
		for _, c := range near {
			more := c.Score - floor
			for _, s := range ix.segments {
				for _, d := range s.list(int(c.Document)) {
					if d := s.first + int(d); seen[d] != uint32(i)+1 && sums[d] != absent {
						seen[d] = uint32(i) + 1
						sums[d] += more
					}
				}
			}
		}
	}
	return Best(sums, n)
}

// absent marks a document that is no candidate. Every score is greater.
const absent = -0x1p127

// Hit is a document with its score.
type Hit struct {
	Document uint32
	Score    float32
}

// hits are sorted by score, the best first, and by document if scores are equal.
type hits []Hit

func (h hits) Len() int           { return len(h) }
func (h hits) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h hits) Less(i, j int) bool { return h[i].before(h[j]) }

func (h Hit) before(o Hit) bool {
	return h.Score > o.Score || h.Score == o.Score && h.Document < o.Document
}

// Best returns the n highest scores as hits, best first: element i is the score of document i.
// Scores of -2¹²⁷ mark documents that are left out.
func Best(scores []float32, n int) []Hit {
	var kept hits
	for i, score := range scores {
		h := Hit{uint32(i), score}
		switch {
		case score == absent || n < 1:
		case len(kept) < n:
			kept = append(kept, h)
			topk.Rise(&kept, len(kept)-1)
		case h.before(kept[0]):
			kept[0] = h
			topk.Sink(&kept, 0)
		}
	}
	sort.Sort(&kept)
	return kept
}

// Rank sets the score of each hit to MaxSim and sorts the hits, best first. A document whose
// vectors are not loaded is an error (fault.Query).
func (ix *Index) Rank(q *Query, found []Hit) error {
	err := ix.Score(q, found)
	sort.Sort(hits(found))
	return err
}

// Score is Rank without sorting.
func (ix *Index) Score(q *Query, found []Hit) error {
	ix.mu.RLock()
	defer ix.mu.RUnlock()
	for _, h := range found {
		if s, _ := ix.segments.locate(int(h.Document)); s == nil {
			return fault.New(fault.Query, "tokens: the vectors of document "+strconv.Itoa(int(h.Document))+" are not loaded")
		}
	}
	var next atomic.Int64
	work := func() {
		r := ix.book.newScratch(q)
		for {
			lo := int(next.Add(portion)) - portion
			if lo >= len(found) {
				return
			}
			for i := lo; i < min(lo+portion, len(found)); i++ {
				s, at := ix.segments.locate(int(found[i].Document))
				found[i].Score = r.score(q, s.File, at)
			}
		}
	}
	var group sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(found)/portion) - 1 {
		group.Go(work)
	}
	work()
	group.Wait()
	return nil
}

// portion is the number of documents that a goroutine scores before it asks for more.
const portion = 16
