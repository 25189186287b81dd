package index

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
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
