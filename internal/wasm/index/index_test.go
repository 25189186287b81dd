package index

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/vantage-search/vantage/internal/testing/approx"
	"github.com/vantage-search/vantage/internal/wasm/shard"
	"github.com/vantage-search/vantage/perspective"
)

func random(rng *rand.Rand, n int) []float32 {
	v := make([]float32, n)
	for i := range v {
		v[i] = float32(rng.NormFloat64())
	}
	return v
}

// angleDim is the dimension of the angles that load makes.
const angleDim = 21

// load splits n vectors into shards and loads them in random order, and then random angles
// of all rows in other shards, up to a third of them zero or those of another row.
func load(t testing.TB, rng *rand.Rand, dtype shard.DType, dim, n int, vectors []float32) *Index {
	t.Helper()
	memory := dtype
	if dtype == shard.F16 { // only in files
		memory = shard.F32
	}
	ix, err := New(dim, memory, n)
	if err != nil {
		t.Fatal(err)
	}
	deliver(t, rng, dtype, dim, n, vectors, ix.Load)
	angles := random(rng, angleDim*n)
	for range n / 3 {
		to := angles[angleDim*rng.IntN(n):][:angleDim]
		clear(to)
		if rng.IntN(2) == 0 {
			copy(to, angles[angleDim*rng.IntN(n):])
		}
	}
	deliver(t, rng, []shard.DType{shard.F32, shard.I8, shard.F16}[rng.IntN(3)], angleDim, n, angles, ix.LoadAngles)
	return ix
}

func (ix *Index) dropAngles() { ix.angles = angles{} }

// deliver splits vectors into files and loads them in random order.
func deliver(t testing.TB, rng *rand.Rand, dtype shard.DType, dim, n int, vectors []float32, load func(first int, rows *shard.Rows) error) {
	t.Helper()
	type part struct {
		first int
		file  []byte
	}
	var parts []part
	for first := 0; first < n; {
		size := min(1+rng.IntN(n), n-first)
		ids := make([]uint32, size)
		for i := range ids {
			ids[i] = uint32(first + i)
		}
		file, err := shard.EncodeRows(dtype, dim, vectors[first*dim:(first+size)*dim], ids)
		if err != nil {
			t.Fatal(err)
		}
		parts = append(parts, part{first, file})
		first += size
	}
	rng.Shuffle(len(parts), func(i, j int) { parts[i], parts[j] = parts[j], parts[i] })
	for _, p := range parts {
		rows, err := shard.DecodeRows(p.file)
		if err != nil {
			t.Fatal(err)
		}
		if err := load(p.first, rows); err != nil {
			t.Fatal(err)
		}
	}
}

// stored returns a row as float32 as the index holds it, nil if it is absent.
func stored(all segments, row int) []float32 {
	s, i := all.locate(row)
	if s == nil {
		return nil
	}
	out := make([]float32, s.rows.Dim)
	for j := range out {
		if s.rows.DType == shard.I8 {
			out[j] = float32(s.rows.I8[i*s.rows.Stride+j]) * s.rows.Scales[i]
		} else {
			out[j] = s.rows.F32[i*s.rows.Stride+j]
		}
	}
	return out
}

func compile(t testing.TB, rng *rand.Rand, method string, dim, perspectives int) *perspective.Plan {
	t.Helper()
	return compileBy(t, rng, perspective.Cosine, method, dim, perspectives)
}

func compileBy(t testing.TB, rng *rand.Rand, score perspective.Score, method string, dim, perspectives int) *perspective.Plan {
	t.Helper()
	q := perspective.Query{Method: method, Score: score, Lambda: 1, Query: random(rng, dim), Root: random(rng, dim)}
	for range perspectives {
		q.Perspectives = append(q.Perspectives, random(rng, dim))
	}
	asked(rng, &q)
	plan, err := perspective.Compile(q)
	if err != nil {
		t.Fatalf("%s: %v", method, err)
	}
	return &plan
}

// asked gives a query the angles that its method needs.
func asked(rng *rand.Rand, q *perspective.Query) {
	m, _ := perspective.Lookup(q.Method)
	for range m.Angles {
		q.Angles = append(q.Angles, random(rng, angleDim))
	}
	q.Strength = m.Strength
}

// oracle ranks every row by the plan's formula in float64.
func oracle(ix *Index, plan *perspective.Plan, allowed func(row int) bool) []scored {
	cut := math.Inf(-1)
	var rows []int
	for row := range ix.extent() {
		if s, i := ix.locate(row); s != nil && (s.removed == nil || !s.removed[i]) && allowed(row) && (plan.Angle == nil || stored(ix.angles.segments, row) != nil) {
			rows = append(rows, row)
		}
	}
	if plan.Gate != nil && len(rows) > 0 {
		var gate []float64
		for _, row := range rows {
			gate = append(gate, plan.Gate.Plan.Score(stored(ix.segments, row)))
		}
		slices.Sort(gate)
		at := plan.Gate.Quantile * float64(len(gate)-1)
		low := int(at)
		cut = gate[low] + (at-float64(low))*(gate[min(low+1, len(gate)-1)]-gate[low])
	}
	var out []scored
	for _, row := range rows {
		c := stored(ix.segments, row)
		inner := *plan
		inner.Gate = nil
		score := inner.Score(c)
		if plan.Angle != nil {
			score += plan.AngleScore(stored(ix.angles.segments, row))
		}
		if plan.Gate != nil {
			if g := plan.Gate.Plan.Score(c); g >= cut {
				score += g
			} else {
				score = plan.Sunk()
			}
		}
		out = append(out, scored{row, float32(score)})
	}
	slices.SortFunc(out, func(a, b scored) int { return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.row, b.row)) })
	return out
}

func all(int) bool { return true }

func length(v []float32) (norm float64) {
	for _, x := range v {
		norm += float64(x) * float64(x)
	}
	return math.Sqrt(norm)
}

// The dot products of rows about 1e-17, 1 or 1e17 long are those of float64, except for the
// rounding of the query, and none is NaN, infinite or absent.
func TestDotOfExtremeRows(t *testing.T) {
	for _, dtype := range []shard.DType{shard.F32, shard.I8} {
		for _, size := range []float64{1e-17, 1, 1e17} {
			rng := rand.New(rand.NewPCG(19, 1))
			const dim, n = 24, 400
			vectors := random(rng, dim*n)
			for i := range n {
				by := size * math.Pow(10, 0.05*float64(rng.IntN(10)))
				if i%50 == 0 {
					by = 0
				}
				for j := range dim {
					vectors[i*dim+j] = float32(float64(vectors[i*dim+j]) * by / 10)
				}
			}
			ix := load(t, rng, dtype, dim, n, vectors)
			for _, querySize := range []float32{1e-17, 1, 1e16} {
				q := perspective.Query{Method: "none", Score: perspective.Dot, Query: random(rng, dim)}
				for i := range q.Query {
					q.Query[i] *= querySize
				}
				plan, err := perspective.Compile(q)
				if err != nil {
					t.Fatal(err)
				}
				hits, err := ix.Search(&plan, n, nil)
				if err != nil || len(hits) != n {
					t.Fatal(len(hits), err)
				}
				for _, h := range hits {
					c := stored(ix.segments, h.Row)
					want := 0.0
					for j := range c {
						want += float64(c[j]) * float64(q.Query[j])
					}
					off := 1e-6
					if dtype == shard.I8 {
						off = 1e-4 // the query has 15 bits
					}
					if approx.Apart(float64(h.Score), want, off*length(c)*length(q.Query)) {
						t.Fatalf("%s rows of %g, a query of %g: row %d scores %g, want %g", dtype, size, querySize, h.Row, h.Score, want)
					}
				}
			}
		}
	}
}

func TestSearchAgainstFormula(t *testing.T) {
	for _, c := range []struct {
		dtype shard.DType
		score perspective.Score
	}{{shard.F32, perspective.Cosine}, {shard.I8, perspective.Cosine}, {shard.F32, perspective.Dot}, {shard.F16, perspective.Dot}, {shard.I8, perspective.Dot}} {
		dtype := c.dtype
		for _, method := range perspective.Methods() {
			for _, m := range []int{1, 3} {
				t.Run(fmt.Sprintf("%s/%s/%s/%d", dtype, c.score, method.Name, m), func(t *testing.T) {
					rng := rand.New(rand.NewPCG(uint64(len(method.Name)), uint64(m)))
					dim, n := 1+rng.IntN(70), 300
					if dim <= m {
						dim = m + 5
					}
					ix := load(t, rng, dtype, dim, n, random(rng, dim*n))
					plan := compileBy(t, rng, c.score, method.Name, dim, m)
					tolerance := 1e-5
					if dtype == shard.I8 {
						tolerance = 2e-3 // the query has 15 bits
					}
					if c.score == perspective.Dot {
						tolerance *= plan.A * length(plan.Vector) * 2 * math.Sqrt(float64(dim)) // the length of a row
					}
					hits, err := ix.Search(plan, n, nil)
					if err != nil {
						t.Fatal(err)
					}
					want := oracle(ix, plan, all)
					score := map[int]float32{}
					for _, w := range want {
						score[w.row] = w.score
					}
					moved := 0
					for i, h := range hits {
						if plan.Gate == nil && approx.Apart(float64(h.Score), float64(score[h.Row]), tolerance) {
							t.Fatalf("row %d: score %g, formula %g", h.Row, h.Score, score[h.Row])
						}
						if h.Row != want[i].row {
							moved++
						}
						if i > 0 && better(scored{h.Row, h.Score}, scored{hits[i-1].Row, hits[i-1].Score}) {
							t.Fatalf("rank %d is better than rank %d", i+1, i)
						}
						if h.Document != uint32(h.Row) {
							t.Fatalf("row %d is document %d", h.Row, h.Document)
						}
					}
					if len(hits) != n {
						t.Fatalf("%d hits of %d", len(hits), n)
					}
					if dtype != shard.I8 && moved > n/20 {
						t.Errorf("%d of %d rows in another place than the formula puts them", moved, n)
					}
				})
			}
		}
	}
}

// The answer has the same bits for any division of the rows into shards, any order of
// arrival and any k.
func TestSearchDoesNotDependOnShardsOrK(t *testing.T) {
	for _, dtype := range []shard.DType{shard.F32, shard.I8} {
		rng := rand.New(rand.NewPCG(7, 7))
		const dim, n = 24, 3 * parallelRows / 2 // more than one block, and in parallel if there are several processors
		vectors := random(rng, dim*n)
		for i := range 500 { // exact ties with distant rows
			copy(vectors[(n-1-i)*dim:(n-i)*dim], vectors[i*dim:(i+1)*dim])
		}
		angles := random(rng, angleDim*n)
		for i := range 500 {
			copy(angles[(n-1-i)*angleDim:(n-i)*angleDim], angles[i*angleDim:(i+1)*angleDim])
		}
		plan := compile(t, rng, "pap+", dim, 1)
		contrast := compile(t, rng, "contrast", dim, 0)
		plan.Angle, plan.AngleCap = contrast.Angle, contrast.AngleCap
		var first []Hit
		for range 3 {
			ix := load(t, rng, dtype, dim, n, vectors)
			ix.dropAngles()
			deliver(t, rng, dtype, angleDim, n, angles, ix.LoadAngles)
			hits, err := ix.Search(plan, n, nil)
			if err != nil {
				t.Fatal(err)
			}
			if first == nil {
				first = hits
			}
			if !slices.Equal(hits, first) {
				t.Fatalf("%s: another order of shards, another answer", dtype)
			}
			for _, k := range []int{1, 2, 10, 100, 4097} {
				top, err := ix.Search(plan, k, nil)
				if err != nil {
					t.Fatal(err)
				}
				if !slices.Equal(top, first[:k]) {
					t.Fatalf("%s: top %d is not the head of the full ranking", dtype, k)
				}
			}
			scores := make([]float32, n)
			if err := ix.Scores(plan, nil, scores); err != nil {
				t.Fatal(err)
			}
			for _, h := range hits {
				if scores[h.Row] != h.Score {
					t.Fatalf("row %d: Scores %g, Search %g", h.Row, scores[h.Row], h.Score)
				}
			}
		}
	}
}

func TestPartialLoadIsSearched(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	const dim, n = 16, 50
	vectors := random(rng, dim*n)
	ix, _ := New(dim, shard.F32, 2*n)
	rows := decode(t, shard.F32, dim, vectors, n)
	if err := ix.Load(n, rows); err != nil {
		t.Fatal(err)
	}
	if ix.Len() != n || ix.Extent() != 2*n {
		t.Fatalf("%d rows live, extent %d", ix.Len(), ix.Extent())
	}
	hits, err := ix.Search(compile(t, rng, "none", dim, 0), 100, nil)
	if err != nil || len(hits) != n || hits[0].Row < n {
		t.Fatal(len(hits), err)
	}
}

func decode(t testing.TB, dtype shard.DType, dim int, vectors []float32, n int) *shard.Rows {
	t.Helper()
	ids := make([]uint32, n)
	for i := range ids {
		ids[i] = uint32(i)
	}
	file, err := shard.EncodeRows(dtype, dim, vectors, ids)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := shard.DecodeRows(file)
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

func TestLoadRefusals(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	const dim = 8
	rows := decode(t, shard.F32, dim, random(rng, dim*10), 10)
	ix, _ := New(dim, shard.F32, 20)
	if err := ix.Load(5, rows); err != nil {
		t.Fatal(err)
	}
	for name, err := range map[string]error{
		"overlap before": ix.Load(0, rows),
		"overlap after":  ix.Load(10, rows),
		"twice":          ix.Load(5, rows),
		"beyond the end": ix.Load(15, rows),
		"negative":       ix.Load(-1, rows),
		"dimension":      ix.Load(15, decode(t, shard.F32, 4, random(rng, 4), 1)),
		"type":           ix.Load(15, decode(t, shard.I8, dim, random(rng, dim), 1)),
	} {
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	for _, bad := range []struct {
		dim   int
		dtype shard.DType
		rows  int
	}{{0, shard.F32, 1}, {1 << 20, shard.F32, 1}, {8, shard.F16, 1}, {8, shard.F32, -1}, {8, shard.F32, MaxRows + 1}} {
		if _, err := New(bad.dim, bad.dtype, bad.rows); err == nil {
			t.Errorf("New(%v): no error", bad)
		}
	}
}

func TestAddAndRemove(t *testing.T) {
	for _, dtype := range []shard.DType{shard.F32, shard.I8} {
		rng := rand.New(rand.NewPCG(5, 5))
		const dim, n = 13, 40
		vectors := random(rng, dim*n)
		whole := load(t, rng, dtype, dim, n, vectors)
		ix := load(t, rng, dtype, dim, n/2, vectors[:dim*n/2])
		for i := n / 2; i < n; i++ {
			row, err := ix.Add(vectors[i*dim : (i+1)*dim])
			if err != nil || row != i {
				t.Fatalf("row %d: %v", row, err)
			}
		}
		plan := compile(t, rng, "pap+", dim, 1)
		added, _ := ix.Search(plan, n, nil)
		loaded, _ := whole.Search(plan, n, nil)
		if !slices.Equal(added, loaded) {
			t.Fatalf("%s: rows added rank otherwise than rows loaded", dtype)
		}
		gone := added[0].Row
		if !ix.Remove(gone) || ix.Remove(gone) || ix.Remove(n+5) || ix.Remove(-1) {
			t.Fatal("Remove reports the wrong thing")
		}
		after, _ := ix.Search(plan, n, nil)
		if !slices.Equal(after, added[1:]) || ix.Len() != n-1 {
			t.Fatalf("%s: after removal %d hits", dtype, len(after))
		}
		for _, bad := range [][]float32{random(rng, dim-1), append(random(rng, dim-1), float32(math.NaN())), append(random(rng, dim-1), float32(math.Inf(1)))} {
			if _, err := ix.Add(bad); err == nil {
				t.Error("a bad vector was added")
			}
		}
	}
}

func TestFilters(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 6))
	const dim, n = 9, 200
	ix := load(t, rng, shard.F32, dim, n, random(rng, dim*n))
	years, stances := make([]float64, n), make([]uint32, n-10) // the last ten rows have no stance
	for i := range years {
		years[i] = float64(2000 + rng.IntN(20))
		if i%17 == 0 {
			years[i] = math.NaN()
		}
	}
	for i := range stances {
		stances[i] = uint32(rng.IntN(3))
		if i%13 == 0 {
			stances[i] = Missing
		}
	}
	if err := ix.SetNumbers(0, 0, years); err != nil {
		t.Fatal(err)
	}
	if err := ix.SetCodes(1, 0, stances); err != nil {
		t.Fatal(err)
	}
	stance := func(row int) uint32 {
		if row < len(stances) {
			return stances[row]
		}
		return Missing
	}
	for name, c := range map[string]struct {
		filters []Filter
		allowed func(row int) bool
	}{
		"range":    {[]Filter{{Column: 0, Kind: Range, Low: new(2005.), High: new(2010.)}}, func(r int) bool { return years[r] >= 2005 && years[r] <= 2010 }},
		"codes":    {[]Filter{{Column: 1, Kind: Codes, Codes: []uint32{2, 0}}}, func(r int) bool { return stance(r) == 0 || stance(r) == 2 }},
		"no code":  {[]Filter{{Column: 1, Kind: Codes}}, func(int) bool { return false }},
		"missing":  {[]Filter{{Column: 1, Kind: Codes, Codes: []uint32{Missing}}}, func(int) bool { return false }},
		"equal":    {[]Filter{{Column: 0, Kind: Equal, Values: []float64{2003, 2007}}}, func(r int) bool { return years[r] == 2003 || years[r] == 2007 }},
		"both":     {[]Filter{{Column: 0, Kind: Range, Low: new(2005.)}, {Column: 1, Kind: Codes, Codes: []uint32{1}}}, func(r int) bool { return years[r] >= 2005 && stance(r) == 1 }},
		"up to":    {[]Filter{{Column: 0, Kind: Range, High: new(2005.)}}, func(r int) bool { return years[r] <= 2005 }},
		"infinite": {[]Filter{{Column: 0, Kind: Range, Low: new(math.Inf(-1)), High: new(math.Inf(1))}}, func(r int) bool { return !math.IsNaN(years[r]) }},
		"open":     {[]Filter{{Column: 0, Kind: Range}}, func(r int) bool { return !math.IsNaN(years[r]) }},
	} {
		for _, method := range []string{"none", "pap+", "re-ranking", "contrast"} {
			plan := compile(t, rng, method, dim, 1)
			mask, err := ix.Mask(c.filters)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			hits, err := ix.Search(plan, n, mask)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			var got, want []int
			for _, h := range hits {
				got = append(got, h.Row)
			}
			for _, w := range oracle(ix, plan, c.allowed) {
				want = append(want, w.row)
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s, %s: %d rows %v, want %d %v", name, method, len(got), got, len(want), want)
			}
		}
	}
	for name, f := range map[string]Filter{
		"absent column":       {Column: 9, Kind: Range},
		"numbers for codes":   {Column: 0, Kind: Codes},
		"codes for numbers":   {Column: 1, Kind: Range},
		"codes for equality":  {Column: 1, Kind: Equal},
		"absent codes column": {Column: 9, Kind: Codes},
		"NaN bound":           {Column: 0, Kind: Range, Low: new(math.NaN()), High: new(3000.)},
		"inverted range":      {Column: 0, Kind: Range, Low: new(3000.), High: new(0.)},
	} {
		if _, err := ix.Mask([]Filter{f}); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	for name, err := range map[string]error{
		"beyond":            ix.SetNumbers(0, n-1, []float64{1, 2}),
		"negative":          ix.SetNumbers(0, -1, []float64{1}),
		"codes as numbers":  ix.SetNumbers(1, 0, []float64{1}),
		"numbers as codes":  ix.SetCodes(0, 0, []uint32{1}),
		"far beyond (code)": ix.SetCodes(3, math.MaxInt, []uint32{1}),
	} {
		if err == nil {
			t.Errorf("column %s: no error", name)
		}
	}
}

// rowsOf are the rows of hits, in their order.
func rowsOf(hits []Hit) (rows []int) {
	for _, h := range hits {
		rows = append(rows, h.Row)
	}
	return rows
}

func TestExplain(t *testing.T) {
	for _, dtype := range []shard.DType{shard.F32, shard.I8} {
		for i, method := range append(perspective.Methods(), perspective.Methods()...) {
			score := perspective.Cosine
			if i >= len(perspective.Methods()) {
				score = perspective.Dot
			}
			rng := rand.New(rand.NewPCG(8, uint64(len(method.Summary))))
			const dim, n = 32, 400
			vectors := random(rng, dim*n)
			clear(vectors[:dim])                           // a zero row
			copy(vectors[dim:2*dim], vectors[2*dim:3*dim]) // a tie
			ix := load(t, rng, dtype, dim, n, vectors)
			plan, plain := compileBy(t, rng, score, method.Name, dim, 2), compileBy(t, rng, score, "none", dim, 0)
			hits, err := ix.Search(plan, n, nil)
			if err != nil {
				t.Fatal(err)
			}
			explained, err := ix.Explain(plan, plain, nil, rowsOf(hits))
			if err != nil {
				t.Fatal(err)
			}
			cosines, _ := ix.Search(plain, n, nil)
			cosine := map[int]float32{}
			for _, c := range cosines {
				cosine[c.Row] = c.Score
			}
			for i, e := range explained {
				h := hits[i]
				if e.Cosine != cosine[h.Row] {
					t.Fatalf("%s: row %d: cosine %g, want %g", method.Name, h.Row, e.Cosine, cosine[h.Row])
				}
				score := h.Score
				if plan.Angle != nil {
					if e.Topic+e.Side != score {
						t.Fatalf("%s: row %d: %g + %g is not the score %g", method.Name, h.Row, e.Topic, e.Side, score)
					}
					score = e.Topic
				}
				if h.Row == 0 {
					continue // 0 by definition
				}
				if q := float64(e.Numerator) / float64(e.Denominator); approx.Apart(q, float64(score), 1e-5*max(1, math.Abs(q))) {
					t.Fatalf("%s: row %d: %g / %g is not the score %g", method.Name, h.Row, e.Numerator, e.Denominator, score)
				}
				if plan.Gate != nil && e.Numerator > perspective.Sunk && approx.Apart(float64(e.X+e.Y), float64(e.Numerator), 1e-5*max(1, math.Abs(float64(e.Numerator)))) {
					t.Fatalf("%s: row %d: the stages %g and %g do not add up to %g", method.Name, h.Row, e.X, e.Y, e.Numerator)
				}
				if (plan.Dot || plan.Gate != nil) && e.Denominator != 1 {
					t.Fatalf("%s: row %d: the score is divided by %g", method.Name, h.Row, e.Denominator)
				}
			}
		}
	}
}

// Of a row along the perspective, pap+ leaves nothing but rounding noise, whose square may be below 0. Its
// parts are numbers all the same, and it scores 0.
func TestExplainRowsAlongPerspective(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 1))
	const dim, n = 24, 200
	along := random(rng, dim)
	vectors := make([]float32, dim*n)
	for row := range n {
		for j, v := range along {
			vectors[row*dim+j] = v * float32(row+1)
		}
	}
	ix := load(t, rng, shard.F32, dim, n, vectors)
	plan, err := perspective.Compile(perspective.Query{Method: "pap+", Lambda: 1, Query: random(rng, dim), Root: random(rng, dim), Perspectives: [][]float32{along}})
	if err != nil {
		t.Fatal(err)
	}
	hits, err := ix.Search(&plan, n, nil)
	if err != nil || len(hits) != n {
		t.Fatalf("%d hits, %v", len(hits), err)
	}
	explained, err := ix.Explain(&plan, compileBy(t, rng, perspective.Cosine, "none", dim, 0), nil, rowsOf(hits))
	if err != nil {
		t.Fatal(err)
	}
	vanished := 0
	for i, e := range explained {
		if hits[i].Score != 0 {
			t.Errorf("row %d scores %g", hits[i].Row, hits[i].Score)
		}
		if e.Denominator == 0 {
			vanished++
		}
		for _, part := range []float32{e.X, e.Y, e.Norm, e.Numerator, e.Denominator, e.Cosine} {
			if !(math.Abs(float64(part)) <= math.MaxFloat32) {
				t.Fatalf("row %d: %+v", hits[i].Row, e)
			}
		}
	}
	if vanished == 0 {
		t.Error("no square was below 0")
	}
}

// The ranks of one plan's hits by another plan are the same from the same pass over the
// rows, with any shared numbers, and from a second scan.
func TestBeside(t *testing.T) {
	for _, dtype := range []shard.DType{shard.F32, shard.I8} {
		for seed, method := range append(perspective.Methods(), perspective.Methods()...) {
			score := perspective.Cosine
			if seed >= len(perspective.Methods()) {
				score = perspective.Dot
			}
			rng := rand.New(rand.NewPCG(18, uint64(seed)))
			const dim, n = 32, 3000
			vectors := random(rng, dim*n)
			for range n / 3 { // ties
				copy(vectors[dim*rng.IntN(n):][:dim], vectors[dim*rng.IntN(n):])
			}
			ix := load(t, rng, dtype, dim, n, vectors)
			for range 20 {
				ix.Remove(rng.IntN(n))
			}
			years := make([]float64, n)
			for i := range years {
				years[i] = float64(rng.IntN(3))
			}
			if err := ix.SetNumbers(0, 0, years); err != nil {
				t.Fatal(err)
			}
			q := perspective.Query{Method: method.Name, Score: score, Lambda: 1, Query: random(rng, dim), Root: random(rng, dim), Perspectives: [][]float32{random(rng, dim), random(rng, dim)}}
			asked(rng, &q)
			plan, err := perspective.Compile(q)
			if err != nil {
				t.Fatal(err)
			}
			q.Method = "none"
			plain, err := perspective.Compile(q)
			if err != nil {
				t.Fatal(err)
			}
			for _, filters := range [][]Filter{nil, {{Column: 0, Kind: Equal, Values: []float64{1}}}} {
				mask, err := ix.Mask(filters)
				if err != nil {
					t.Fatal(err)
				}
				want, _ := ix.Search(&plan, 50, mask)
				hits, beside, err := ix.SearchBeside(&plan, &plain, 50, mask)
				if err != nil || !slices.Equal(hits, want) || len(hits) < 50 {
					t.Fatalf("%s: %d hits, which are others than without a second plan (%v)", method.Name, len(hits), err)
				}
				if want := map[string]source{"query_cosine": products, "vec_aug_concat": products, "re-ranking_aug": gate, "aspect": products}[method.Name]; beside.source != want {
					t.Errorf("%s: of the plain cosine it has %d, want %d", method.Name, beside.source, want)
				}
				ranked, _ := ix.Search(&plain, n, mask)
				rank := map[int]int{}
				for i, h := range ranked {
					rank[h.Row] = i
				}
				wanted := make([]Hit, len(hits))
				for i, h := range hits {
					wanted[i] = ranked[rank[h.Row]]
				}
				again, err := ix.Ahead(&plain, mask, wanted)
				if err != nil {
					t.Fatal(err)
				}
				for i, ahead := range beside.Ahead(wanted) {
					if ahead != rank[hits[i].Row] || again[i] != ahead {
						t.Fatalf("%s, %s: row %d: %d rows ahead in the same pass, %d in one of its own, want %d", dtype, method.Name, hits[i].Row, ahead, again[i], rank[hits[i].Row])
					}
				}
			}
		}
	}
}

// A mask needs no vectors. A document counts if the index has a row of it that the mask
// allows.
func TestDocuments(t *testing.T) {
	const dim, n = 4, 6
	ix, err := New(dim, shard.F32, n)
	if err != nil {
		t.Fatal(err)
	}
	if err := ix.SetNumbers(0, 0, []float64{1, 1, 0, 1, 1, math.NaN()}); err != nil {
		t.Fatal(err)
	}
	one := []Filter{{Column: 0, Kind: Equal, Values: []float64{1}}}
	mask, err := ix.Mask(one)
	if err != nil || !slices.Equal(mask, Mask{1, 1, 0, 1, 1, 0}) {
		t.Fatal(mask, err)
	}
	rng := rand.New(rand.NewPCG(18, 18))
	for first, ids := range map[int][]uint32{1: {1, 2, 3}, 4: {5, 4}} { // 4 and 5 in each other's row
		file, err := shard.EncodeRows(shard.F32, dim, random(rng, dim*len(ids)), ids)
		if err != nil {
			t.Fatal(err)
		}
		rows, err := shard.DecodeRows(file)
		if err != nil {
			t.Fatal(err)
		}
		if err := ix.Load(first, rows); err != nil {
			t.Fatal(err)
		}
	}
	ix.Remove(3)
	if all, some := ix.Documents(nil), ix.Documents(mask); !slices.Equal(all, []byte{0, 1, 1, 0, 1, 1}) || !slices.Equal(some, []byte{0, 1, 0, 0, 0, 1}) {
		t.Errorf("%d without a mask, %d with one", all, some)
	}
	if _, err := ix.Add(random(rng, dim)); err != nil {
		t.Fatal(err)
	}
	if all, some := ix.Documents(nil), ix.Documents(mask); len(all) != n+1 || all[n] != 1 || some[n] != 0 {
		t.Errorf("with an added row %d without a mask, %d with one that was made before it", all, some)
	}
	for document, row := range []int{-1, 1, 2, 3, 5, 4, 6, -1} {
		if got := ix.Find(uint32(document), 0); got != row {
			t.Errorf("document %d is found in row %d, not %d", document, got, row)
		}
	}
	if got := ix.Find(math.MaxUint32, -1); got != -1 {
		t.Errorf("a document that there is not is found in row %d", got)
	}
	plan := compile(t, rng, "none", dim, 0)
	if _, err := ix.Explain(plan, plan, nil, []int{0}); err == nil {
		t.Error("a row that is not here is explained")
	}
}

func TestZeroRowsScoreZero(t *testing.T) {
	for _, dtype := range []shard.DType{shard.F32, shard.I8} {
		rng := rand.New(rand.NewPCG(9, 9))
		const dim = 6
		ix := load(t, rng, dtype, dim, 3, make([]float32, 3*dim))
		for i, method := range append(perspective.Methods(), perspective.Methods()...) {
			score := perspective.Cosine
			if i >= len(perspective.Methods()) {
				score = perspective.Dot
			}
			plan := compileBy(t, rng, score, method.Name, dim, 1)
			plan.Angle = nil // the angles of these rows are not zero
			hits, err := ix.Search(plan, 3, nil)
			if err != nil || len(hits) != 3 {
				t.Fatal(method.Name, hits, err)
			}
			for i, h := range hits {
				if h.Score != 0 || h.Row != i {
					t.Errorf("%s: rank %d is row %d with score %g", method.Name, i+1, h.Row, h.Score)
				}
			}
		}
	}
}

func TestSearchRefusals(t *testing.T) {
	rng := rand.New(rand.NewPCG(10, 10))
	ix := load(t, rng, shard.F32, 5, 4, random(rng, 20))
	if _, err := ix.Search(compile(t, rng, "none", 5, 0), 0, nil); err == nil {
		t.Error("k = 0: no error")
	}
	if _, err := ix.Search(compile(t, rng, "none", 6, 0), 1, nil); err == nil {
		t.Error("a query of another dimension: no error")
	}
	if err := ix.Scores(compile(t, rng, "none", 5, 0), nil, make([]float32, 3)); err == nil {
		t.Error("too little room for scores: no error")
	}
	empty, _ := New(5, shard.F32, 0)
	for _, method := range []string{"none", "pap+", "re-ranking"} {
		if hits, err := empty.Search(compile(t, rng, method, 5, 1), 3, nil); err != nil || len(hits) != 0 {
			t.Errorf("%s on nothing: %v, %v", method, hits, err)
		}
	}
}

// BenchmarkAngles compares contrast with the plain cosine, in turns, and reports medians. A cache that
// keeps some rows from one scan to the next makes the plain cosine faster, so there are sizes that
// fit in none. Cosines with the query are spread as those of the bundled corpus are: a standard deviation
// of 0.1, and around 0.55 for one row of a thousand. Few angles are read if the angle adds as little as with the bundled
// model, whose β (u − v) mostly has the length 0.3 with the default β and adds 0.12 at most; of a long one all are.
func BenchmarkAngles(b *testing.B) {
	const dim, angles, large = 384, 128, 100
	for _, c := range []struct {
		dtype shard.DType
		rows  int
	}{{shard.F32, 100_000}, {shard.I8, 100_000}, {shard.I8, 400_000}} {
		rng := rand.New(rand.NewPCG(1, 1))
		plain := *compile(b, rng, "root", dim, 0)
		clear(plain.Vector[large:])
		plain.A = 1 / lengthOf(plain.Vector)
		vectors := random(rng, dim*c.rows)
		for i := range c.rows {
			row := vectors[i*dim : (i+1)*dim]
			for j := range row {
				if j >= large {
					row[j] /= 10
				}
				if i%1000 == 500 {
					row[j] = 0.8*row[j] + 0.55*plain.Vector[j]
				}
			}
		}
		ix := load(b, rng, c.dtype, dim, c.rows, vectors)
		ix.dropAngles()
		deliver(b, rng, c.dtype, angles, c.rows, random(rng, angles*c.rows), ix.LoadAngles)
		for _, length := range []float64{0.3, 100} {
			both := plain
			if length < 1 {
				both.AngleCap = 0.12
			}
			both.Angle = random(rng, angles)
			for i, n := 0, lengthOf(both.Angle); i < angles; i++ {
				both.Angle[i] *= float32(length / n)
			}
			b.Run(fmt.Sprintf("%s/%d/length %g", c.dtype, c.rows, length), func(b *testing.B) {
				var took [2][]float64
				for b.Loop() {
					for i, plan := range []*perspective.Plan{&plain, &both} {
						began := time.Now()
						if _, err := ix.Search(plan, 10, nil); err != nil {
							b.Fatal(err)
						}
						took[i] = append(took[i], time.Since(began).Seconds()*1e6)
					}
				}
				slices.Sort(took[0])
				slices.Sort(took[1])
				half := len(took[0]) / 2
				b.ReportMetric(took[0][half], "µs/plain")
				b.ReportMetric(took[1][half], "µs/both")
				b.ReportMetric(took[1][half]/took[0][half], "ratio")
			})
		}
	}
}

func lengthOf(v []float32) float64 {
	var squares float64
	for _, x := range v {
		squares += float64(x) * float64(x)
	}
	return math.Sqrt(squares)
}

func BenchmarkSearch(b *testing.B) {
	const dim, n = 384, 100_000
	rng := rand.New(rand.NewPCG(1, 1))
	vectors := random(rng, dim*n)
	for _, dtype := range []shard.DType{shard.F32, shard.I8} {
		ix := load(b, rng, dtype, dim, n, vectors)
		for _, method := range []string{"none", "pap+"} {
			plan := compile(b, rng, method, dim, 1)
			b.Run(string(dtype)+"/"+method, func(b *testing.B) {
				size := 4
				if dtype == shard.I8 {
					size = 1
				}
				b.SetBytes(int64(dim * n * size))
				for b.Loop() {
					if _, err := ix.Search(plan, 10, nil); err != nil {
						b.Fatal(err)
					}
				}
			})
			plain := compile(b, rng, "none", dim, 0)
			b.Run(string(dtype)+"/"+method+", another cosine beside", func(b *testing.B) {
				for b.Loop() {
					hits, beside, err := ix.SearchBeside(plan, plain, 10, nil)
					if err != nil {
						b.Fatal(err)
					}
					beside.Ahead(hits)
				}
			})
			b.Run(string(dtype)+"/"+method+", another cosine afterwards", func(b *testing.B) {
				for b.Loop() {
					hits, err := ix.Search(plan, 10, nil)
					if err == nil {
						_, err = ix.Ahead(plain, nil, hits)
					}
					if err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
