//go:build !amd64 && !wasm

package dense

// The tallest and widest tile.
const (
	maxRows     = 4
	tileRows    = maxRows
	tileColumns = panel
)

func tileHeight(rows int) int { return min(rows, tileRows) }

func tile(rows, columns, k int, a []float32, lda int, b []float32, ldb int, bias, c []float32, ldc int) {
	plainTile(rows, columns, k, a, lda, b, ldb, bias, c, ldc)
}

func gelu(x []float32, rows, columns, ld int) { plainGELU(x, rows, columns, ld) }

func exponentials(x []float32) { plainExponentials(x) }

func softmax(x []float32, scale float32) { plainSoftmax(x, scale) }

func layerNorm(to, x, residual, gamma, beta []float32, epsilon float32) {
	plainLayerNorm(to, x, residual, gamma, beta, epsilon)
}

func tile8(rows, columns, groups int, a []uint8, b []int8, offsets []int32, scales, sums, bias, rowScales, rowMiddles, c []float32, ldc int) {
	plainTile8(rows, columns, groups, a, b, offsets, scales, sums, bias, rowScales, rowMiddles, c, ldc)
}

// takesGroups says whether tileGrouped is faster than tile8, which is plain Go here.
func takesGroups() bool { return false }

func tileGrouped(_, _, _ int, _ []uint8, _ []int8, _ []int16, _ []int32, _, _, _, _, _, _ []float32, _ int) {
	panic("dense: this build has no groups")
}

func quantize(to []uint8, x []float32) (scale, middle float32) {
	return plainQuantize(to, x, inputOffset)
}

func exactTile(rows, columns, k int, a []float32, lda int, b []float32, ldb int, c []float32, ldc int) {
	plainExactTile(rows, columns, k, a, lda, b, ldb, c, ldc)
}

func exactGELU(x []float32) { plainExactGELU(x) }

func exactGELUTanh(x []float32) { plainExactGELUTanh(x) }

// exactSoftmax of the first n numbers.
func exactSoftmax(x []float32, n int, scale float32) { plainExactSoftmax(x[:n], scale) }

func exactNorm(to, x, residual, gamma, beta []float32, epsilon float32) {
	plainExactNorm(to, x, residual, gamma, beta, epsilon)
}
