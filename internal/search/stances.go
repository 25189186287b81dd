package search

import (
	"context"

	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/internal/wasm/index"
	"github.com/vantage-search/vantage/internal/wasm/ranking"
	"github.com/vantage-search/vantage/internal/wasm/stance"
)

// Stance says which side of a root a text is on.
type Stance struct {
	Side        string  `json:"side"`        // the most probable of For, Against and Neither
	Probability float32 `json:"probability"` // of that side; those of all three sides sum to 1
	Cosine      float32 `json:"cosine"`      // of root and text
	Slant       float32 `json:"slant"`       // (u − v)·a: above 0 for, below 0 against
}

// Neither is the name of neither side in a Stance.
const Neither = "neither"

// told turns stances into hits, with their documents.
func (c *Collection) told(ctx context.Context, stances []ranking.Stance) ([]Hit, error) {
	indexes := make([]int, len(stances))
	for i, s := range stances {
		indexes[i] = int(s.Document)
	}
	documents, err := c.store.Documents(ctx, indexes)
	if err != nil {
		return nil, err
	}
	hits := make([]Hit, len(stances))
	for i, s := range stances {
		d := documents[i]
		hits[i] = Hit{Rank: i + 1, ID: d.ID, Index: int(s.Document), Score: s.Score, Title: d.Title, Text: d.Text, Stance: stanceOf(s)}
	}
	return hits, nil
}

func stanceOf(s ranking.Stance) *Stance {
	out := &Stance{Side: s.Side.String(), Probability: s.Neither, Cosine: s.Cosine, Slant: s.Slant}
	switch s.Side {
	case stance.For:
		out.Probability = s.For
	case stance.Against:
		out.Probability = s.Against
	}
	return out
}

// asked is a query, with the request made from it and the result so far.
type asked struct {
	query   *Query
	result  *Result
	request *ranking.Request
}

// tellHits sets the stances of the hits, if the query asks for a side. A hit that is on neither
// side, or not on the subject, gets none. With the method contrast, the angles are there
// already. With other methods, hits get stances only if an earlier query has read the angles
// of the rows into memory.
func (c *Collection) tellHits(ctx context.Context, in *instance, ix Index, a asked, hits []ranking.Hit) error {
	root, err := c.rootOf(ctx, in, a)
	if root == nil || err != nil {
		return err
	}
	constants, err := c.constants(in)
	if err != nil {
		return err
	}
	request := root.request()
	if ix == in.index {
		if err := c.loadAngles(ctx, in, request); err != nil {
			return err
		}
	}
	wanted := make([]index.Hit, len(hits))
	for i, h := range hits {
		wanted[i] = h.Hit
	}
	found, err := ix.SidesOf(request, constants, wanted)
	if fault.Of(err) == fault.Query {
		return nil // both angles of the root are the same, so nothing is on a side of it
	}
	if err != nil {
		return err
	}
	for i, s := range found {
		if s.Row >= 0 && s.OnSubject && s.Side != stance.Neither {
			a.result.Hits[i].Stance = stanceOf(s)
		}
	}
	return nil
}

// rootOf returns the root of a query that asks for a side, or nil if its hits get no stances.
func (c *Collection) rootOf(ctx context.Context, in *instance, a asked) (*rootVectors, error) {
	text := ""
	for _, t := range a.result.Texts {
		if t.Role == "root" {
			text = t.Text
		}
	}
	if _, err := in.angleEncoder(); err != nil || text == "" || a.query.Opposites != nil {
		return nil, nil
	}
	if side := a.result.Side; side != "" { // contrast has encoded the root already
		angles := a.request.Angles
		if side == Against {
			angles = [][]float32{angles[1], angles[0]}
		}
		found := rootVectors{a.request.Root, angles[0], angles[1]}
		c.askedRoots.keep(text, found)
		return &found, nil
	}
	if !c.askedRoots.used.Load() {
		return nil, nil
	}
	if side, err := in.stance(a.query); err != nil || side == 0 {
		return nil, err
	}
	found, err := c.vectorsOf(ctx, in, text)
	return &found, err
}
