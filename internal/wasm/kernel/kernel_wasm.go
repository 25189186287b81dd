package kernel

import "unsafe"

// The SIMD kernel works in the core's own memory: a Go pointer is an address
// there, and Go does not move what it points to. No operand is empty here.

func dotF32(a, b []float32) float32 {
	return wasmDotF32(unsafe.SliceData(a), unsafe.SliceData(b), uint32(len(a)))
}

func dotI8(a, b []int8) int32 {
	return wasmDotI8(unsafe.SliceData(a), unsafe.SliceData(b), uint32(len(a)))
}

func scanF32(x []float32, rows []float32, stride int, q []float32) {
	wasmScanF32(unsafe.SliceData(x), unsafe.SliceData(rows), unsafe.SliceData(q), uint32(len(x)), uint32(stride))
}

func scan2F32(x, y []float32, rows []float32, stride int, q, p []float32) {
	wasmScan2F32(unsafe.SliceData(x), unsafe.SliceData(y), unsafe.SliceData(rows),
		unsafe.SliceData(q), unsafe.SliceData(p), uint32(len(x)), uint32(stride))
}

func scanI8(x []float32, rows []int8, scales []float32, stride int, q QueryI8) {
	wasmScanI8(unsafe.SliceData(x), unsafe.SliceData(rows), unsafe.SliceData(scales),
		unsafe.SliceData(q.Q), q.Scale, uint32(len(x)), uint32(stride))
}

func scan2I8(x, y []float32, rows []int8, scales []float32, stride int, q, p QueryI8) {
	wasmScan2I8(unsafe.SliceData(x), unsafe.SliceData(y), unsafe.SliceData(rows), unsafe.SliceData(scales),
		unsafe.SliceData(q.Q), unsafe.SliceData(p.Q), q.Scale, p.Scale, uint32(len(x)), uint32(stride))
}

// A nil y goes over as address 0, which the kernel takes for zeros; y is not
// empty otherwise.
func score(out, x, y, norm2 []float32, f *Form) {
	wasmScore(unsafe.SliceData(out), unsafe.SliceData(x), unsafe.SliceData(y), unsafe.SliceData(norm2),
		uint32(len(out)), f.A, f.X0, f.D0, f.D1, f.D2)
}

func addScaled(out, x, scale []float32, most float32) {
	wasmAddScaled(unsafe.SliceData(out), unsafe.SliceData(x), unsafe.SliceData(scale), most, uint32(len(out)))
}

func selectGE(idx []uint32, scores []float32, threshold float32) int {
	return int(wasmSelectGE(unsafe.SliceData(idx), unsafe.SliceData(scores), uint32(len(scores)), threshold))
}
