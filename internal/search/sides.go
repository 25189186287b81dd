package search

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/internal/wasm/ranking"
	"github.com/vantage-search/vantage/internal/wasm/shard"
	"github.com/vantage-search/vantage/internal/wasm/stance"
)

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
		return fault.New(fault.Query, "sides are told by the angles of passages, and the collection has none: index it with an encoder that tells sides apart")
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
	if err := c.encodes(in, encoder.Document); err != nil {
		return nil, err
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
	case strings.TrimSpace(q.Root) == "":
		return fail(fault.New(fault.Query, "the root is empty: give the claim that texts are for or against"))
	case k == 0:
		k = DefaultK
	case k < 0:
		return fail(fmt.Errorf("k is %d, must be at least 1", k))
	}
	constants, err := c.constants(in)
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
