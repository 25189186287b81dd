package logs

import (
	"math"
	"testing"

	"github.com/vantage-search/vantage/internal/testing/approx"
)

// The logarithms and the exponential differ from those of package math by at most two
// units in the last place. The latter have an error of one unit.
func TestLogarithms(t *testing.T) {
	near := func(name string, x, got, want float64) {
		if ulp := math.Nextafter(math.Abs(want), math.Inf(1)) - math.Abs(want); approx.Apart(got, want, 2*ulp) {
			t.Errorf("%s(%g) = %v, want %v", name, x, got, want)
		}
	}
	for e := range 60 {
		if got := Log2(math.Ldexp(1, e-30)); got != float64(e-30) {
			t.Errorf("Log2(2^%d) = %v", e-30, got)
		}
	}
	for x := 1e-6; x < 1e6; x *= 1.0007 {
		if x < .5 || x > 2 {
			near("log2", x, Log2(x), math.Log2(x))
		} else { // math.Log2 suffers from cancellation here
			near("log2", x, Log2(x), math.Log(x)*math.Log2E)
		}
		near("log", x, Log(x), math.Log(x))
		near("exp", math.Log(x), Exp(math.Log(x)), math.Exp(math.Log(x)))
	}
}
