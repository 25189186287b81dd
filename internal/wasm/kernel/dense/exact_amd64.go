package dense

import (
	"math"
	"unsafe"
)

// exactTile computes rows x columns of c = a·b, as plainExactTile does.
func exactTile(rows, columns, k int, a []float32, lda int, b []float32, ldb int, c []float32, ldc int) {
	if running == plain || k == 0 {
		plainExactTile(rows, columns, k, a, lda, b, ldb, c, ldc)
		return
	}
	_, _, _ = a[(rows-1)*lda+k-1], b[(columns/panel-1)*ldb+panel*k-1], c[(rows-1)*ldc+columns-1]
	for column := 0; column < columns; {
		width := panel
		if running == withAVX512 && columns-column >= 2*panel {
			width = 2 * panel
		}
		for row := 0; row < rows; {
			row += exactPart(rows-row, width, k, &a[row*lda], 4*lda, &b[column/panel*ldb], 4*ldb, &c[row*ldc+column], 4*ldc)
		}
		column += width
	}
}

// exactPart computes the tallest tile there is for some rows, and returns its height.
func exactPart(rows, columns, k int, a *float32, lda int, b *float32, ldb int, c *float32, ldc int) int {
	if running == withAVX2 {
		switch {
		case rows >= 4:
			exactTile4x16AVX2(k, a, lda, b, ldb, c, ldc)
			return 4
		case rows >= 2:
			exactTile2x16AVX2(k, a, lda, b, ldb, c, ldc)
			return 2
		}
		exactTile1x16AVX2(k, a, lda, b, ldb, c, ldc)
		return 1
	}
	height := 1
	for _, h := range [...]int{8, 4, 2} {
		if rows >= h {
			height = h
			break
		}
	}
	switch height<<8 | columns {
	case 8<<8 | 32:
		exactTile8x32AVX512(k, a, lda, b, ldb, c, ldc)
	case 8<<8 | 16:
		exactTile8x16AVX512(k, a, lda, b, ldb, c, ldc)
	case 4<<8 | 32:
		exactTile4x32AVX512(k, a, lda, b, ldb, c, ldc)
	case 4<<8 | 16:
		exactTile4x16AVX512(k, a, lda, b, ldb, c, ldc)
	case 2<<8 | 32:
		exactTile2x32AVX512(k, a, lda, b, ldb, c, ldc)
	case 2<<8 | 16:
		exactTile2x16AVX512(k, a, lda, b, ldb, c, ldc)
	case 1<<8 | 32:
		exactTile1x32AVX512(k, a, lda, b, ldb, c, ldc)
	default:
		exactTile1x16AVX512(k, a, lda, b, ldb, c, ldc)
	}
	return height
}

// exactGELU of a multiple of 16 numbers.
func exactGELU(x []float32) {
	switch {
	case running == plain || len(x) == 0:
		plainExactGELU(x)
	case running == withAVX512:
		exactGELUAVX512(unsafe.SliceData(x), len(x))
	default:
		exactGELUAVX2(unsafe.SliceData(x), len(x))
	}
}

// exactGELUTanh of a multiple of 16 numbers.
func exactGELUTanh(x []float32) {
	switch {
	case running == plain || len(x) == 0:
		plainExactGELUTanh(x)
	case running == withAVX512:
		exactGELUTanhAVX512(unsafe.SliceData(x), len(x))
	default:
		exactGELUTanhAVX2(unsafe.SliceData(x), len(x))
	}
}

// exactSoftmax of the first n of a multiple of 16 numbers; what the others become is
// not defined.
func exactSoftmax(x []float32, n int, scale float32) {
	if running == plain {
		plainExactSoftmax(x[:n], scale)
		return
	}
	for i := n; i < len(x); i++ {
		x[i] = float32(math.Inf(-1))
	}
	if running == withAVX512 {
		exactSoftmaxAVX512(unsafe.SliceData(x), len(x), scale)
	} else {
		exactSoftmaxAVX2(unsafe.SliceData(x), len(x), scale)
	}
}

// exactNorm of one row of a multiple of 16 components.
func exactNorm(to, x, residual, gamma, beta []float32, epsilon float32) {
	n := len(x)
	if running == plain {
		plainExactNorm(to, x, residual, gamma, beta, epsilon)
		return
	}
	_, _, _ = to[n-1], gamma[n-1], beta[n-1]
	if residual != nil {
		_ = residual[n-1]
	}
	if running == withAVX512 {
		exactNormAVX512(unsafe.SliceData(to), unsafe.SliceData(x), unsafe.SliceData(residual), unsafe.SliceData(gamma), unsafe.SliceData(beta), n, epsilon)
	} else {
		exactNormAVX2(unsafe.SliceData(to), unsafe.SliceData(x), unsafe.SliceData(residual), unsafe.SliceData(gamma), unsafe.SliceData(beta), n, epsilon)
	}
}
