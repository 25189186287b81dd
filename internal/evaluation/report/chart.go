package report

import (
	"fmt"
	"html"
	"io"
	"math"
	"strconv"
	"strings"
)

// Chart is a picture of several line charts with the same horizontal axis.
type Chart struct {
	Title  string
	X, Y   string // labels of the axes
	Panels []Panel
}

// Panel is one line chart.
type Panel struct {
	Title string
	Lines []Line
}

// Line is a series. Lines with the same name have the same style in all panels.
type Line struct {
	Name   string
	Points []Point
}

// Point is a point of a line.
type Point struct{ X, Y float64 }

// Sizes are in SVG user units.
const (
	panelWidth, panelHeight = 270, 190
	left, right, above      = 46, 14, 30
	below                   = 34
	perRow                  = 3
	headHeight              = 58
)

// chartStyle sets no background, and has enough contrast on light and dark pages. Lines
// differ in dash as well as in colour.
const chartStyle = `text{font:12px system-ui,sans-serif;fill:#444}.h{font-weight:600;fill:#222}.g{stroke:#8886;stroke-width:1}.n{text-anchor:end}.m{text-anchor:middle}
path{fill:none;stroke-width:2;stroke-linejoin:round}.l0{stroke:#2a78c8}.l1{stroke:#d2691e;stroke-dasharray:6 3}.l2{stroke:#2e8b57;stroke-dasharray:2 3}.l3{stroke:#a050b0;stroke-dasharray:9 3 2 3}
@media(prefers-color-scheme:dark){text{fill:#bbb}.h{fill:#eee}}`

const lineStyles = 4

// SVG writes the chart as a self-contained picture. Points with a coordinate that is
// not finite are left out.
func (c *Chart) SVG(w io.Writer) error {
	columns := max(1, min(perRow, len(c.Panels)))
	width := columns * panelWidth
	height := headHeight + (len(c.Panels)+columns-1)/columns*panelHeight
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" role="img" aria-labelledby="t d">`+"\n", width, height, width, height)
	names := c.names()
	fmt.Fprintf(&b, "<title id=\"t\">%s</title><desc id=\"d\">%s over %s, lines for %s, panels for %s</desc>\n<style>%s</style>\n",
		xmlText(c.Title), xmlText(c.Y), xmlText(c.X), xmlText(strings.Join(names, ", ")), xmlText(strings.Join(c.titles(), ", ")), chartStyle)
	fmt.Fprintf(&b, `<text x="%d" y="18" class="h">%s</text>`+"\n", 8, xmlText(c.Title))
	x := 8
	for i, name := range names {
		fmt.Fprintf(&b, `<path d="M%d 38h24" class="l%d"/><text x="%d" y="42">%s</text>`+"\n", x, i%lineStyles, x+30, xmlText(name))
		x += 46 + 8*len([]rune(name))
	}
	low, high := c.extent()
	for i := range c.Panels {
		fmt.Fprintf(&b, `<g transform="translate(%d %d)">`+"\n", i%columns*panelWidth, headHeight+i/columns*panelHeight)
		c.panel(&b, &c.Panels[i], names, low, high)
		b.WriteString("</g>\n")
	}
	b.WriteString("</svg>\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// names are the names of all lines, in the order in which they first appear.
func (c *Chart) names() []string {
	var names []string
	seen := map[string]bool{}
	for _, p := range c.Panels {
		for _, l := range p.Lines {
			if !seen[l.Name] {
				seen[l.Name] = true
				names = append(names, l.Name)
			}
		}
	}
	return names
}

func (c *Chart) titles() []string {
	var titles []string
	for _, p := range c.Panels {
		titles = append(titles, p.Title)
	}
	return titles
}

// extent is the range of the horizontal axis, which all panels share.
func (c *Chart) extent() (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, p := range c.Panels {
		for _, l := range p.Lines {
			for _, at := range l.Points {
				if at.finite() {
					low, high = min(low, at.X), max(high, at.X)
				}
			}
		}
	}
	return spread(low, high)
}

// spread widens an empty range so that it can be an axis.
func spread(low, high float64) (float64, float64) {
	if !(low <= high) {
		return 0, 1
	}
	if low == high {
		return low - 0.5, high + 0.5
	}
	return low, high
}

func (p Point) finite() bool {
	return !math.IsNaN(p.X) && !math.IsInf(p.X, 0) && !math.IsNaN(p.Y) && !math.IsInf(p.Y, 0)
}

// panel draws a panel's axes, grid and lines.
func (c *Chart) panel(b *strings.Builder, p *Panel, names []string, low, high float64) {
	bottom, top := math.Inf(1), math.Inf(-1)
	for _, l := range p.Lines {
		for _, at := range l.Points {
			if at.finite() {
				bottom, top = min(bottom, at.Y), max(top, at.Y)
			}
		}
	}
	bottom, top = spread(bottom, top)
	ys := ticks(bottom, top, 4)
	bottom, top = min(bottom, ys[0]), max(top, ys[len(ys)-1])
	x := func(v float64) float64 { return left + (v-low)/(high-low)*(panelWidth-left-right) }
	y := func(v float64) float64 {
		return panelHeight - below - (v-bottom)/(top-bottom)*(panelHeight-above-below)
	}
	fmt.Fprintf(b, `<text x="%d" y="%d" class="h">%s</text>`+"\n", left, above-12, xmlText(p.Title))
	for _, v := range ys {
		fmt.Fprintf(b, `<path d="M%d %sH%d" class="g"/><text x="%d" y="%s" class="n">%s</text>`+"\n", left, number(y(v)), panelWidth-right, left-6, number(y(v)+4), tickText(v))
	}
	for _, v := range ticks(low, high, 5) {
		if v >= low && v <= high {
			fmt.Fprintf(b, `<path d="M%s %dv4" class="g"/><text x="%s" y="%d" class="m">%s</text>`+"\n", number(x(v)), panelHeight-below, number(x(v)), panelHeight-below+16, tickText(v))
		}
	}
	fmt.Fprintf(b, `<text x="%d" y="%d" class="n">%s</text>`+"\n", panelWidth-right, panelHeight-3, xmlText(c.X))
	for _, l := range p.Lines {
		var d strings.Builder
		for _, at := range l.Points {
			if at.finite() {
				d.WriteString(map[bool]string{true: "M", false: "L"}[d.Len() == 0] + number(x(at.X)) + " " + number(y(at.Y)))
			}
		}
		style := 0
		for i, name := range names {
			if name == l.Name {
				style = i % lineStyles
			}
		}
		fmt.Fprintf(b, `<path d="%s" class="l%d"/>`+"\n", d.String(), style)
	}
}

// ticks are about n round numbers that enclose the range from low to high.
func ticks(low, high float64, n int) []float64 {
	raw := (high - low) / float64(n)
	step := math.Pow(10, math.Floor(math.Log10(raw)))
	for _, factor := range []float64{1, 2, 5, 10} {
		if factor*step >= raw {
			step *= factor
			break
		}
	}
	var at []float64
	first := math.Floor(low / step)
	for i := range 3 * n { // a bound in case rounding keeps at[i] below high
		if at = append(at, (first+float64(i))*step); at[i] >= high {
			break
		}
	}
	return at
}

func tickText(v float64) string { return strconv.FormatFloat(math.Round(v*1e9)/1e9, 'g', -1, 64) }

func number(v float64) string {
	return strconv.FormatFloat(math.Round(v*10)/10, 'f', -1, 64)
}

func xmlText(s string) string { return html.EscapeString(oneLine(s)) }
