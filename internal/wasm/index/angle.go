package index

import (
	"errors"
	"math"
	"slices"
	"strconv"

	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/internal/wasm/kernel"
	"github.com/vantage-search/vantage/internal/wasm/shard"
	"github.com/vantage-search/vantage/perspective"
)

// Rows may have a second vector, their angle (see perspective.Plan). A plan with an
// angle ranks the rows whose angles have arrived.

// ErrNoAngles is the error of a plan with an angle if no row has one.
var ErrNoAngles = fault.New(fault.Query, "the collection has no angles of its passages: use another method, or index it with an encoder that tells sides apart")

// angles are the second vectors of rows. A file of angles need not begin and end at the same
// rows as a file of rows.
type angles struct {
	segments segments
	dim      int
	dtype    shard.DType
}

// set sets the dimension and the type, which are those of the first angles.
func (a *angles) set(dim int, dtype shard.DType) {
	if len(a.segments) == 0 {
		a.dim, a.dtype = dim, dtype
	}
}

// LoadAngles adds a decoded vector file of angles, the first of which is that of row
// first. The index keeps the angles, and the caller must not change them. All must have
// one dimension and one type, which need not be those of the rows.
func (ix *Index) LoadAngles(first int, rows *shard.Rows) error {
	ix.mu.Lock()
	defer ix.mu.Unlock()
	a := &ix.angles
	a.set(rows.Dim, rows.DType)
	if err := checkFile("angles", a.dim, a.dtype, ix.declared, first, rows); err != nil || rows.N == 0 {
		return err
	}
	all, err := a.segments.insert(&segment{first: first, rows: rows, inverse: inverses(rows)})
	if err == nil {
		a.segments = all
	}
	return err
}

// AddAngle stores the angle of a row that was added at run time. It is quantised as the
// angles are or, if it is the first, as the rows are.
func (ix *Index) AddAngle(row int, vector []float32) error {
	ix.mu.Lock()
	defer ix.mu.Unlock()
	a := &ix.angles
	a.set(len(vector), ix.dtype)
	if s, _ := ix.locate(row); s == nil || row < ix.declared {
		return errors.New("index: row " + strconv.Itoa(row) + " was not added at run time, so it cannot be given an angle")
	}
	if len(vector) != a.dim {
		return errors.New("index: the angle has " + strconv.Itoa(len(vector)) + " components, the index's have " + strconv.Itoa(a.dim))
	}
	one, err := shard.NewRow(a.dtype, vector, uint32(row))
	if err != nil {
		return err
	}
	if n := len(a.segments); n > 0 && a.segments[n-1].first >= ix.declared && a.segments[n-1].end() == row {
		last := a.segments[n-1]
		last.append(one)
		last.inverse = append(last.inverse, inverses(one)...)
		return nil
	}
	all, err := a.segments.insert(&segment{first: row, rows: one, inverse: inverses(one)})
	if err == nil {
		a.segments = all
	}
	return err
}

// AngleDim is the number of components of every angle, 0 if there are none.
func (ix *Index) AngleDim() int {
	ix.mu.RLock()
	defer ix.mu.RUnlock()
	if len(ix.angles.segments) == 0 {
		return 0
	}
	return ix.angles.dim
}

// inverses returns 1/‖row‖ of each row, 0 for a zero row.
func inverses(r *shard.Rows) []float32 {
	out := make([]float32, r.N)
	for i, norm2 := range r.Norm2 {
		if norm2 > 0 {
			out[i] = float32(1 / math.Sqrt(float64(norm2)))
		}
	}
	return out
}

// slant is the angle of a plan, in the form in which angles of rows are stored.
type slant struct {
	vector   operand
	segments segments
	most     float32 // that it adds to a score
}

const unbounded = math.MaxFloat32

// slanted prepares the angle of a plan. An index without rows does not refuse it, because a
// collection may be divided among more indexes than it has files.
func (ix *Index) slanted(plan *perspective.Plan) (*slant, error) {
	a, vector := &ix.angles, plan.Angle
	switch {
	case len(a.segments) > 0 && len(vector) != a.dim:
		return nil, fault.New(fault.Query, "the angle of the query has "+strconv.Itoa(len(vector))+" components, the collection's have "+strconv.Itoa(a.dim)+
			": encode it with the collection's encoder")
	case len(a.segments) == 0 && ix.live > 0:
		return nil, ErrNoAngles
	case len(a.segments) == 0:
		return &slant{}, nil
	}
	most := float32(plan.AngleCap)
	if most == 0 {
		most = unbounded
	}
	return &slant{newOperand(vector, a.dim, a.dtype), a.segments, most}, nil
}

// each calls f for the runs of rows first to first+n-1 whose angles are in one segment:
// from is a run's place in the range, at its place in the segment, which is nil if the
// run is a row without an angle.
func (l *slant) each(first, n int, f func(s *segment, at, from, to int)) {
	for from := 0; from < n; {
		s, at := l.segments.locate(first + from)
		to := from + 1
		if s != nil {
			to = from + min(s.rows.N-at, n-from)
		}
		f(s, at, from, to)
		from = to
	}
}

// products writes the products with the angles of the rows first, first+1, ….
func (l *slant) products(first int, x []float32) {
	l.each(first, len(x), func(s *segment, at, from, to int) {
		if s != nil {
			l.vector.scan(s.rows, at, at+to-from, x[from:to])
		}
	})
}

// add adds the parts of the angles to the scores of the rows first, first+1, …, from their
// products. A row without an angle becomes absent.
func (l *slant) add(first int, x, scores []float32) {
	l.each(first, len(scores), func(s *segment, at, from, to int) {
		if s == nil {
			scores[from] = absent
		} else {
			kernel.AddScaled(scores[from:to], x[from:to], s.inverse[at:at+to-from], l.most)
		}
	})
}

// part returns what the angle adds to the score of a row, or 0 if the row has no angle.
func (l *slant) part(row int) float32 {
	x, part := []float32{0}, []float32{0}
	l.products(row, x)
	if l.add(row, x, part); part[0] == absent {
		return 0
	}
	return part[0]
}

// aheadBlocks is the most blocks whose products with an angle are computed at a time. A
// scan of the short angles of one block ends before memory delivers at full speed.
const aheadBlocks = 8

// ahead has the products of an angle with rows from first on.
type ahead struct {
	angle *slant
	first int
	x     []float32
}

// products returns the products of an angle with the rows first to end-1. It also computes those
// of the next rows of this goroutine.
func (b *block) products(l *slant, first, end int) []float32 {
	at := slices.IndexFunc(b.ahead, func(a ahead) bool { return a.angle == l })
	if at < 0 {
		at = len(b.ahead)
		b.ahead = append(b.ahead, ahead{angle: l})
	}
	a := &b.ahead[at]
	if first < a.first || end > a.first+len(a.x) {
		n := max(end, b.until) - first
		if cap(a.x) < n {
			a.x = make([]float32, n)
		}
		a.first, a.x = first, a.x[:n]
		l.products(first, a.x)
	}
	return a.x[first-a.first : end-a.first]
}
