package dense

import "math"

// Attention is scaled dot-product attention with several heads over sequences
// that lie one after the other.
type Attention struct {
	Heads, Dim int // Dim components for each head
	Scale      float32
	Causal     bool // a token sees itself and those before it

	// Bias, if it is not nil, is added to the scaled scores: that of head h for
	// key j of query i is Bias[h*(2*Span-1)+j-i+Span-1] (the relative positions of
	// T5, whose Scale is 1, and of MPNet).
	Bias []float32
	Span int
}

// queryRows at a time are scored, which bounds what the scores take.
const queryRows = 48

// none is the bias of tiles that have none.
var none [3 * panel]float32

// attentionScratch is what one worker needs.
type attentionScratch struct{ keys, values, scores, edge []float32 }

func grown(s []float32, n int) []float32 {
	if cap(s) < n {
		return aligned(n)
	}
	return s[:n]
}

// Apply writes the attention of every sequence. A token's q, k and v begin at
// index token*ld of the slices given, head h at h*Dim from there; its output
// begins at out[token*ldo]. The sequences have the given lengths, and only the
// first keys[s] of sequence s are attended to; keys may be nil for all of them.
func (a *Attention) Apply(p *Pool, out []float32, ldo int, q, k, v []float32, ld int, lengths, keys []int) {
	starts := make([]int, len(lengths))
	for s, at := 0, 0; s < len(lengths); s++ {
		starts[s] = at
		at += lengths[s]
	}
	p.Run(len(lengths)*a.Heads, func(task, _ int) {
		s, head := task/a.Heads, task%a.Heads
		n, seen := lengths[s], lengths[s]
		if keys != nil {
			seen = keys[s]
		}
		if n == 0 || seen == 0 {
			return
		}
		scratch, _ := p.scratch.Get().(*attentionScratch)
		if scratch == nil {
			scratch = &attentionScratch{}
		}
		at := starts[s]*ld + head*a.Dim
		a.head(scratch, head, n, seen, out[starts[s]*ldo+head*a.Dim:], ldo, q[at:], k[at:], v[at:], ld)
		p.scratch.Put(scratch)
	})
}

// head computes one head of a sequence of n tokens, of which the first seen are
// attended to.
func (a *Attention) head(s *attentionScratch, head, n, seen int, out []float32, ldo int, q, k, v []float32, ld int) {
	width, dims := roundUp(seen), roundUp(a.Dim) // width of a row of scores
	s.keys = grown(s.keys, width*a.Dim)
	s.values = grown(s.values, dims*seen)
	s.scores = grown(s.scores, queryRows*width)
	s.edge = grown(s.edge, maxRows*dims)
	packKeys(s.keys, 0, k, ld, seen, a.Dim)
	packValues(s.values, seen, 0, v, ld, seen, a.Dim)
	for first := 0; first < n; first += queryRows {
		rows := min(queryRows, n-first)
		product(s.scores, width, width, q[first*ld:], ld, a.Dim, s.keys, panel*a.Dim, rows)
		for i := range rows {
			a.weigh(s.scores[i*width:(i+1)*width], head, first+i, seen)
		}
		a.mix(s, out[first*ldo:], ldo, width, seen, seen, rows)
	}
}

// mix writes rows of weighted sums of the first seen values. The panels of s.values have
// room for capacity values, and a row of s.scores is width wide.
func (a *Attention) mix(s *attentionScratch, out []float32, ldo, width, seen, capacity, rows int) {
	dims := roundUp(a.Dim)
	if dims == a.Dim {
		product(out, ldo, dims, s.scores, width, seen, s.values, panel*capacity, rows)
		return
	}
	for i := 0; i < rows; { // a tile would write into the next head
		height := tileHeight(rows - i)
		product(s.edge, dims, dims, s.scores[i*width:], width, seen, s.values, panel*capacity, height)
		for r := range height {
			copy(out[(i+r)*ldo:][:a.Dim], s.edge[r*dims:])
		}
		i += height
	}
}

// weigh turns the scores of query i into weights that sum to 1.
func (a *Attention) weigh(row []float32, head, i, seen int) {
	if a.Bias != nil {
		span := 2*a.Span - 1
		bias := a.Bias[head*span+a.Span-1-i : (head+1)*span]
		for j := range seen {
			row[j] = a.Scale*row[j] + bias[j]
		}
	}
	visible := seen
	if a.Causal {
		visible = min(seen, i+1)
	}
	for j := visible; j < len(row); j++ {
		row[j] = float32(math.Inf(-1))
	}
	scale := a.Scale
	if a.Bias != nil {
		scale = 1
	}
	softmax(row, scale)
	clear(row[visible:])
}

// product writes rows x columns of c = a·b, columns being a multiple of 16. Panels of b
// begin at multiples of ldb.
func product(c []float32, ldc, columns int, a []float32, lda, k int, b []float32, ldb, rows int) {
	for column := 0; column < columns; {
		width := min(columns-column, tileColumns)
		for row := 0; row < rows; {
			height := tileHeight(rows - row)
			tile(height, width, k, a[row*lda:], lda, b[column/panel*ldb:], ldb, none[:], c[row*ldc+column:], ldc)
			row += height
		}
		column += width
	}
}

// packKeys lays keys [n, dim] into panels of 16 keys, as those from number first on; what
// is missing in the last panel is 0.
func packKeys(to []float32, first int, k []float32, ld, n, dim int) {
	for j := range n {
		panel0 := to[(first+j)/panel*panel*dim+(first+j)%panel:]
		for d, v := range k[j*ld : j*ld+dim] {
			panel0[d*panel] = v
		}
	}
	for j := first + n; j%panel != 0; j++ {
		panel0 := to[j/panel*panel*dim+j%panel:]
		for d := range dim {
			panel0[d*panel] = 0
		}
	}
}

// packValues lays values [n, dim] into panels of 16 components, as those from number first
// on of capacity values; what is missing in the last panel is 0.
func packValues(to []float32, capacity, first int, v []float32, ld, n, dim int) {
	for d := 0; d < dim; d += panel {
		width := min(panel, dim-d)
		for j := range n {
			line := to[d*capacity+(first+j)*panel:][:panel]
			copy(line, v[j*ld+d:j*ld+d+width])
			clear(line[width:])
		}
	}
}
