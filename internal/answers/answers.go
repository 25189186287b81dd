// Package answers writes the answers of searches, and of questions about sides, for people: remarks on how a query was
// understood, and a table of what was found.
package answers

import (
	"fmt"
	"io"

	"github.com/vantage-search/vantage"
	"github.com/vantage-search/vantage/internal/human"
	"github.com/vantage-search/vantage/internal/search"
)

// Answer is an answer that can be written for people.
type Answer interface {
	// About writes how the query was understood and ranked, one remark per line. If nothing was found, it says so,
	// unless Table begins with numbers.
	About(w io.Writer)
	// Table writes the documents that were found, one per line, and keeps lines within width columns of a terminal if
	// it can. If nothing was found, it writes no document.
	Table(w io.Writer, width int) error
}

// Search is the answer of a search.
type Search struct{ *vantage.Result }

// About implements Answer.
func (r Search) About(w io.Writer) {
	model := "encoder " + encoderName(r.Encoder.ID, r.Encoder.Revision)
	if name := map[string]string{"dot": "dot product", "maxsim": "MaxSim"}[r.Score]; name != "" {
		model = name + ", " + model
	}
	method, _ := search.LookupMethod(r.Method) // the engine told a name that it knows
	switch {
	case r.Method == vantage.MethodWords:
		fmt.Fprintln(w, "method bm25, words alone")
	case method.Angles > 0:
		fmt.Fprintf(w, "method %s, strength %s, %s\n", r.Method, human.Shortest(r.Strength), model)
	case !method.Lambda:
		fmt.Fprintf(w, "method %s, %s\n", r.Method, model)
	default:
		fmt.Fprintf(w, "method %s, λ %s, %s\n", r.Method, human.Shortest(r.Lambda), model)
	}
	if r.Kind != "" {
		fmt.Fprintf(w, "chosen for perspectives of the kind %s\n", r.Kind)
	}
	if r.Hybrid != "" {
		fmt.Fprintf(w, "fused with BM25: %s\n", r.Hybrid)
	}
	root, perspectives := false, false
	for _, t := range r.Texts {
		switch t.Role {
		case "root":
			root = true
		case "perspective":
			perspectives = true
		default:
			continue
		}
		fmt.Fprintf(w, "%s: %s\n", t.Role, human.OneLine(t.Text))
	}
	if r.Side != "" {
		fmt.Fprintf(w, "side: %s\n", r.Side)
	}
	if root && !perspectives && method.NeedsPerspective && method.Angles == 0 {
		fmt.Fprintln(w, "perspective: what the query has beyond the root")
	}
	if len(r.Hits) == 0 {
		fmt.Fprintln(w, "no document fits")
	}
}

// Sides is the answer of vantage sides.
type Sides struct{ *vantage.Sides }

// About implements Answer.
func (s Sides) About(w io.Writer) {
	fmt.Fprintf(w, "strength %s, encoder %s, a text is on the subject if its cosine is at least %s\n", human.Shortest(s.Strength), encoderName(s.Encoder.ID, s.Encoder.Revision), human.Shortest(s.Subject))
}

// Table writes the number of documents on each side, and then the best for the claim and the best against it.
func (s Sides) Table(w io.Writer, width int) error {
	if _, err := fmt.Fprintf(w, "%d for, %d against, %d on neither side\n", s.For.Count, s.Against.Count, s.Neither.Count); err != nil {
		return err
	}
	for _, side := range []struct {
		name string
		hits []vantage.Hit
	}{{"for", s.For.Hits}, {"against", s.Against.Hits}} {
		if len(side.hits) == 0 {
			continue
		}
		if _, err := fmt.Fprintf(w, "\n%s\n", side.name); err != nil {
			return err
		}
		if err := writeStances(w, side.hits, width); err != nil {
			return err
		}
	}
	return nil
}

// OtherSide is the answer of vantage other-side.
type OtherSide struct{ *vantage.OtherSide }

// About implements Answer.
func (o OtherSide) About(w io.Writer) {
	fmt.Fprintf(w, "strength %s, encoder %s\n", human.Shortest(o.Strength), encoderName(o.Encoder.ID, o.Encoder.Revision))
	stance := ""
	if o.Of.Stance != nil {
		stance = ", " + stanceText(o.Of.Stance)
	}
	fmt.Fprintf(w, "of %s%s: %s\n", idText(o.Of.ID), stance, titleOrText(o.Of))
	if len(o.Hits) == 0 {
		fmt.Fprintln(w, "no document is on the other side")
	}
}

// Table implements Answer.
func (o OtherSide) Table(w io.Writer, width int) error {
	if len(o.Hits) == 0 {
		return nil
	}
	return writeStances(w, o.Hits, width)
}

func encoderName(id, revision string) string { return human.Escape(id) + "@" + human.Escape(revision) }
