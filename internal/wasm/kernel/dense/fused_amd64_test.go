package dense

import (
	"math"
	"math/rand/v2"
	"testing"
)

// The builds in assembly have the same bits, on which committed packs depend: the packer rounds
// weights by what a model computes. Here their order of operations is written down in Go.
func TestAssemblyHasOneOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	for _, b := range builds() {
		if b.l == plain {
			continue
		}
		t.Run(b.name, func(t *testing.T) {
			defer b.use()()
			p := NewPool(1)
			defer p.Close()
			const rows = 9
			for _, n := range []int{16, 32, 80, 384} {
				x, residual, gamma, beta := random(r, n), random(r, n), random(r, n), random(r, n)
				got := make([]float32, n)
				layerNorm(got, x, nil, gamma, beta, 1e-5)
				sameBits(t, "layer norm", got, fusedNorm(x, gamma, beta, 1e-5))
				sum := make([]float32, n)
				for i := range sum {
					sum[i] = x[i] + residual[i]
				}
				layerNorm(got, x, residual, gamma, beta, 1e-5)
				sameBits(t, "layer norm with a residual", got, fusedNorm(sum, gamma, beta, 1e-5))

				got, want := append([]float32(nil), x...), append([]float32(nil), x...)
				softmax(got, 3.5)
				fusedSoftmax(want, 3.5)
				sameBits(t, "softmax", got, want)

				const out = 48
				w, bias, inputs := random(r, out*n), random(r, out), random(r, rows*n)
				y, expected := make([]float32, rows*out), make([]float32, rows*out)
				NewLinear(w, bias, out, n).Apply(p, y, out, inputs, n, rows, None)
				for i := range expected {
					acc := bias[i%out]
					for k := range n {
						acc = fused(inputs[i/out*n+k], w[i%out*n+k], acc)
					}
					expected[i] = acc
				}
				sameBits(t, "product", y, expected)
			}
		})
	}
}

func sameBits(t *testing.T, name string, got, want []float32) {
	t.Helper()
	for i := range want {
		if math.Float32bits(got[i]) != math.Float32bits(want[i]) {
			t.Fatalf("%s of %d: component %d is %v, want %v", name, len(want), i, got[i], want[i])
		}
	}
}

// fused is a·b + c, rounded once. The product is exact in float64. The sum is rounded to odd there
// (Boldo and Melquiond 2008, theorem 1), so that rounding it again has no effect of its own.
func fused(a, b, c float32) float32 {
	product, addend := float64(a)*float64(b), float64(c)
	sum := product + addend
	part := sum - product
	lost := (product - (sum - part)) + (addend - part)
	if bits := math.Float64bits(sum); lost != 0 && bits&1 == 0 {
		if (lost > 0) == (sum > 0) {
			bits++
		} else {
			bits--
		}
		sum = math.Float64frombits(bits)
	}
	return float32(sum)
}

// total16 adds sixteen parts: those 8 apart, then 4, 2 and 1.
func total16(parts [16]float32) float32 {
	for distance := 8; distance > 0; distance /= 2 {
		for i := range distance {
			parts[i] += parts[i+distance]
		}
	}
	return parts[0]
}

func fusedNorm(x, gamma, beta []float32, epsilon float32) []float32 {
	var sums, squares [16]float32
	for i, v := range x {
		sums[i%16] += v
	}
	mean := total16(sums) / float32(len(x))
	for i, v := range x {
		squares[i%16] = fused(v-mean, v-mean, squares[i%16])
	}
	variance := total16(squares)/float32(len(x)) + epsilon
	inverse := 1 / float32(math.Sqrt(float64(variance)))
	to := make([]float32, len(x))
	for i, v := range x {
		to[i] = fused((v-mean)*inverse, gamma[i], beta[i])
	}
	return to
}

func fusedSoftmax(x []float32, scale float32) {
	greatest := x[0]
	for _, v := range x {
		greatest = max(greatest, v)
	}
	var sums [16]float32
	for i, v := range x {
		x[i] = fusedExp(max((v-greatest)*scale, -87))
		sums[i%16] += x[i]
	}
	inverse := 1 / total16(sums)
	for i := range x {
		x[i] *= inverse
	}
}

// fusedExp is e^x by the polynomial of plain.go.
func fusedExp(x float32) float32 {
	n := float32(math.RoundToEven(float64(x * 1.44269504088896341)))
	x = fused(-n, 0.693359375, x)
	x = fused(-n, -2.12194440e-4, x)
	y := float32(1.9875691500e-4)
	for _, c := range []float32{1.3981999507e-3, 8.3334519073e-3, 4.1665795894e-2, 1.6666665459e-1, 5.0000001201e-1} {
		y = fused(y, x, c)
	}
	y = fused(y, x*x, x) + 1
	return float32(math.Ldexp(float64(y), int(n)))
}
