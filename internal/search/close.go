package search

import (
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/internal/wasm/lexical"
	"github.com/vantage-search/vantage/internal/wasm/ranking"
	"github.com/vantage-search/vantage/perspective"
)

// tellClose says whether a hit is close to the query: its cosine with the query or the root
// is at least that of the manifest, or it holds all words of either. A collection of which
// the level was not measured, dot products, and a query with vectors of its own leave it open. It costs
// neither an encoding nor a scan.
func (c *Collection) tellClose(in *instance, q *Query, r *Result, request *ranking.Request, hits []ranking.Hit) error {
	level := c.store.Manifest().Close
	if level == 0 || request.Score == perspective.Dot || q.Query.Vector != nil || q.Root != nil && q.Root.Vector != nil {
		return nil
	}
	near := func(hits []ranking.Hit) bool {
		for _, h := range hits {
			if h.Row >= 0 && float64(h.Cosine) >= level {
				return true
			}
		}
		return false
	}
	found := near(hits)
	if !found && q.Root != nil && len(hits) > 0 {
		of := make([]ranking.Hit, len(hits))
		for i, h := range hits {
			of[i].Hit = h.Hit
		}
		err := in.index.Explain(&ranking.Request{Query: perspective.Query{Query: request.Root, Method: "none"}}, of)
		if err != nil && fault.Of(err) != fault.Query { // a root without a direction is close to nothing
			return err
		}
		found = near(of)
	}
	found = found || r.holdsWords(q)
	r.Close = &found
	return nil
}

// tellCloseByWords says what words alone can: a hit that holds all words of the query is
// close, and if there are no hits, nothing is. Otherwise it is left open.
func (r *Result) tellCloseByWords(q *Query) {
	if found := r.holdsWords(q); found || len(r.Hits) == 0 {
		r.Close = &found
	}
}

// holdsWords reports whether a hit holds all words of the query or of its root.
func (r *Result) holdsWords(q *Query) bool {
	texts := []string{q.Query.Text}
	if q.Root != nil {
		texts = append(texts, q.Root.Text)
	}
	for _, h := range r.Hits {
		for _, text := range texts {
			if lexical.Holds(h.Title+" "+h.Text, text) {
				return true
			}
		}
	}
	return false
}
