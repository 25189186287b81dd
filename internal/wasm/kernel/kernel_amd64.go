package kernel

import (
	"unsafe"

	"golang.org/x/sys/cpu"
)

// The assembly keeps the canonical order: one 256-bit register is the eight
// lanes, products are rounded before they are added. So its results are those
// of plain.go bit for bit. A row left over by a loop over pairs, and scores left over
// by one over fours or eights, go through plain Go.
//
// Assembly cannot be preempted. A block of a few thousand rows takes well under
// a millisecond; callers with more rows scan block by block anyway.

var useAVX2 = cpu.X86.HasAVX2

//go:noescape
func dotF32AVX2(a, b *float32, n int) float32

//go:noescape
func dotI8AVX2(a, b *int8, n int) int32

// Pairs of rows: i and half+i for i < half. stride is in elements.

//go:noescape
func scanF32AVX2(x, rows, q *float32, half, stride int)

//go:noescape
func scan2F32AVX2(x, y, rows, q, p *float32, half, stride int)

// Four rows at a time, for i < n: i, i+gap, i+2·gap and i+3·gap, which may be one row.
//
//go:noescape
func scanI8AVX2(x *float32, rows *int8, scales *float32, q *int16, qScale float32, n, gap, stride int)

//go:noescape
func scan2I8AVX2(x, y *float32, rows *int8, scales *float32, q, p *int16, qScale, pScale float32, half, stride int)

// n is a positive multiple of 4.
//
//go:noescape
func scoreAVX2(out, x, y, norm2 *float32, n int, f *Form)

// n is a positive multiple of 8.
//
//go:noescape
func addScaledAVX2(out, x, scale *float32, n int, most float32)

// The first multiple of 8, from i on, at which one of the eight scores that begin there
// reaches the threshold; n if there is none. i and n are multiples of 8.
//
//go:noescape
func nextGEAVX2(scores *float32, i, n int, threshold float32) int

func dotF32(a, b []float32) float32 {
	if !useAVX2 {
		return plainDotF32(a, b)
	}
	return dotF32AVX2(unsafe.SliceData(a), unsafe.SliceData(b), len(a))
}

func dotI8(a, b []int8) int32 {
	if !useAVX2 {
		return plainDotI8(a, b)
	}
	return dotI8AVX2(unsafe.SliceData(a), unsafe.SliceData(b), len(a))
}

func scanF32(x []float32, rows []float32, stride int, q []float32) {
	n := 0
	if half := len(x) / 2; useAVX2 && half > 0 {
		scanF32AVX2(unsafe.SliceData(x), unsafe.SliceData(rows), unsafe.SliceData(q), half, stride)
		n = 2 * half
	}
	plainScanF32(x[n:], rows[n*stride:], stride, q)
}

func scan2F32(x, y []float32, rows []float32, stride int, q, p []float32) {
	n := 0
	if half := len(x) / 2; useAVX2 && half > 0 {
		scan2F32AVX2(unsafe.SliceData(x), unsafe.SliceData(y), unsafe.SliceData(rows),
			unsafe.SliceData(q), unsafe.SliceData(p), half, stride)
		n = 2 * half
	}
	plainScan2F32(x[n:], y[n:], rows[n*stride:], stride, q, p)
}

func scanI8(x []float32, rows []int8, scales []float32, stride int, q QueryI8) {
	if !useAVX2 {
		plainScanI8(x, rows, scales, stride, q)
		return
	}
	scan := func(first, n, gap int) {
		if n > 0 {
			scanI8AVX2(&x[first], &rows[first*stride], &scales[first], unsafe.SliceData(q.Q), q.Scale, n, gap, stride)
		}
	}
	quarter := len(x) / 4
	scan(0, quarter, quarter)
	scan(4*quarter, len(x)%4, 0)
}

func scan2I8(x, y []float32, rows []int8, scales []float32, stride int, q, p QueryI8) {
	n := 0
	if half := len(x) / 2; useAVX2 && half > 0 {
		scan2I8AVX2(unsafe.SliceData(x), unsafe.SliceData(y), unsafe.SliceData(rows), unsafe.SliceData(scales),
			unsafe.SliceData(q.Q), unsafe.SliceData(p.Q), q.Scale, p.Scale, half, stride)
		n = 2 * half
	}
	plainScan2I8(x[n:], y[n:], rows[n*stride:], scales[n:], stride, q, p)
}

func score(out, x, y, norm2 []float32, f *Form) {
	n := 0
	if fours := len(out) &^ 3; useAVX2 && fours > 0 {
		g := *f
		from := y
		if y == nil { // with both coefficients zero, norm2 leaves the square as it is
			from, g.D1, g.D2 = norm2, 0, 0
		}
		scoreAVX2(unsafe.SliceData(out), unsafe.SliceData(x), unsafe.SliceData(from), unsafe.SliceData(norm2), fours, &g)
		n = fours
	}
	if y != nil {
		y = y[n:]
	}
	plainScore(out[n:], x[n:], y, norm2[n:], f)
}

func addScaled(out, x, scale []float32, most float32) {
	n := 0
	if eights := len(out) &^ 7; useAVX2 && eights > 0 {
		addScaledAVX2(unsafe.SliceData(out), unsafe.SliceData(x), unsafe.SliceData(scale), eights, most)
		n = eights
	}
	plainAddScaled(out[n:], x[n:], scale[n:], most)
}

func selectGE(idx []uint32, scores []float32, threshold float32) int {
	if !useAVX2 {
		return plainSelectGE(idx, scores, threshold)
	}
	// Nearly every score of a block lies below the threshold: the assembly
	// leaps from one eight with a score that reaches it to the next.
	n, i := 0, 0
	for eights := len(scores) &^ 7; ; i += 8 {
		i = nextGEAVX2(unsafe.SliceData(scores), i, eights, threshold)
		if i == eights {
			break
		}
		for j, s := range scores[i : i+8] {
			if s >= threshold {
				idx[n] = uint32(i + j)
				n++
			}
		}
	}
	for ; i < len(scores); i++ {
		if scores[i] >= threshold {
			idx[n] = uint32(i)
			n++
		}
	}
	return n
}
