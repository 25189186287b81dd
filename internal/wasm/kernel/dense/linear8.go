package dense

import "math"

// Linear8 is Linear with weights of 8 bits, and inputs that are rounded to 8 bits
// on the fly: a quarter of the memory, and integer arithmetic. Weights have a scale
// for each output, inputs one for each row; sums are exact. Every build gives the
// same bits.
type Linear8 struct {
	In, Out int

	groups  int       // of four inputs, the last filled with zeros
	panels  []int8    // for every 16 outputs, the weights of inputs 0 to 3 to each of them, then those of 4 to 7
	offsets []int32   // what inputs of 128 each would add
	scales  []float32 // of the outputs
	bias    []float32
}

// inputOffset makes rounded inputs, from -127 to 127, unsigned, as VNNI needs them.
// The AVX2 build does not use it.
const inputOffset = 128

// maxIn8 keeps the sums within 32 bits: each input adds at most 255·127.
const maxIn8 = math.MaxInt32 / (255 * 127)

// NewLinear8 rounds and packs weights w [out, in] and a bias [out], or nil for
// none. It returns nil if there are so many inputs that sums would overflow.
func NewLinear8(w, bias []float32, out, in int) *Linear8 {
	if in > maxIn8 {
		return nil
	}
	panels, groups := (out+panel-1)/panel, (in+3)/4
	l := &Linear8{In: in, Out: out, groups: groups, panels: make([]int8, panels*groups*4*panel),
		offsets: make([]int32, panels*panel), scales: aligned(panels * panel), bias: aligned(panels * panel)}
	copy(l.bias, bias)
	for o := range out {
		row := w[o*in : (o+1)*in]
		var greatest float32
		for _, v := range row {
			greatest = max(greatest, float32(math.Abs(float64(v))))
		}
		if l.scales[o] = greatest / 127; l.scales[o] == 0 {
			continue // nothing, or nothing that float32 can scale
		}
		to := l.panels[o/panel*groups*4*panel+o%panel*4:]
		for i, v := range row {
			q := int32(math.RoundToEven(float64(v / l.scales[o])))
			to[i/4*4*panel+i%4] = int8(max(-127, min(127, q)))
			l.offsets[o] += inputOffset * int32(to[i/4*4*panel+i%4])
		}
	}
	return l
}

// Bytes that the weights take.
func (l *Linear8) Bytes() int { return len(l.panels) + 4*(len(l.offsets)+len(l.scales)+len(l.bias)) }

// Size is the number of inputs and of outputs.
func (l *Linear8) Size() (in, out int) { return l.In, l.Out }

// Apply does as Linear's.
func (l *Linear8) Apply(p *Pool, y []float32, ldy int, x []float32, ldx, rows int, act Activation) {
	if rows == 0 {
		return
	}
	width := 4 * l.groups
	s, _ := p.rounded.Get().(*roundedRows)
	if s == nil {
		s = &roundedRows{}
	}
	defer p.rounded.Put(s)
	s.grow(rows, width)
	p.Split(rows, 16, func(first, last int) {
		for i := first; i < last; i++ {
			to := s.bytes[i*width : (i+1)*width]
			s.scales[i] = quantize(to[:l.In], x[i*ldx:i*ldx+l.In])
			clear(to[l.In:]) // their weights are 0
		}
	})
	shareOut(p, rows, l.In, l.Out, func(firstRow, rows, firstGroup, lastGroup int) {
		l.block(y[firstRow*ldy:], ldy, s.bytes[firstRow*width:], s.scales[firstRow:], rows, firstGroup, lastGroup, act)
	})
}

// roundedRows are inputs of 8 bits.
type roundedRows struct {
	bytes  []uint8
	scales []float32
}

func (s *roundedRows) grow(rows, width int) {
	if cap(s.bytes) < rows*width {
		s.bytes = make([]uint8, rows*width)
	}
	s.bytes = s.bytes[:rows*width]
	s.scales = grown(s.scales, rows)
}

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

// plainQuantize writes x around an offset as bytes and returns the scale.
func plainQuantize(to []uint8, x []float32, offset int32) float32 {
	var greatest float32
	for _, v := range x {
		greatest = max(greatest, float32(math.Abs(float64(v))))
	}
	factor := float32(1)
	if greatest != 0 {
		factor = 127 / greatest
	}
	for i, v := range x {
		to[i] = uint8(int32(math.RoundToEven(float64(float32(v*factor)))) + offset)
	}
	return greatest / 127
}
