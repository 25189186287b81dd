package browser

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/vantage-search/vantage/internal/wasm/kernel/dense"
)

// Both kernels give Go's products. The relaxed one multiplies bytes only if rows consist of groups
// of 32 weights, each of which has a common divisor that leaves numbers up to 7.
func TestKernelProducts(t *testing.T) {
	page := library(t)
	pool := dense.NewPool(1)
	defer pool.Close()
	r := rand.New(rand.NewPCG(1, 2))
	weights := map[string]func(group int) int8{
		"grouped":  func(group int) int8 { return int8((group * 5 % 19) * (r.IntN(15) - 7)) },
		"extreme":  func(int) int8 { return int8(126 * (r.IntN(2)*2 - 1)) },
		"aligned":  func(group int) int8 { return int8(126 * (group%2*2 - 1)) }, // the largest sums of a group
		"zeros":    func(int) int8 { return 0 },
		"separate": func(int) int8 { return int8(r.IntN(255) - 127) },
		"too many": func(int) int8 { return int8(r.IntN(17) - 8) }, // numbers up to 8
	}
	grouped := []string{"grouped", "extreme", "aligned", "zeros"}
	for _, s := range []struct{ rows, width, outputs int }{{1, 32, 1}, {2, 48, 16}, {3, 96, 22}, {4, 384, 48}, {9, 1536, 20}, {25, 32, 16}, {26, 96, 22}, {64, 384, 48}} {
		padded := (s.outputs + 15) / 16 * 16
		for name, weight := range weights {
			values, scales, bias := make([]int8, padded*s.width), make([]float32, padded), make([]float32, padded)
			for i := range values[:s.outputs*s.width] {
				values[i] = weight(i / 32)
			}
			for o := range s.outputs {
				scales[o], bias[o] = r.Float32(), r.Float32()
			}
			x := make([]float32, s.rows*s.width)
			for i := range x {
				x[i] = float32(r.NormFloat64())
				switch name {
				case "extreme":
					x[i] = float32(r.IntN(2)*2 - 1)
				case "aligned":
					x[i] = float32(i%s.width/32%2*2 - 1)
				}
			}
			want := make([]float32, s.rows*s.outputs)
			dense.PackLinear8(slices.Clone(values[:s.outputs*s.width]), scales[:s.outputs], bias[:s.outputs], s.outputs, s.width).
				Apply(pool, want, s.outputs, x, s.width, s.rows, dense.None)
			for _, kernel := range []string{"kernel", "kernel-relaxed"} {
				got := call[struct {
					Form int
					Y    []byte
				}](t, page, `async (name, operands) => (await import('/test/kernel.js')).products(name, operands)`, kernel, object{
					"rows": s.rows, "width": s.width, "outputs": s.outputs, "padded": padded,
					"x": little(x), "weights": little(values), "scales": little(scales), "bias": little(bias),
				})
				what := fmt.Sprintf("%s, %s, %+v", kernel, name, s)
				same(t, what, got.Y, want)
				if relaxed := kernel == "kernel-relaxed" && s.width%32 == 0 && slices.Contains(grouped, name); relaxed != (got.Form == 1) {
					t.Errorf("%s: form %d", what, got.Form)
				}
			}
		}
	}
}
