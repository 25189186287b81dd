package vantage_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/vantage-search/vantage"
	"github.com/vantage-search/vantage/headless"
	"github.com/vantage-search/vantage/perspective"
)

// A collection says how queries and documents are compared, and a query may say
// otherwise. Of three documents, the longest is best by the dot product.
func TestScore(t *testing.T) {
	dir := t.TempDir()
	documents := func(yield func(vantage.Document, error) bool) {
		for _, id := range []string{"near", "long", "zero"} {
			if !yield(vantage.Document{ID: id, Text: "text"}, nil) {
				return
			}
		}
	}
	options := vantage.IndexOptions{Quantize: "f32", Score: perspective.Dot, Vectors: &vantage.Vectors{
		Model: vantage.Model{ID: "mine"}, Dim: 2, Data: []float32{1, 0, 30, 40, 0, 0},
	}}
	if _, err := vantage.Index(t.Context(), documents, dir, options); err != nil {
		t.Fatal(err)
	}
	engine, err := headless.New(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer engine.Close()
	for name, open := range map[string]*vantage.OpenOptions{"native": nil, "headless": {Engine: engine}} {
		c, err := vantage.Open(t.Context(), dir, open)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		if got := c.Describe().Score; got != "dot" {
			t.Errorf("%s: the collection is compared by %q", name, got)
		}
		for _, want := range []struct {
			score  perspective.Score
			said   string
			ids    []string
			scores []float32
		}{
			{"", "dot", []string{"long", "near", "zero"}, []float32{60, 2, 0}},
			{perspective.Dot, "dot", []string{"long", "near", "zero"}, []float32{60, 2, 0}},
			{perspective.Cosine, "", []string{"near", "long", "zero"}, []float32{1, 0.6, 0}},
		} {
			r, err := c.Search(t.Context(), vantage.Query{Query: vantage.Text{Vector: []float32{2, 0}}, Method: "none", Score: want.score})
			if err != nil {
				t.Fatal(err)
			}
			var ids []string
			var scores []float32
			for _, h := range r.Hits {
				ids, scores = append(ids, h.ID), append(scores, h.Score)
			}
			if !slices.Equal(ids, want.ids) || !slices.Equal(scores, want.scores) || r.Score != want.said {
				t.Errorf("%s, score %q: %v, %v, compared by %q", name, want.score, ids, scores, r.Score)
			}
		}
		_, err = c.Search(t.Context(), vantage.Query{Query: vantage.Text{Vector: []float32{2, 0}}, Score: "maxsim"})
		if !errors.Is(err, vantage.ErrQuery) || !strings.Contains(err.Error(), `score maxsim compares the vectors of tokens`) {
			t.Errorf("%s: %v", name, err)
		}
	}
	options.Score = "maxsim"
	if _, err := vantage.Index(t.Context(), documents, t.TempDir(), options); !errors.Is(err, vantage.ErrInput) || !strings.Contains(err.Error(), "maxsim") {
		t.Errorf("an index by maxsim: %v", err)
	}
}
