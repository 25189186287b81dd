package main

import (
	"context"
	"maps"
	"slices"

	"github.com/vantage-search/vantage"
	"github.com/vantage-search/vantage/perspective"
)

// told counts the texts that are said to be for or against the roots of the judged queries: those that
// are judged to be on that side of the root, those judged to be on the other, and those that no query with
// the root finds, most of which are on other subjects.
type told struct{ roots, right, wrong, unjudged int }

// tellSides tells the sides of all texts towards the roots of the queries that ask for one side.
func (l list) tellSides(ctx context.Context, c *vantage.Collection, texts int) (t told, err error) {
	judged := map[string]map[string]int{} // by root and id: the side
	for i, q := range l.queries {
		if r := perspective.Read(q); r.Side != 0 {
			if judged[r.Root] == nil {
				judged[r.Root] = map[string]int{}
			}
			for id := range l.relevant[i] {
				judged[r.Root][id] = r.Side
			}
		}
	}
	for _, root := range slices.Sorted(maps.Keys(judged)) {
		found, err := c.Sides(ctx, vantage.SidesQuery{Root: root, K: texts})
		if err != nil {
			return t, err
		}
		t.roots++
		for side, hits := range map[int][]vantage.Hit{1: found.For.Hits, -1: found.Against.Hits} {
			for _, h := range hits {
				switch judged[root][h.ID] {
				case side:
					t.right++
				case -side:
					t.wrong++
				default:
					t.unjudged++
				}
			}
		}
	}
	return t, nil
}
