package search

import (
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/wasm/index"
	"github.com/vantage-search/vantage/wasm/manifest"
)

func TestParseFilter(t *testing.T) {
	inf := math.Inf(1)
	for text, want := range map[string]Filter{
		"stance=support":         {Field: "stance", Values: []string{"support"}, Low: -inf, High: inf},
		" stance = support ":     {Field: "stance", Values: []string{"support"}, Low: -inf, High: inf},
		"stance=support|context": {Field: "stance", Values: []string{"support", "context"}, Low: -inf, High: inf},
		"stance=":                {Field: "stance", Values: []string{""}, Low: -inf, High: inf},
		"a=b=c":                  {Field: "a", Values: []string{"b=c"}, Low: -inf, High: inf},
		"year=2000..2010":        {Field: "year", Low: 2000, High: 2010},
		"year=-1.5..1e3":         {Field: "year", Low: -1.5, High: 1000},
		"path=a..b":              {Field: "path", Values: []string{"a..b"}, Low: -inf, High: inf},
		"year>=2000":             {Field: "year", Low: 2000, High: inf},
		"year<=-3":               {Field: "year", Low: -inf, High: -3},
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
		if got.Field == "" || math.IsNaN(got.Low) || math.IsNaN(got.High) || len(got.Values) == 0 && got.Low > got.High {
			t.Errorf("%q is read as %+v", text, got)
		}
	})
}

func TestCompileFilters(t *testing.T) {
	columns := &manifest.Columns{Fields: []manifest.Field{
		{Name: "stance", Type: "string", Values: []string{"oppose", "support"}},
		{Name: "year", Type: "number"},
		{Name: "public", Type: "bool"},
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
	inf := math.Inf(1)
	want := []index.Filter{
		{Column: 0, Kind: index.Codes, Codes: []uint32{1}, Low: -inf, High: inf},
		{Column: 1, Kind: index.Equal, Values: []float64{1999, 2000.5}, Low: -inf, High: inf},
		{Column: 2, Kind: index.Equal, Values: []float64{1}, Low: -inf, High: inf},
		{Column: 1, Kind: index.Range, Low: 3, High: inf},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
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
