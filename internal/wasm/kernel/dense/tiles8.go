//go:build !wasm

package dense

// roundedValue is a component of Rounded, around an offset that the build has (quantize).
type roundedValue = uint8

const (
	roundedBytes = 1
	offsetInputs = true
	packRows     = panel
)

// roundedValues is how many values Rounded has room for. Builds that multiply by groups
// take them in a second form, around inputOffset.
func roundedValues(rows, width int) int {
	if takesGroups() {
		return 2 * rows * width
	}
	return rows * width
}

// quantizeRows rounds rows from first to last.
func quantizeRows(r *Rounded, x []float32, ldx, first, last int) {
	for i := first; i < last; i++ {
		to := r.values[i*r.width : (i+1)*r.width]
		r.scales[i], r.middles[i] = quantize(to[:r.in], x[i*ldx:i*ldx+r.in])
		clear(to[r.in:]) // their weights are 0
		if takesGroups() {
			second := r.values[(r.rows+i)*r.width:]
			for j, v := range to {
				second[j] = v ^ inputOffset
			}
		}
	}
}

func (l *Linear8) pack() (form uint32) {
	var multipliers []int16
	if takesGroups() && l.In%group == 0 && l.Out%panel == 0 {
		multipliers = groupMultipliers(l.weights)
	}
	l.plainPack()
	if multipliers != nil {
		l.divide(multipliers)
	}
	return 0
}

func (l *Linear8) share(p *Pool, y []float32, ldy int, x *Rounded, act Activation) {
	shareOut(p, x.rows, l.In, l.Out, func(firstRow, rows, firstGroup, lastGroup int) {
		l.block(y[firstRow*ldy:], ldy, x, firstRow, rows, firstGroup, lastGroup, act)
	})
}

// block computes the columns of some groups of tileColumns for rows from firstRow on.
func (l *Linear8) block(y []float32, ldy int, x *Rounded, firstRow, rows, firstGroup, lastGroup int, act Activation) {
	var edge [maxRows * panel]float32
	width := 4 * l.groups
	tiles(l.Out, firstGroup, lastGroup, func(column, columns, whole int) {
		w := l.weights[column/panel*width*panel:]
		for row := 0; row < rows; {
			height := tileHeight(rows - row)
			to, ld := y[row*ldy+column:], ldy
			if columns < whole {
				to, ld = edge[:], panel
			}
			if l.multipliers == nil {
				tile8(height, whole, l.groups, x.values[(firstRow+row)*width:], w, l.offsets[column:], l.scales[column:], l.sums[column:], l.bias[column:], x.scales[firstRow+row:], x.middles[firstRow+row:], to, ld)
			} else {
				tileGrouped(height, whole, l.groups, x.values[(x.rows+firstRow+row)*width:], w, l.multipliers[column*width/group*2:], l.offsets[column:], l.scales[column:], l.sums[column:], l.bias[column:], x.scales[firstRow+row:], x.middles[firstRow+row:], to, ld)
			}
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
func plainTile8(rows, columns, groups int, a []uint8, b []int8, offsets []int32, scales, sums, bias, rowScales, rowMiddles, c []float32, ldc int) {
	for r := range rows {
		x := a[r*4*groups : (r+1)*4*groups]
		for column := 0; column < columns; column += panel {
			var products [panel]int32
			w := b[column*4*groups:]
			for ; len(x) >= 4; x = x[4:] {
				line := (*[4 * panel]int8)(w)
				for j := range products {
					products[j] += int32(x[0])*int32(line[4*j]) + int32(x[1])*int32(line[4*j+1]) + int32(x[2])*int32(line[4*j+2]) + int32(x[3])*int32(line[4*j+3])
				}
				w = w[4*panel:]
			}
			x = a[r*4*groups : (r+1)*4*groups]
			for j, sum := range products {
				v := float32(sum - offsets[column+j])
				v = float32(v * scales[column+j])
				v = float32(v * rowScales[r])
				v += float32(sums[column+j] * rowMiddles[r])
				c[r*ldc+column+j] = v + bias[column+j]
			}
		}
	}
}
