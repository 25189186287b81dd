//go:build !amd64 && !wasm

package kernel

func dotF32(a, b []float32) float32 { return plainDotF32(a, b) }

func dotI8(a, b []int8) int32 { return plainDotI8(a, b) }

func scanF32(x []float32, rows []float32, stride int, q []float32) {
	plainScanF32(x, rows, stride, q)
}

func scan2F32(x, y []float32, rows []float32, stride int, q, p []float32) {
	plainScan2F32(x, y, rows, stride, q, p)
}

func scanI8(x []float32, rows []int8, scales []float32, stride int, q QueryI8) {
	plainScanI8(x, rows, scales, stride, q)
}

func scan2I8(x, y []float32, rows []int8, scales []float32, stride int, q, p QueryI8) {
	plainScan2I8(x, y, rows, scales, stride, q, p)
}

func score(out, x, y, norm2 []float32, f *Form) { plainScore(out, x, y, norm2, f) }

func addScaled(out, x, scale []float32, most float32) { plainAddScaled(out, x, scale, most) }

func selectGE(idx []uint32, scores []float32, threshold float32) int {
	return plainSelectGE(idx, scores, threshold)
}
