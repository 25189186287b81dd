package part

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/collection/store"
	"github.com/vantage-search/vantage/internal/wasm/fault"
)

var documents = []store.Document{
	{ID: "a", Metadata: map[string]any{"kind": "point", "year": json.Number("1999"), "draft": true}},
	{ID: "b", Metadata: map[string]any{"kind": "example", "year": json.Number("2001.5"), "draft": false}},
	{ID: "c", Metadata: map[string]any{"kind": "expert", "list": []any{"point"}}},
	{ID: "d"},
}

func TestPart(t *testing.T) {
	for _, c := range []struct{ only, without, want, says string }{
		{"", "", "abcd", ""},
		{"kind=point", "", "a", "only kind=point"},
		{"", "kind=point", "bcd", "without kind=point"},
		{"kind=point|expert", "", "ac", "only kind=point|expert"},
		{"year=2000..", "", "b", "only year=2000.."},
		{"year<=2001.5", "draft=false", "a", "only year<=2001.5, without draft=false"},
		{"year=1999|3", "", "a", "only year=1999|3"},
		{"draft=T", "", "a", "only draft=T"},
		{"kind=point;year=1999", "", "a", "only kind=point, only year=1999"},
		{"", "kind=point;draft=false", "cd", "without kind=point, without draft=false"},
	} {
		p := parsed(t, c.only, c.without)
		chooser, got := p.Chooser(), ""
		for _, d := range documents {
			if chooser.Has(&d) {
				got += d.ID
			}
			if in := strings.Contains(got, d.ID); chooser.LeftOut(d.ID) == in {
				t.Errorf("%q without %q: %s is in or is left out", c.only, c.without, d.ID)
			}
		}
		if err := chooser.Check(); err != nil || got != c.want || p.String() != c.says || p.All() != (c.says == "") {
			t.Errorf("%q without %q: %q (%s), %v; want %q (%s)", c.only, c.without, got, p.String(), err, c.want, c.says)
		}
	}
}

func TestPartRefused(t *testing.T) {
	if _, err := Parse([]string{"kind"}, nil); !errors.Is(err, fault.Query) {
		t.Errorf("no condition: %v", err)
	}
	for condition, want := range map[string]string{
		"colour=red":  `"colour"`,
		"kind=poem":   "no document is left",
		"year=2050..": "no document is left",
		"list=point":  "no document is left", // as in a collection, lists cannot be filtered by
	} {
		p := parsed(t, condition, "")
		chooser := p.Chooser()
		for _, d := range documents {
			chooser.Has(&d)
		}
		if err := chooser.Check(); !errors.Is(err, fault.Query) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", condition, err, want)
		}
	}
}

// parsed returns the part for conditions that are separated by semicolons.
func parsed(t *testing.T, only, without string) Part {
	t.Helper()
	split := func(conditions string) []string {
		return strings.FieldsFunc(conditions, func(r rune) bool { return r == ';' })
	}
	p, err := Parse(split(only), split(without))
	if err != nil {
		t.Fatal(err)
	}
	return p
}
