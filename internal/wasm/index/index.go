// Package index holds the vectors of a collection in memory and ranks them exactly by a
// scoring plan. It works with rows, plans and filters, not with names of methods.
//
// Rows have the collection's numbers, so shards may arrive in any order. A search
// covers the shards that have arrived. Ties go to the lower row, so the answer over all
// shards does not depend on the order of arrival.
package index

import (
	"errors"
	"strconv"
	"sync"

	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/internal/wasm/kernel"
	"github.com/vantage-search/vantage/internal/wasm/shard"
)

// MaxRows is the most rows an index can hold: row numbers have 32 bits, and a memory of 4
// GB holds fewer rows of any useful dimension.
const MaxRows = 1 << 31

// LimitError reports a request beyond a stated limit.
type LimitError struct{ Text string }

func (e *LimitError) Error() string { return e.Text }

// Is reports the kind of fault: limit.
func (e *LimitError) Is(target error) bool { return target == fault.Limit }

// Index is a set of rows of one dimension and type. Its methods may be called
// from several goroutines.
type Index struct {
	mu       sync.RWMutex
	dim      int
	dtype    shard.DType
	declared int
	live     int
	segments segments
	angles   angles
	numbers  map[uint32][]float64
	codes    map[uint32][]uint32
}

// New returns an empty index for vectors of dim components, stored as dtype
// (shard.F32 or shard.I8). Rows 0 to rows-1 are declared for the shards of a
// collection; vectors added at run time are numbered from rows on.
func New(dim int, dtype shard.DType, rows int) (*Index, error) {
	if dim < 1 || dim > kernel.MaxDim {
		return nil, &LimitError{"index: dimension " + strconv.Itoa(dim) + " is not between 1 and " + strconv.Itoa(kernel.MaxDim)}
	}
	if dtype != shard.F32 && dtype != shard.I8 {
		return nil, errors.New("index: rows in memory are F32 or I8, not " + string(dtype))
	}
	if rows < 0 || rows > MaxRows {
		return nil, &LimitError{"index: " + strconv.Itoa(rows) + " rows declared, at most " + strconv.Itoa(MaxRows)}
	}
	return &Index{dim: dim, dtype: dtype, declared: rows, numbers: map[uint32][]float64{}, codes: map[uint32][]uint32{}}, nil
}

// Dim is the number of components of every vector.
func (ix *Index) Dim() int { return ix.dim }

// Len is the number of rows that can be hits.
func (ix *Index) Len() int {
	ix.mu.RLock()
	defer ix.mu.RUnlock()
	return ix.live
}

// Extent is one more than the highest row number that is in use or declared.
func (ix *Index) Extent() int {
	ix.mu.RLock()
	defer ix.mu.RUnlock()
	return ix.extent()
}

func (ix *Index) extent() int {
	if n := len(ix.segments); n > 0 {
		return max(ix.declared, ix.segments[n-1].end())
	}
	return ix.declared
}

// Load adds a decoded vector file whose first row is number first. The index keeps the
// rows, and the caller must not change them.
func (ix *Index) Load(first int, rows *shard.Rows) error {
	ix.mu.Lock()
	defer ix.mu.Unlock()
	if err := checkFile("vectors", ix.dim, ix.dtype, ix.declared, first, rows); err != nil || rows.N == 0 {
		return err
	}
	s := &segment{first: first, rows: rows}
	for i, document := range rows.IDs {
		s.strange = s.strange || uint64(document) != uint64(first+i)
	}
	all, err := ix.segments.insert(s)
	if err != nil {
		return err
	}
	ix.segments = all
	ix.live += rows.N
	return nil
}

// Add stores one vector at run time, quantised as the index is, and returns
// its row, which is also its document number.
func (ix *Index) Add(vector []float32) (int, error) {
	ix.mu.Lock()
	defer ix.mu.Unlock()
	row := ix.extent()
	return row, ix.add(row, vector)
}

// AddAt is Add with a row number that the caller chooses, above all that are in use or
// declared. The rows in between are in other parts of the collection, or do not exist.
func (ix *Index) AddAt(row int, vector []float32) error {
	ix.mu.Lock()
	defer ix.mu.Unlock()
	if row < ix.extent() {
		return errors.New("index: row " + strconv.Itoa(row) + " cannot be added, rows below " + strconv.Itoa(ix.extent()) + " are taken")
	}
	return ix.add(row, vector)
}

func (ix *Index) add(row int, vector []float32) error {
	if row >= MaxRows {
		return &LimitError{"index: full at " + strconv.Itoa(MaxRows) + " rows"}
	}
	if len(vector) != ix.dim {
		return errors.New("index: the vector has " + strconv.Itoa(len(vector)) + " components, the index's have " + strconv.Itoa(ix.dim))
	}
	one, err := shard.NewRow(ix.dtype, vector, uint32(row))
	if err != nil {
		return err
	}
	if n := len(ix.segments); n > 0 && ix.segments[n-1].first >= ix.declared && ix.segments[n-1].end() == row {
		ix.segments[n-1].append(one)
	} else {
		ix.segments = append(ix.segments, &segment{first: row, rows: one})
	}
	ix.live++
	return nil
}

// Remove excludes a row from every later answer and reports whether it was
// there. Its memory is freed with the index.
func (ix *Index) Remove(row int) bool {
	ix.mu.Lock()
	defer ix.mu.Unlock()
	s, i := ix.locate(row)
	if s == nil || s.removed != nil && s.removed[i] {
		return false
	}
	if s.removed == nil {
		s.removed = make([]bool, s.rows.N)
	}
	s.removed[i] = true
	ix.live--
	return true
}

func (ix *Index) locate(row int) (*segment, int) { return ix.segments.locate(row) }

// Similarity is the cosine of two stored rows, 0 if one is zero. MMR uses it whatever the
// score of a query: a dot product of rows may be of any size, and would make a long row
// similar to all.
func (ix *Index) Similarity(a, b int) float32 {
	ix.mu.RLock()
	defer ix.mu.RUnlock()
	s, i := ix.locate(a)
	t, j := ix.locate(b)
	if s == nil || t == nil {
		return 0
	}
	return similarity(s.rows, i, t.rows, j)
}
