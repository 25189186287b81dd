package search

import (
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/internal/wasm/lexical"
	"github.com/vantage-search/vantage/internal/wasm/ranking"
	"github.com/vantage-search/vantage/perspective"
)

// CloseMargin is how far below the collection's level the cosine of a hit may lie if the hit
// shares words with the query. It was chosen like the ceilings of internal/collection.
const CloseMargin = 0.05

// tellClose says in r whether any hit is close to the query. A hit is close
//   - if its cosine with the query or the root is at least the level in the manifest,
//   - if that cosine is less by at most CloseMargin, and the hit shares words (lexical.Shares)
//     with the root, or with the query if there is no root,
//   - or if it contains all words of the query or of the root.
//
// r says nothing if the manifest has no level, if dot products were compared, or if the query or
// the root was given as a vector. Nothing is encoded or scanned for this.
func (c *Collection) tellClose(in *instance, q *Query, r *Result, request *ranking.Request, hits []ranking.Hit) error {
	level := c.store.Manifest().Close
	if level == 0 || request.Score == perspective.Dot || q.Query.Vector != nil || q.Root != nil && q.Root.Vector != nil {
		return nil
	}
	subject := q.Query.Text
	if q.Root != nil {
		subject = q.Root.Text
	}
	near := func(hits []ranking.Hit) bool {
		for i, h := range hits {
			if h.Row < 0 || float64(h.Cosine) < level-CloseMargin {
				continue
			}
			if float64(h.Cosine) >= level || lexical.Shares(r.Hits[i].Title+" "+r.Hits[i].Text, subject) {
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

// tellCloseByWords does the same for an answer by words alone. If a hit contains all words of
// the query, something is close. If there are no hits, nothing is. Otherwise r says nothing.
func (r *Result) tellCloseByWords(q *Query) {
	if found := r.holdsWords(q); found || len(r.Hits) == 0 {
		r.Close = &found
	}
}

// holdsWords reports whether a hit contains all words of the query or of its root.
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
