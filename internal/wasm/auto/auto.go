// Package auto decides how to rank a query that names no method. Go programs and pages
// both run this code.
//
// The core links this package, so it follows the rules of tests/core.
package auto

import (
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/perspective"
)

// Asked is what the decision depends on: facts about a query, and about the collection.
type Asked struct {
	Perspectives []string         // the perspectives' texts; "" for one that is only a vector
	Kind         perspective.Kind // of the perspective, if it was read from the query; else its text decides
	Root         bool             // the query has a root
	RootText     bool             // the root has a text
	Text         bool             // the query has a text
	Lambda       bool             // the query sets λ, the strength of the projection
	Angles       bool             // documents have angles, and the encoder can give texts angles
	Sides        bool             // the encoder has wordings for both sides
	Words        bool             // the ranking may be fused with BM25
}

// Choose returns the choice for a query in the table of its collection or encoder. If the table is empty, the default one
// chooses. A query that sets λ gets pap+, whatever its kind of perspective, or without root and perspectives the cosine.
func Choose(table []string, a *Asked) (perspective.Choice, error) {
	switch {
	case a.Lambda && (a.Root || len(a.Perspectives) > 0):
		return perspective.Choice{Method: "pap+", Strength: 1}, nil
	case a.Lambda:
		return perspective.Choice{Method: "none"}, nil // there is nothing to project on
	}
	choices, err := perspective.ParseChoices(table)
	if err != nil {
		return perspective.Choice{}, fault.New(fault.Integrity, err.Error()+": name a method, or make the pack again")
	}
	if len(choices) == 0 {
		choices = perspective.DefaultChoices()
	}
	return choices.Choose(a.kind(), a.Words && a.Text, a.can), nil
}

// kind is the kind that the query was read as, else that of all perspectives; KindFree if they differ or one has none. Without
// perspectives it is KindNone, even if there is a root: then the perspective is the difference of query and root, without words.
func (a *Asked) kind() perspective.Kind {
	if a.Kind != perspective.KindNone {
		return a.Kind
	}
	kind := perspective.KindNone
	for i, text := range a.Perspectives {
		switch found := perspective.KindOf(text); {
		case found == perspective.KindNone, i > 0 && found != kind:
			return perspective.KindFree
		default:
			kind = found
		}
	}
	return kind
}

// can reports whether the query has what the method needs.
func (a *Asked) can(m perspective.Method) bool {
	switch {
	case m.NeedsRoot && !a.Root, m.NeedsPerspective && !a.Root && len(a.Perspectives) == 0:
		return false // with a root alone, the perspective is its difference from the query
	case m.Angles == 0:
		return true
	case !a.Angles || !a.Text:
		return false
	case m.Angles == 1:
		return true
	}
	return a.RootText && a.Sides && a.side() != 0
}

// side is the side that all perspectives ask for: 1 (for) or -1 (against). It is 0 if they name no side, or both.
func (a *Asked) side() (side int) {
	for i, text := range a.Perspectives {
		found := perspective.Stance(text)
		if i > 0 && found != side {
			return 0
		}
		side = found
	}
	return side
}
