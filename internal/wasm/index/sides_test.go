package index

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/vantage-search/vantage/internal/testing/approx"
	"github.com/vantage-search/vantage/internal/wasm/shard"
	"github.com/vantage-search/vantage/internal/wasm/stance"
)

// Stances are those of the formula, and a survey counts and ranks the rows by them,
// without those that are removed, masked or without an angle.
func TestSurvey(t *testing.T) {
	const dim, n = 12, 2500
	for _, dtype := range []shard.DType{shard.F32, shard.I8} {
		rng := rand.New(rand.NewPCG(51, 1))
		vectors, said := random(rng, dim*n), random(rng, angleDim*n)
		ix, err := New(dim, dtype, n)
		if err != nil {
			t.Fatal(err)
		}
		deliver(t, rng, dtype, dim, n, vectors, ix.Load)
		for first, size := range map[int]int{0: 1500, 1700: 800} {
			if err := ix.LoadAngles(first, decode(t, dtype, angleDim, said[first*angleDim:(first+size)*angleDim], size)); err != nil {
				t.Fatal(err)
			}
		}
		for range 40 {
			ix.Remove(rng.IntN(n))
		}
		plan := compile(t, rng, "contrast", dim, 0)
		mask := make(Mask, n)
		for i := range mask {
			mask[i] = byte(rng.IntN(4))
		}
		var rows []int
		for row := range n {
			rows = append(rows, row)
		}
		stances, have, err := ix.Stances(plan, rows)
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range rows {
			angle := stored(ix.angles.segments, row)
			if have[row] != (angle != nil) {
				t.Fatalf("row %d: have %v", row, have[row])
			}
			if angle == nil {
				continue
			}
			whole := *plan
			whole.AngleCap = 0 // a slant has no bound
			topic, side := plan.Score(stored(ix.segments, row)), whole.AngleScore(angle)
			if approx.Apart(topic, float64(stances[row].Cosine), 1e-3) || approx.Apart(side, float64(stances[row].Slant), 1e-3) {
				t.Fatalf("row %d: %+v, want %g and %g", row, stances[row], topic, side)
			}
			vector, own, err := ix.Vector(uint32(row))
			if err != nil || !slices.Equal(vector, stored(ix.segments, row)) || !slices.Equal(own, angle) {
				t.Fatalf("row %d: %v", row, err)
			}
		}
		c := stance.Calibration{Width: .1, Level: .1, TwoWidth: 1, Subject: .05}
		for _, m := range []Mask{nil, mask, {}} {
			for _, k := range []int{0, 1, 20, n} {
				strength := []float64{.7, -.7}[k%2]
				got, err := ix.Survey(plan, strength, c, k, m)
				if err != nil {
					t.Fatal(err)
				}
				lists := map[stance.Side][]Hit{}
				for _, row := range rows {
					s, at := ix.locate(row)
					if !have[row] || !s.allowed(m, at) || float64(stances[row].Cosine) < c.Subject {
						continue
					}
					side := c.Side(float64(stances[row].Slant), c.Threshold())
					score := stances[row].Cosine + float32(float64(float64(side)*strength)*float64(stances[row].Slant))
					lists[side] = append(lists[side], Hit{row, uint32(row), score})
				}
				for side, rows := range map[stance.Side]SideRows{stance.For: got.For, stance.Neither: got.Neither, stance.Against: got.Against} {
					want := lists[side]
					slices.SortFunc(want, func(a, b Hit) int { return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Row, b.Row)) })
					if rows.Count != len(want) || !slices.Equal(rows.Best, want[:min(k, len(want))]) {
						t.Errorf("%s, k %d, %s: %d rows, want %d; %d hits", dtype, k, side, rows.Count, len(want), len(rows.Best))
					}
					of, err := ix.Side(plan, side, c, m)
					if err != nil || len(of) != n {
						t.Fatalf("%s: a mask of %d rows, %v", side, len(of), err)
					}
					for row, on := range of {
						if (on == 1) != slices.ContainsFunc(want, func(h Hit) bool { return h.Row == row }) {
							t.Fatalf("%s: row %d is %d in the mask", side, row, on)
						}
					}
					if m == nil && len(want) < 50 {
						t.Errorf("only %d rows are %s", len(want), side)
					}
				}
			}
		}
	}
}

func TestSurveyRefusals(t *testing.T) {
	const dim, n = 8, 4
	rng := rand.New(rand.NewPCG(51, 2))
	ix := load(t, rng, shard.F32, dim, n, random(rng, dim*n))
	plan, plain := compile(t, rng, "contrast", dim, 0), compile(t, rng, "none", dim, 0)
	for name, err := range map[string]error{
		"no angle in the plan":  second(ix.Survey(plain, 1, stance.Standard, 1, nil)),
		"negative k":            second(ix.Survey(plan, 1, stance.Standard, -1, nil)),
		"no calibration":        second(ix.Survey(plan, 1, stance.Calibration{}, 1, nil)),
		"a side without a plan": second(ix.Side(plain, stance.For, stance.Standard, nil)),
		"one without constants": second(ix.Side(plan, stance.For, stance.Calibration{}, nil)),
	} {
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if _, _, err := ix.Vector(n); err == nil {
		t.Error("a row that is not there has a vector")
	}
	ix.dropAngles()
	if _, err := ix.Survey(plan, 1, stance.Standard, 1, nil); err != ErrNoAngles {
		t.Errorf("without angles: %v", err)
	}
	if _, angle, err := ix.Vector(0); angle != nil || err != nil {
		t.Errorf("without angles: %v, %v", angle, err)
	}
}
