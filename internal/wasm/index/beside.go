package index

import (
	"slices"
	"sort"
	"sync"

	"github.com/vantage-search/vantage/internal/wasm/kernel"
	"github.com/vantage-search/vantage/perspective"
)

// Beside holds the scores of all rows by a second plan. They give the ranks of the first
// plan's hits by the second.
type Beside struct {
	scores []float32 // score of each row; absent if the row is not allowed
	source source
	plan   *prepared
}

// source says which numbers of the second plan a pass by the first plan already
// computes.
type source uint8

const (
	nothing  source = iota
	products        // products of the rows with the vector
	gate            // the scores, because the second plan is the gate of the first
)

// beside prepares a second plan, which must have no gate, for a pass by the first.
func (ix *Index) beside(first *perspective.Plan, p *prepared, second *perspective.Plan) (*Beside, error) {
	c, err := ix.prepare(second)
	if err != nil {
		return nil, err
	}
	b := &Beside{scores: make([]float32, ix.extent()), plan: c}
	for i := range b.scores {
		b.scores[i] = absent
	}
	switch {
	case len(c.vectors) > 1 || c.angle != nil:
	case slices.Equal(first.Vector, second.Vector):
		b.source = products
	case p.gate != nil && len(p.gate.vectors) == 1 && p.gate.angle == nil && p.gate.form == c.form && p.gate.dot == c.dot && slices.Equal(first.Gate.Plan.Vector, second.Vector):
		b.source = gate
	}
	return b, nil
}

// score adds the rows of a block that the first plan has just scored.
func (o *Beside) score(s *segment, lo int, b *block, m Mask) {
	n := min(s.rows.N-lo, blockRows)
	out := o.scores[s.first+lo : s.first+lo+n]
	switch o.source {
	case products:
		kernel.Score(out, b.x[:n], nil, o.plan.norms(s, lo, lo+n), &o.plan.form)
	case gate:
		copy(out, b.gate[:n])
	default:
		// The rows are still in the cache. The first plan's scores must stay in b.
		o.plan.run(s, lo, lo+n, &block{x: b.x, y: b.y, score: out, floor: lowest})
	}
	m.apply(s, lo, out)
}

// Ahead counts, for each hit, the rows that the second plan ranks before it. The hits'
// scores must be those of the second plan.
func (o *Beside) Ahead(hits []Hit) []int {
	c := newCount(hits)
	counts, index := make([]int, len(c.before)), make([]uint32, blockRows)
	for lo := 0; lo < len(o.scores); lo += blockRows {
		c.add(counts, index, lo, o.scores[lo:min(lo+blockRows, len(o.scores))])
	}
	c.sum(counts)
	return c.ahead(hits)
}

// Ahead counts, for each hit of any index, the rows of this index that a plan ranks
// before it by score and row, among the rows that the mask allows. It costs one scan.
func (ix *Index) Ahead(plan *perspective.Plan, m Mask, hits []Hit) ([]int, error) {
	ix.mu.RLock()
	defer ix.mu.RUnlock()
	p, err := ix.ready(plan, m)
	if err != nil {
		return nil, err
	}
	c := newCount(hits)
	var mu sync.Mutex
	ix.scan(p, m, func() visitor {
		counts := make([]int, len(c.before))
		return visitor{
			block: func(s *segment, lo int, b *block, scores []float32) { c.add(counts, b.index, s.first+lo, scores) },
			done: func() {
				mu.Lock()
				defer mu.Unlock()
				c.sum(counts)
			},
		}
	})
	return c.ahead(hits), nil
}

// count counts the rows that are better than given hits.
type count struct {
	wanted ranked
	worst  float32 // score of the worst one
	before []int   // before[i]: rows better than hit i but not than hit i−1; the last one counts the rest
}

func newCount(hits []Hit) *count {
	c := &count{worst: lowest, before: make([]int, len(hits)+1)}
	for _, h := range hits {
		c.wanted = append(c.wanted, scored{h.Row, h.Score})
	}
	sort.Sort(c.wanted)
	if n := len(c.wanted); n > 0 {
		c.worst = c.wanted[n-1].score
	}
	return c
}

// add counts the rows first, first+1, … with their scores into counts. index is a buffer
// for one block.
func (c *count) add(counts []int, index []uint32, first int, scores []float32) {
	n := kernel.Select(index, scores, c.worst)
	for _, i := range index[:n] {
		row := scored{first + int(i), scores[i]}
		counts[sort.Search(len(c.wanted), func(j int) bool { return better(row, c.wanted[j]) })]++
	}
}

func (c *count) sum(counts []int) {
	for i, n := range counts {
		c.before[i] += n
	}
}

// ahead is the number of better rows for each hit.
func (c *count) ahead(hits []Hit) []int {
	byRow := make(map[int]int, len(hits))
	total := 0
	for i, w := range c.wanted {
		total += c.before[i]
		byRow[w.row] = total
	}
	ahead := make([]int, len(hits))
	for i, h := range hits {
		ahead[i] = byRow[h.Row]
	}
	return ahead
}
