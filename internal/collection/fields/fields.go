// Package fields counts the values of the fields that the documents of a collection
// can be filtered by.
package fields

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/vantage-search/vantage/internal/collection/manifest"
	"github.com/vantage-search/vantage/internal/collection/store"
	"github.com/vantage-search/vantage/internal/human"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/internal/wasm/shard"
)

// Counts tells how often which values of a field occur.
type Counts struct {
	Name      string       `json:"name"`
	Type      string       `json:"type"`
	Documents int          `json:"documents"`        // that have a value
	Values    []ValueCount `json:"values,omitempty"` // string and bool fields, the most frequent first
	Low       *float64     `json:"low,omitempty"`    // number fields
	High      *float64     `json:"high,omitempty"`
}

// ValueCount is how many documents have a value.
type ValueCount struct {
	Value     string `json:"value"`
	Documents int    `json:"documents"`
}

// noValue is the code of a document without a value.
const noValue = math.MaxUint32

// Count reads the columns of a collection.
func Count(ctx context.Context, st *store.Store) ([]Counts, error) {
	columns := st.Manifest().Columns
	out := []Counts{}
	if columns == nil {
		return out, nil
	}
	content, err := st.Read(ctx, columns.File)
	if err != nil {
		return out, err
	}
	file, err := shard.ParseSafetensors(content)
	if err != nil {
		return out, fault.At(columns.File.Path, err)
	}
	for _, field := range columns.Fields {
		tensor, ok := file.Tensor(field.Tensor)
		if !ok {
			return out, fault.Errorf(fault.Input, "%s: field %q: there is no tensor %q: index the corpus again", columns.File.Path, field.Name, field.Tensor)
		}
		counts, err := countField(field, tensor)
		if err != nil {
			return out, fault.At(columns.File.Path, err)
		}
		out = append(out, counts)
	}
	return out, nil
}

func countField(field manifest.Field, tensor shard.Tensor) (Counts, error) {
	out := Counts{Name: field.Name, Type: field.Type}
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
				return out, fault.Errorf(fault.Input, "field %q: row %d has code %d, the dictionary has %d values: index the corpus again", field.Name, row, code, len(counts))
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
				return out, fault.Errorf(fault.Input, "field %q: row %d is %s, neither true nor false: index the corpus again", field.Name, row, strconv.FormatFloat(v, 'g', -1, 64))
			}
			truths[int(v)]++
		}
		if math.IsInf(v, 0) {
			return out, fault.Errorf(fault.Input, "field %q: row %d is infinite: index the corpus again", field.Name, row)
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
func (f *Counts) tally(values []string, counts []int) {
	for i, n := range counts {
		if n > 0 {
			f.Values = append(f.Values, ValueCount{values[i], n})
		}
	}
	slices.SortStableFunc(f.Values, func(a, b ValueCount) int { return cmp.Compare(b.Documents, a.Documents) })
}

// Text tells a field's values in a line.
func (f *Counts) Text() string {
	switch f.Type {
	case manifest.TypeNumber:
		if f.Documents == 0 {
			return "number, without values"
		}
		return fmt.Sprintf("number, %s, from %v to %v", human.Count(f.Documents, "document"), *f.Low, *f.High)
	case manifest.TypeBool:
		return fmt.Sprintf("bool, %s, %s", human.Count(f.Documents, "document"), f.most())
	}
	return fmt.Sprintf("string, %s, %s: %s", human.Count(f.Documents, "document"), human.Count(len(f.Values), "value"), f.most())
}

// most names the most frequent values.
func (f *Counts) most() string {
	const named = 6
	var parts []string
	for i, v := range f.Values {
		if i == named {
			parts = append(parts, "…")
			break
		}
		parts = append(parts, fmt.Sprintf("%s (%d)", human.Cut(human.OneLine(v.Value), 40), v.Documents))
	}
	return strings.Join(parts, ", ")
}
