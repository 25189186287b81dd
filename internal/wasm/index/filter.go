package index

import (
	"errors"
	"math"
	"slices"
	"sort"
	"strconv"
)

// Missing is the code of a row without a value in a column of codes.
const Missing = math.MaxUint32

// Filter is one condition on a column. A row without a value does not match.
type Filter struct {
	Column    uint32
	Codes     []uint32  // of a column of codes: the allowed values
	Values    []float64 // of a column of numbers: the allowed values
	Low, High *float64  // of a column of numbers, if Kind is Range: Low <= value <= High
	Kind      FilterKind
}

// FilterKind says which fields of a Filter are used.
type FilterKind uint8

// The kinds of filter.
const (
	Range FilterKind = iota
	Codes
	Equal
)

// SetNumbers stores a column's values for rows first, first+1, …; NaN is
// missing.
func (ix *Index) SetNumbers(column uint32, first int, values []float64) error {
	ix.mu.Lock()
	defer ix.mu.Unlock()
	if _, ok := ix.codes[column]; ok {
		return errors.New("index: column " + strconv.Itoa(int(column)) + " holds codes, not numbers")
	}
	grown, err := place(ix.numbers[column], first, values, math.NaN(), ix.extent())
	if err == nil {
		ix.numbers[column] = grown
	}
	return err
}

// SetCodes stores a column's codes for rows first, first+1, ….
func (ix *Index) SetCodes(column uint32, first int, codes []uint32) error {
	ix.mu.Lock()
	defer ix.mu.Unlock()
	if _, ok := ix.numbers[column]; ok {
		return errors.New("index: column " + strconv.Itoa(int(column)) + " holds numbers, not codes")
	}
	grown, err := place(ix.codes[column], first, codes, Missing, ix.extent())
	if err == nil {
		ix.codes[column] = grown
	}
	return err
}

// place writes values at first, growing the column with missing values.
func place[T any](column []T, first int, values []T, missing T, extent int) ([]T, error) {
	if first < 0 || len(values) > extent-first {
		return nil, &LimitError{"index: " + strconv.Itoa(len(values)) + " values of a column, from row " + strconv.Itoa(first) + " on, do not fit " + strconv.Itoa(extent) + " rows"}
	}
	for len(column) < first+len(values) {
		column = append(column, missing)
	}
	copy(column[first:], values)
	return column, nil
}

type codes []uint32

func (c codes) Len() int           { return len(c) }
func (c codes) Swap(i, j int)      { c[i], c[j] = c[j], c[i] }
func (c codes) Less(i, j int) bool { return c[i] < c[j] }

// condition is a Filter with its codes sorted and both of its bounds.
type condition struct {
	Filter
	low, high float64
}

func (ix *Index) compile(f Filter) (*condition, error) {
	_, numbers := ix.numbers[f.Column]
	_, coded := ix.codes[f.Column]
	if f.Kind == Codes && !coded || f.Kind != Codes && !numbers {
		return nil, errors.New("index: filter on column " + strconv.Itoa(int(f.Column)) + ", which holds no values of the filter's kind: load the column first")
	}
	f.Codes = slices.Clone(f.Codes)
	sort.Sort(codes(f.Codes))
	c := condition{f, math.Inf(-1), math.Inf(1)}
	if f.Low != nil {
		c.low = *f.Low
	}
	if f.High != nil {
		c.high = *f.High
	}
	if f.Kind == Range && !(c.low <= c.high) {
		return nil, errors.New("index: filter on column " + strconv.Itoa(int(f.Column)) + ": no number is between its bounds: the low one must not be above the high one, and neither NaN")
	}
	return &c, nil
}

// code and number report whether a value meets the condition.

func (c *condition) code(code uint32) bool {
	if code == Missing {
		return false
	}
	_, ok := slices.BinarySearch(c.Codes, code)
	return ok
}

func (c *condition) number(value float64) bool {
	if c.Kind == Equal {
		return slices.Contains(c.Values, value)
	}
	return value >= c.low && value <= c.high
}
