package logs

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/vantage-search/vantage/internal/testing/approx"
)

// exactLog is ln x to about 200 bits, by another series than Log's: with x = 2^e·m and
// m in [1/2, 1), ln x = e·ln 2 + ln m, and -ln m = Σ (1-m)^i / i.
func exactLog(x float64) *big.Float {
	const precision = 256
	number := func(v float64) *big.Float { return new(big.Float).SetPrec(precision).SetFloat64(v) }
	minusLog := func(m float64) *big.Float {
		base := new(big.Float).Sub(number(1), number(m))
		power, sum := number(1), number(0)
		for i := 1; i <= 220; i++ {
			power.Mul(power, base)
			sum.Add(sum, new(big.Float).Quo(power, number(float64(i))))
		}
		return sum
	}
	m, e := math.Frexp(x)
	ln2 := minusLog(0.5)
	return ln2.Mul(ln2, number(float64(e))).Sub(ln2, minusLog(m))
}

// unit is the distance from |v| to the next float64 that is larger.
func unit(v float64) float64 { v = math.Abs(v); return math.Nextafter(v, math.Inf(1)) - v }

func TestLogIsExactToTheLastPlace(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	xs := []float64{1, 2, 0.5, math.E, 10, math.Sqrt2, math.Sqrt2 / 2, math.Nextafter(math.Sqrt2/2, 0),
		math.Nextafter(1, 2), math.Nextafter(1, 0), math.MaxFloat64, math.SmallestNonzeroFloat64, 0x1p-1022, 3e-310}
	for range 600 {
		xs = append(xs, 0.5+random.Float64(), 1+1e-6*random.NormFloat64(), math.Exp(700*random.Float64()-350))
	}
	worst := 0.0
	for _, x := range xs {
		got, want := Log(x), exactLog(x)
		nearest, _ := want.Float64()
		difference, _ := new(big.Float).Sub(want, new(big.Float).SetFloat64(got)).Float64()
		if x == 1 {
			if got != 0 || math.Signbit(got) {
				t.Errorf("Log(1) = %g", got)
			}
			continue
		}
		worst = max(worst, math.Abs(difference)/unit(nearest))
		if approx.Apart(difference, 0, 0.6*unit(nearest)) {
			t.Errorf("Log(%g) = %g, off by %.3f units in the last place", x, got, difference/unit(nearest))
		}
	}
	t.Logf("at most %.4f units in the last place", worst)
}

func TestLogAgreesWithMath(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 1_000_000 {
		x := math.Ldexp(0.5+random.Float64()/2, random.IntN(64)-32)
		got, want := Log(x), math.Log(x)
		if approx.Apart(got, want, 1.5*unit(want)) {
			t.Fatalf("Log(%g) = %v, math.Log gives %v", x, got, want)
		}
	}
}

// TestLogBits records the bits, which must be the same on every machine.
func TestLogBits(t *testing.T) {
	hash := uint64(14695981039346656037)
	for i := range 100_000 {
		hash = (hash ^ math.Float64bits(Log(float64(i)+0.5))) * 1099511628211
	}
	const want = 0x8aca71b316e601c6
	if hash != want {
		t.Errorf("hash %#x, want %#x", hash, uint64(want))
	}
}
