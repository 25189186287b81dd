package main

import (
	"path/filepath"
	"testing"

	"github.com/vantage-search/vantage"
	"github.com/vantage-search/vantage/perspective"
)

// about says what an example asks for, in the metadata of the corpus.
type about struct{ topic, field, value string }

// wanted has what the examples of the bundled corpus ask for. If a query asks for both sides,
// field and value are empty.
var wanted = map[string]about{
	"arguments against banning fireworks":               {"private-fireworks", "stance", "oppose"},
	"pros and cons of video assistant referees":         {"video-referees", "", ""},
	"the case for a meat-free day in the canteen":       {"meat-free-canteen-days", "stance", "support"},
	"benefits of wind turbines on land":                 {"wind-turbines", "stance", "support"},
	"what would a parent say about child-free weddings": {"child-free-weddings", "audience", "parents"},
}

// The examples are what visitors of the demonstration try first. So the top of each answer is
// right by the corpus's own metadata: the first three results have the side that was asked for,
// in each column if it was both, and none of them is labelled with the other one. Of an
// audience the corpus has fewer texts, so the first two count.
func checkExamples(t *testing.T, c *vantage.Collection) {
	metadata := map[string]map[string]any{}
	err := read(filepath.Join(bundled(), "corpus.jsonl"), func(d struct {
		ID       string `json:"_id"`
		Metadata map[string]any
	}) {
		metadata[d.ID] = d.Metadata
	})
	if err != nil {
		t.Fatal(err)
	}
	top := func(query, list string, hits []vantage.Hit, most int, want about) {
		if len(hits) < most {
			t.Fatalf("%s, %s: %d hits", query, list, len(hits))
		}
		for _, h := range hits[:most] {
			if m := metadata[h.ID]; m["topic"] != want.topic || m[want.field] != want.value {
				t.Errorf("%s, %s: %s is on %v with %s %v", query, list, h.ID, m["topic"], want.field, m[want.field])
			}
			if h.Stance == nil || want.field != "stance" {
				continue
			}
			if side := h.Stance.Side; side == "for" && want.value != "support" || side == "against" && want.value != "oppose" {
				t.Errorf("%s, %s: %s is labelled %s", query, list, h.ID, side)
			}
		}
	}
	examples, err := lines(filepath.Join(bundled(), "examples.txt"))
	if err != nil || len(examples) != len(wanted) {
		t.Fatalf("%d examples, %d are described: %v", len(examples), len(wanted), err)
	}
	for _, query := range examples {
		want, ok := wanted[query]
		if !ok {
			t.Fatalf("%q is not described", query)
		}
		if read := perspective.Read(query); want.field == "" {
			if !read.Both {
				t.Errorf("%q is read as %+v", query, read)
			}
			found, err := c.Sides(t.Context(), vantage.SidesQuery{Root: read.Root})
			if err != nil {
				t.Fatal(err)
			}
			top(query, "for", found.For.Hits, 3, about{want.topic, "stance", "support"})
			top(query, "against", found.Against.Hits, 3, about{want.topic, "stance", "oppose"})
			continue
		}
		result, err := c.Search(t.Context(), vantage.Query{Query: vantage.Text{Text: query}})
		if err != nil {
			t.Fatal(err)
		}
		most := 3
		if want.field == "audience" {
			most = 2
		}
		top(query, "results", result.Hits, most, want)
	}
}
