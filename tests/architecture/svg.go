package main

import (
	"fmt"
	"html"
	"strings"
)

// drawing is an SVG under construction.
type drawing struct {
	palette palette
	b       strings.Builder
}

// Styles of boxes: for inputs from outside, and for steps of this project.
const (
	plain = false
	step  = true
)

const mono = "mono"

// x is the left edge of a column, and middle its centre.
func x(i int) int      { return left + i*column }
func middle(i int) int { return x(i) + boxWidth/2 }

func (d *drawing) printf(format string, values ...any) { fmt.Fprintf(&d.b, format+"\n", values...) }

func (d *drawing) open() {
	d.printf(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" font-family="system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif" role="img">`, width, height, width, height)
	d.printf(`<title>From a corpus to a collection, and from a query to its hits</title>`)
	d.printf(`<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto"><path d="M0 0L8 4L0 8z" fill="%s"/></marker></defs>`, d.palette.line)
	d.rect(0, 0, width, height, 0, d.palette.ground, "none", "")
}

func (d *drawing) close() string {
	d.printf("</svg>")
	return d.b.String()
}

func (d *drawing) rect(x, y, w, h, radius int, fill, line, dashes string) {
	if dashes != "" {
		dashes = fmt.Sprintf(` stroke-dasharray="%s"`, dashes)
	}
	d.printf(`<rect x="%d" y="%d" width="%d" height="%d" rx="%d" fill="%s" stroke="%s"%s/>`, x, y, w, h, radius, fill, line, dashes)
}

// text writes left-aligned text. The style is a weight, mono, or empty.
func (d *drawing) text(x, y int, text string, size float64, colour, style string) {
	d.write(x, y, text, size, colour, style, "start")
}

func (d *drawing) centred(x, y int, text string, size float64, colour, style string) {
	d.write(x, y, text, size, colour, style, "middle")
}

func (d *drawing) write(x, y int, text string, size float64, colour, style, anchor string) {
	attribute := ""
	switch style {
	case "":
	case mono:
		attribute = ` font-family="ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace"`
	default:
		attribute = fmt.Sprintf(` font-weight="%s"`, style)
	}
	d.printf(`<text x="%d" y="%d" font-size="%g" fill="%s" text-anchor="%s"%s>%s</text>`, x, y, size, colour, anchor, attribute, html.EscapeString(text))
}

func (d *drawing) heading(x, y int, text string) { d.text(x, y, text, 16, d.palette.text, "600") }

func (d *drawing) note(i, y int, text string) { d.text(x(i), y, text, 11.5, d.palette.quiet, "") }

// box draws a box in a column: a title, and below it a package or its inputs.
func (d *drawing) box(i, top int, title, below string, ours bool) {
	fill, line, style := d.palette.ground, d.palette.line, ""
	if ours {
		fill, style = d.palette.box, mono
	}
	d.rect(x(i), top, boxWidth, boxHeight, 8, fill, line, "")
	d.centred(middle(i), top+25, title, 14.5, d.palette.text, "600")
	d.centred(middle(i), top+44, below, 10, d.palette.quiet, style)
}

// wide draws a box that begins in a column and covers several.
func (d *drawing) wide(i, top, w int, title, below string) {
	d.rect(x(i), top, w, boxHeight, 8, d.palette.box, d.palette.line, "")
	d.centred(x(i)+w/2, top+25, title, 14.5, d.palette.text, "600")
	d.centred(x(i)+w/2, top+44, below, 10, d.palette.quiet, mono)
}

// next draws the arrow from a column's box to the one beside it.
func (d *drawing) next(i, top int) {
	d.arrow(x(i)+boxWidth, top+boxHeight/2, x(i+1), top+boxHeight/2)
}

func (d *drawing) arrow(x1, y1, x2, y2 int) {
	d.path(fmt.Sprintf("M%d %d L%d %d", x1, y1, x2, y2))
}

func (d *drawing) path(steps string) {
	d.printf(`<path d="%s" fill="none" stroke="%s" stroke-width="1.5" marker-end="url(#tip)"/>`, steps, d.palette.line)
}
