package search

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/vantage-search/vantage/internal/collection/manifest"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/internal/wasm/index"
)

// FilterError reports a filter that the collection cannot apply.
type FilterError struct{ Text string }

func (e *FilterError) Error() string { return e.Text }

// Is reports the kind of fault: query.
func (e *FilterError) Is(target error) bool { return target == fault.Query }

// Filter is a condition on a metadata field: the field equals one of Values, or is a
// number from Low to High inclusive. A filter has either Values or at least one bound.
// A document without the field does not match.
type Filter struct {
	Field  string
	Values []string
	// Low and High bound a field of numbers. A bound that is nil, or infinite on its
	// own side, is open. Low must not be above High, and neither may be NaN.
	Low, High *float64
}

// ParseFilter reads the command's form of a filter: field=value, field=a|b (one of),
// field=2000..2010 (a range; either end may be left out), field>=2000, field<=2010.
func ParseFilter(text string) (Filter, error) {
	bad := func(why string) (Filter, error) {
		return Filter{}, &FilterError{fmt.Sprintf("filter %q: %s; write field=value, field=a|b, field=2000..2010, field>=2000 or field<=2010", text, why)}
	}
	at := max(strings.IndexAny(text, "=<>"), 0)
	f := Filter{Field: strings.TrimSpace(text[:at])}
	if f.Field == "" {
		return bad("no field and value")
	}
	value := strings.TrimSpace(text[at+1:])
	if text[at] != '=' {
		bound, ok := strings.CutPrefix(value, "=")
		number, err := finite(strings.TrimSpace(bound))
		switch {
		case !ok:
			return bad("< and > alone are not known")
		case err != nil:
			return bad(err.Error())
		case text[at] == '<':
			f.High = &number
		default:
			f.Low = &number
		}
		return f, nil
	}
	if low, high, ok := strings.Cut(value, ".."); ok && low+high != "" {
		l, errLow := bound(low)
		h, errHigh := bound(high)
		if errLow == nil && errHigh == nil {
			if l != nil && h != nil && *l > *h {
				return bad("the low bound is above the high one")
			}
			f.Low, f.High = l, h
			return f, nil
		}
	}
	f.Values = strings.Split(value, "|")
	return f, nil
}

// bound parses one end of a range; nil is open.
func bound(text string) (*float64, error) {
	if strings.TrimSpace(text) == "" {
		return nil, nil
	}
	n, err := finite(text)
	return &n, err
}

func finite(text string) (float64, error) {
	n, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	if err != nil || math.IsInf(n, 0) || math.IsNaN(n) {
		return 0, fmt.Errorf("%q is not a finite number", text)
	}
	return n, nil
}

// compile translates filters by the collection's fields. A column's number is the index
// of its field.
func compile(filters []Filter, columns *manifest.Columns) ([]index.Filter, error) {
	var out []index.Filter
	for _, f := range filters {
		var fields []manifest.Field
		if columns != nil {
			fields = columns.Fields
		}
		at := slices.IndexFunc(fields, func(field manifest.Field) bool { return field.Name == f.Field })
		if at < 0 {
			return nil, &FilterError{fmt.Sprintf("filter on %q: the collection has no such field; it has %s", f.Field, fieldNames(fields))}
		}
		compiled, err := compileOne(f, fields[at], uint32(at))
		if err != nil {
			return nil, err
		}
		out = append(out, compiled)
	}
	return out, nil
}

func compileOne(f Filter, field manifest.Field, column uint32) (index.Filter, error) {
	out := index.Filter{Column: column}
	if problem := f.check(field); problem != "" {
		return out, &FilterError{fmt.Sprintf("filter on %q: %s", f.Field, problem)}
	}
	if len(f.Values) == 0 {
		out.Kind, out.Low, out.High = index.Range, f.Low, f.High
		return out, nil
	}
	switch field.Type {
	case "string":
		out.Kind = index.Codes
		for _, value := range f.Values {
			if code := slices.Index(field.Values, value); code >= 0 {
				out.Codes = append(out.Codes, uint32(code))
			} else if len(f.Values) == 1 && isRange(value) {
				return out, &FilterError{fmt.Sprintf("filter on %q: no document has %.60q, and a range needs a field of numbers, this one holds strings: list the values with |, or index a number, such as the year", f.Field, value)}
			}
		}
	default:
		out.Kind = index.Equal
		for _, value := range f.Values {
			number, err := fieldNumber(value, field.Type)
			if err != nil {
				return out, &FilterError{fmt.Sprintf("filter on %q: %v", f.Field, err)}
			}
			out.Values = append(out.Values, number)
		}
	}
	return out, nil
}

// isRange reports whether a text is meant as a range, as of dates: 2024-01-01..2024-12-31, or with one end left out.
func isRange(text string) bool {
	low, high, ok := strings.Cut(text, "..")
	low, high = strings.TrimSpace(low), strings.TrimSpace(high)
	begins := func(end string) bool { return end == "" || end[0] >= '0' && end[0] <= '9' }
	return ok && low+high != "" && begins(low) && begins(high)
}

// check says what is wrong with a filter. It is "" if the filter is valid.
func (f *Filter) check(field manifest.Field) string {
	ranged := f.Low != nil || f.High != nil
	switch {
	case ranged && len(f.Values) > 0:
		return "it has both values and a bound: leave one out, or write two filters"
	case !ranged && len(f.Values) == 0:
		return "it has neither a value nor a bound: give one, or leave the filter out"
	case !ranged:
		return ""
	case field.Type != "number":
		return fmt.Sprintf("a range needs a field of numbers, this one holds %ss", field.Type)
	case f.Low != nil && math.IsNaN(*f.Low) || f.High != nil && math.IsNaN(*f.High):
		return "a bound is NaN: give a number, or leave the bound out to have that side open"
	case f.Low != nil && math.IsInf(*f.Low, 1) || f.High != nil && math.IsInf(*f.High, -1):
		return "no number is beyond an infinite bound: leave it out to have that side open"
	case f.Low != nil && f.High != nil && *f.Low > *f.High:
		return fmt.Sprintf("the low bound, %g, is above the high one, %g: exchange them", *f.Low, *f.High)
	}
	return ""
}

func fieldNumber(value, kind string) (float64, error) {
	if kind != "bool" {
		return finite(value)
	}
	b, err := strconv.ParseBool(value)
	if err != nil {
		return 0, fmt.Errorf("%q is neither true nor false", value)
	}
	if b {
		return 1, nil
	}
	return 0, nil
}

func fieldNames(fields []manifest.Field) string {
	if len(fields) == 0 {
		return "none to filter by"
	}
	names := make([]string, len(fields))
	for i, f := range fields {
		names[i] = f.Name
	}
	return strings.Join(names, ", ")
}
