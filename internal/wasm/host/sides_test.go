package host

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/search"
	"github.com/vantage-search/vantage/internal/testing/approx"
	"github.com/vantage-search/vantage/internal/testing/naive"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/internal/wasm/shard"
	"github.com/vantage-search/vantage/internal/wasm/stance"
)

// The sides of documents and texts, and the other side of a document, have the same bits
// natively and in the core.
func TestSidesEqualNative(t *testing.T) {
	ctx := t.Context()
	e := sidesPack(t)
	filter, err := search.ParseFilter("third=1|2")
	if err != nil {
		t.Fatal(err)
	}
	for _, dtype := range []shard.DType{shard.I8, shard.F32} {
		dir, texts := sidesCollection(t, e, dtype)
		native, wasm := both(t, dir, WithInstances(1))
		asked := map[string]search.SidesQuery{
			"all":      {Root: walked},
			"three":    {Root: walked, K: 3, Strength: number(2)},
			"filtered": {Root: "a train", Filters: []search.Filter{filter}, K: 100},

			"no root":    {},
			"k -1":       {Root: walked, K: -1},
			"too strong": {Root: walked, Strength: number(11)},
			"NaN":        {Root: walked, Strength: number(math.NaN())},
		}
		hits := 0
		for name, q := range asked {
			want, err := native.Sides(ctx, q)
			got, wasmErr := wasm.Sides(ctx, q)
			if a, b := marshal(t, want, err), marshal(t, got, wasmErr); !bytes.Equal(a, b) {
				t.Errorf("%s rows, %s: natively\n%s\nin the core\n%s", dtype, name, a, b)
			}
			if refused := slices.Contains([]string{"no root", "k -1", "too strong", "NaN"}, name); refused != (err != nil) {
				t.Errorf("%s rows, %s: %v", dtype, name, err)
			}
			if err == nil {
				hits += len(want.For.Hits) + len(want.Neither.Hits) + len(want.Against.Hits)
			}
			q.Filters = nil
			of, err := native.SidesOf(ctx, q, texts)
			ofWasm, wasmErr := wasm.SidesOf(ctx, q, texts)
			if a, b := marshal(t, of, err), marshal(t, ofWasm, wasmErr); !bytes.Equal(a, b) {
				t.Errorf("%s of texts: natively\n%s\nin the core\n%s", name, a, b)
			}
		}
		if hits < 60 {
			t.Errorf("%d hits in all: this compares little", hits)
		}
		others := map[string]search.OtherSideQuery{
			"with a root": {Document: 3, Root: walked},
			"without":     {Document: 3, K: 4},
			"all":         {Document: 69, Root: "a train", K: 100, Filters: []search.Filter{filter}},
			"topic":       {Document: 5, Strength: number(0)},

			"no document": {Document: 70},
			"negative":    {Document: -1},
			"bad k":       {Document: 1, K: -1},
			"turned":      {Document: 1, Strength: number(-1)},
		}
		for name, q := range others {
			want, err := native.OtherSide(ctx, q)
			got, wasmErr := wasm.OtherSide(ctx, q)
			if a, b := marshal(t, want, err), marshal(t, got, wasmErr); !bytes.Equal(a, b) {
				t.Errorf("%s rows, %s: natively\n%s\nin the core\n%s", dtype, name, a, b)
			}
			if refused := slices.Contains([]string{"no document", "negative", "bad k", "turned"}, name); refused != (err != nil) {
				t.Errorf("%s rows, other side, %s: %v", dtype, name, err)
			}
			if err != nil {
				continue
			}
			if len(want.Hits) == 0 || name == "without" && len(want.Hits) != 4 {
				t.Errorf("%s: %d hits", name, len(want.Hits))
			}
			for _, h := range want.Hits {
				if h.Index == q.Document || q.Root != "" && h.Stance.Slant*want.Of.Stance.Slant >= 0 {
					t.Errorf("%s: %+v is a hit of %+v", name, h.Stance, want.Of.Stance)
				}
			}
		}
	}
}

// Sides, probabilities and scores are those of the formula on the encoder's vectors.
func TestSidesAgainstFormula(t *testing.T) {
	ctx := t.Context()
	e := sidesPack(t)
	dir, texts := sidesCollection(t, e, shard.F32)
	native, _ := both(t, dir, WithInstances(1))
	embedded, err := e.Encode(ctx, append([]string{walked}, texts...), encoder.Options{})
	if err != nil {
		t.Fatal(err)
	}
	angles, err := e.EncodeAngles(ctx, append([]string{"supports the man: " + walked, "opposes the city: " + walked}, texts...), encoder.Options{})
	if err != nil {
		t.Fatal(err)
	}
	got, err := native.Sides(ctx, search.SidesQuery{Root: walked, K: len(texts)})
	if err != nil {
		t.Fatal(err)
	}
	counts := map[string]int{}
	said := map[int]search.Hit{}
	for side, list := range map[string]search.SideHits{search.For: got.For, search.Neither: got.Neither, search.Against: got.Against} {
		if list.Count != len(list.Hits) {
			t.Errorf("%s: %d of %d", side, len(list.Hits), list.Count)
		}
		for _, h := range list.Hits {
			if h.Stance.Side != side || h.Text != texts[h.Index] {
				t.Errorf("%s: %+v, %q", side, h.Stance, h.Text)
			}
			said[h.Index] = h
		}
	}
	c := stance.Standard
	for i := range texts {
		cos := naive.Cosine(embedded[0].Vector, embedded[1+i].Vector)
		slant := naive.Cosine(angles[0], angles[2+i]) - naive.Cosine(angles[1], angles[2+i])
		h, have := said[i]
		if approx.Apart(cos, c.Subject, 1e-5) && have != (cos >= c.Subject) {
			t.Errorf("%q with cosine %g: %v", texts[i], cos, have)
		}
		if !have {
			continue
		}
		side := c.Side(slant, c.Threshold())
		counts[side.String()]++
		pro, neither, con := c.Three(slant)
		probability := map[stance.Side]float64{stance.For: pro, stance.Neither: neither, stance.Against: con}[side]
		want := cos + 0.3*float64(side)*slant
		if h.Stance.Side != side.String() || approx.Apart(float64(h.Stance.Probability), probability, 1e-4) || approx.Apart(float64(h.Stance.Cosine), cos, 1e-5) || approx.Apart(float64(h.Score), want, 1e-5) {
			t.Errorf("%q: %+v, score %g; want %s, %g, %g, %g", texts[i], h.Stance, h.Score, side, probability, cos, want)
		}
	}
	if len(said) < 20 || counts[search.For]+counts[search.Against] < 3 {
		t.Errorf("%v: this compares little", counts)
	}
}

// A hit of a query that asks for a side says which side it is on, by whatever method, if
// the angles are in memory. Other hits have no stance.
func TestHitsSayTheirSides(t *testing.T) {
	ctx := t.Context()
	e := sidesPack(t)
	dir, texts := sidesCollection(t, e, shard.I8)
	native, wasm := both(t, dir, WithInstances(1))
	said := func(q search.Query) (n int, stances string) {
		r, err := native.Search(ctx, q)
		got, wasmErr := wasm.Search(ctx, q)
		if a, b := marshal(t, r, err), marshal(t, got, wasmErr); err != nil || !bytes.Equal(a, b) {
			t.Fatalf("natively\n%s\nin the core\n%s", a, b)
		}
		for _, h := range r.Hits {
			if h.Stance == nil {
				continue
			}
			n++
			stances += fmt.Sprint(h.Index, *h.Stance, " ")
			if h.Stance.Side == search.Neither || float64(h.Stance.Cosine) < stance.Standard.Subject {
				t.Errorf("%+v is said", h.Stance)
			}
		}
		return n, stances
	}
	all := len(texts)
	if n, _ := said(search.Query{Query: text(askFor), Method: "none", K: all}); n != 0 {
		t.Errorf("before angles are in memory, %d hits have a side", n)
	}
	forHits, _ := said(search.Query{Query: text(askFor), Method: "contrast", K: all})
	against, _ := said(search.Query{Query: text(askAgainst), Method: "contrast", K: all})
	sides, err := native.Sides(ctx, search.SidesQuery{Root: walked, K: 1})
	if err != nil {
		t.Fatal(err)
	}
	if want := sides.For.Count + sides.Against.Count; forHits != want || against != want || want < 3 {
		t.Errorf("%d and %d hits have a side, want %d", forHits, against, want)
	}
	if n, _ := said(search.Query{Query: text(askFor), Method: "none", K: all}); n != forHits {
		t.Errorf("by another method, %d hits have a side, want %d", n, forHits)
	}
	for name, q := range map[string]search.Query{
		"no side":   {Query: text("the man"), Root: new(text(walked))},
		"opposites": {Query: text("the man"), Root: new(text(walked)), Method: "contrast", Opposites: &search.Opposites{Wanted: text("in the night: "), Other: text("in the snow: ")}},
		"aspect":    {Query: text("the king in the snow"), Method: "aspect"},
	} {
		if n, _ := said(q); n != 0 {
			t.Errorf("%s: %d hits have a side", name, n)
		}
	}
	reranked, err := native.Rerank(ctx, search.Query{Query: text(askAgainst), Method: "contrast", K: all}, texts)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, h := range reranked.Hits {
		if h.Stance != nil {
			n++
		}
	}
	if n < forHits-2 || n > forHits+2 { // the rows of the collection are rounded
		t.Errorf("%d reranked texts have a side, %d documents", n, forHits)
	}
}

func TestSidesWithoutAngles(t *testing.T) {
	native, wasm := both(t, debates(t, shard.I8), WithInstances(1))
	for _, c := range []*search.Collection{native, wasm} {
		if _, err := c.Sides(t.Context(), search.SidesQuery{Root: "trains"}); !errors.Is(err, fault.Query) || !strings.Contains(err.Error(), "index it with an encoder that tells sides apart") {
			t.Error(err)
		}
		if _, err := c.OtherSide(t.Context(), search.OtherSideQuery{Document: 1}); !errors.Is(err, fault.Query) {
			t.Error(err)
		}
		if _, err := c.SidesOf(t.Context(), search.SidesQuery{Root: "trains"}, []string{"a"}); !errors.Is(err, fault.Query) || !strings.Contains(err.Error(), "cannot tell sides apart") {
			t.Error(err)
		}
	}
}
