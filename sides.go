package vantage

import (
	"context"

	"github.com/vantage-search/vantage/internal/search"
	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// SidesQuery asks which texts are for a root and which are against it.
type SidesQuery struct {
	Root string // a claim, such as "Night trains deserve public subsidy"
	K    int    // number of hits wanted of each side, at least 1; 0: 10
	// Strength is how much the side counts in the order of the hits (see SideHits), as in
	// the method contrast. Its absolute value is at most perspective.MaxStrength. nil
	// means what the collection's encoder recommends, or else 0.4.
	Strength *float64
	Filters  []Filter // conditions that every text meets
}

// Stance says which side of a root a text is on. Let u and v be the angles of two queries, one for
// texts that support the root and one for texts that oppose it, and a the angle of the text, all
// of unit length. The slant is (u − v)·a. The probabilities of the three sides are computed from
// it by sigmoids, whose constants belong to the encoder.
type Stance struct {
	Side        string  `json:"side"`        // the most probable: "for", "against" or "neither"
	Probability float32 `json:"probability"` // of that side, from 0 to 1
	Cosine      float32 `json:"cosine"`      // of root and text, from −1 to 1: whether the text is on the subject
	Slant       float32 `json:"slant"`       // from −2 to 2; above 0 for, below 0 against
}

// Sides says how many texts are on each side of a root. Only texts on the subject count, that is,
// those whose cosine with the root is at least Subject: the encoder's least cosine, or the
// collection's level for close hits if that is higher. Its JSON is what `vantage sides --json`
// prints.
type Sides struct {
	Root     string  `json:"root"`
	K        int     `json:"k"`        // hits wanted of each side
	Strength float32 `json:"strength"` // of the slant in the order of hits
	Subject  float32 `json:"subject"`
	// Encoder names the encoder of the vectors that were compared.
	Encoder struct {
		ID       string `json:"id"`
		Revision string `json:"revision"`
	} `json:"encoder"`
	For     SideHits `json:"for"`
	Neither SideHits `json:"neither"`
	Against SideHits `json:"against"`
}

// SideHits are the best texts of one side. Their Score is cosine + strength·slant for texts for
// the root, cosine − strength·slant for texts against it, and the cosine for texts on neither
// side. Hits have a Stance and no Explain.
type SideHits struct {
	Count int   `json:"count"` // number of all texts of this side on the subject
	Hits  []Hit `json:"hits"`  // best first, at most K
}

// Sides tells the sides of all documents that meet the filters, in one pass over their
// vectors. The collection needs angles (Description.AngleDim) and an encoder that tells
// sides apart, such as that of package sides.
//
// Errors are of kind ErrQuery (no root, no angles, an encoder that cannot tell sides apart),
// ErrUnsupported (the program does not run the collection's pack), ErrIntegrity, ErrLimit,
// ErrUnavailable or ErrInternal, or those of the context, the encoder, the file system and
// the network.
func (c *Collection) Sides(ctx context.Context, q SidesQuery) (*Sides, error) {
	s, err := c.search.Sides(ctx, sidesQueryOf(q))
	if err != nil {
		return nil, located(c.place, classify(ctx, err, fault.Query))
	}
	return sidesOf(s), nil
}

// SidesOf tells the sides of texts, which need not be the collection's. The index of a hit
// is the position of its text, and its id is empty. Filters are an error of kind ErrQuery;
// other errors are those of Sides.
func (c *Collection) SidesOf(ctx context.Context, q SidesQuery, texts []string) (*Sides, error) {
	s, err := c.search.SidesOf(ctx, sidesQueryOf(q), texts)
	if err != nil {
		return nil, located(c.place, classify(ctx, err, fault.Query))
	}
	return sidesOf(s), nil
}

// SidesOf tells the sides of texts. The index of a hit is the position of its text, and
// its id is empty. Errors are of kind ErrQuery (no root, filters, an encoder that cannot tell
// sides apart), ErrLimit or ErrInternal, or those of the context and the encoder.
func (r *Reranker) SidesOf(ctx context.Context, q SidesQuery, texts []string) (*Sides, error) {
	s, err := r.search.SidesOf(ctx, sidesQueryOf(q), texts)
	if err != nil {
		return nil, classify(ctx, err, fault.Query)
	}
	return sidesOf(s), nil
}

// OtherSideQuery asks for documents on the other side of a document.
type OtherSideQuery struct {
	Document int    // its index in the corpus, from 0, which is that of a Hit
	Root     string // the claim that both are about; "": it is not known
	K        int    // number of hits wanted, at least 1; 0: 10
	// Strength is how much the angles count, from 0 to perspective.MaxStrength. nil means
	// 0.8 with a root and 0.5 without.
	Strength *float64
	Filters  []Filter // conditions that every hit meets
}

// OtherSide is the answer to an OtherSideQuery. Its JSON is what `vantage other-side
// --json` prints.
type OtherSide struct {
	Root     string  `json:"root,omitempty"`
	K        int     `json:"k"`        // hits wanted
	Strength float32 `json:"strength"` // of the angles
	// Encoder names the encoder of the vectors that were compared.
	Encoder struct {
		ID       string `json:"id"`
		Revision string `json:"revision"`
	} `json:"encoder"`
	Of   Hit   `json:"of"`   // the document itself, without rank, score and Explain
	Hits []Hit `json:"hits"` // best first, at most K; if there is a root, all have a Stance
}

// OtherSide finds documents near a document in topic and on the other side. With t for
// topics, a for angles, h for the given document and β or γ for the strength, the score of
// a document c with a root is
//
//	cos(t(h), t(c)) + β min(±(u − v)·a(c), 0.3)
//
// with + if h is against the root, − if it is for it, and u and v as in Stance. Documents
// that are on h's side by the sign of their slant, or not on the subject of the root, are
// left out. Without a root, the score is
//
//	cos(t(h), t(c)) − γ cos(a(h), a(c))
//
// The collection needs angles. Only the root is encoded, unless a recent question was about the
// same root. Errors are those of Sides.
func (c *Collection) OtherSide(ctx context.Context, q OtherSideQuery) (*OtherSide, error) {
	o, err := c.search.OtherSide(ctx, search.OtherSideQuery{Document: q.Document, Root: q.Root, K: q.K, Strength: q.Strength, Filters: filtersOf(q.Filters)})
	if err != nil {
		return nil, located(c.place, classify(ctx, err, fault.Query))
	}
	out := &OtherSide{Root: o.Root, K: o.K, Strength: o.Strength, Encoder: o.Encoder, Of: hitOf(o.Of), Hits: hitsOf(o.Hits)}
	return out, nil
}

// FindDocument returns the index of the first document with an id. It reads the documents
// before it, too. Errors are of kind ErrQuery (there is no such document), ErrIntegrity or
// ErrUnavailable, or those of the context, the file system and the network.
func (c *Collection) FindDocument(ctx context.Context, id string) (index int, err error) {
	for d, err := range c.store.AllDocuments(ctx) {
		if err != nil {
			return 0, located(c.place, classify(ctx, err, fault.Integrity))
		}
		if d.ID == id {
			return index, nil
		}
		index++
	}
	return 0, fault.Errorf(fault.Query, "no document has the id %q: give one that vantage search prints", id)
}
