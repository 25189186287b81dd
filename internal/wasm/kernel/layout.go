package kernel

// Lane counts of the canonical order of summation. A row is padded with zeros
// to a multiple of its lane count, so that no inner loop has a tail.
const (
	LanesF32 = 8  // float32 elements summed side by side
	LanesI8  = 16 // int8 elements read by one step of the integer scans
)

// MaxDim is the largest dimension the integer kernels accept: up to it neither
// DotI8 (65536 · 128 · 128 = 2³⁰) nor a query of QuantizeQuery can overflow.
const MaxDim = 65536

// PadF32 returns the padded length, in elements, of a float32 row of dimension d.
func PadF32(d int) int { return (d + LanesF32 - 1) &^ (LanesF32 - 1) }

// PadI8 returns the padded length, in elements, of an int8 row of dimension d.
func PadI8(d int) int { return (d + LanesI8 - 1) &^ (LanesI8 - 1) }

// checkScan panics unless the operands of a scan over n rows fit each other.
// The scans below it run on bare pointers in two of the three builds, so this
// is what stands between a caller's mistake and somebody else's memory.
func checkScan(n, rows, stride, lanes int) {
	if stride < 0 || stride%lanes != 0 {
		panic("kernel: stride is not a multiple of the lane count")
	}
	// For whole numbers this says n*stride > rows, but it cannot overflow as
	// the product can.
	if stride != 0 && n > rows/stride {
		panic("kernel: fewer rows than results")
	}
}

func checkQuery(length, stride int) {
	if length != stride {
		panic("kernel: query is not as long as the stride")
	}
}

func checkLen(have, want int) {
	if have < want {
		panic("kernel: operand shorter than the results")
	}
}

func checkPair(a, b, lanes int) {
	if a != b {
		panic("kernel: operands of a dot product differ in length")
	}
	if a%lanes != 0 {
		panic("kernel: operand is not padded to the lane count")
	}
}
