package search

import (
	"errors"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/collection/manifest"
	"github.com/vantage-search/vantage/internal/wasm/index"
)

func TestParseFilter(t *testing.T) {
	for text, want := range map[string]Filter{
		"stance=support":         {Field: "stance", Values: []string{"support"}},
		" stance = support ":     {Field: "stance", Values: []string{"support"}},
		"stance=support|context": {Field: "stance", Values: []string{"support", "context"}},
		"stance=":                {Field: "stance", Values: []string{""}},
		"a=b=c":                  {Field: "a", Values: []string{"b=c"}},
		"year=2000..2010":        {Field: "year", Low: new(2000.), High: new(2010.)},
		"year=-1.5..1e3":         {Field: "year", Low: new(-1.5), High: new(1000.)},
		"path=a..b":              {Field: "path", Values: []string{"a..b"}},
		"year>=2000":             {Field: "year", Low: new(2000.)},
		"year=2000..":            {Field: "year", Low: new(2000.)},
		"year= .. -3 ":           {Field: "year", High: new(-3.)},
		"year=..":                {Field: "year", Values: []string{".."}},
		"year<=-3":               {Field: "year", High: new(-3.)},
	} {
		got, err := ParseFilter(text)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%q is read as %+v, %v, want %+v", text, got, err, want)
		}
	}
	for _, text := range []string{"", "stance", "=support", "year>2000", "year<2000", "year>=soon", "year>=", "year<=NaN", "year>=+Inf", "year=2010..2000"} {
		if got, err := ParseFilter(text); err == nil {
			t.Errorf("%q is read as %+v", text, got)
		} else if !strings.Contains(err.Error(), "field=value") {
			t.Errorf("%q: the error does not say what to write: %v", text, err)
		}
	}
}

func FuzzParseFilter(f *testing.F) {
	for _, text := range []string{"a=b", "a>=1", "a=1..2", "=", "a<="} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, err := ParseFilter(text)
		if err != nil {
			return
		}
		if got.Field == "" || got.check(manifest.Field{Type: manifest.TypeNumber}) != "" && len(got.Values) == 0 {
			t.Errorf("%q is read as %+v", text, got)
		}
	})
}

func TestCompileFilters(t *testing.T) {
	columns := &manifest.Columns{Fields: []manifest.Field{
		{Name: "stance", Type: "string", Values: []string{"oppose", "support"}},
		{Name: "year", Type: "number"},
		{Name: "public", Type: "bool"},
		{Name: "date", Type: "string", Values: []string{"2024-05-06", "1..2a"}},
	}}
	filter := func(text string) Filter {
		f, err := ParseFilter(text)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	got, err := compile([]Filter{filter("stance=support|neither"), filter("year=1999|2000.5"), filter("public=true"), filter("year>=3")}, columns)
	if err != nil {
		t.Fatal(err)
	}
	want := []index.Filter{
		{Column: 0, Kind: index.Codes, Codes: []uint32{1}},
		{Column: 1, Kind: index.Equal, Values: []float64{1999, 2000.5}},
		{Column: 2, Kind: index.Equal, Values: []float64{1}},
		{Column: 1, Kind: index.Range, Low: new(3.)},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	// A range of texts is not a value that no document has, but a text with two dots may be one.
	for _, text := range []string{"date=2024-01-01..2024-12-31", "date=2024-01-01 .. ", "date=..2024-12-31"} {
		if _, err := compile([]Filter{filter(text)}, columns); err == nil || !strings.Contains(err.Error(), "a range needs a field of numbers") || !strings.Contains(err.Error(), "list the values with |") {
			t.Errorf("%s: %v", text, err)
		}
	}
	for _, text := range []string{"date=1..2a", "date=2024-05-06|2024-01-01..2024-12-31", "date=../2024", "date=..", "stance=and so on.."} {
		if _, err := compile([]Filter{filter(text)}, columns); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
	for _, text := range []string{"colour=red", "year=soon", "public=perhaps", "stance=1..2", "public>=1"} {
		if _, err := compile([]Filter{filter(text)}, columns); err == nil {
			t.Errorf("%s: no error", text)
		}
	}
	if _, err := compile([]Filter{filter("a=b")}, nil); err == nil || !slices.Contains(strings.Fields(err.Error()), "none") {
		t.Errorf("a collection without fields: %v", err)
	}
}

// A bound that is left out is open. An impossible range is an error, not an empty
// result.
func TestFilterBounds(t *testing.T) {
	columns := &manifest.Columns{Fields: []manifest.Field{{Name: "year", Type: manifest.TypeNumber}, {Name: "stance", Type: manifest.TypeString, Values: []string{"oppose"}}}}
	low, high, inf := new(2000.), new(2010.), math.Inf(1)
	for _, f := range []Filter{
		{Field: "year", Low: low},
		{Field: "year", High: high},
		{Field: "year", Low: high, High: high},
		{Field: "year", Low: new(-inf), High: high},
		{Field: "year", Low: low, High: &inf},
	} {
		got, err := compile([]Filter{f}, columns)
		if want := (index.Filter{Kind: index.Range, Low: f.Low, High: f.High}); err != nil || !reflect.DeepEqual(got, []index.Filter{want}) {
			t.Errorf("%+v: %+v, %v", f, got, err)
		}
	}
	for name, c := range map[string]struct {
		filter  Filter
		problem string
	}{
		"inverted":         {Filter{Field: "year", Low: high, High: low}, "the low bound, 2010, is above the high one, 2000"},
		"NaN":              {Filter{Field: "year", Low: low, High: new(math.NaN())}, "NaN"},
		"from infinity":    {Filter{Field: "year", Low: &inf}, "infinite bound"},
		"up to -infinity":  {Filter{Field: "year", High: new(-inf)}, "infinite bound"},
		"nothing":          {Filter{Field: "year"}, "neither a value nor a bound"},
		"no values":        {Filter{Field: "stance", Values: []string{}}, "neither a value nor a bound"},
		"both":             {Filter{Field: "year", Values: []string{"2001"}, Low: low}, "both values and a bound"},
		"range of strings": {Filter{Field: "stance", Low: low}, "a range needs a field of numbers, this one holds strings"},
	} {
		var wrong *FilterError
		if _, err := compile([]Filter{c.filter}, columns); !errors.As(err, &wrong) || !strings.Contains(err.Error(), c.problem) {
			t.Errorf("%s: %v, want %q", name, err, c.problem)
		}
	}
}
