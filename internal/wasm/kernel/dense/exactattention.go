package dense

// ExactAttention is scaled dot-product attention with several heads, in the
// defined order: the score of a key is the sum over the components from the first
// to the last, times Scale; an output is the sum over the keys from the first to
// the last.
type ExactAttention struct {
	Heads, Dim int // Dim components for each head
	Scale      float32
}

// ExactScratch is the memory of attention over sequences of a limited length, for
// each worker.
type ExactScratch []exactScratch

type exactScratch struct{ keys, values, scores, edge []float32 }

// exactRows of queries are scored at a time.
const exactRows = 8

// NewExactScratch is for sequences of at most tokens.
func NewExactScratch(workers, tokens, dim int) ExactScratch {
	all := make(ExactScratch, workers)
	for i := range all {
		keys, values, scores, edge := exactSizes(tokens, dim)
		all[i] = exactScratch{aligned(keys), aligned(values), aligned(scores), aligned(edge)}
	}
	return all
}

// ExactScratchBytes is how many bytes NewExactScratch takes.
func ExactScratchBytes(workers, tokens, dim int) int {
	keys, values, scores, edge := exactSizes(tokens, dim)
	return 4 * workers * (keys + values + scores + edge + 4*panel)
}

// Apply writes the attention of every sequence. A token's q, k and v begin at
// index token*ld of the slices given, head h at h*Dim from there; its output
// begins at out[token*ldo]. A sequence may have no tokens.
//
// keys says how many of a sequence's first tokens are attended to, at least one unless it
// has none; nil: all.
func (a *ExactAttention) Apply(p *Pool, s ExactScratch, out []float32, ldo int, q, k, v []float32, ld int, lengths, keys []int) {
	if keys == nil {
		keys = lengths
	}
	if len(lengths) == 1 { // nothing to be allocated
		a.share(p, s, out, ldo, q, k, v, ld, lengths, keys, oneStart[:])
		return
	}
	starts := make([]int, len(lengths))
	for i, at := 0, 0; i < len(lengths); i++ {
		starts[i] = at
		at += lengths[i]
	}
	a.share(p, s, out, ldo, q, k, v, ld, lengths, keys, starts)
}

var oneStart [1]int

func (a *ExactAttention) share(p *Pool, s ExactScratch, out []float32, ldo int, q, k, v []float32, ld int, lengths, keys, starts []int) {
	p.Run(len(lengths)*a.Heads, func(task, worker int) {
		i, head := task/a.Heads, task%a.Heads
		n, seen := lengths[i], keys[i]
		at, to := starts[i]*ld+head*a.Dim, starts[i]*ldo+head*a.Dim
		// The kernels take as many queries as keys. A token's output does not depend on the
		// others that are computed with it, so that the last ones may be computed twice.
		for first := 0; first < n; first += seen {
			row := min(first, n-seen)
			a.head(&s[worker], seen, out[to+row*ldo:], ldo, q[at+row*ld:], k[at:], v[at:], ld)
		}
	})
}

// plainHead computes one head of a sequence of n tokens in tiles.
func (a *ExactAttention) plainHead(s *exactScratch, n int, out []float32, ldo int, q, k, v []float32, ld int) {
	width, dims := padded(n), padded(a.Dim)
	keys, values := s.keys[:width*a.Dim], s.values[:dims*n]
	packKeys(keys, 0, k, ld, n, a.Dim)
	packValues(values, n, 0, v, ld, n, a.Dim)
	for first := 0; first < n; first += exactRows {
		rows := min(exactRows, n-first)
		exactProduct(s.scores, width, width, q[first*ld:], ld, a.Dim, keys, rows)
		for i := range rows {
			exactSoftmax(s.scores[i*width:(i+1)*width], n, a.Scale)
		}
		if dims == a.Dim {
			exactProduct(out[first*ldo:], ldo, dims, s.scores, width, n, values, rows)
			continue
		}
		exactProduct(s.edge, dims, dims, s.scores, width, n, values, rows) // a tile would write into the next head
		for i := range rows {
			copy(out[(first+i)*ldo:][:a.Dim], s.edge[i*dims:])
		}
	}
}

func padded(n int) int { return (n + panel - 1) / panel * panel }

// exactProduct writes rows x columns of c = a·b, columns being a multiple of 16.
func exactProduct(c []float32, ldc, columns int, a []float32, lda, k int, b []float32, rows int) {
	for column := 0; column < columns; {
		width := min(columns-column, tileColumns)
		for row := 0; row < rows; {
			height := tileHeight(rows - row)
			exactTile(height, width, k, a[row*lda:], lda, b[column*k:], panel*k, c[row*ldc+column:], ldc)
			row += height
		}
		column += width
	}
}
