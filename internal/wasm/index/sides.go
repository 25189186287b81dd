package index

import (
	"errors"
	"strconv"
	"sync"

	"github.com/vantage-search/vantage/internal/wasm/stance"
	"github.com/vantage-search/vantage/perspective"
)

// Stance is how a row stands to a root: its cosine with the root, and its slant (u − v)·a (see stance.Calibration), which
// is above 0 if the row leans towards the root, and below 0 if it leans against it.
type Stance struct{ Cosine, Slant float32 }

// Survey counts the rows of each side among those on the subject, and has the best of
// each. Rows whose angles have not arrived do not count.
type Survey struct {
	For, Neither, Against SideRows
}

// SideRows are the rows of one side: how many there are, and the best of them.
type SideRows struct {
	Count int
	Best  []Hit
}

// sided is the plan of a root (see Index.Survey), prepared for the form in which rows are stored.
type sided struct {
	topic *prepared
	angle *slant
}

func (ix *Index) sided(plan *perspective.Plan) (*sided, error) {
	if plan.Angle == nil || plan.Gate != nil {
		return nil, errors.New("index: a plan of sides has an angle and no gate")
	}
	p, err := ix.prepare(plan)
	if err != nil {
		return nil, err
	}
	angle := p.angle
	p.angle, angle.most = nil, unbounded // the whole slant tells how clearly a row takes a side
	return &sided{p, angle}, nil
}

// Survey tells the sides of all rows that the mask allows, in one pass. The plan has the
// cosine with the root, and u − v as its angle. A row is on the subject if its cosine is
// at least c.Subject. The k best of each side are those with the highest score, which is
// cosine + strength·slant for texts for the root, cosine − strength·slant for texts
// against it, and the cosine for texts on neither side. Slants have no cap as in contrast, because none of these rows is on
// another subject.
func (ix *Index) Survey(plan *perspective.Plan, strength float64, c stance.Calibration, k int, m Mask) (*Survey, error) {
	if k < 0 {
		return nil, &LimitError{"index: k is " + strconv.Itoa(k) + ", must be at least 0"}
	}
	if err := c.Check(); err != nil {
		return nil, err
	}
	ix.mu.RLock()
	defer ix.mu.RUnlock()
	p, err := ix.sided(plan)
	if err != nil {
		return nil, err
	}
	k = min(k, ix.live)
	var mu sync.Mutex
	all := newPoll(k)
	ix.tell(p, c, m, func() teller {
		own := newPoll(k)
		return teller{
			row: func(row int, side stance.Side, cosine, slant float32) {
				own.add(side, scored{row, cosine + float32(float64(float64(side)*strength)*float64(slant))})
			},
			done: func() {
				mu.Lock()
				defer mu.Unlock()
				all.join(own)
			},
		}
	})
	return &Survey{ix.rowsOf(all, stance.For), ix.rowsOf(all, stance.Neither), ix.rowsOf(all, stance.Against)}, nil
}

// Side returns the mask of the rows on one side of a root, among those on the subject
// that another mask allows. The plan is that of Survey.
func (ix *Index) Side(plan *perspective.Plan, side stance.Side, c stance.Calibration, m Mask) (Mask, error) {
	if err := c.Check(); err != nil {
		return nil, err
	}
	ix.mu.RLock()
	defer ix.mu.RUnlock()
	p, err := ix.sided(plan)
	if err != nil {
		return nil, err
	}
	out := make(Mask, ix.extent())
	ix.tell(p, c, m, func() teller {
		return teller{row: func(row int, own stance.Side, _, _ float32) {
			if own == side {
				out[row] = 1
			}
		}}
	})
	return out, nil
}

// teller receives what one goroutine finds: each row on the subject, with its side. done,
// unless nil, is called after the last row.
type teller struct {
	row  func(row int, side stance.Side, cosine, slant float32)
	done func()
}

// tell tells the sides of all rows on the subject that the mask allows.
func (ix *Index) tell(p *sided, c stance.Calibration, m Mask, open func() teller) {
	threshold := c.Threshold()
	ix.scan(p.topic, m, func() visitor {
		to, slants := open(), make([]float32, blockRows)
		return visitor{
			block: func(s *segment, lo int, b *block, cosines []float32) {
				slants := slants[:len(cosines)]
				clear(slants)
				first := s.first + lo
				p.angle.add(first, b.products(p.angle, first, first+len(slants)), slants)
				for i, cosine := range cosines {
					slant := slants[i]
					if cosine == absent || slant == absent || !c.OnSubject(cosine) {
						continue
					}
					to.row(first+i, c.Side(float64(slant), threshold), cosine, slant)
				}
			},
			done: to.done,
		}
	})
}

// poll collects rows by their sides, in the order against, neither, for.
type poll struct {
	counts [3]int
	best   [3]topK
}

func newPoll(k int) *poll { return &poll{best: [3]topK{{k: k}, {k: k}, {k: k}}} }

func (p *poll) add(side stance.Side, s scored) {
	at := int(side) + 1
	p.counts[at]++
	if p.best[at].k > 0 {
		p.best[at].push(s)
	}
}

func (p *poll) join(other *poll) {
	for at := range p.counts {
		p.counts[at] += other.counts[at]
		for _, s := range other.best[at].heap {
			p.best[at].push(s)
		}
	}
}

func (ix *Index) rowsOf(p *poll, side stance.Side) SideRows {
	at := int(side) + 1
	out := SideRows{Count: p.counts[at]}
	for _, s := range p.best[at].sorted() {
		segment, i := ix.locate(s.row)
		out.Best = append(out.Best, Hit{s.row, segment.rows.IDs[i], s.score})
	}
	return out
}

// Stances returns the stances of rows, by a plan like Survey's. have is false for a row that
// is not in this index, or whose angle has not arrived.
func (ix *Index) Stances(plan *perspective.Plan, rows []int) (stances []Stance, have []bool, err error) {
	ix.mu.RLock()
	defer ix.mu.RUnlock()
	p, err := ix.sided(plan)
	if err != nil {
		return nil, nil, err
	}
	stances, have = make([]Stance, len(rows)), make([]bool, len(rows))
	b := newBlock(1)
	for i, row := range rows {
		s, at := ix.locate(row)
		if angle, _ := p.angle.segments.locate(row); s == nil || angle == nil {
			continue
		}
		p.topic.run(s, at, at+1, b)
		stances[i], have[i] = Stance{b.score[0], p.angle.part(row)}, true
	}
	return stances, have, nil
}

// Vector returns the row of a document as floating-point numbers, and its angle, which is
// nil if it has not arrived.
func (ix *Index) Vector(document uint32) (vector, angle []float32, err error) {
	row := ix.Find(document, int(document))
	ix.mu.RLock()
	defer ix.mu.RUnlock()
	s, at := ix.locate(row)
	if s == nil {
		return nil, nil, errors.New("index: document " + strconv.Itoa(int(document)) + " has no row here")
	}
	if a, i := ix.angles.segments.locate(row); a != nil {
		angle = a.rows.Float32(i)
	}
	return s.rows.Float32(at), angle, nil
}
