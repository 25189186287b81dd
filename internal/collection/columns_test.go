package collection

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"log/slog"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/vantage-search/vantage/internal/collection/manifest"
	"github.com/vantage-search/vantage/internal/wasm/shard"
)

func TestColumns(t *testing.T) {
	c := newColumns()
	rows := []map[string]any{
		{"year": json.Number("1999"), "open": true, "name": "b", "mixed": json.Number("1.50"), "tags": "x", "late": nil, "huge": json.Number("1e999")},
		nil,
		{"year": json.Number("-2.5e3"), "open": false, "name": "a", "mixed": "1.5", "tags": []any{"x"}, "flag": true},
		{"year": 7, "name": "b", "mixed": true, "tags": "y", "late": "z", "flag": json.Number("2"), "": "x"},
	}
	for i, row := range rows {
		c.add(i, row)
	}
	content, fields, err := c.build(len(rows))
	if err != nil {
		t.Fatal(err)
	}
	s, err := shard.ParseSafetensors(content)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	var names []string
	for _, f := range fields {
		names = append(names, f.Name)
		tensor, ok := s.Tensor(f.Tensor)
		if !ok {
			t.Fatalf("no tensor %q", f.Tensor)
		}
		var values []string
		for i := range rows {
			if f.Type == manifest.TypeString {
				code := binary.LittleEndian.Uint32(tensor.Data[4*i:])
				if code == math.MaxUint32 {
					values = append(values, "-")
				} else {
					values = append(values, f.Values[code])
				}
			} else if v := math.Float64frombits(binary.LittleEndian.Uint64(tensor.Data[8*i:])); math.IsNaN(v) {
				values = append(values, "-")
			} else {
				values = append(values, fmt.Sprint(v))
			}
		}
		if !slices.IsSorted(f.Values) {
			t.Errorf("%s: dictionary %q", f.Name, f.Values)
		}
		got[f.Name] = f.Type + " " + strings.Join(values, " ")
	}
	want := map[string]string{
		"year": "number 1999 - -2500 7", "open": "bool 1 - 0 -", "name": "string b - a b", "mixed": "string 1.5 - 1.5 true",
		"late": "string - - - z", "flag": "string - - true 2", "huge": "string 1e999 - - -",
	}
	if toJSON(t, got) != toJSON(t, want) || !slices.IsSorted(names) {
		t.Errorf("got  %s\nwant %s", toJSON(t, got), toJSON(t, want))
	}
	if out := c.report(); len(out) != 2 || out[0].Field != "" || out[1].Field != "tags" || !strings.Contains(out[1].Reason, "nested") {
		t.Errorf("left out %+v", out)
	}
}

func TestColumnLimits(t *testing.T) {
	c := newColumns()
	for i := range manifest.MaxDictionary + 10 {
		c.add(i, map[string]any{"unique": fmt.Sprint(i), "few": "x"})
	}
	c.add(0, map[string]any{"long": strings.Repeat("x", maxDictionaryBytes+1)})
	_, fields, err := c.build(manifest.MaxDictionary + 10)
	if err != nil || len(fields) != 1 || fields[0].Name != "few" {
		t.Errorf("%v %v", fields, err)
	}
	if out := c.report(); len(out) != 2 {
		t.Errorf("left out %+v", out)
	}
	// A new field in each document, some of them nested, must not fill the memory, and
	// the columns must be complete.
	c = newColumns()
	for i := range 3 * maxLeftOut {
		var v any = "x"
		if i%2 == 0 {
			v = []any{}
		}
		c.add(i, map[string]any{fmt.Sprint("f", i): v, "always": true})
	}
	_, fields, _ = c.build(3 * maxLeftOut)
	if len(fields) != MaxColumns || len(c.leftOut) > maxLeftOut+MaxColumns || fields[0].Name != "always" {
		t.Errorf("%d fields, %d left out", len(fields), len(c.leftOut))
	}
}

// A Go program's own types have the values that the documents' JSON shows.
func TestColumnsOfOwnTypes(t *testing.T) {
	type side string
	day := time.Date(2026, 7, 1, 0, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		value any
		kind  string
		want  any
	}{
		{side("for"), manifest.TypeString, "for"},
		{day, manifest.TypeString, "2026-07-01T00:00:00Z"},
		{slog.LevelWarn, manifest.TypeString, "WARN"}, // a number by its kind, a text in JSON
		{time.Second, manifest.TypeNumber, 1e9},
		{new("for"), manifest.TypeString, "for"},
		{new(true), manifest.TypeBool, 1.},
		{float32(0.1), manifest.TypeNumber, 0.1},
		{json.RawMessage("7"), manifest.TypeNumber, 7.},
		{(*int)(nil), "", nil},
	} {
		columns := newColumns()
		columns.add(0, map[string]any{"f": c.value})
		field := columns.fields["f"]
		switch {
		case c.want == nil && field == nil && len(columns.leftOut) == 0:
		case field == nil || field.kind != c.kind,
			c.kind == manifest.TypeString && field.values[0] != c.want,
			c.kind != manifest.TypeString && field.numbers[0] != c.want:
			t.Errorf("%T(%[1]v): %+v, left out %v", c.value, field, columns.leftOut)
		}
	}
}

// Numbers of every type of Go's are numbers.
func TestClassifyNumbers(t *testing.T) {
	for _, v := range []any{3, int8(3), int16(3), int32(3), int64(3), uint(3), uint8(3), uint64(3), float32(3), float64(3), json.Number("3")} {
		if kind, number, _ := classify(v); kind != manifest.TypeNumber || number != 3 {
			t.Errorf("%T: %s %g", v, kind, number)
		}
	}
	for _, v := range []any{nil, []int{3}, map[string]any{}, struct{}{}} {
		if kind, _, _ := classify(v); kind != "" {
			t.Errorf("%T: %s", v, kind)
		}
	}
}
