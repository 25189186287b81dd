package search

import (
	"context"
	"errors"
	"fmt"

	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/internal/wasm/index"
	"github.com/vantage-search/vantage/internal/wasm/ranking"
	"github.com/vantage-search/vantage/perspective"
)

// OtherSideQuery asks for texts on the other side of a document.
type OtherSideQuery struct {
	Document int      // index of the document
	Root     string   // the claim that the document and its other side are about; "" if it is not known
	K        int      // number of hits; 0 means DefaultK
	Strength *float64 // nil means OtherSideStrength, or FarStrength without a root
	Filters  []Filter
}

// OtherSide is the answer to an OtherSideQuery. Its JSON is what `vantage other-side --json`
// prints.
type OtherSide struct {
	Root     string     `json:"root,omitempty"`
	K        int        `json:"k"`
	Strength float32    `json:"strength"`
	Encoder  EncoderRef `json:"encoder"`
	Of       Hit        `json:"of"`   // the given document; with a root, it has a Stance
	Hits     []Hit      `json:"hits"` // best first
}

// The strengths of the angles in the scores of the other side (see Collection.OtherSide),
// chosen on Perspectrum's development split by `vantage eval sides`.
const (
	OtherSideStrength = 0.8 // β, with a root
	FarStrength       = 0.5 // γ, without one
)

// OtherSide finds documents near a document in topic and on the other side.
//
// With t(c) for the topic of a document c, a(c) for its angle, and h for the given
// document, the score with a root is
//
//	cos(t(h), t(c)) ± β (u − v)·a(c)
//
// with + if h is against the root and − if h is for it. u and v are the angles of two queries,
// one for texts that support the root and one for texts that oppose it. Documents that are on
// h's side or not on the subject of the root are left out. Without a root the score is
//
//	cos(t(h), t(c)) − γ cos(a(h), a(c))
//
// Only the root has to be encoded, unless an earlier query was about the same root.
func (c *Collection) OtherSide(ctx context.Context, q OtherSideQuery) (*OtherSide, error) {
	if c.store == nil {
		return nil, errors.New("other side: the collection has no documents")
	}
	if err := c.checkSides(); err != nil {
		return nil, err
	}
	m := c.store.Manifest()
	k := q.K
	switch {
	case k == 0:
		k = DefaultK
	case k < 0:
		return nil, fmt.Errorf("k is %d, must be at least 1", k)
	}
	if q.Document < 0 || q.Document >= m.Documents {
		return nil, fault.Errorf(fault.Query, "document %d: the collection's have the indexes 0 to %d", q.Document, m.Documents-1)
	}
	filters, err := compile(q.Filters, m.Columns)
	if err != nil {
		return nil, err
	}
	in, err := c.pool.acquire(ctx)
	if err != nil {
		return nil, err
	}
	defer c.pool.release(in)
	o, err := c.otherRequest(ctx, in, q)
	if err != nil {
		return nil, err
	}
	if o.request.Mask, err = in.index.Mask(filters); err != nil {
		return nil, err
	}
	hits, stances, err := o.search(in.index, k, m.Rows)
	if err != nil {
		return nil, err
	}
	indexes := []int{q.Document}
	for _, h := range hits {
		indexes = append(indexes, int(h.Document))
	}
	documents, err := c.store.Documents(ctx, indexes)
	if err != nil {
		return nil, err
	}
	d := documents[0]
	out := &OtherSide{Root: q.Root, K: k, Strength: float32(o.strength), Encoder: c.encoder, Of: Hit{Index: q.Document, ID: d.ID, Title: d.Title, Text: d.Text}, Hits: []Hit{}}
	if o.root != nil {
		out.Of.Stance = stanceOf(o.of)
	}
	for i, h := range hits {
		d := documents[i+1]
		found := hit(i+1, h, d.ID, d.Title, d.Text)
		if o.root != nil {
			found.Stance = stanceOf(stances[i])
		}
		out.Hits = append(out.Hits, found)
	}
	return out, nil
}

// otherSide is a search for the other side.
type otherSide struct {
	request  *ranking.Request
	strength float64
	document uint32

	// With a root:
	root *ranking.Request
	told func(hits []index.Hit) ([]ranking.Stance, error)
	of   ranking.Stance // of the document
}

func (c *Collection) otherRequest(ctx context.Context, in *instance, q OtherSideQuery) (*otherSide, error) {
	constants, err := c.constants(in)
	if err != nil {
		return nil, err
	}
	o := &otherSide{document: uint32(q.Document), strength: FarStrength}
	if q.Root != "" {
		root, err := c.vectorsOf(ctx, in, q.Root)
		if err != nil {
			return nil, err
		}
		o.root, o.strength = root.request(), OtherSideStrength
		o.told = func(hits []index.Hit) ([]ranking.Stance, error) { return in.index.SidesOf(o.root, constants, hits) }
	}
	if q.Strength != nil {
		o.strength = *q.Strength
	}
	if !(o.strength >= 0 && o.strength <= perspective.MaxStrength) {
		return nil, fault.Errorf(fault.Query, "the strength is %g, must be between 0 and %g", o.strength, perspective.MaxStrength)
	}
	if err := c.loadAngles(ctx, in, &ranking.Request{Query: perspective.Query{Angles: [][]float32{nil}}}); err != nil {
		return nil, err
	}
	topic, angle, err := in.index.Vector(o.document, c.store.Manifest().Angles.Dim)
	if err != nil {
		return nil, err
	}
	if angle == nil {
		return nil, fault.Errorf(fault.Query, "document %d has no angle, so that it has no other side", q.Document)
	}
	o.request = &ranking.Request{Query: perspective.Query{Query: topic, Method: "aspect", Angles: [][]float32{angle}, Strength: -o.strength}, Explain: true}
	if o.root == nil {
		return o, nil
	}
	found, err := o.told([]index.Hit{{Document: o.document}})
	if err != nil {
		return nil, err
	}
	o.of = found[0]
	o.request.Angles = o.root.Angles
	switch {
	case o.of.Slant < 0:
		o.request.Strength = o.strength
	case o.of.Slant == 0:
		return nil, fault.Errorf(fault.Query, "document %d says nothing about the root, so that it has no other side", q.Document)
	}
	return o, nil
}

// search finds the k best documents that are on the other side, with their stances if
// there is a root. It ranks more and more documents until k of them are on the other side.
func (o *otherSide) search(ix Index, k, rows int) ([]ranking.Hit, []ranking.Stance, error) {
	for o.request.K = max(4*k, 64); ; o.request.K *= 4 {
		o.request.K = min(o.request.K, max(1, rows))
		ranked, err := ix.Search(o.request)
		if err != nil {
			return nil, nil, err
		}
		hits, stances, err := o.keep(ranked)
		if err != nil || len(hits) >= k || o.request.K >= rows {
			return hits[:min(k, len(hits))], stances[:min(k, len(stances))], err
		}
	}
}

// keep returns the hits that are on the other side, and their stances if there is a root.
func (o *otherSide) keep(ranked []ranking.Hit) (hits []ranking.Hit, stances []ranking.Stance, err error) {
	var found []ranking.Stance
	if o.root != nil {
		plain := make([]index.Hit, len(ranked))
		for i, h := range ranked {
			plain[i] = h.Hit
		}
		if found, err = o.told(plain); err != nil {
			return nil, nil, err
		}
	}
	for i, h := range ranked {
		switch {
		case h.Document == o.document:
		case o.root == nil:
			hits = append(hits, h)
		case found[i].OnSubject && found[i].Slant != 0 && (found[i].Slant < 0) == (o.of.Slant > 0):
			hits, stances = append(hits, h), append(stances, found[i])
		}
	}
	return hits, stances, nil
}
