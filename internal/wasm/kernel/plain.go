package kernel

import "math"

// The functions of this file are the definition of what every build computes.
// Each product is rounded by an explicit conversion before it is added, since
// the language lets a compiler fuse the two otherwise (and on arm64 it does).

func plainDotF32(a, b []float32) float32 {
	var s0, s1, s2, s3, s4, s5, s6, s7 float32
	for len(a) >= LanesF32 && len(b) >= LanesF32 {
		u, v := (*[LanesF32]float32)(a), (*[LanesF32]float32)(b)
		s0 += float32(u[0] * v[0])
		s1 += float32(u[1] * v[1])
		s2 += float32(u[2] * v[2])
		s3 += float32(u[3] * v[3])
		s4 += float32(u[4] * v[4])
		s5 += float32(u[5] * v[5])
		s6 += float32(u[6] * v[6])
		s7 += float32(u[7] * v[7])
		a, b = a[LanesF32:], b[LanesF32:]
	}
	t0, t1, t2, t3 := s0+s4, s1+s5, s2+s6, s3+s7
	return (t0 + t1) + (t2 + t3)
}

func plainDotI8(a, b []int8) int32 {
	var s int32
	b = b[:len(a)]
	for j, v := range a {
		s += int32(v) * int32(b[j])
	}
	return s
}

func plainDotI8I16(a []int8, q []int16) int32 {
	var s int32
	q = q[:len(a)]
	for j, v := range a {
		s += int32(v) * int32(q[j])
	}
	return s
}

func plainScanF32(x []float32, rows []float32, stride int, q []float32) {
	for i := range x {
		x[i] = plainDotF32(rows[i*stride:(i+1)*stride], q)
	}
}

func plainScan2F32(x, y []float32, rows []float32, stride int, q, p []float32) {
	for i := range x {
		row := rows[i*stride : (i+1)*stride]
		x[i], y[i] = plainDotF32(row, q), plainDotF32(row, p)
	}
}

func plainScanI8(x []float32, rows []int8, scales []float32, stride int, q QueryI8) {
	for i := range x {
		dot := plainDotI8I16(rows[i*stride:(i+1)*stride], q.Q)
		x[i] = float32(dot) * float32(scales[i]*q.Scale)
	}
}

func plainScan2I8(x, y []float32, rows []int8, scales []float32, stride int, q, p QueryI8) {
	for i := range x {
		row := rows[i*stride : (i+1)*stride]
		x[i] = float32(plainDotI8I16(row, q.Q)) * float32(scales[i]*q.Scale)
		y[i] = float32(plainDotI8I16(row, p.Q)) * float32(scales[i]*p.Scale)
	}
}

func plainScore(out, x, y, norm2 []float32, f *Form) {
	for i := range out {
		n2 := float64(norm2[i])
		square := n2
		if y != nil {
			v := float64(y[i])
			square += float64(f.D1 * v)
			square += float64(f.D2 * float64(v*v))
		}
		square += f.D0
		// Written so that a NaN, which only operands that are not finite
		// can give, falls on the side of the zero.
		if n2 != 0 && square > float64(guard*n2) {
			numerator := float64(f.A * (float64(x[i]) + f.X0))
			out[i] = float32(numerator / math.Sqrt(square))
		} else {
			out[i] = 0
		}
	}
}

func plainAddScaled(out, x, scale []float32, most float32) {
	x, scale = x[:len(out)], scale[:len(out)]
	for i := range out {
		product := float32(x[i] * scale[i])
		if most < product { // min would bring code for NaN into the core
			product = most
		}
		out[i] += product
	}
}

func plainSelectGE(idx []uint32, scores []float32, threshold float32) int {
	n := 0
	for i, s := range scores {
		if s >= threshold {
			idx[n] = uint32(i)
			n++
		}
	}
	return n
}
