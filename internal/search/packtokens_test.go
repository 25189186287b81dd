package search_test

import (
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/collection/manifest"
	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/search"
	"github.com/vantage-search/vantage/internal/testing/approx"
	"github.com/vantage-search/vantage/internal/testing/late"
	"github.com/vantage-search/vantage/internal/testing/naive"
	"github.com/vantage-search/vantage/internal/testing/packmodeltest"
	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// A collection of token vectors carries the ColBERT's pack, and encodes queries by it with
// the bits of the pack. The scores of the ten best differ from exact MaxSim by at most 0.05.
func TestPackOfTokens(t *testing.T) {
	dir := t.TempDir()
	e, texts := late.Packed(t, dir, 8)
	c, err := openFS(t, os.DirFS(dir))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if m := c.Manifest(); m.Model.Kind != manifest.KindPack || m.Encoder == nil || m.Score != manifest.ScoreMaxSim || m.Model.Pooling != encoder.PoolingTokens ||
		m.Model.Int8 || m.Model.MaxLength != 40 || m.Dim != late.PackDim || len(m.Tokens.Files) < 2 {
		t.Errorf("%+v", m)
	}
	documents, err := e.EncodeTokens(t.Context(), texts, encoder.Document)
	if err != nil {
		t.Fatal(err)
	}
	for _, query := range late.Texts(30, 2) {
		made, err := e.EncodeTokens(t.Context(), []string{query}, encoder.Query)
		if err != nil {
			t.Fatal(err)
		}
		if strings.TrimSpace(query) == "" {
			continue
		}
		got, err := c.Search(t.Context(), search.Query{Query: search.Text{Text: query}})
		want, err2 := c.Search(t.Context(), search.Query{Query: search.Text{Vector: made[0].Vectors}})
		if err != nil || err2 != nil {
			t.Fatal(err, err2)
		}
		if !reflect.DeepEqual(got.Hits, want.Hits) || got.Score != "maxsim" || len(got.Hits) != 10 || got.Notice != "" {
			t.Fatalf("%q: %+v\nby vectors: %+v", query, got, want)
		}
		var scores []float64
		for _, d := range documents {
			scores = append(scores, naive.MaxSim(made[0].Vectors, d.Vectors, late.PackDim))
		}
		best := slices.Sorted(slices.Values(scores))
		slices.Reverse(best)
		for i, h := range got.Hits {
			if exact := scores[h.Index]; approx.Apart(float64(h.Score), exact, .05) || exact < best[i]-.05 {
				t.Errorf("%q, hit %d: %s with %v (exactly %v), want a score of %v", query, i, h.ID, h.Score, exact, best[i])
			}
		}
	}
}

// The same pack may be given from outside. Another pack, and one of whole texts, are refused.
func TestPackOfTokensFromOutside(t *testing.T) {
	dir := t.TempDir()
	e, _ := late.Packed(t, dir, 4)
	whole := packmodeltest.Tiny(t, 1, false)
	for says, given := range map[string]encoder.Encoder{"": e, "does not match": late.Model(t, 2), "one vector for a whole text": whole} {
		c, err := openTokens(t, os.DirFS(dir), given)
		if says == "" {
			if err != nil {
				t.Error(err)
				continue
			}
			if r, err := c.Search(t.Context(), search.Query{Query: search.Text{Text: "night trains"}}); err != nil || len(r.Hits) != 10 {
				t.Errorf("%+v, %v", r, err)
			}
			continue
		}
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", says, err)
		}
	}
}

// A pack that was exchanged for one of the other sort is refused by name.
func TestPackOfAnotherSort(t *testing.T) {
	for i, dir := range late.Mixed(t) {
		opened, err := openFS(t, os.DirFS(dir))
		if err == nil {
			_, err = opened.Encode(t.Context(), []string{"a"}, encoder.Query)
			opened.Close()
		}
		if fault.Of(err) != fault.Integrity || !strings.Contains(err.Error(), "vectors of tokens (maxsim)") {
			t.Errorf("collection %d: %v", i, err)
		}
	}
}
