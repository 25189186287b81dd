package dense

import "unsafe"

// takesGroups says whether tileGrouped is faster than tile8.
func takesGroups() bool { return bytes == withAVX2 }

// tileGrouped is tile8 for numbers and their multipliers; ldc in floats.
func tileGrouped(rows, columns, groups int, a []uint8, b []int8, multipliers []int16, offsets []int32, scales, sums, bias, rowScales, rowMiddles, c []float32, ldc int) {
	width := 4 * groups
	k := width / group
	_, _, _ = a[rows*width-1], b[columns*width-1], c[(rows-1)*ldc+columns-1]
	_, _, _, _ = multipliers[columns*k*2-1], offsets[columns-1], scales[columns-1], sums[columns-1]
	_, _, _ = bias[columns-1], rowScales[rows-1], rowMiddles[rows-1]
	for column := 0; column < columns; column += panel {
		B, n, o, s, w, z := &b[column*width], &multipliers[column*k*2], &offsets[column], &scales[column], &sums[column], &bias[column]
		for row := 0; row < rows; {
			A, r, m, C := unsafe.SliceData(a[row*width:]), &rowScales[row], &rowMiddles[row], &c[row*ldc+column]
			switch left := rows - row; {
			case left >= 6:
				tileGrouped6x16AVX2(k, A, width, B, n, o, s, w, z, r, m, C, 4*ldc)
				row += 6
			case left >= 4:
				tileGrouped4x16AVX2(k, A, width, B, n, o, s, w, z, r, m, C, 4*ldc)
				row += 4
			case left >= 2:
				tileGrouped2x16AVX2(k, A, width, B, n, o, s, w, z, r, m, C, 4*ldc)
				row += 2
			default:
				tileGrouped1x16AVX2(k, A, width, B, n, o, s, w, z, r, m, C, 4*ldc)
				row++
			}
		}
	}
}
