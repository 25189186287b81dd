package search

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/vantage-search/vantage/internal/collection/manifest"
	"github.com/vantage-search/vantage/internal/collection/store"
	"github.com/vantage-search/vantage/internal/wasm/shard"
)

// FieldCounts says how often each value of a field occurs.
type FieldCounts struct {
	Name      string       `json:"name"`
	Type      string       `json:"type"`
	Documents int          `json:"documents"`        // number of documents with a value
	Values    []ValueCount `json:"values,omitempty"` // of string and bool fields, the most frequent first
	Low       *float64     `json:"low,omitempty"`    // of number fields
	High      *float64     `json:"high,omitempty"`
}

// ValueCount is the number of documents with a value.
type ValueCount struct {
	Value     string `json:"value"`
	Documents int    `json:"documents"`
}

// noValue is the code of a document without a value.
const noValue = math.MaxUint32

// CountFields counts the values in the columns of a collection. With an error, it also
// returns the fields that it read before.
func CountFields(ctx context.Context, st *store.Store) ([]FieldCounts, error) {
	columns := st.Manifest().Columns
	out := []FieldCounts{}
	if columns == nil {
		return out, nil
	}
	content, err := st.Read(ctx, columns.File)
	if err != nil {
		return out, err
	}
	file, err := shard.ParseSafetensors(content)
	if err != nil {
		return out, &FileError{columns.File.Path, err}
	}
	for _, field := range columns.Fields {
		tensor, ok := file.Tensor(field.Tensor)
		if !ok {
			return out, &FileError{columns.File.Path, fmt.Errorf("field %q: there is no tensor %q: index the corpus again", field.Name, field.Tensor)}
		}
		counts, err := countField(field, tensor)
		if err != nil {
			return out, &FileError{columns.File.Path, err}
		}
		out = append(out, counts)
	}
	return out, nil
}

func countField(field manifest.Field, tensor shard.Tensor) (FieldCounts, error) {
	out := FieldCounts{Name: field.Name, Type: field.Type}
	if field.Type == manifest.TypeString {
		codes, err := tensor.Uint32()
		if err != nil {
			return out, err
		}
		counts := make([]int, len(field.Values))
		for row, code := range codes {
			if code == noValue {
				continue
			}
			if uint64(code) >= uint64(len(counts)) {
				return out, fmt.Errorf("field %q: row %d has code %d, the dictionary has %d values: index the corpus again", field.Name, row, code, len(counts))
			}
			counts[code]++
			out.Documents++
		}
		out.tally(field.Values, counts)
		return out, nil
	}
	values, err := tensor.Float64()
	if err != nil {
		return out, err
	}
	low, high := math.Inf(1), math.Inf(-1)
	truths := make([]int, 2)
	for row, v := range values {
		if math.IsNaN(v) {
			continue
		}
		if field.Type == manifest.TypeBool {
			if v != 0 && v != 1 {
				return out, fmt.Errorf("field %q: row %d is %s, neither true nor false: index the corpus again", field.Name, row, strconv.FormatFloat(v, 'g', -1, 64))
			}
			truths[int(v)]++
		}
		if math.IsInf(v, 0) {
			return out, fmt.Errorf("field %q: row %d is infinite: index the corpus again", field.Name, row)
		}
		out.Documents++
		low, high = min(low, v), max(high, v)
	}
	switch {
	case field.Type == manifest.TypeBool:
		out.tally([]string{"false", "true"}, truths)
	case out.Documents > 0:
		out.Low, out.High = &low, &high
	}
	return out, nil
}

// tally lists the values that occur, the most frequent first.
func (f *FieldCounts) tally(values []string, counts []int) {
	for i, n := range counts {
		if n > 0 {
			f.Values = append(f.Values, ValueCount{values[i], n})
		}
	}
	slices.SortStableFunc(f.Values, func(a, b ValueCount) int { return cmp.Compare(b.Documents, a.Documents) })
}
