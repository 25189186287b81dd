package report

import (
	"encoding/xml"
	"errors"
	"io"
	"math"
	"strings"
	"testing"
)

// paths draws a chart and returns the paths in its SVG, by class.
func paths(t *testing.T, c Chart) map[string][]string {
	t.Helper()
	var b strings.Builder
	if err := c.SVG(&b); err != nil {
		t.Fatal(err)
	}
	drawn := map[string][]string{}
	d := xml.NewDecoder(strings.NewReader(b.String()))
	d.Strict = true
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return drawn
		}
		if err != nil {
			t.Fatalf("%v in\n%s", err, b.String())
		}
		if e, ok := token.(xml.StartElement); ok && e.Name.Local == "path" {
			var class, line string
			for _, a := range e.Attr {
				switch a.Name.Local {
				case "class":
					class = a.Value
				case "d":
					line = a.Value
				}
			}
			drawn[class] = append(drawn[class], line)
		}
	}
}

func TestChart(t *testing.T) {
	c := Chart{Title: `a <b> & "c"`, X: "λ", Y: "%", Panels: []Panel{
		{"first", []Line{{"pap", []Point{{0, 0}, {1, math.NaN()}, {2, 100}}}, {"pap+", []Point{{0, 50}, {2, 50}}}}},
		{"second", []Line{{"pap+", []Point{{0, 1}}}}},
		{"empty", nil},
	}}
	drawn := paths(t, c)
	// The first path of each class belongs to the legend. The line goes from bottom
	// left to top right of a panel, because its middle point is not finite.
	if got := drawn["l0"]; len(got) != 2 || got[1] != "M46 156L256 30" {
		t.Errorf("pap: %q", got)
	}
	if got := drawn["l1"]; len(got) != 3 || got[1] != "M46 93L256 93" || !strings.HasPrefix(got[2], "M46 ") {
		t.Errorf("pap+: %q", got)
	}
	for _, empty := range []Chart{{}, {Panels: []Panel{{Lines: []Line{{Points: []Point{{math.Inf(1), 0}}}}}}}} {
		paths(t, empty)
	}
}

func TestTicks(t *testing.T) {
	for _, c := range [][2]float64{{0, 1}, {-2, 2}, {0.3, 0.31}, {-7, 1234}, {75.5, 78.4}, {1e16, 1e16 + 4}, {-1e300, 1e300}} {
		at := ticks(c[0], c[1], 4)
		if len(at) < 2 || len(at) > 8 || at[0] > c[0] || at[len(at)-1] < c[1] {
			t.Errorf("ticks(%v) = %v", c, at)
		}
	}
}
