package search

import (
	"context"
	"sync/atomic"

	"github.com/vantage-search/vantage/internal/claim"
	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/lru"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/internal/wasm/ranking"
	"github.com/vantage-search/vantage/internal/wasm/stance"
	"github.com/vantage-search/vantage/perspective"
)

// askedRoots is what a collection remembers between questions about sides.
type askedRoots struct {
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
	if found, ok := c.askedRoots.roots.Get(root); ok {
		return found, nil
	}
	e, err := in.angleEncoder()
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
	angles, err := e.EncodeAngles(ctx, []string{claim.Asking(wordings, stance.For, root), claim.Asking(wordings, stance.Against, root)}, encoder.Options{Role: encoder.Query})
	if err != nil {
		return rootVectors{}, err
	}
	out := rootVectors{embedded[0].Vector, angles[0], angles[1]}
	c.askedRoots.keep(root, out)
	return out, nil
}

func (a *askedRoots) keep(root string, v rootVectors) {
	a.roots.Put(root, v, int64(len(root)+4*(len(v.topic)+len(v.pro)+len(v.con))))
}

// request is a request for the sides of a root.
func (v rootVectors) request() *ranking.Request {
	return &ranking.Request{Query: perspective.Query{Method: "contrast", Strength: 1, Root: v.topic, Angles: [][]float32{v.pro, v.con}}}
}

// constants returns the constants by which the encoder turns scores into sides. A text is on the
// subject of a root only if the collection's level for close hits says so, too.
func (c *Collection) constants(in *instance) (stance.Calibration, error) {
	e, err := in.angleEncoder()
	if err != nil {
		return stance.Calibration{}, err
	}
	numbers, _ := e.Tables()
	constants, err := stance.Of(numbers)
	if c.store == nil || err != nil {
		return constants, err
	}
	if level := c.store.Manifest().Close; level > 0 { // it was measured
		constants.Subject = max(constants.Subject, level)
	}
	return constants, nil
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
