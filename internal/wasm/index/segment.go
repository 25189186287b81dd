package index

import (
	"errors"
	"slices"
	"strconv"

	"github.com/vantage-search/vantage/internal/wasm/shard"
)

// segment is a run of rows with consecutive numbers: one vector file, or rows
// added at run time.
type segment struct {
	first   int
	rows    *shard.Rows
	removed []bool    // nil until a row is removed
	strange bool      // some document's number differs from its row's
	inverse []float32 // of angles: 1/‖row‖, 0 for a zero row
}

func (s *segment) end() int { return s.first + s.rows.N }

// append adds the single row of r to a segment of added rows.
func (s *segment) append(r *shard.Rows) {
	s.rows.F32 = append(s.rows.F32, r.F32...)
	s.rows.I8 = append(s.rows.I8, r.I8...)
	s.rows.Scales = append(s.rows.Scales, r.Scales...)
	s.rows.Norm2 = append(s.rows.Norm2, r.Norm2...)
	s.rows.IDs = append(s.rows.IDs, r.IDs...)
	s.rows.N += r.N
	if s.removed != nil {
		s.removed = append(s.removed, make([]bool, r.N)...)
	}
}

// segments are in ascending order and do not overlap.
type segments []*segment

// place returns the position of the first segment that begins at a row or after it.
func (all segments) place(row int) (at int, found bool) {
	return slices.BinarySearchFunc(all, row, func(s *segment, row int) int { return s.first - row })
}

// locate finds a row's segment and its index there. It returns nil if the row is
// absent.
func (all segments) locate(row int) (*segment, int) {
	at, found := all.place(row)
	if !found {
		at--
	}
	if at < 0 || row >= all[at].end() {
		return nil, 0
	}
	return all[at], row - all[at].first
}

// insert adds a segment, none of whose rows may be in another.
func (all segments) insert(s *segment) (segments, error) {
	at, _ := all.place(s.first)
	if at > 0 && all[at-1].end() > s.first || at < len(all) && all[at].first < s.end() {
		return nil, errors.New("index: of " + strconv.Itoa(s.rows.N) + " rows, from row " + strconv.Itoa(s.first) + " on, some are loaded already")
	}
	return slices.Insert(all, at, s), nil
}

// checkFile refuses a vector file that does not fit an index.
func checkFile(what string, dim int, dtype shard.DType, declared, first int, rows *shard.Rows) error {
	switch {
	case rows.Dim != dim:
		return errors.New("index: the file's " + what + " have " + strconv.Itoa(rows.Dim) + " components, the collection's have " + strconv.Itoa(dim))
	case rows.DType != dtype:
		return errors.New("index: the file's " + what + " are " + string(rows.DType) + ", the collection's are " + string(dtype))
	case first < 0 || rows.N > declared-first:
		return &LimitError{"index: " + strconv.Itoa(rows.N) + " rows, from row " + strconv.Itoa(first) + " on, do not fit the " + strconv.Itoa(declared) + " that the collection declares"}
	}
	return nil
}
