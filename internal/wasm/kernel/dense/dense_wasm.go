package dense

import "unsafe"

// In the browser module, the steps of transformer.Quantized run in the SIMD kernel,
// which works in the core's own memory. The steps of the float32 models, which the
// core does not link, are plain Go.

// The tallest and widest tile.
const (
	maxRows     = 4
	tileRows    = maxRows
	tileColumns = panel
)

func tileHeight(rows int) int { return min(rows, tileRows) }

func tile(rows, columns, k int, a []float32, lda int, b []float32, ldb int, bias, c []float32, ldc int) {
	plainTile(rows, columns, k, a, lda, b, ldb, bias, c, ldc)
}

func gelu(x []float32, rows, columns, ld int) { plainGELU(x, rows, columns, ld) }

func exponentials(x []float32) { plainExponentials(x) }

func softmax(x []float32, scale float32) { plainSoftmax(x, scale) }

func layerNorm(to, x, residual, gamma, beta []float32, epsilon float32) {
	plainLayerNorm(to, x, residual, gamma, beta, epsilon)
}

// roundedValue is a component of Rounded, around 0. Rows lie in blocks of four,
// interleaved by groups of four components (encode.c).
type roundedValue = int16

const (
	roundedBytes = 2
	offsetInputs = false
	packRows     = 4
)

// roundedValues has room for what some kernels multiply (grouped.h): a second form of rows, of
// 4 bytes for each component and 16 for each 64 or fewer in every four rows, and the weights of
// eight outputs, which take twice that.
func roundedValues(rows, width int) int {
	return rows*width + ((rows+3)/4+2)*(4*width+(width+63)/64*16)/2
}

func quantizeRows(r *Rounded, x []float32, ldx, first, last int) {
	if first != 0 || last != r.rows {
		panic("dense: rows of the browser module are rounded together")
	}
	if r.in%panel == 0 {
		_ = x[(r.rows-1)*ldx+r.in-1]
		wasmRoundRows(unsafe.SliceData(r.values), unsafe.SliceData(r.scales), unsafe.SliceData(r.middles), unsafe.SliceData(x), uint32(ldx), uint32(r.rows), uint32(r.in))
		return
	}
	row := make([]int16, r.width)
	for i := range r.rows {
		r.scales[i], r.middles[i] = plainQuantize(row[:r.in], x[i*ldx:i*ldx+r.in], 0)
		height := min(4, r.rows-i&^3)
		to := r.values[i&^3*r.width:]
		for j, v := range row {
			to[j/4*4*height+i%4*4+j%4] = v
		}
	}
}

func (l *Linear8) pack() (form uint32) {
	if l.groups%4 != 0 {
		l.plainPack()
		return 0
	}
	width := 4 * l.groups
	_ = l.weights[len(l.sums)*width-1]
	rows := make([]int8, 8*width)
	return wasmPackI8(unsafe.SliceData(l.weights), unsafe.SliceData(l.sums), unsafe.SliceData(l.scales), uint32(len(l.sums)), uint32(width), unsafe.SliceData(rows))
}

func (l *Linear8) share(_ *Pool, y []float32, ldy int, x *Rounded, act Activation) {
	if x.rows == 0 {
		return
	}
	_ = y[(x.rows-1)*ldy+l.Out-1]
	wasmLinearI8(unsafe.SliceData(y), uint32(ldy), unsafe.SliceData(x.values), unsafe.SliceData(x.scales), unsafe.SliceData(x.middles),
		uint32(x.rows), uint32(l.groups), unsafe.SliceData(l.weights), unsafe.SliceData(l.scales), unsafe.SliceData(l.sums), unsafe.SliceData(l.bias), uint32(l.Out), l.form)
	act.apply(y, x.rows, l.Out, ldy)
}

// exactSizes of the parts of an exactScratch.
func exactSizes(tokens, dim int) (keys, values, scores, edge int) {
	if dim%8 == 0 {
		return padded(tokens) * dim, 0, exactRows*padded(tokens) + 4*dim, 0
	}
	return padded(tokens) * dim, padded(dim) * tokens, exactRows * padded(tokens), exactRows * padded(dim)
}

func (a *ExactAttention) head(s *exactScratch, n int, out []float32, ldo int, q, k, v []float32, ld int) {
	if a.Dim%8 != 0 {
		a.plainHead(s, n, out, ldo, q, k, v, ld)
		return
	}
	last := (n-1)*ld + a.Dim - 1
	_, _, _, _ = out[(n-1)*ldo+a.Dim-1], q[last], k[last], v[last]
	_, _ = s.keys[(n+7)/8*8*a.Dim-1], s.scores[8*padded(n)+4*a.Dim-1]
	wasmAttention(unsafe.SliceData(out), uint32(ldo), unsafe.SliceData(q), unsafe.SliceData(k), unsafe.SliceData(v), uint32(ld),
		uint32(n), uint32(a.Dim), a.Scale, unsafe.SliceData(s.keys), unsafe.SliceData(s.scores))
}

// exactNorms replaces rows from first to last.
func exactNorms(n *LayerNorm, x, residual []float32, ld, first, last int) {
	if first == last {
		return
	}
	width := len(n.Gamma)
	x = x[first*ld:]
	_, _ = x[(last-first-1)*ld+width-1], n.Beta[width-1]
	if residual != nil {
		residual = residual[first*ld:]
		_ = residual[(last-first-1)*ld+width-1]
	}
	wasmNormRows(unsafe.SliceData(x), unsafe.SliceData(residual), uint32(ld), uint32(last-first), uint32(width), unsafe.SliceData(n.Gamma), unsafe.SliceData(n.Beta), n.Epsilon)
}

func exactGELU(x []float32) { wasmGELU(unsafe.SliceData(x), uint32(len(x))) }

func exactGELUTanh(x []float32) { wasmGELUTanh(unsafe.SliceData(x), uint32(len(x))) }

// For heads whose dimension the kernel does not take.

func exactTile(rows, columns, k int, a []float32, lda int, b []float32, ldb int, c []float32, ldc int) {
	plainExactTile(rows, columns, k, a, lda, b, ldb, c, ldc)
}

func exactSoftmax(x []float32, n int, scale float32) { plainExactSoftmax(x[:n], scale) }
