package dense

import (
	"unsafe"

	"golang.org/x/sys/cpu"
)

// level says which build runs.
type level uint8

const (
	plain level = iota
	withAVX2
	withAVX512
)

// The tallest and widest tile of the build that runs.
var (
	running     level
	tileRows    int
	tileColumns int
	bytes       level // of the products of bytes, which want VNNI beside AVX-512
)

// maxRows of any build's tiles.
const maxRows = 8

func init() {
	switch {
	case cpu.X86.HasAVX512F:
		use(withAVX512)
	case cpu.X86.HasAVX2 && cpu.X86.HasFMA:
		use(withAVX2)
	default:
		use(plain)
	}
}

func use(l level) {
	running, bytes = l, l
	if l == withAVX512 && !cpu.X86.HasAVX512VNNI {
		bytes = withAVX2
	}
	switch l {
	case withAVX512:
		tileRows, tileColumns = 8, 48
	case withAVX2:
		tileRows, tileColumns = 6, 16
	default:
		tileRows, tileColumns = 4, 16
	}
}

// tileHeight is the height of the tallest tile that there are rows for.
func tileHeight(rows int) int {
	switch {
	case rows >= tileRows:
		return tileRows
	case rows >= 4:
		return 4
	case rows >= 2:
		return 2
	}
	return 1
}

// tile computes rows x columns of c = a·b + bias: a row of a has k components,
// b is a number of panels of k x 16.
func tile(rows, columns, k int, a []float32, lda int, b []float32, ldb int, bias, c []float32, ldc int) {
	if running == plain || k == 0 {
		plainTile(rows, columns, k, a, lda, b, ldb, bias, c, ldc)
		return
	}
	_, _, _ = a[(rows-1)*lda+k-1], b[(columns/panel-1)*ldb+panel*k-1], c[(rows-1)*ldc+columns-1]
	A, B, S, C := unsafe.SliceData(a), unsafe.SliceData(b), unsafe.SliceData(bias), unsafe.SliceData(c)
	lda, ldb, ldc = 4*lda, 4*ldb, 4*ldc
	if running == withAVX2 {
		switch rows {
		case 6:
			tile6x16AVX2(k, A, lda, B, ldb, S, C, ldc)
		case 4:
			tile4x16AVX2(k, A, lda, B, ldb, S, C, ldc)
		case 2:
			tile2x16AVX2(k, A, lda, B, ldb, S, C, ldc)
		default:
			tile1x16AVX2(k, A, lda, B, ldb, S, C, ldc)
		}
		return
	}
	switch rows<<8 | columns {
	case 8<<8 | 48:
		tile8x48AVX512(k, A, lda, B, ldb, S, C, ldc)
	case 8<<8 | 32:
		tile8x32AVX512(k, A, lda, B, ldb, S, C, ldc)
	case 8<<8 | 16:
		tile8x16AVX512(k, A, lda, B, ldb, S, C, ldc)
	case 4<<8 | 48:
		tile4x48AVX512(k, A, lda, B, ldb, S, C, ldc)
	case 4<<8 | 32:
		tile4x32AVX512(k, A, lda, B, ldb, S, C, ldc)
	case 4<<8 | 16:
		tile4x16AVX512(k, A, lda, B, ldb, S, C, ldc)
	case 2<<8 | 48:
		tile2x48AVX512(k, A, lda, B, ldb, S, C, ldc)
	case 2<<8 | 32:
		tile2x32AVX512(k, A, lda, B, ldb, S, C, ldc)
	case 2<<8 | 16:
		tile2x16AVX512(k, A, lda, B, ldb, S, C, ldc)
	case 1<<8 | 48:
		tile1x48AVX512(k, A, lda, B, ldb, S, C, ldc)
	case 1<<8 | 32:
		tile1x32AVX512(k, A, lda, B, ldb, S, C, ldc)
	default:
		tile1x16AVX512(k, A, lda, B, ldb, S, C, ldc)
	}
}

// The assembly takes whole panels. Plain Go computes what gelu has left of a row, and in layerNorm a
// whole row that has such a rest. So a component of a row is always computed in the same way.

func gelu(x []float32, rows, columns, ld int) {
	whole := columns &^ (panel - 1)
	if running == plain || whole == 0 {
		plainGELU(x, rows, columns, ld)
		return
	}
	_ = x[(rows-1)*ld+columns-1]
	if running == withAVX512 {
		geluAVX512(unsafe.SliceData(x), rows, whole, 4*ld)
	} else {
		geluAVX2(unsafe.SliceData(x), rows, whole, 4*ld)
	}
	if whole < columns {
		plainGELU(x[whole:], rows, columns-whole, ld)
	}
}

// exponentials replaces numbers, of which there is a multiple of 16.
func exponentials(x []float32) {
	switch running {
	case withAVX512:
		expAVX512(unsafe.SliceData(x), len(x))
	case withAVX2:
		expAVX2(unsafe.SliceData(x), len(x))
	default:
		plainExponentials(x)
	}
}

// softmax of a multiple of 16 numbers.
func softmax(x []float32, scale float32) {
	switch running {
	case withAVX512:
		softmaxAVX512(unsafe.SliceData(x), len(x), scale)
	case withAVX2:
		softmaxAVX2(unsafe.SliceData(x), len(x), scale)
	default:
		plainSoftmax(x, scale)
	}
}

func layerNorm(to, x, residual, gamma, beta []float32, epsilon float32) {
	n := len(x)
	if running == plain || n == 0 || n%panel != 0 {
		plainLayerNorm(to, x, residual, gamma, beta, epsilon)
		return
	}
	_, _, _ = to[n-1], gamma[n-1], beta[n-1]
	if residual != nil {
		_ = residual[n-1]
	}
	if running == withAVX512 {
		layerNormAVX512(unsafe.SliceData(to), unsafe.SliceData(x), unsafe.SliceData(residual), unsafe.SliceData(gamma), unsafe.SliceData(beta), n, epsilon)
	} else {
		layerNormAVX2(unsafe.SliceData(to), unsafe.SliceData(x), unsafe.SliceData(residual), unsafe.SliceData(gamma), unsafe.SliceData(beta), n, epsilon)
	}
}

// tile8 is tile for bytes, as quantize makes them.
func tile8(rows, columns, groups int, a []uint8, b []int8, offsets []int32, scales, sums, bias, rowScales, rowMiddles, c []float32, ldc int) {
	if bytes == plain {
		plainTile8(rows, columns, groups, a, b, offsets, scales, sums, bias, rowScales, rowMiddles, c, ldc)
		return
	}
	_, _, _ = a[rows*4*groups-1], b[columns*4*groups-1], c[(rows-1)*ldc+columns-1]
	_, _, _, _, _, _ = offsets[columns-1], scales[columns-1], sums[columns-1], bias[columns-1], rowScales[rows-1], rowMiddles[rows-1]
	A, B, C := unsafe.SliceData(a), unsafe.SliceData(b), unsafe.SliceData(c)
	o, s, w, z := unsafe.SliceData(offsets), unsafe.SliceData(scales), unsafe.SliceData(sums), unsafe.SliceData(bias)
	r, m := unsafe.SliceData(rowScales), unsafe.SliceData(rowMiddles)
	lda, ldb := 4*groups, 4*groups*panel
	ldc *= 4
	if bytes == withAVX2 {
		tile8AVX2(rows, columns, groups, a, b, scales, sums, bias, rowScales, rowMiddles, c, ldc)
		return
	}
	switch rows<<8 | columns {
	case 8<<8 | 48:
		tileI88x48VNNI(groups, A, lda, B, ldb, o, s, w, z, r, m, C, ldc)
	case 8<<8 | 32:
		tileI88x32VNNI(groups, A, lda, B, ldb, o, s, w, z, r, m, C, ldc)
	case 8<<8 | 16:
		tileI88x16VNNI(groups, A, lda, B, ldb, o, s, w, z, r, m, C, ldc)
	case 4<<8 | 48:
		tileI84x48VNNI(groups, A, lda, B, ldb, o, s, w, z, r, m, C, ldc)
	case 4<<8 | 32:
		tileI84x32VNNI(groups, A, lda, B, ldb, o, s, w, z, r, m, C, ldc)
	case 4<<8 | 16:
		tileI84x16VNNI(groups, A, lda, B, ldb, o, s, w, z, r, m, C, ldc)
	case 2<<8 | 48:
		tileI82x48VNNI(groups, A, lda, B, ldb, o, s, w, z, r, m, C, ldc)
	case 2<<8 | 32:
		tileI82x32VNNI(groups, A, lda, B, ldb, o, s, w, z, r, m, C, ldc)
	case 2<<8 | 16:
		tileI82x16VNNI(groups, A, lda, B, ldb, o, s, w, z, r, m, C, ldc)
	case 1<<8 | 48:
		tileI81x48VNNI(groups, A, lda, B, ldb, o, s, w, z, r, m, C, ldc)
	case 1<<8 | 32:
		tileI81x32VNNI(groups, A, lda, B, ldb, o, s, w, z, r, m, C, ldc)
	default:
		tileI81x16VNNI(groups, A, lda, B, ldb, o, s, w, z, r, m, C, ldc)
	}
}

// tile8AVX2 cuts a tile of any build into those that AVX2 has; ldc in bytes.
func tile8AVX2(rows, columns, groups int, a []uint8, b []int8, scales, sums, bias, rowScales, rowMiddles, c []float32, ldc int) {
	width := 4 * groups
	for column := 0; column < columns; column += panel {
		B, s, w, z := &b[column*width], &scales[column], &sums[column], &bias[column]
		for row := 0; row < rows; {
			A, r, m, C := (*int8)(unsafe.Pointer(&a[row*width])), &rowScales[row], &rowMiddles[row], &c[row*ldc/4+column]
			switch left := rows - row; {
			case left >= 6:
				tileI86x16AVX2(groups, A, width, B, s, w, z, r, m, C, ldc)
				row += 6
			case left >= 4:
				tileI84x16AVX2(groups, A, width, B, s, w, z, r, m, C, ldc)
				row += 4
			case left >= 2:
				tileI82x16AVX2(groups, A, width, B, s, w, z, r, m, C, ldc)
				row += 2
			default:
				tileI81x16AVX2(groups, A, width, B, s, w, z, r, m, C, ldc)
				row++
			}
		}
	}
}

// quantize rounds a row to bytes as tile8 takes them, and returns its scale and
// middle.
func quantize(to []uint8, x []float32) (scale, middle float32) {
	whole := len(x) > 0 && len(x)%panel == 0
	switch {
	case bytes == withAVX2 && whole:
		_ = to[len(x)-1]
		return quantizeAVX2(unsafe.SliceData(to), unsafe.SliceData(x), len(x))
	case bytes == withAVX2:
		return plainQuantize(to, x, 0)
	case bytes == withAVX512 && whole:
		_ = to[len(x)-1]
		return quantizeVNNI(unsafe.SliceData(to), unsafe.SliceData(x), len(x))
	}
	return plainQuantize(to, x, inputOffset)
}
