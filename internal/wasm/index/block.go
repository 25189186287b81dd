package index

import (
	"math"

	"github.com/vantage-search/vantage/internal/wasm/kernel"
	"github.com/vantage-search/vantage/internal/wasm/shard"
	"github.com/vantage-search/vantage/perspective"
)

// blockRows is the number of rows that are scanned, scored and selected at a time. It
// is small enough that the block's dot products and norms are still in the second-level
// cache when they are scored (with 2,000 or more int8 rows of 384 components, scoring
// takes twice as long), and large enough to make the cost of a call negligible.
const blockRows = 1024

var absent = float32(math.Inf(-1))

// ones are in place of the squared norms of rows under the dot product.
var ones = func() (n [blockRows]float32) {
	for i := range n {
		n[i] = 1
	}
	return n
}()

// operand is a vector in the stored form of rows: padded, or quantised.
type operand struct {
	f32 []float32
	i8  kernel.QueryI8
}

func newOperand(v []float32, dim int, dtype shard.DType) operand {
	if dtype == shard.I8 {
		return operand{i8: kernel.QuantizeQuery(v, kernel.PadI8(dim))}
	}
	padded := make([]float32, kernel.PadF32(dim))
	copy(padded, v)
	return operand{f32: padded}
}

// scan writes the products with rows lo to hi-1.
func (o *operand) scan(r *shard.Rows, lo, hi int, out []float32) {
	if r.DType == shard.I8 {
		kernel.ScanI8(out, r.I8[lo*r.Stride:hi*r.Stride], r.Scales[lo:hi], r.Stride, o.i8)
	} else {
		kernel.ScanF32(out, r.F32[lo*r.Stride:hi*r.Stride], r.Stride, o.f32)
	}
}

// prepared is a plan with its vectors in the stored form of rows.
type prepared struct {
	form    kernel.Form
	dot     bool      // the score is a dot product: lengths of rows are not divided out
	vectors []operand // a, then P
	angle   *slant    // nil if the plan has none
	gate    *prepared
	cut     float64 // the gate's threshold, when known
	sunk    float32 // score of rows below it
}

func (ix *Index) prepare(plan *perspective.Plan) (*prepared, error) {
	p := &prepared{form: kernel.Form{A: plan.A, X0: plan.X0, D0: plan.D0, D1: plan.D1, D2: plan.D2}, dot: plan.Dot, sunk: float32(plan.Sunk())}
	for _, v := range append([][]float32{plan.Vector}, plan.P...) {
		if len(v) != ix.dim {
			return nil, errDimension(len(v), ix.dim)
		}
		p.vectors = append(p.vectors, newOperand(v, ix.dim, ix.dtype))
	}
	if plan.Angle != nil {
		angle, err := ix.slanted(plan)
		if err != nil {
			return nil, err
		}
		p.angle = angle
	}
	if plan.Gate != nil {
		gate, err := ix.prepare(&plan.Gate.Plan)
		if err != nil {
			return nil, err
		}
		p.gate = gate
	}
	return p, nil
}

// block holds the intermediate numbers of one block of rows.
type block struct {
	x, y, score, gate []float32
	index             []uint32
	ahead             []ahead
	until             int     // end of the rows that come next
	floor             float32 // scores below it need not be right (addFew)
}

func newBlock(rows int) *block {
	rows = min(rows, blockRows)
	return &block{
		x: make([]float32, rows), y: make([]float32, rows), score: make([]float32, rows), gate: make([]float32, rows),
		index: make([]uint32, rows), floor: lowest,
	}
}

// run scores rows lo to hi-1 of a segment into b.score.
func (p *prepared) run(s *segment, lo, hi int, b *block) {
	if p.gate != nil {
		p.gate.run(s, lo, hi, b)
		copy(b.gate, b.score[:hi-lo])
	}
	x, y := b.x[:hi-lo], b.y[:hi-lo]
	p.dots(s, lo, hi, x, y)
	if len(p.vectors) == 1 {
		y = nil
	}
	kernel.Score(b.score[:hi-lo], x, y, p.norms(s, lo, hi), &p.form)
	if first := s.first + lo; p.angle != nil && !p.angle.addFew(b, first, b.score[:hi-lo]) {
		p.angle.add(first, b.products(p.angle, first, first+hi-lo), b.score[:hi-lo])
	}
	if p.gate != nil {
		for i, g := range b.gate[:hi-lo] {
			switch {
			case g == absent || b.score[i] == absent:
				b.score[i] = absent
			case float64(g) >= p.cut:
				b.score[i] += g
			default:
				b.score[i] = p.sunk
			}
		}
	}
}

// norms are the squared norms by which the plan divides the products of rows lo to hi-1.
func (p *prepared) norms(s *segment, lo, hi int) []float32 {
	if p.dot {
		return ones[:hi-lo]
	}
	return s.rows.Norm2[lo:hi]
}

// dots writes x = a·c, and y = p·c or, for several perspectives, the length of
// c's projection on their span.
func (p *prepared) dots(s *segment, lo, hi int, x, y []float32) {
	m := len(p.vectors) - 1
	if m == 1 {
		p.scan2(s, lo, hi, x, y)
		return
	}
	if m > 1 {
		squares := make([]float64, len(y))
		for i := 1; i <= m; i++ {
			p.vectors[i].scan(s.rows, lo, hi, y)
			for j, v := range y {
				squares[j] += float64(float64(v) * float64(v))
			}
		}
		for j, v := range squares {
			y[j] = float32(math.Sqrt(v))
		}
	}
	p.vectors[0].scan(s.rows, lo, hi, x)
}

func (p *prepared) scan2(s *segment, lo, hi int, x, y []float32) {
	r := s.rows
	if r.DType == shard.I8 {
		kernel.Scan2I8(x, y, r.I8[lo*r.Stride:hi*r.Stride], r.Scales[lo:hi], r.Stride, p.vectors[0].i8, p.vectors[1].i8)
	} else {
		kernel.Scan2F32(x, y, r.F32[lo*r.Stride:hi*r.Stride], r.Stride, p.vectors[0].f32, p.vectors[1].f32)
	}
}

// similarity is the cosine of two stored rows, 0 if one is zero.
func similarity(r *shard.Rows, i int, u *shard.Rows, j int) float32 {
	norms := float64(r.Norm2[i]) * float64(u.Norm2[j])
	if norms == 0 {
		return 0
	}
	return float32(dot(r, i, u, j) / math.Sqrt(norms))
}

func dot(r *shard.Rows, i int, u *shard.Rows, j int) float64 {
	if r.DType == shard.I8 {
		dot := kernel.DotI8(r.I8[i*r.Stride:(i+1)*r.Stride], u.I8[j*u.Stride:(j+1)*u.Stride])
		return float64(float64(r.Scales[i])*float64(u.Scales[j])) * float64(dot)
	}
	return float64(kernel.DotF32(r.F32[i*r.Stride:(i+1)*r.Stride], u.F32[j*u.Stride:(j+1)*u.Stride]))
}
