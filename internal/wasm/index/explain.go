package index

import (
	"math"
	"sort"
	"sync"

	"github.com/vantage-search/vantage/internal/wasm/kernel"
	"github.com/vantage-search/vantage/perspective"
)

// Explanation takes a score apart: Score = Numerator / Denominator with
// Numerator = A·(X + x0) and Denominator = sqrt(Norm² + d1·Y + d2·Y² + d0). If
// the score is defined as 0 (a zero row, a vanishing denominator) both are as
// computed and the score is 0. For a gated plan, X is the gate's score, Y the
// second stage's, Numerator their sum (or the score of a row that the gate
// excludes) and Denominator 1.
type Explanation struct {
	X, Y, Norm, Numerator, Denominator float32
	Cosine                             float32 // score under the plain cosine
	CosineRank                         int     // rank under the plain cosine, from 1, among the rows that meet the filters
}

// Explain takes the scores of rows apart. If ranked, it also says where the
// plain cosine plan would have ranked them, which costs one scan.
func (ix *Index) Explain(plan, plain *perspective.Plan, filters []Filter, hits []Hit, ranked bool) ([]Explanation, error) {
	ix.mu.RLock()
	defer ix.mu.RUnlock()
	p, _, err := ix.ready(plan, filters)
	if err != nil {
		return nil, err
	}
	c, m, err := ix.ready(plain, filters)
	if err != nil {
		return nil, err
	}
	explanations := make([]Explanation, len(hits))
	plainly := make([]scored, 0, len(hits))
	b := newBlock(1)
	for i, hit := range hits {
		s, at := ix.locate(hit.Row)
		if s == nil {
			continue
		}
		c.run(s, at, at+1, b)
		explanations[i].Cosine = b.score[0]
		plainly = append(plainly, scored{hit.Row, b.score[0]})
		p.run(s, at, at+1, b)
		explanations[i].fill(p, b, s.rows.Norm2[at])
	}
	if ranked {
		ahead := ix.ahead(c, m, plainly)
		for i, hit := range hits {
			explanations[i].CosineRank = ahead[hit.Row] + 1
		}
	}
	return explanations, nil
}

// fill reads the numbers of the one row that p has just scored into b.
func (e *Explanation) fill(p *prepared, b *block, norm2 float32) {
	e.Norm = float32(math.Sqrt(float64(norm2)))
	if p.gate != nil {
		e.X, e.Numerator, e.Denominator = b.gate[0], b.score[0], 1
		kernel.Score(b.gate[:1], b.x[:1], nil, []float32{norm2}, &p.form)
		e.Y = b.gate[0]
		return
	}
	e.X = b.x[0]
	if p.vectors() > 1 {
		e.Y = b.y[0]
	}
	f, y := &p.form, float64(e.Y)
	e.Numerator = float32(f.A * (float64(e.X) + f.X0))
	square := float64(norm2) + float64(f.D1*y) + float64(f.D2*float64(y*y)) + f.D0
	e.Denominator = float32(math.Sqrt(max(square, 0)))
}

// ahead counts, for each row wanted, the rows that a plan ranks before it. The
// rows wanted need not be in this index.
func (ix *Index) ahead(p *prepared, m *mask, wanted []scored) map[int]int {
	sort.Sort(ranked(wanted))
	var mu sync.Mutex
	before := make([]int, len(wanted)+1) // before[i]: rows better than wanted[i] but not than wanted[i-1]
	ix.scan(p, m, func() visitor {
		counts := make([]int, len(wanted)+1)
		var worst float32 = lowest
		if len(wanted) > 0 {
			worst = wanted[len(wanted)-1].score
		}
		return visitor{
			block: func(s *segment, lo int, b *block, scores []float32) {
				n := kernel.Select(b.index, scores, worst)
				for _, i := range b.index[:n] {
					row := scored{s.first + lo + int(i), scores[i]}
					counts[sort.Search(len(wanted), func(j int) bool { return better(row, wanted[j]) })]++
				}
			},
			done: func() {
				mu.Lock()
				defer mu.Unlock()
				for i, n := range counts {
					before[i] += n
				}
			},
		}
	})
	ahead := make(map[int]int, len(wanted))
	total := 0
	for i, w := range wanted {
		total += before[i]
		ahead[w.row] = total
	}
	return ahead
}
