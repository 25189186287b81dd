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

// resident is how many bytes of a worker's rows are meant to stay in its
// second-level cache beside a panel of weights.
const resident = 256 << 10

// Apply writes act(x·wᵀ + b) for a number of rows: row i of x begins at x[i*ldx]
// and has In components, row i of y begins at y[i*ldy] and gets Out.
func (l *Linear) Apply(p *Pool, y []float32, ldy int, x []float32, ldx, rows int, act Activation) {
	if rows == 0 {
		return
	}
	groups := (l.Out + tileColumns - 1) / tileColumns
	if 4*rows*l.In <= 2*resident && groups >= p.Workers() {
		// Few rows: each worker reads its own part of the weights.
		p.Run(groups, func(task, _ int) {
			l.block(y, ldy, x, ldx, rows, task, task+1, act)
		})
		return
	}
	strips := (rows + tileRows - 1) / tileRows
	tasks := max(1, 4*rows*l.In/resident)
	tasks = min(strips, (tasks+p.Workers()-1)/p.Workers()*p.Workers())
	p.Run(tasks, func(task, _ int) {
		first, last := strips*task/tasks*tileRows, min(rows, strips*(task+1)/tasks*tileRows)
		l.block(y[first*ldy:], ldy, x[first*ldx:], ldx, last-first, 0, groups, act)
	})
}

// block computes the columns of some groups of tileColumns for all rows given.
func (l *Linear) block(y []float32, ldy int, x []float32, ldx, rows, firstGroup, lastGroup int, act Activation) {
	var edge [maxRows * panel]float32
	for column := firstGroup * tileColumns; column < min(lastGroup*tileColumns, l.Out); {
		width := min(l.Out-column, tileColumns-column%tileColumns)
		if width > panel {
			width -= width % panel // what is left of the last panel goes alone
		}
		whole := (width + panel - 1) / panel * panel
		w, bias := l.panels[column*l.In:], l.bias[column:]
		for row := 0; row < rows; {
			height := tileHeight(rows - row)
			to, ld := y[row*ldy+column:], ldy
			if width < whole { // the tile would write beyond the row
				to, ld = edge[:], panel
			}
			tile(height, whole, l.In, x[row*ldx:], ldx, w, panel*l.In, bias, to, ld)
			if width < whole {
				for i := range height {
					copy(y[(row+i)*ldy+column:][:width], edge[i*panel:])
				}
			}
			act.apply(y[row*ldy+column:], height, width, ldy)
			row += height
		}
		column += width
	}
}
