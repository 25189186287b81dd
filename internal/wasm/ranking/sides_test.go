package ranking

import (
	"cmp"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/vantage-search/vantage/internal/testing/approx"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/internal/wasm/index"
	"github.com/vantage-search/vantage/internal/wasm/shard"
	"github.com/vantage-search/vantage/internal/wasm/stance"
	"github.com/vantage-search/vantage/perspective"
)

// The sides of a collection that is divided are those of one index: counts add up, and
// hits merge by score and row.
func TestSidesOfParts(t *testing.T) {
	for _, dtype := range []shard.DType{shard.F32, shard.I8} {
		rng := rand.New(rand.NewPCG(61, 1))
		p := deal(t, rng, dtype, 240, 3)
		r := request(rng, "contrast")
		c := stance.Calibration{Width: .2, Level: .2, TwoWidth: 1, Subject: -.2}
		want, err := Tell(p.whole, r, c)
		if err != nil {
			t.Fatal(err)
		}
		if n := want.For.Count + want.Neither.Count + want.Against.Count; n < 100 || min(len(want.For.Hits), len(want.Neither.Hits), len(want.Against.Hits)) < r.K {
			t.Fatalf("%d rows on the subject; %d, %d and %d hits", n, len(want.For.Hits), len(want.Neither.Hits), len(want.Against.Hits))
		}
		got := Sides{}
		for _, ix := range p.parts {
			some, err := Tell(ix, r, c)
			if err != nil {
				t.Fatal(err)
			}
			got.For.join(some.For, r.K)
			got.Neither.join(some.Neither, r.K)
			got.Against.join(some.Against, r.K)
		}
		for i, side := range [][2]SideHits{{got.For, want.For}, {got.Neither, want.Neither}, {got.Against, want.Against}} {
			if side[0].Count != side[1].Count || !slices.Equal(side[0].Hits, side[1].Hits) {
				t.Errorf("%s, side %d: %d rows, want %d", dtype, i, side[0].Count, side[1].Count)
			}
			for _, h := range side[1].Hits {
				if !h.OnSubject || h.Side != stance.Side(1-i) || approx.Apart(float64(h.For+h.Neither+h.Against), 1, 1e-6) {
					t.Errorf("%+v", h)
				}
				again, err := TellOf(p.whole, r, c, []index.Hit{{Row: -1, Document: h.Document, Score: h.Score}})
				if err != nil || again[0] != h {
					t.Errorf("told alone: %+v, %v; want %+v", again, err, h)
				}
			}
		}
		if strange, err := TellOf(p.whole, r, c, []index.Hit{{Document: 9999}}); err != nil || strange[0].Row != -1 {
			t.Errorf("no such document: %+v, %v", strange, err)
		}
	}
}

func (s *SideHits) join(other SideHits, k int) {
	s.Count += other.Count
	s.Hits = append(s.Hits, other.Hits...)
	slices.SortFunc(s.Hits, func(a, b Stance) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Row, b.Row))
	})
	s.Hits = s.Hits[:min(k, len(s.Hits))]
}

func TestSidesRefusals(t *testing.T) {
	rng := rand.New(rand.NewPCG(61, 2))
	p := deal(t, rng, shard.I8, 20, 1)
	same, strong, rootless := *request(rng, "contrast"), *request(rng, "contrast"), *request(rng, "contrast")
	same.Angles = [][]float32{same.Angles[0], same.Angles[0]}
	strong.Strength = 11
	rootless.Root = nil
	if _, err := Tell(p.whole, &same, stance.Standard); !errors.Is(err, fault.Query) {
		t.Errorf("equal angles: %v", err)
	}
	if _, err := Tell(p.whole, &strong, stance.Standard); fault.Of(err) != fault.Query {
		t.Errorf("too strong: %v", err)
	}
	if _, err := TellOf(p.whole, &rootless, stance.Standard, nil); !fault.Is[*perspective.MissingError](err) {
		t.Errorf("no root: %v", err)
	}
}
