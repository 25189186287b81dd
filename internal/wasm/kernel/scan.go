package kernel

// DotF32 returns the dot product of a and b in the canonical order: lane j of
// eight sums the products of elements j, j+8, …, each product rounded to
// float32 before it is added; then t[j] = lane[j] + lane[j+4] for j = 0…3, and
// the result is (t0 + t1) + (t2 + t3).
// The lengths must be equal and a multiple of LanesF32.
func DotF32(a, b []float32) float32 {
	checkPair(len(a), len(b), LanesF32)
	if len(a) == 0 {
		return 0
	}
	return dotF32(a, b)
}

// DotI8 returns the dot product of a and b, which is exact.
// The lengths must be equal, a multiple of LanesI8, and at most MaxDim.
func DotI8(a, b []int8) int32 {
	checkPair(len(a), len(b), LanesI8)
	if len(a) > MaxDim {
		panic("kernel: int8 operand longer than MaxDim")
	}
	if len(a) == 0 {
		return 0
	}
	return dotI8(a, b)
}

// ScanF32 sets x[i] = DotF32(row i, q) for the len(x) rows of stride elements
// each that rows begins with. len(q) must be stride, a multiple of LanesF32.
func ScanF32(x []float32, rows []float32, stride int, q []float32) {
	checkScan(len(x), len(rows), stride, LanesF32)
	checkQuery(len(q), stride)
	if len(x) == 0 {
		return
	}
	if stride == 0 {
		clear(x)
		return
	}
	scanF32(x, rows, stride, q)
}

// Scan2F32 is ScanF32 for two query vectors in one pass over the rows:
// x[i] = DotF32(row i, q) and y[i] = DotF32(row i, p), with len(y) = len(x).
func Scan2F32(x, y []float32, rows []float32, stride int, q, p []float32) {
	checkScan(len(x), len(rows), stride, LanesF32)
	checkQuery(len(q), stride)
	checkQuery(len(p), stride)
	checkLen(len(y), len(x))
	if len(x) == 0 {
		return
	}
	if stride == 0 {
		clear(x)
		clear(y[:len(x)])
		return
	}
	scan2F32(x, y, rows, stride, q, p)
}

// ScanI8 sets x[i] = float32(dot) · float32(scales[i]·q.Scale), dot being the
// exact integer dot product of row i with q.Q, for the len(x) rows of stride
// elements each that rows begins with. len(q.Q) must be stride, a multiple of
// LanesI8; q must obey the bounds that QuantizeQuery keeps.
func ScanI8(x []float32, rows []int8, scales []float32, stride int, q QueryI8) {
	checkScan(len(x), len(rows), stride, LanesI8)
	checkQuery(len(q.Q), stride)
	checkLen(len(scales), len(x))
	if len(x) == 0 {
		return
	}
	if stride == 0 {
		clear(x)
		return
	}
	scanI8(x, rows, scales, stride, q)
}

// Scan2I8 is ScanI8 for two query vectors in one pass over the rows: x as q
// makes it and y as p does, with len(y) = len(x).
func Scan2I8(x, y []float32, rows []int8, scales []float32, stride int, q, p QueryI8) {
	checkScan(len(x), len(rows), stride, LanesI8)
	checkQuery(len(q.Q), stride)
	checkQuery(len(p.Q), stride)
	checkLen(len(scales), len(x))
	checkLen(len(y), len(x))
	if len(x) == 0 {
		return
	}
	if stride == 0 {
		clear(x)
		clear(y[:len(x)])
		return
	}
	scan2I8(x, y, rows, scales, stride, q, p)
}
