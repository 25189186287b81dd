package ranking

import (
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/internal/wasm/index"
	"github.com/vantage-search/vantage/internal/wasm/stance"
	"github.com/vantage-search/vantage/perspective"
)

// Sides are the rows of each side of a root, among those on the subject.
type Sides struct {
	For, Neither, Against SideHits
}

// SideHits are the rows of one side.
type SideHits struct {
	Count int      // number of rows on this side
	Hits  []Stance // the k best of them
}

// Stance is a row with its side towards a root.
type Stance struct {
	index.Hit // Row is -1 if the row of the document, or its angle, is not here
	index.Stance
	Side                  stance.Side
	OnSubject             bool
	For, Neither, Against float32 // probabilities
}

// Tell finds the side of each row that the request's mask allows, in one pass. The request has
// the vector of the root, and in Angles the vectors u and v of stance.Calibration. Its method
// does not matter. K is the number of best rows to return for each side, and may be 0. Strength
// says how much the slant counts in their order: see index.Index.Survey.
func Tell(ix *index.Index, r *Request, c stance.Calibration) (*Sides, error) {
	plan, err := sided(r)
	if err != nil {
		return nil, err
	}
	if !(r.Strength >= -perspective.MaxStrength && r.Strength <= perspective.MaxStrength) {
		return nil, &perspective.StrengthError{Strength: r.Strength}
	}
	survey, err := ix.Survey(&plan, r.Strength, c, r.K, r.Mask)
	if err != nil {
		return nil, err
	}
	out := &Sides{}
	for _, side := range []struct {
		from *index.SideRows
		to   *SideHits
	}{{&survey.For, &out.For}, {&survey.Neither, &out.Neither}, {&survey.Against, &out.Against}} {
		hits, err := tell(ix, &plan, c, side.from.Best)
		if err != nil {
			return nil, err
		}
		*side.to = SideHits{side.from.Count, hits}
	}
	return out, nil
}

// Side is the mask of the rows on one side, among those on the subject that the request's
// mask allows: see Tell.
func Side(ix *index.Index, r *Request, side stance.Side, c stance.Calibration) (index.Mask, error) {
	plan, err := sided(r)
	if err != nil {
		return nil, err
	}
	return ix.Side(&plan, side, c, r.Mask)
}

// TellOf is Tell for the documents of hits, which may come from any ranking. It looks up their
// rows first, and keeps the hits' scores.
func TellOf(ix *index.Index, r *Request, c stance.Calibration, hits []index.Hit) ([]Stance, error) {
	plan, err := sided(r)
	if err != nil {
		return nil, err
	}
	found := make([]index.Hit, len(hits))
	for i, h := range hits {
		found[i] = index.Hit{Row: ix.Find(h.Document, h.Row), Document: h.Document, Score: h.Score}
	}
	return tell(ix, &plan, c, found)
}

// sided compiles the plan that tells the sides of a request's root.
func sided(r *Request) (perspective.Plan, error) {
	plan, err := perspective.Compile(perspective.Query{Method: "contrast", Strength: 1, Root: r.Root, Angles: r.Angles})
	if err == nil && plan.Angle == nil {
		err = fault.New(fault.Query, "the root sounds the same asked for and against, so no text is on a side of it: use words that the model knows")
	}
	return plan, err
}

func tell(ix *index.Index, plan *perspective.Plan, c stance.Calibration, hits []index.Hit) ([]Stance, error) {
	if err := c.Check(); err != nil {
		return nil, err
	}
	rows := make([]int, len(hits))
	for i, h := range hits {
		rows[i] = h.Row
	}
	said, have, err := ix.Stances(plan, rows)
	if err != nil {
		return nil, err
	}
	threshold := c.Threshold()
	out := make([]Stance, len(hits))
	for i, h := range hits {
		out[i].Hit = h
		if !have[i] {
			out[i].Row = -1
			continue
		}
		score := float64(said[i].Slant)
		pro, neither, con := c.Three(score)
		out[i] = Stance{h, said[i], c.Side(score, threshold), c.OnSubject(said[i].Cosine), float32(pro), float32(neither), float32(con)}
	}
	return out, nil
}
