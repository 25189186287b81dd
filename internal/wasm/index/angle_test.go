package index

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/wasm/shard"
	"github.com/vantage-search/vantage/perspective"
)

// Angles that are added one by one give the same answer as angles from files.
func TestAddAngles(t *testing.T) {
	const dim, n = 16, 60
	for _, dtype := range []shard.DType{shard.F32, shard.I8} {
		rng := rand.New(rand.NewPCG(41, 1))
		vectors, angles := random(rng, dim*n), random(rng, angleDim*n)
		loaded, err := New(dim, dtype, n)
		if err != nil {
			t.Fatal(err)
		}
		deliver(t, rng, dtype, dim, n, vectors, loaded.Load)
		deliver(t, rng, dtype, angleDim, n, angles, loaded.LoadAngles)
		added, err := New(dim, dtype, 0)
		if err != nil {
			t.Fatal(err)
		}
		for i := range n {
			if _, err := added.Add(vectors[i*dim : (i+1)*dim]); err != nil {
				t.Fatal(err)
			}
		}
		for _, row := range append([]int{0, 1, 2}, rng.Perm(n)...) {
			err := added.AddAngle(row, angles[row*angleDim:(row+1)*angleDim])
			if again := strings.Contains(errorText(err), "loaded already"); err != nil && !again {
				t.Fatal(err)
			}
		}
		for _, method := range []string{"contrast", "aspect"} {
			plan := compile(t, rng, method, dim, 0)
			want, err := loaded.Search(plan, n, nil)
			if err != nil {
				t.Fatal(err)
			}
			if got, err := added.Search(plan, n, nil); err != nil || !slices.Equal(got, want) || len(got) != n {
				t.Errorf("%s, %s: angles added rank otherwise than angles loaded (%v)", dtype, method, err)
			}
		}
	}
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// A row whose angle has not arrived is not a hit of a plan with an angle, even of a gated
// one. All other plans find it.
func TestAnglesThatHaveNotArrived(t *testing.T) {
	const dim, n = 12, 2500
	rng := rand.New(rand.NewPCG(41, 2))
	vectors, angles := random(rng, dim*n), random(rng, angleDim*n)
	ix, err := New(dim, shard.I8, n)
	if err != nil {
		t.Fatal(err)
	}
	deliver(t, rng, shard.I8, dim, n, vectors, ix.Load)
	angled := compile(t, rng, "contrast", dim, 0)
	if _, err := ix.Search(angled, n, nil); !errors.Is(err, ErrNoAngles) || !strings.Contains(err.Error(), "index it with an encoder that tells sides apart") {
		t.Errorf("without any angle: %v", err)
	}
	for first, size := range map[int]int{100: 1200, 1500: 300} {
		if err := ix.LoadAngles(first, decode(t, shard.F32, angleDim, angles[first*angleDim:(first+size)*angleDim], size)); err != nil {
			t.Fatal(err)
		}
	}
	has := func(row int) bool { return row >= 100 && row < 1300 || row >= 1500 && row < 1800 }
	gated := compile(t, rng, "re-ranking", dim, 1)
	gated.Angle = angled.Angle
	byAngle := compile(t, rng, "re-ranking", dim, 1)
	byAngle.Gate.Plan.Angle = angled.Angle
	for name, plan := range map[string]*perspective.Plan{"contrast": angled, "gated": gated, "by the gate": byAngle} {
		hits, err := ix.Search(plan, n, nil)
		if err != nil || len(hits) != 1500 {
			t.Fatalf("%s: %d hits, want those 1500 that have an angle: %v", name, len(hits), err)
		}
		for _, h := range hits {
			if !has(h.Row) {
				t.Fatalf("%s: row %d has no angle and is a hit", name, h.Row)
			}
		}
		scores := make([]float32, n)
		if err := ix.Scores(plan, nil, scores); err != nil {
			t.Fatal(err)
		}
		for row, score := range scores {
			if has(row) == math.IsInf(float64(score), -1) {
				t.Fatalf("%s: row %d has the score %g", name, row, score)
			}
		}
	}
	explained, err := ix.Explain(angled, compile(t, rng, "none", dim, 0), nil, []int{0, 100})
	if err != nil || explained[0].Side != 0 || explained[0].Topic == 0 || explained[1].Side == 0 {
		t.Errorf("%+v, %v", explained, err)
	}
	if hits, err := ix.Search(compile(t, rng, "none", dim, 0), n, nil); err != nil || len(hits) != n {
		t.Errorf("the plain cosine finds %d rows: %v", len(hits), err)
	}
}

// A search leaves out the angles of rows that they cannot lift into the answer. Its hits and scores are
// those of all rows' scores, which leave out none, for angles of any length, gates and masks.
func TestFewAngles(t *testing.T) {
	const dim, n = 24, 9000
	for seed := range uint64(40) {
		rng := rand.New(rand.NewPCG(41, 100+seed))
		dtype := []shard.DType{shard.F32, shard.I8}[seed%2]
		ix := load(t, rng, dtype, dim, n, random(rng, dim*n))
		plan := compile(t, rng, []string{"root", "re-ranking"}[seed/2%2], dim, 1)
		plan.Angle = random(rng, angleDim)
		scale := float32(math.Pow(10, -4*rng.Float64()))
		for i := range plan.Angle {
			plan.Angle[i] *= scale
		}
		if seed%5 < 2 {
			plan.AngleCap = float64(scale) * rng.Float64()
		}
		var mask Mask
		if seed%3 == 0 {
			mask = make(Mask, n)
			for i := range mask {
				mask[i] = byte(rng.IntN(2))
			}
		}
		scores := make([]float32, n)
		if err := ix.Scores(plan, mask, scores); err != nil {
			t.Fatal(err)
		}
		var want ranked
		for row, score := range scores {
			if score != absent {
				want = append(want, scored{row, score})
			}
		}
		sort.Sort(want)
		for _, k := range []int{1, 10, 300} {
			hits, err := ix.Search(plan, k, mask)
			if err != nil || len(hits) != min(k, len(want)) {
				t.Fatalf("seed %d: %d hits of %d: %v", seed, len(hits), k, err)
			}
			for i, h := range hits {
				if (scored{h.Row, h.Score}) != want[i] {
					t.Fatalf("seed %d, %s, k %d, scale %g: hit %d is row %d with %v, want %v", seed, dtype, k, scale, i, h.Row, h.Score, want[i])
				}
			}
		}
	}
}

// If few rows can reach the floor of a block, those have their scores, and the others have some below the
// floor. Otherwise all have their scores.
func TestFloor(t *testing.T) {
	const dim, n = 16, blockRows
	rng := rand.New(rand.NewPCG(41, 7))
	ix, err := FromVectors(shard.I8, dim, random(rng, dim*n))
	if err != nil {
		t.Fatal(err)
	}
	if err := ix.LoadAngles(0, decode(t, shard.I8, angleDim, random(rng, angleDim*n), n)); err != nil {
		t.Fatal(err)
	}
	plan := compile(t, rng, "root", dim, 0)
	plan.Angle = make([]float32, angleDim)
	plan.Angle[0] = 0.01
	p, err := ix.prepare(plan)
	if err != nil {
		t.Fatal(err)
	}
	score := func(floor float32) []float32 {
		b := newBlock(n)
		b.floor = floor
		p.run(ix.segments[0], 0, n, b)
		return b.score
	}
	all := score(lowest)
	best := slices.Sorted(slices.Values(all))
	for _, c := range []struct{ reach, least, most int }{{1, n - 16, n - 1}, {10, n - 16, n - 10}, {n / 2, 0, 0}, {n, 0, 0}} {
		floor := best[n-c.reach]
		left := 0
		for row, got := range score(floor) {
			switch {
			case got == all[row]:
			case got < floor && all[row] < floor:
				left++
			default:
				t.Errorf("floor %g: row %d has %g, want %g", floor, row, got, all[row])
			}
		}
		if left < c.least || left > c.most {
			t.Errorf("floor %g, which %d rows reach: %d of %d are left out", floor, c.reach, left, n)
		}
	}
}

func TestAngleRefusals(t *testing.T) {
	const dim = 8
	rng := rand.New(rand.NewPCG(41, 3))
	ix, err := New(dim, shard.F32, 20)
	if err != nil {
		t.Fatal(err)
	}
	angled := compile(t, rng, "contrast", dim, 0)
	if hits, err := ix.Search(angled, 5, nil); err != nil || len(hits) != 0 {
		t.Errorf("an index without rows: %v, %v", hits, err)
	}
	if err := ix.Load(0, decode(t, shard.F32, dim, random(rng, dim*20), 20)); err != nil {
		t.Fatal(err)
	}
	if _, err := ix.Add(random(rng, dim)); err != nil {
		t.Fatal(err)
	}
	file := func(dtype shard.DType, dim, n int) *shard.Rows { return decode(t, dtype, dim, random(rng, dim*n), n) }
	if err := ix.LoadAngles(15, file(shard.I8, 4, 6)); err == nil {
		t.Error("angles beyond the declared rows are loaded")
	}
	if ix.AngleDim() != 0 {
		t.Error("refused angles leave a dimension")
	}
	if err := ix.LoadAngles(5, file(shard.I8, angleDim, 10)); err != nil || ix.AngleDim() != angleDim {
		t.Fatal(err)
	}
	for name, err := range map[string]error{
		"overlap":           ix.LoadAngles(0, file(shard.I8, angleDim, 6)),
		"twice":             ix.LoadAngles(5, file(shard.I8, angleDim, 10)),
		"dimension":         ix.LoadAngles(15, file(shard.I8, angleDim+1, 1)),
		"type":              ix.LoadAngles(15, file(shard.F32, angleDim, 1)),
		"negative":          ix.LoadAngles(-1, file(shard.I8, angleDim, 1)),
		"a row of a file":   ix.AddAngle(3, random(rng, angleDim)),
		"no row":            ix.AddAngle(21, random(rng, angleDim)),
		"negative row":      ix.AddAngle(-1, random(rng, angleDim)),
		"a short angle":     ix.AddAngle(20, random(rng, angleDim-1)),
		"not a number":      ix.AddAngle(20, append(random(rng, angleDim-1), float32(math.NaN()))),
		"a query of others": second(ix.Search(&perspective.Plan{A: 1, Vector: random(rng, dim), Angle: random(rng, 3)}, 1, nil)),
	} {
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if err := ix.AddAngle(20, random(rng, angleDim)); err != nil {
		t.Error(err)
	}
	if err := ix.AddAngle(20, random(rng, angleDim)); err == nil {
		t.Error("an angle is set twice")
	}
}

func second(_ any, err error) error { return err }
