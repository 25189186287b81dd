package retrieve

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/model/modeltest"
	"github.com/vantage-search/vantage/internal/testing/approx"
	"github.com/vantage-search/vantage/internal/testing/naive"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/perspective"
)

// A ColBERT ranks by MaxSim with its vectors as they are, and with token-bits as a
// collection stores them.
func TestLate(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "colbert")
	if err := modeltest.WriteColBERT(dir, 1, 24); err != nil {
		t.Fatal(err)
	}
	var corpus []string
	for i := range 60 {
		corpus = append(corpus, fmt.Sprintf("claim %d of school %d and prices %d", i*7%100, i*13%100, i*29%100))
	}
	for _, bits := range []string{"", ",token-bits=8", ",token-bits=4"} {
		spec, err := ParseSpec("--retriever", dir+bits)
		if err != nil {
			t.Fatal(err)
		}
		encoding := Encoding{Late: true}
		m, err := encoding.Find(t.Context(), spec)
		if err == nil {
			err = errors.Join(encoding.Bind(t.Context(), []*Model{m}), Try(t.Context(), []*Model{m}))
		}
		if err != nil || !m.RanksTokens() || !strings.Contains(m.About(), "by MaxSim") {
			t.Fatal(m.About(), err)
		}
		x, e, err := m.Index(t.Context(), func(x Index) error { return Fill(t.Context(), x, corpus, nil) })
		if err != nil {
			t.Fatal(err)
		}
		late := x.(*Late)
		made, err := late.encoder.EncodeTokens(t.Context(), corpus, encoder.Document)
		if err != nil {
			t.Fatal(err)
		}
		query, root := "school 13 and prices", "claim 7"
		q, err := late.Encode(t.Context(), query)
		if err != nil {
			t.Fatal(err)
		}
		r, err := late.Encode(t.Context(), root)
		if err != nil {
			t.Fatal(err)
		}
		gated, err := perspective.SumTokens("rerank", 24, nil, r, [][]float32{q})
		if err != nil {
			t.Fatal(err)
		}
		scores, gates := make([]float64, len(corpus)), make([]float64, len(corpus))
		for i := range corpus {
			scores[i], gates[i] = naive.MaxSim(q, made[i].Vectors, 24), naive.MaxSim(r, made[i].Vectors, 24)
		}
		near := map[string]float64{"": 1e-4, ",token-bits=8": 0.02, ",token-bits=4": 0.2}[bits]
		check := func(query Query, want func(i int) float64) {
			t.Helper()
			hits, err := late.Rank(t.Context(), query, 10)
			if err != nil || len(hits) != 10 {
				t.Fatalf("%d hits, %v", len(hits), err)
			}
			for i, h := range hits {
				if approx.Apart(h.Score, want(int(h.Document)), near) || i > 0 && h.Score > hits[i-1].Score {
					t.Errorf("%s, hit %d: %v, want %v", bits, i, h, want(int(h.Document)))
				}
			}
		}
		gone, cancel := context.WithCancel(t.Context())
		cancel()
		late.Rank(gone, Query{Tokens: &gated}, 10) // whose end is not that of later queries
		check(Query{Text: query}, func(i int) float64 { return scores[i] })
		sorted := slices.Sorted(slices.Values(scores))
		if best, _ := late.Rank(t.Context(), Query{Text: query}, 1); approx.Apart(scores[best[0].Document], sorted[len(sorted)-1], near) {
			t.Errorf("%s: the best is %v, want a score of %v", bits, best, sorted[len(sorted)-1])
		}
		check(Query{Tokens: &gated}, func(i int) float64 { return scores[i] + gates[i] })
		if _, err := late.Rank(t.Context(), Query{Vectors: &perspective.Query{}}, 3); err == nil {
			t.Error("one vector ranks those of tokens")
		}
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestLateRefusals(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "colbert")
	if err := modeltest.WriteColBERT(dir, 1, 24); err != nil {
		t.Fatal(err)
	}
	for given, says := range map[string]string{
		",score=dot": "leave the score out", ",query-prefix=a": "leave query-model and prefixes out", ",pooling=mean,token-bits=4": "leave token-bits out",
		",pooling=mean": "", ",score=maxsim": "",
	} {
		spec, err := ParseSpec("--retriever", dir+given)
		if err != nil {
			t.Fatal(err)
		}
		encoding := Encoding{Late: true}
		m, err := encoding.Find(t.Context(), spec)
		if err == nil {
			err = encoding.Bind(t.Context(), []*Model{m})
		}
		if err == nil {
			err = Try(t.Context(), []*Model{m})
		}
		if (err == nil) != (says == "") || err != nil && (!errors.Is(err, fault.Query) || !strings.Contains(err.Error(), says)) {
			t.Errorf("%s: %v", given, err)
		}
	}
}
