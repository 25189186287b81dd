package search_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/search"
	"github.com/vantage-search/vantage/internal/testing/approx"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/perspective"
)

// At 4 and at 2 bits, the ten best documents are those of exact MaxSim, with its scores, if
// the best forty are encoded again.
func TestRescore(t *testing.T) {
	docs := tokenCorpus()
	for _, bits := range []int{4, 2} {
		c, err := openTokens(t, os.DirFS(writeTokens(t, docs, bits)), byWord{"words"})
		if err != nil {
			t.Fatal(err)
		}
		r := rand.New(rand.NewPCG(6, 6))
		rounded := 0
		for range 40 {
			var words []string
			for range 8 {
				words = append(words, fmt.Sprintf("w%d", r.IntN(80)))
			}
			query := search.Text{Text: strings.Join(words, " ")}
			want, scores := top(docs, func(d string) float64 { return exact(query.Text, d) })
			stored, err := c.Search(t.Context(), search.Query{Query: query})
			if err != nil {
				t.Fatal(err)
			}
			result, err := c.Search(t.Context(), search.Query{Query: query, Rescore: 40})
			if err != nil {
				t.Fatal(err)
			}
			var ids []string
			for i, h := range result.Hits {
				ids = append(ids, h.ID)
				if h.Rank != i+1 || h.Score != float32(scores[h.ID]) || h.Text != docs[h.Index].Text {
					t.Errorf("%d bits, hit %d: %+v, want score %v", bits, i, h, scores[h.ID])
				}
				if stored.Hits[i].Score != float32(scores[stored.Hits[i].ID]) {
					rounded++
				}
			}
			if !slices.Equal(ids, want) {
				t.Errorf("%d bits, %s: %v, want %v", bits, query.Text, ids, want)
			}
		}
		if rounded == 0 {
			t.Errorf("%d bits: no stored vector is rounded, so that this test shows nothing", bits)
		}
	}
}

// If more hits are wanted than documents rescored, all are. Documents that a gate sinks stay behind,
// and one without words has no vectors. Contexts are added to the new scores.
func TestRescoreWithTheRest(t *testing.T) {
	docs := tokenCorpus()
	c, err := openTokens(t, os.DirFS(writeTokens(t, docs, 2)), byWord{"words"})
	if err != nil {
		t.Fatal(err)
	}
	root, side := search.Text{Text: "w1 w2 w3 w4"}, search.Text{Text: "w5 w6"}
	query := search.Text{Text: "w1 w2 w3 w4 w5 w6"}
	every, err := c.Search(t.Context(), search.Query{Query: query, Rescore: 1, K: len(docs)})
	if err != nil {
		t.Fatal(err)
	}
	if len(every.Hits) != len(docs) {
		t.Errorf("%d of %d documents", len(every.Hits), len(docs))
	}
	for i, h := range every.Hits {
		if want := float32(exact(query.Text, h.Text)); h.Score != want || i > 0 && every.Hits[i-1].Score < h.Score {
			t.Errorf("hit %d: %+v, want score %v", i, h, want)
		}
	}
	gated, err := c.Search(t.Context(), search.Query{Query: query, Root: &root, Perspectives: []search.Text{side}, Method: "rerank", Rescore: 100, K: 100})
	if err != nil {
		t.Fatal(err)
	}
	sunk := 0
	for i, h := range gated.Hits {
		want := float32(exact(root.Text, h.Text) + exact(side.Text, h.Text))
		if h.Score == perspective.SunkDot {
			sunk++
		} else if sunk > 0 || approx.Apart(float64(h.Score), float64(want), 1e-5) {
			t.Errorf("with a gate, hit %d: %+v, want score %v", i, h, want)
		}
	}
	if sunk == 0 || sunk == len(gated.Hits) {
		t.Errorf("%d of %d hits are sunk", sunk, len(gated.Hits))
	}
	joint, err := c.Search(t.Context(), search.Query{Query: query, Rescore: 40, Contexts: []search.Text{{Text: "w9 w10"}}})
	if err != nil {
		t.Fatal(err)
	}
	for i, h := range joint.Hits {
		if want := float32(exact(query.Text, h.Text)); h.Because == nil || h.Because.Relevance != want {
			t.Errorf("with a context, hit %d: %+v, want relevance %v", i, h.Because, want)
		}
	}
}

// huge is byWord while a collection is opened. Then the test multiplies its documents' vectors by a factor.
type huge struct {
	byWord
	factor float32
}

func (h *huge) EncodeTokens(ctx context.Context, texts []string, role encoder.Role) ([]encoder.TokenVectors, error) {
	all, err := h.byWord.EncodeTokens(ctx, texts, role)
	if role == encoder.Document {
		for _, v := range all {
			for i := range v.Vectors {
				v.Vectors[i] *= h.factor
			}
		}
	}
	return all, err
}

func TestRescoreRefusals(t *testing.T) {
	docs := tokenCorpus()
	dir := writeTokens(t, docs, 4)
	text := search.Text{Text: "w1 w2"}
	for factor, says := range map[float32]string{
		float32(math.Inf(1)): "the encoder words gave text 0 a vector with ", float32(math.NaN()): "the encoder words gave text 0 a vector with NaN", 3e38: "vectors that are too large",
	} {
		e := &huge{byWord{"words"}, 1}
		c, err := openTokens(t, os.DirFS(dir), e)
		if err != nil {
			t.Fatal(err)
		}
		e.factor = factor
		if _, err := c.Search(t.Context(), search.Query{Query: text, Rescore: 20}); fault.Of(err) != fault.Input || !strings.Contains(err.Error(), says) {
			t.Errorf("vectors times %v: %v", factor, err)
		}
	}
	bare, err := openTokens(t, os.DirFS(dir), nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := bare.Search(t.Context(), search.Query{Query: search.Text{Vector: vectorsOf("w1 w2")}, Rescore: 20}); !errors.Is(err, search.ErrNoEncoder) {
		t.Errorf("without an encoder: %v", err)
	}
	plain, err := search.Create(t.Context(), search.Options{Encoder: search.Outside{Encoder: whole{}}})
	if err != nil {
		t.Fatal(err)
	}
	defer plain.Close()
	if _, err := plain.Rerank(t.Context(), search.Query{Query: text, Rescore: 20}, []string{"a"}); err == nil || !strings.Contains(err.Error(), "collections of token vectors") {
		t.Errorf("vectors of whole texts: %v", err)
	}
}
