package significance

import (
	"math"
	"testing"

	"github.com/vantage-search/vantage/internal/testing/approx"
	"gonum.org/v1/gonum/stat/distuv"
)

func near(t *testing.T, name string, got, want, tolerance float64) {
	t.Helper()
	if approx.Apart(got, want, tolerance) {
		t.Errorf("%s = %v, want %v", name, got, want)
	}
}

// The critical values are those of textbooks and of an independent implementation.
func TestStudentTails(t *testing.T) {
	for _, c := range []struct {
		freedom int
		t, p    float64
	}{
		{1, 12.706, .05}, {1, 63.657, .01}, {2, 4.303, .05}, {5, 2.571, .05}, {9, 2.262, .05}, {10, 3.169, .01},
		{30, 2.042, .05}, {30, 3.646, .001}, {60, 2.000, .05}, {120, 1.980, .05}, {120, 2.617, .01},
	} {
		near(t, "tabulated", StudentTails(c.t, c.freedom), c.p, c.p*2e-3)
	}
	for _, freedom := range []int{1, 2, 3, 4, 7, 24, 99, 224, 1000, 9999} {
		d := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: float64(freedom)}
		for _, x := range []float64{0, .01, .5, 1, 1.7, 2, 3, 5, 9, 20} {
			want := 2 * d.CDF(-x)
			near(t, "tails", StudentTails(x, freedom), want, 1e-9*want+1e-300)
			near(t, "negative", StudentTails(-x, freedom), StudentTails(x, freedom), 0)
		}
	}
	near(t, "Cauchy far out", StudentTails(1e9, 1), 2/math.Pi*1e-9, 1e-20) // t = 10⁹ with ν = 1: 2/π · arctan(10⁻⁹)
	near(t, "infinite", StudentTails(math.Inf(-1), 5), 0, 0)
}

// Student's own data of 1908, the hours of sleep gained with two drugs: t = −4.0621, p = 0.002833.
func TestPairedTTest(t *testing.T) {
	a := []float64{.7, -1.6, -.2, -1.2, -.1, 3.4, 3.7, .8, 0, 2}
	b := []float64{1.9, .8, 1.1, .1, -.1, 4.4, 5.5, 1.6, 4.6, 3.4}
	r, err := PairedTTest(a, b)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "difference", r.Difference, -1.58, 1e-12)
	near(t, "t", r.T, -4.0621, 5e-5)
	near(t, "p", r.P, .002833, 5e-7)
	if r.Freedom != 9 {
		t.Errorf("%d degrees of freedom", r.Freedom)
	}
	if r, _ := PairedTTest(a, a); r.P != 1 || r.T != 0 {
		t.Errorf("a sample against itself: %+v", r)
	}
	if r, _ := PairedTTest([]float64{1, 2, 3}, []float64{2, 3, 4}); r.P != 0 || !math.IsInf(r.T, -1) {
		t.Errorf("a constant difference: %+v", r)
	}
	if r, _ := PairedTTest([]float64{.2, .4, .7}, []float64{.1, .3, .6}); r.P != 0 || !math.IsInf(r.T, 1) {
		t.Errorf("a constant difference, save for rounding: %+v", r)
	}
	one, two := 1., 2. // variables, so that the sum is rounded
	if r, _ := PairedTTest([]float64{one/10 + two/10, .5}, []float64{.3, .5}); r.P != 1 || r.T != 0 {
		t.Errorf("the same values, save for rounding: %+v", r)
	}
	if r, _ := PairedTTest([]float64{1, 1, 1}, []float64{1 - 1e-9, 1 - 2e-9, 1 - 1e-9}); approx.Apart(r.T, 4, 1e-5) {
		t.Errorf("small differences: %+v", r)
	}
	if _, err := PairedTTest(a, a[1:]); err != ErrPairs {
		t.Errorf("samples of different lengths: %v", err)
	}
}

func TestRandomization(t *testing.T) {
	// Differences 1, 2, 3: of the 8 sums ±1±2±3, only ±6 are as far from 0 as 6; with 1, 2, −3 all are as far as 0.
	p, err := Randomization([]float64{1, 2, 3, 5}, []float64{0, 0, 0, 5}, 1, 0)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "p", p, 2./8, 0)
	p, _ = Randomization([]float64{1, 2, 0}, []float64{0, 0, 3}, 1, 0)
	near(t, "p", p, 1, 0)
	p, _ = Randomization([]float64{1, 2}, []float64{1, 2}, 1, 0)
	near(t, "p of equal samples", p, 1, 0)
	// ±4 ±1 ±1 ±1 ±1: as far from 0 as 6 are ±8 (one sum each) and ±6 (one 1 has the other sign: 4 sums each): 10 of 32.
	p, _ = Randomization([]float64{4, 1, 1, 1, 0}, []float64{0, 0, 0, 0, 1}, 1, 0)
	near(t, "p", p, 10./32, 0)
	if _, err := Randomization([]float64{1}, []float64{2}, 10, 0); err != ErrPairs {
		t.Errorf("a single pair: %v", err)
	}
	if _, err := Randomization([]float64{1, 2}, []float64{2, 3}, 0, 0); err == nil {
		t.Error("no rounds")
	}
}

// Drawn rounds come close to the exact probability, counted here over all 2¹⁸
// assignments, and depend only on the seed.
func TestRandomizationDrawn(t *testing.T) {
	const n = 18
	a, b := make([]float64, n), make([]float64, n)
	sum := 0
	for i := range a {
		d := i*i%7 - 2 // small whole numbers
		if d == 0 {
			d = 1
		}
		a[i], sum = float64(d), sum+d
	}
	extreme := 0
	for signs := range 1 << n {
		s := 0
		for i := range a {
			if signs>>i&1 == 0 {
				s += int(a[i])
			} else {
				s -= int(a[i])
			}
		}
		if max(s, -s) >= max(sum, -sum) {
			extreme++
		}
	}
	exact := float64(extreme) / (1 << n)
	p, err := Randomization(a, b, 100000, 7)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "p", p, exact, 5*math.Sqrt(exact*(1-exact)/100000))
	if again, _ := Randomization(a, b, 100000, 7); again != p {
		t.Errorf("the same seed gave %v and %v", p, again)
	}
	if other, _ := Randomization(a, b, 100000, 8); other == p {
		t.Errorf("another seed gave the same %v", p)
	}
}

func TestHolm(t *testing.T) {
	got := Holm([]float64{.01, .04, .03, .005, .9})
	for i, want := range []float64{.04, .09, .09, .025, .9} { // .04·2 = .08 < .03·3
		near(t, "corrected", got[i], want, 1e-15)
	}
	for _, p := range Holm([]float64{.5, .6}) {
		near(t, "bounded", p, 1, 0)
	}
	if len(Holm(nil)) != 0 {
		t.Error("nothing to correct")
	}
}

// The interval of a large sample is that of the normal distribution: mean ± 1.96 σ/√n.
func TestBootstrap(t *testing.T) {
	values := make([]float64, 900)
	for i := range values {
		values[i] = float64(i % 3) // mean 1, σ² = 2/3
	}
	iv, err := Bootstrap(values, .95, 20000, 3)
	if err != nil {
		t.Fatal(err)
	}
	half := 1.96 * math.Sqrt(2./3/900)
	near(t, "low", iv.Low, 1-half, .003)
	near(t, "high", iv.High, 1+half, .003)
	iv, _ = Bootstrap([]float64{.5, .5}, .9, 10, 0)
	if iv.Low != .5 || iv.High != .5 {
		t.Errorf("the interval of a constant: %v", iv)
	}
	if _, err := Bootstrap(nil, .95, 10, 0); err == nil {
		t.Error("an interval of nothing")
	}
}

func TestPearson(t *testing.T) {
	// The values follow from the definition; t = r·√(3/(1−r²)) with 3 degrees of
	// freedom.
	r, p, err := Pearson([]float64{1, 2, 3, 4, 5}, []float64{2, 3, 2, 4, 4.5})
	if err != nil {
		t.Fatal(err)
	}
	x, y := []float64{-2, -1, 0, 1, 2}, []float64{2 - 3.1, 3 - 3.1, 2 - 3.1, 4 - 3.1, 4.5 - 3.1}
	var xy, yy float64
	for i := range x {
		xy += x[i] * y[i]
		yy += y[i] * y[i]
	}
	want := xy / math.Sqrt(10*yy)
	near(t, "r", r, want, 1e-12)
	d := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: 3}
	near(t, "p", p, 2*d.CDF(-want*math.Sqrt(3/(1-want*want))), 1e-9)
	if r, p, _ := Pearson([]float64{1, 2, 3}, []float64{3, 2, 1}); r != -1 || p != 0 {
		t.Errorf("a falling line: r %v, p %v", r, p)
	}
	for _, constant := range [][]float64{{4, 4, 4}, {.1, .1, .1}} {
		if r, p, _ := Pearson([]float64{1, 2, 4}, constant); r != 0 || p != 1 {
			t.Errorf("a constant: r %v, p %v", r, p)
		}
	}
	for _, unit := range []float64{1e-200, 1e-90, 1e200} { // squares of the first and the last do not fit
		if r, p, _ := Pearson([]float64{unit, 2 * unit, 4 * unit}, []float64{1, 3, 2}); approx.Apart(r, 0.3273268353539886, 1e-12) || approx.Apart(p, 0.7877045, 1e-6) {
			t.Errorf("values of %g: r %v, p %v", unit, r, p)
		}
	}
	if _, _, err := Pearson([]float64{1}, []float64{4}); err != ErrPairs {
		t.Errorf("a single pair: %v", err)
	}
}
