package sides

import (
	"math"
	"math/rand/v2"
	"slices"
	"sort"
	"testing"

	"github.com/vantage-search/vantage/internal/evaluation/compare"
	"github.com/vantage-search/vantage/internal/testing/approx"
	"github.com/vantage-search/vantage/internal/wasm/stance"
)

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if approx.Apart(got, want, 1e-12) {
		t.Errorf("%s is %v, not %v", what, got, want)
	}
}

// random texts, many of them with equal scores.
func random(r *rand.Rand, n int) (texts []Scored) {
	for range n {
		texts = append(texts, Scored{float64(r.IntN(9)-4) / 8, Side(r.IntN(3) - 1)})
	}
	return texts
}

// The share of pairs follows from the ranks, as in the test of Mann and Whitney: a text
// for the root is above as many texts against it as have a lower score.
func TestOrdered(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for n := range 30 {
		texts := random(r, n)
		var against []float64
		pro := 0
		for _, x := range texts {
			switch x.Side {
			case Against:
				against = append(against, x.Score)
			case For:
				pro++
			}
		}
		sort.Float64s(against)
		below := 0
		for _, x := range texts {
			if x.Side == For {
				below += sort.SearchFloat64s(against, x.Score) // how many are lower
			}
		}
		got, ok := Ordered(texts)
		if pairs := pro * len(against); ok != (pairs > 0) {
			t.Errorf("%d pairs, and ok is %v", pairs, ok)
		} else if ok {
			near(t, "the share", got, float64(below)/float64(pairs))
		}
	}
	got, _ := Ordered([]Scored{{.3, For}, {.1, For}, {.2, Against}, {.1, Against}, {-1, Neither}})
	near(t, "the share by hand", got, .5) // .3 over both, .1 over none
}

func TestRightSigns(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 1))
	for n := range 30 {
		texts := random(r, n)
		right, of := 0, 0
		for _, x := range texts {
			if x.Side != Neither {
				of++
			}
			if x.Score*float64(x.Side) > 0 {
				right++
			}
		}
		if gotRight, gotOf := RightSigns(texts); gotRight != right || gotOf != of {
			t.Errorf("%d of %d are right, not %d of %d", right, of, gotRight, gotOf)
		}
	}
}

// The bins are looked at one by one, as in internal/recipes/sides/measure.py.
func TestCalibrationError(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	for n := range 50 {
		var all []Prediction
		for range n {
			p := Prediction{r.Float64(), r.IntN(2) == 0}
			if r.IntN(4) == 0 {
				p.Confidence = float64(r.IntN(11)) / 10 // an end of a bin, or 0, which is in the first
			}
			all = append(all, p)
		}
		want := 0.0
		for k := range 10 {
			var confidence, right, inside float64
			for _, p := range all {
				if (p.Confidence > float64(k)/10 || k == 0) && p.Confidence <= float64(k+1)/10 {
					inside++
					confidence += p.Confidence
					if p.Right {
						right++
					}
				}
			}
			if inside > 0 {
				want += inside / float64(n) * math.Abs(confidence/inside-right/inside)
			}
		}
		near(t, "the error", CalibrationError(all), want)
	}
	near(t, "the error by hand", CalibrationError([]Prediction{{.75, true}, {.8, false}, {1, true}}), (math.Abs(.75+.8-1)+0)/3)
}

func TestProbabilities(t *testing.T) {
	c := Calibration{Width: .5, Level: .25, TwoWidth: .4}
	for s := -3.; s <= 3; s += .125 {
		pro, neither, con := c.Three(s)
		near(t, "the sum", pro+neither+con, 1)
		mirrored, _, _ := c.Three(-s)
		near(t, "against", con, mirrored)
		near(t, "for of two", c.Two(s), 1/(1+math.Exp(-s/.4)))
		f, a := 1/(1+math.Exp(-(s-.25)/.5)), 1/(1+math.Exp(-(-s-.25)/.5))
		near(t, "for", pro, f/(f+a+max(1e-4, 1-f-a)))
	}
	// At the level, a text is for the root with a probability of one half.
	pro, neither, con := c.Three(.25)
	near(t, "for at the level", pro, .5)
	near(t, "against at the level", con, 1/(1+math.E))
	near(t, "neither at the level", neither, .5-1/(1+math.E))
	// Without a level the sides leave nothing to neither.
	_, neither, _ = Calibration{Width: .5, TwoWidth: 1}.Three(0)
	near(t, "neither without a level", neither, 1e-4/(1+1e-4))
	for score, want := range map[float64]Side{2: For, 0: Neither, -2: Against} {
		wide := Calibration{Width: .5, Level: 1, TwoWidth: 1}
		for _, side := range []Side{For, Neither, Against} {
			if p := predict(wide, Scored{score, side}, 3); p.Right != (side == want) || p.Confidence < 1./3 {
				t.Errorf("score %v and side %d: %+v", score, side, p)
			}
			if p := predict(wide, Scored{score, side}, 2); score != 0 && p.Right != (side == want) || p.Confidence < .5 {
				t.Errorf("score %v and side %d of two: %+v", score, side, p)
			}
		}
	}
}

// Sorting all texts by value and then by number gives the first one.
func TestTop(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 1))
	for range 200 {
		n := 1 + r.IntN(12)
		topics, scores, order := make([]float64, n), make([]float64, n), make([]int, n)
		beta := Betas[r.IntN(len(Betas))] * float64(1-2*r.IntN(2))
		for i := range n {
			topics[i], scores[i], order[i] = float64(r.IntN(3)), float64(r.IntN(3)-1), i
		}
		value := func(i int) float64 { return topics[i] + min(beta*scores[i], 0.3*math.Abs(beta)) }
		slices.SortStableFunc(order, func(a, b int) int {
			switch {
			case value(a) > value(b):
				return -1
			case value(a) < value(b):
				return 1
			}
			return 0
		})
		if got := Top(topics, scores, beta); got != order[0] {
			t.Fatalf("text %d is first, not %d: %v + %v·%v", got, order[0], topics, beta, scores)
		}
	}
}

// The figures of a data set, but those of the subject and of the other side, from the definitions
// alone: every root asks for each side that it has texts on, and every text is looked at.
func TestMeasure(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 1))
	vector := func(n int) []float32 {
		v := make([]float32, n)
		for i := range v {
			v[i] = float32(r.NormFloat64())
		}
		return v
	}
	tests := &compare.Tests{Rounds: 200, Seed: 1}
	for round := range 20 {
		s, v := &Set{}, &vectors{truncated: 3}
		for range 12 {
			s.Texts = append(s.Texts, "")
			v.topics, v.angles = append(v.topics, vector(6)), append(v.angles, vector(4))
			last := v.topics[len(v.topics)-1]
			v.lengths = append(v.lengths, math.Sqrt(dot(last, last)))
		}
		for i := range 8 {
			var root Root
			for text := range s.Texts {
				if side := Side(r.IntN(3) - 1); r.IntN(2) == 0 && (side != Neither || round%2 == 0) && (side != Against || i > 2) {
					root.Labels = append(root.Labels, Label{text, side})
				}
			}
			s.Roots = append(s.Roots, root)
			d := make([]float64, 4)
			for j := range d {
				d[j] = r.NormFloat64() / 2
			}
			v.roots, v.differences = append(v.roots, vector(6)), append(v.differences, d)
		}
		last := 0
		f, err := measure(t.Context(), s, v, stance.Standard, tests, func(done, total int64) { last = int(done) })
		if err != nil {
			t.Fatal(err)
		}
		classes := 3 - round%2
		if last != 8 || f.Classes != classes || f.Truncated != 3 || f.Roots != 8 || f.Texts != 12 || f.For != s.count(For) || f.Against != s.count(Against) || f.Neither != s.count(Neither) {
			t.Errorf("%d roots told, %+v", last, f)
		}
		var ordered []float64
		var tops [5][]float64
		var predictions []Prediction
		right, signs := 0., 0.
		for i, root := range s.Roots {
			score := func(text int) (sum float64) {
				for j, x := range v.angles[text] {
					sum += v.differences[i][j] * float64(x)
				}
				return sum
			}
			sides := map[Side][]int{}
			for _, l := range root.Labels {
				sides[l.Side] = append(sides[l.Side], l.Text)
				x := score(l.Text)
				if l.Side != Neither {
					signs++
					if x*float64(l.Side) > 0 {
						right++
					}
				}
				p := map[Side]float64{For: stance.Standard.Two(x), Against: 1 - stance.Standard.Two(x)}
				if classes == 3 {
					p[For], p[Neither], p[Against] = stance.Standard.Three(x)
				}
				most := max(p[For], p[Neither], p[Against])
				predictions = append(predictions, Prediction{most, p[l.Side] == most})
			}
			if pairs := len(sides[For]) * len(sides[Against]); pairs > 0 {
				n := 0
				for _, a := range sides[For] {
					for _, b := range sides[Against] {
						if score(a) > score(b) {
							n++
						}
					}
				}
				ordered = append(ordered, float64(n)/float64(pairs))
			}
			for b, beta := range []float64{0, .1, .2, .4, .8} {
				var asked []float64
				for side, texts := range sides {
					if side == Neither {
						continue
					}
					values := make([]float64, len(s.Texts))
					for text := range s.Texts {
						var ab, aa, bb float64
						for j, x := range v.roots[i] {
							y := v.topics[text][j]
							ab, aa, bb = ab+float64(x)*float64(y), aa+float64(x)*float64(x), bb+float64(y)*float64(y)
						}
						values[text] = ab/math.Sqrt(aa)/math.Sqrt(bb) + beta*min(float64(side)*score(text), 0.3)
					}
					hit := 0.
					if slices.Contains(texts, slices.Index(values, slices.Max(values))) {
						hit = 1
					}
					asked = append(asked, hit)
				}
				if asked != nil {
					tops[b] = append(tops[b], average(asked))
				}
			}
		}
		near(t, "ordered", *f.Ordered, average(ordered))
		if i := f.OrderedInterval; i.Roots != len(ordered) || !(i.Low <= *f.Ordered && *f.Ordered <= i.High) {
			t.Errorf("ordered %v of %d roots: %+v", *f.Ordered, len(ordered), i)
		}
		near(t, "accuracy", f.Accuracy, right/signs)
		near(t, "the calibration error", f.CalibrationError, CalibrationError(predictions))
		for b := range tops {
			near(t, f.Top.Runs[b].Run, f.Top.Runs[b].Mean, average(tops[b]))
		}
		if len(f.Top.Pairs) != 4 {
			t.Fatalf("%d pairs", len(f.Top.Pairs))
		}
		for b, pair := range f.Top.Pairs {
			if pair.A != "β = 0" {
				t.Errorf("%s is compared with %s", pair.B, pair.A)
			}
			near(t, pair.B, pair.Difference, average(tops[b+1])-average(tops[0]))
		}
	}
}

func average(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}
