package index

import (
	"errors"
	"math"
	"strconv"

	"github.com/vantage-search/vantage/internal/wasm/kernel"
	"github.com/vantage-search/vantage/perspective"
)

// Explanation has the parts of a score: Score = Numerator / Denominator with Numerator
// = A·(X + x0) and Denominator = sqrt(Norm² + d1·Y + d2·Y² + d0). If the score is 0 by
// definition (a zero row, a vanishing denominator), both are as computed. Under the dot
// product, Denominator is 1.
// For a gated plan, X is the gate's score, Y the second stage's, Numerator their sum
// (or the score of a row that the gate excludes) and Denominator 1.
//
// For a plan with an angle, Score = Topic + Side: Topic is the score of the plan without
// its angle, to which the numbers above belong, and Side what the angle adds, 0 if the
// row's angle has not arrived. Without an angle, both are 0.
type Explanation struct {
	X, Y, Norm, Numerator, Denominator float32
	Cosine                             float32 // of query and row; under the dot product, their product
	Topic, Side                        float32
}

// Explain explains the scores of the given rows. It scans only if the plan has a gate
// with an unknown cut, over the rows that the mask allows.
func (ix *Index) Explain(plan, plain *perspective.Plan, m Mask, rows []int) ([]Explanation, error) {
	ix.mu.RLock()
	defer ix.mu.RUnlock()
	p, err := ix.ready(plan, m)
	if err != nil {
		return nil, err
	}
	c, err := ix.prepare(plain)
	if err != nil {
		return nil, err
	}
	explanations := make([]Explanation, len(rows))
	b := newBlock(1)
	for i, row := range rows {
		s, at := ix.locate(row)
		if s == nil {
			return nil, errors.New("index: there is no row " + strconv.Itoa(row) + " here")
		}
		c.run(s, at, at+1, b)
		explanations[i].Cosine = b.score[0]
		e := &explanations[i]
		topic := *p
		topic.angle = nil
		topic.run(s, at, at+1, b)
		e.fill(&topic, b, s, at)
		if p.angle != nil {
			e.Topic, e.Side = b.score[0], p.angle.part(row)
		}
	}
	return explanations, nil
}

// fill fills in the numbers of the single row that p has just scored into b.
func (e *Explanation) fill(p *prepared, b *block, s *segment, at int) {
	norm2 := s.rows.Norm2[at]
	e.Norm = float32(math.Sqrt(float64(norm2)))
	if p.gate != nil {
		e.X, e.Numerator, e.Denominator = b.gate[0], b.score[0], 1
		kernel.Score(b.gate[:1], b.x[:1], nil, p.norms(s, at, at+1), &p.form)
		e.Y = b.gate[0]
		return
	}
	e.X = b.x[0]
	if len(p.vectors) > 1 {
		e.Y = b.y[0]
	}
	f, y := &p.form, float64(e.Y)
	e.Numerator = float32(f.A * (float64(e.X) + f.X0))
	if p.dot {
		e.Denominator = 1
		return
	}
	square := float64(norm2) + float64(f.D1*y) + float64(f.D2*float64(y*y)) + f.D0
	e.Denominator = float32(math.Sqrt(max(square, 0)))
}
