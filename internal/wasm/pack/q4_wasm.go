package pack

import "unsafe"

// readRowsQ4 reads rows as readQ4 does, until it comes to one that is not sound, and
// returns how many it has read. The SIMD kernel takes whole groups.
func readRowsQ4(to []int8, scales []float32, src []byte, rows, width int) int {
	if rows == 0 || width%Group != 0 {
		return 0
	}
	_, _, _ = to[rows*width-1], scales[rows-1], src[rows*Q4.RowBytes(width)-1]
	return int(wasmReadQ4(unsafe.SliceData(to), unsafe.SliceData(scales), unsafe.SliceData(src), uint32(rows), uint32(width)))
}
