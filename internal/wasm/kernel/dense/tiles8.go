//go:build !wasm

package dense

// roundedValue is a component of Rounded, around an offset that the build has.
type roundedValue = uint8

const (
	roundedBytes = 1
	offsetInputs = true
)

func quantizeRows(r *Rounded, x []float32, ldx, first, last int) { r.eachRow(x, ldx, first, last) }

// block computes the columns of some groups of tileColumns for all rows given.
func (l *Linear8) block(y []float32, ldy int, x []uint8, rowScales []float32, rows, firstGroup, lastGroup int, act Activation) {
	var edge [maxRows * panel]float32
	width := 4 * l.groups
	tiles(l.Out, firstGroup, lastGroup, func(column, columns, whole int) {
		w := l.panels[column/panel*width*panel:]
		for row := 0; row < rows; {
			height := tileHeight(rows - row)
			to, ld := y[row*ldy+column:], ldy
			if columns < whole {
				to, ld = edge[:], panel
			}
			tile8(height, whole, l.groups, x[row*width:], w, l.offsets[column:], l.scales[column:], l.bias[column:], rowScales[row:], to, ld)
			if columns < whole {
				for i := range height {
					copy(y[(row+i)*ldy+column:][:columns], edge[i*panel:])
				}
			}
			act.apply(y[row*ldy+column:], height, columns, ldy)
			row += height
		}
	})
}

// plainTile8 is a tile in plain Go; a row of a has 4·groups bytes.
func plainTile8(rows, columns, groups int, a []uint8, b []int8, offsets []int32, scales, bias, rowScales, c []float32, ldc int) {
	for r := range rows {
		x := a[r*4*groups : (r+1)*4*groups]
		for column := 0; column < columns; column += panel {
			var sums [panel]int32
			w := b[column*4*groups:]
			for ; len(x) >= 4; x = x[4:] {
				line := (*[4 * panel]int8)(w)
				for j := range sums {
					sums[j] += int32(x[0])*int32(line[4*j]) + int32(x[1])*int32(line[4*j+1]) + int32(x[2])*int32(line[4*j+2]) + int32(x[3])*int32(line[4*j+3])
				}
				w = w[4*panel:]
			}
			x = a[r*4*groups : (r+1)*4*groups]
			for j, sum := range sums {
				v := float32(sum - offsets[column+j])
				v = float32(v * scales[column+j])
				v = float32(v * rowScales[r])
				c[r*ldc+column+j] = v + bias[column+j]
			}
		}
	}
}
