package dense

import "unsafe"

// panel is the number of outputs whose weights are kept together.
const panel = 16

// Linear is the map y = x·wᵀ + b of a layer. It is immutable, and shared by
// everybody who applies it.
type Linear struct {
	In, Out int

	// panels holds, for every 16 outputs, the weights of input 0 to each of
	// them, then those of input 1, and so on; what is missing in the last is 0.
	panels []float32
	bias   []float32 // as long as the panels' outputs
}

// NewLinear packs weights w [out, in], as checkpoints store them, and a bias
// [out], or nil for none.
func NewLinear(w, bias []float32, out, in int) *Linear {
	panels := (out + panel - 1) / panel
	l := &Linear{In: in, Out: out, panels: aligned(panels * panel * in), bias: aligned(panels * panel)}
	copy(l.bias, bias)
	for o := range out {
		to := l.panels[o/panel*panel*in+o%panel:]
		for i, v := range w[o*in : (o+1)*in] {
			to[i*panel] = v
		}
	}
	return l
}

// Bytes that the weights take.
func (l *Linear) Bytes() int { return 4 * (len(l.panels) + len(l.bias)) }

// aligned returns n zeros that begin at a multiple of 64 bytes, a cache line and
// the widest register.
func aligned(n int) []float32 {
	s := make([]float32, n+panel)
	skip := -int(uintptr(unsafe.Pointer(unsafe.SliceData(s)))/4) & (panel - 1)
	return s[skip : skip+n : skip+n]
}

// resident is how many bytes of a worker's rows should stay in its second-level
// cache together with a panel of weights.
const resident = 256 << 10

// Size is the number of inputs and of outputs.
func (l *Linear) Size() (in, out int) { return l.In, l.Out }

// Layer is a linear map, of whichever precision.
type Layer interface {
	Size() (in, out int)
	Bytes() int
	Apply(p *Pool, y []float32, ldy int, x []float32, ldx, rows int, act Activation)
}

// Apply writes act(x·wᵀ + b) for a number of rows: row i of x begins at x[i*ldx]
// and has In components, row i of y begins at y[i*ldy] and gets Out.
func (l *Linear) Apply(p *Pool, y []float32, ldy int, x []float32, ldx, rows int, act Activation) {
	shareOut(p, rows, l.In, l.Out, func(firstRow, rows, firstGroup, lastGroup int) {
		l.block(y[firstRow*ldy:], ldy, x[firstRow*ldx:], ldx, rows, firstGroup, lastGroup, act)
	})
}

// shareOut calls f for parts of a product of some rows: groups of tileColumns
// outputs, or stretches of rows.
func shareOut(p *Pool, rows, in, out int, f func(firstRow, rows, firstGroup, lastGroup int)) {
	if rows == 0 {
		return
	}
	groups := (out + tileColumns - 1) / tileColumns
	if 4*rows*in <= 2*resident && groups >= p.Workers() {
		// Few rows: each worker reads its own part of the weights.
		p.Run(groups, func(task, _ int) { f(0, rows, task, task+1) })
		return
	}
	strips := (rows + tileRows - 1) / tileRows
	tasks := max(1, 4*rows*in/resident)
	tasks = min(strips, (tasks+p.Workers()-1)/p.Workers()*p.Workers())
	p.Run(tasks, func(task, _ int) {
		first, last := strips*task/tasks*tileRows, min(rows, strips*(task+1)/tasks*tileRows)
		f(first, last-first, 0, groups)
	})
}

// tiles calls f for the columns of some groups of tileColumns, as many at a time
// as a tile takes. f gets the first of them, their number, and that number rounded
// up to whole panels. What is left of the last panel goes alone.
func tiles(out, firstGroup, lastGroup int, f func(column, columns, whole int)) {
	for column := firstGroup * tileColumns; column < min(lastGroup*tileColumns, out); {
		columns := min(out-column, tileColumns-column%tileColumns)
		if columns > panel {
			columns -= columns % panel
		}
		f(column, columns, (columns+panel-1)/panel*panel)
		column += columns
	}
}

// block computes the columns of some groups of tileColumns for all rows given.
func (l *Linear) block(y []float32, ldy int, x []float32, ldx, rows, firstGroup, lastGroup int, act Activation) {
	var edge [maxRows * panel]float32
	tiles(l.Out, firstGroup, lastGroup, func(column, columns, whole int) {
		w, bias := l.panels[column*l.In:], l.bias[column:]
		for row := 0; row < rows; {
			height := tileHeight(rows - row)
			to, ld := y[row*ldy+column:], ldy
			if columns < whole { // the tile would write beyond the row
				to, ld = edge[:], panel
			}
			tile(height, whole, l.In, x[row*ldx:], ldx, w, panel*l.In, bias, to, ld)
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
