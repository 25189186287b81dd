package search

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/lru"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/internal/wasm/index"
	"github.com/vantage-search/vantage/internal/wasm/ranking"
	"github.com/vantage-search/vantage/internal/wasm/shard"
	"github.com/vantage-search/vantage/internal/wasm/stance"
	"github.com/vantage-search/vantage/perspective"
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

// SidesQuery asks for the sides of texts towards a root.
type SidesQuery struct {
	Root     string
	K        int      // number of hits of each side; 0 means DefaultK
	Strength *float64 // of the slant in the order of hits; nil means that of contrast
	Filters  []Filter
}

// Sides says how many texts on the subject of a root are on each side. Its JSON is what
// `vantage sides --json` prints.
type Sides struct {
	Root     string     `json:"root"`
	K        int        `json:"k"`
	Strength float32    `json:"strength"`
	Subject  float32    `json:"subject"` // least cosine with the root of a text on the subject
	Encoder  EncoderRef `json:"encoder"`
	For      SideHits   `json:"for"`
	Neither  SideHits   `json:"neither"`
	Against  SideHits   `json:"against"`
}

// SideHits are the texts of one side.
type SideHits struct {
	Count int   `json:"count"` // number of all texts on this side, not only of the hits
	Hits  []Hit `json:"hits"`  // the best, each with a Stance and without an Explain
}

// hearing is what a collection remembers between questions about sides.
type hearing struct {
	used  atomic.Bool                     // a query has used the angles of the rows
	roots *lru.Cache[string, rootVectors] // of the roots in earlier questions
}

// rootVectors are the vectors of a root: its topic, and the angles of two queries, one for texts
// that support the root (pro) and one for texts that oppose it (con).
type rootVectors struct{ topic, pro, con []float32 }

// rootBytes bounds the cache of roots. One takes 2.5 KB at 384 + 128 dimensions.
const rootBytes = 1 << 18

// vectorsOf encodes a root, unless an earlier question was about the same root.
func (c *Collection) vectorsOf(ctx context.Context, in *instance, root string) (rootVectors, error) {
	if found, ok := c.hearing.roots.Get(root); ok {
		return found, nil
	}
	e, err := in.hears()
	if err != nil {
		return rootVectors{}, err
	}
	_, wordings := e.Tables()
	if len(wordings[For]) == 0 || len(wordings[Against]) == 0 {
		return rootVectors{}, fault.Errorf(fault.Query, "the encoder %s has no wordings of for and against, by which sides are told: use one whose pack has them", e.Info().ID)
	}
	embedded, err := encoder.Encode(ctx, e, []string{root}, encoder.Options{Role: encoder.Query})
	if err != nil {
		return rootVectors{}, err
	}
	angles, err := e.EncodeAngles(ctx, []string{wordings[For][0] + root, wordings[Against][0] + root}, encoder.Options{Role: encoder.Query})
	if err != nil {
		return rootVectors{}, err
	}
	out := rootVectors{embedded[0].Vector, angles[0], angles[1]}
	c.hearing.keep(root, out)
	return out, nil
}

func (h *hearing) keep(root string, v rootVectors) {
	h.roots.Put(root, v, int64(len(root)+4*(len(v.topic)+len(v.pro)+len(v.con))))
}

// request is a request for the sides of a root.
func (v rootVectors) request() *ranking.Request {
	return &ranking.Request{Query: perspective.Query{Method: "contrast", Strength: 1, Root: v.topic, Angles: [][]float32{v.pro, v.con}}}
}

// constants returns the constants by which the encoder turns scores into sides.
func (in *instance) constants() (stance.Calibration, error) {
	e, err := in.hears()
	if err != nil {
		return stance.Calibration{}, err
	}
	numbers, _ := e.Tables()
	return stance.Of(numbers)
}

// Sides tells the sides of the collection's documents towards a root.
func (c *Collection) Sides(ctx context.Context, q SidesQuery) (*Sides, error) {
	if c.store == nil {
		return nil, errors.New("sides: the collection has no documents; use SidesOf")
	}
	if err := c.checkSides(); err != nil {
		return nil, err
	}
	filters, err := compile(q.Filters, c.store.Manifest().Columns)
	if err != nil {
		return nil, err
	}
	in, err := c.pool.acquire(ctx)
	if err != nil {
		return nil, err
	}
	defer c.pool.release(in)
	out, request, constants, err := c.sidesRequest(ctx, in, q)
	if err != nil {
		return nil, err
	}
	if err := c.loadAngles(ctx, in, request); err != nil {
		return nil, err
	}
	if request.Mask, err = in.index.Mask(filters); err != nil {
		return nil, err
	}
	found, err := in.index.Sides(request, constants)
	if err != nil {
		return nil, err
	}
	return out, out.fill(found, func(hits []ranking.Stance) ([]Hit, error) { return c.told(ctx, hits) })
}

// checkSides refuses a collection without angles.
func (c *Collection) checkSides() error {
	if c.store.Manifest().Angles == nil {
		return fault.New(fault.Query, "sides are told by the angles of passages, and the collection has none: index it with an encoder that hears sides")
	}
	return nil
}

// SidesOf tells the sides of given texts towards a root. A hit's Index is the index of its
// text, and its ID is empty.
func (c *Collection) SidesOf(ctx context.Context, q SidesQuery, texts []string) (*Sides, error) {
	if len(q.Filters) > 0 {
		return nil, &FilterError{"sides: bare texts have no fields to filter by"}
	}
	in, err := c.pool.acquire(ctx)
	if err != nil {
		return nil, err
	}
	defer c.pool.release(in)
	if !c.encodes(in, encoder.Document) {
		return nil, in.noEncoder()
	}
	out, request, constants, err := c.sidesRequest(ctx, in, q)
	if err != nil {
		return nil, err
	}
	ix, err := in.core.OpenIndex(in.encoder.Info().Dim, shard.F32, 0)
	if err != nil {
		return nil, err
	}
	defer ix.Close()
	if err := in.addTexts(ctx, ix, texts, true); err != nil {
		return nil, err
	}
	found, err := ix.Sides(request, constants)
	if err != nil {
		return nil, err
	}
	return out, out.fill(found, func(hits []ranking.Stance) ([]Hit, error) {
		list := make([]Hit, len(hits))
		for i, h := range hits {
			list[i] = Hit{Rank: i + 1, Index: h.Row, Score: h.Score, Text: texts[h.Row], Stance: stanceOf(h)}
		}
		return list, nil
	})
}

func (c *Collection) sidesRequest(ctx context.Context, in *instance, q SidesQuery) (*Sides, *ranking.Request, stance.Calibration, error) {
	fail := func(err error) (*Sides, *ranking.Request, stance.Calibration, error) {
		return nil, nil, stance.Calibration{}, err
	}
	k := q.K
	switch {
	case q.Root == "":
		return fail(fault.New(fault.Query, "the root is empty: give the claim that texts are for or against"))
	case k == 0:
		k = DefaultK
	case k < 0:
		return fail(fmt.Errorf("k is %d, must be at least 1", k))
	}
	constants, err := in.constants()
	if err != nil {
		return fail(err)
	}
	root, err := c.vectorsOf(ctx, in, q.Root)
	if err != nil {
		return fail(err)
	}
	request := root.request()
	request.K, request.Strength = k, in.contrast(q.Strength)
	return &Sides{Root: q.Root, K: k, Strength: float32(request.Strength), Subject: float32(constants.Subject), Encoder: c.encoder}, request, constants, nil
}

// contrast returns the given strength, or else the default strength of the method contrast.
func (in *instance) contrast(given *float64) float64 {
	if given != nil {
		return *given
	}
	m, err := perspective.Lookup("contrast")
	if err != nil {
		panic(err) // there is such a method
	}
	return in.strength(m)
}

// fill fills in what was found. list turns stances into hits, with their documents.
func (s *Sides) fill(found *ranking.Sides, list func([]ranking.Stance) ([]Hit, error)) (err error) {
	for _, side := range []struct {
		from *ranking.SideHits
		to   *SideHits
	}{{&found.For, &s.For}, {&found.Neither, &s.Neither}, {&found.Against, &s.Against}} {
		side.to.Count = side.from.Count
		if side.to.Hits, err = list(side.from.Hits); err != nil {
			return err
		}
	}
	return nil
}

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
	constants, err := in.constants()
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
	if _, err := in.hears(); err != nil || text == "" || a.query.Opposites != nil {
		return nil, nil
	}
	if side := a.result.Side; side != "" { // contrast has encoded the root already
		angles := a.request.Angles
		if side == Against {
			angles = [][]float32{angles[1], angles[0]}
		}
		found := rootVectors{a.request.Root, angles[0], angles[1]}
		c.hearing.keep(text, found)
		return &found, nil
	}
	if !c.hearing.used.Load() {
		return nil, nil
	}
	if side, err := in.stance(a.query); err != nil || side == 0 {
		return nil, err
	}
	found, err := c.vectorsOf(ctx, in, text)
	return &found, err
}
