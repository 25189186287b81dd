// Command architecture draws docs/architecture-light.svg and docs/architecture-dark.svg: the steps from a corpus to
// a collection, and from a query to its hits.
//
//	go run ./tests/architecture
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	out := flag.String("o", "docs", "folder for the drawings")
	flag.Parse()
	for _, p := range palettes {
		file := filepath.Join(*out, p.file())
		if err := os.WriteFile(file, []byte(draw(p)), 0o644); err != nil {
			fmt.Fprintln(os.Stderr, "architecture:", err)
			os.Exit(1)
		}
		fmt.Println(file)
	}
}

// palette is the colours of one drawing.
type palette struct {
	name                                   string
	ground, text, quiet, line, box, accent string
	files                                  string // the background of a collection's files
}

func (p palette) file() string { return "architecture-" + p.name + ".svg" }

var palettes = []palette{
	{name: "light", ground: "#ffffff", text: "#1c2528", quiet: "#56646a", line: "#8a989e", box: "#f2f5f6", accent: "#0f766e", files: "#fdf4e3"},
	{name: "dark", ground: "#0d1117", text: "#e6edf0", quiet: "#9aa7ad", line: "#6b7a80", box: "#182127", accent: "#5eead4", files: "#2a2417"},
}

// The drawing's geometry in pixels. Boxes are arranged in columns.
const (
	width, height = 1060, 590
	left          = 24
	column        = 141 // from one box to the next
	boxWidth      = 120
	boxHeight     = 58

	indexTop = 50
	filesTop = 170
	coreTop  = 286
	queryTop = 304
	wordsTop = 424
	termsAt  = 1004
)

// draw returns the drawing as SVG.
func draw(p palette) string {
	d := &drawing{palette: p}
	d.open()
	d.index()
	d.files()
	d.query()
	return d.close()
}

// index draws the steps of an index run: read, encode, quantise, write.
func (d *drawing) index() {
	d.heading(left, indexTop-16, "Index: once for each version of a corpus")
	d.box(0, indexTop, "Corpus", "JSONL, CSV, pages", plain)
	d.box(1, indexTop, "Read", "collection/corpus", step)
	d.box(2, indexTop, "Encode", "model", step)
	d.box(3, indexTop, "Quantise", "wasm/shard", step)
	d.box(4, indexTop, "Write", "collection", step)
	for i := range 4 {
		d.next(i, indexTop)
	}
	d.note(5, indexTop+22, "Unchanged texts keep their rows. New files")
	d.note(5, indexTop+38, "are staged, and the manifest is replaced last.")
	d.arrow(middle(4), indexTop+boxHeight, middle(4), filesTop)
}

// files draws a collection. Each kind of file but the manifest and terms/ is above the step that reads it; an arrow
// leads from terms/ to its step.
func (d *drawing) files() {
	d.rect(left, filesTop, width-2*left, 62, 8, d.palette.files, d.palette.line, "")
	d.text(left+12, filesTop+25, "Collection", 15, d.palette.text, "600")
	d.text(left+12, filesTop+44, "static files on any host", 11.5, d.palette.quiet, "")
	for _, f := range []struct {
		centre int
		name   string
	}{
		{middle(2), "encoder/"}, {middle(3), "manifest.json"}, {middle(4), "vectors/ columns/"}, {middle(6), "docs/"}, {termsAt, "terms/"},
	} {
		d.centred(f.centre, filesTop+36, f.name, 13, d.palette.text, mono)
	}
}

// query draws the steps of a query, and marks those of the core.
func (d *drawing) query() {
	d.heading(left, coreTop-16, "Query: for every search")
	d.rect(column+left-10, coreTop, 5*column, wordsTop+boxHeight+16-coreTop, 10, "none", d.palette.accent, "6 4")
	d.text(column+left+2, wordsTop+boxHeight+2, "core.wasm and kernel.wasm, or the same Go natively", 12.5, d.palette.accent, "600")

	d.box(0, queryTop, "Query", "text, λ, k, filters", plain)
	d.box(1, queryTop, "Split", "perspective", step)
	d.box(2, queryTop, "Encode", "wasm/encode", step)
	d.box(3, queryTop, "Plan", "perspective", step)
	d.box(4, queryTop, "Scan", "wasm/index, kernel", step)
	d.box(5, queryTop, "Diversify", "wasm/rerank", step)
	d.box(6, queryTop, "Hits", "search", step)
	for i := range 6 {
		d.next(i, queryTop)
	}
	d.arrow(middle(2), filesTop+62, middle(2), queryTop)
	d.arrow(middle(4), filesTop+62, middle(4), queryTop)
	d.arrow(middle(6), filesTop+62, middle(6), queryTop)

	d.wide(4, wordsTop, column+boxWidth, "Words: BM25 and fusion", "wasm/lexical")
	d.path(fmt.Sprintf("M%d %d V%d H%d", middle(0), queryTop+boxHeight, wordsTop+boxHeight/2, x(4)))
	d.path(fmt.Sprintf("M%d %d H%d V%d", x(5)+boxWidth, wordsTop+18, middle(6), queryTop+boxHeight))
	d.path(fmt.Sprintf("M%d %d V%d H%d", termsAt, filesTop+62, wordsTop+40, x(5)+boxWidth))
	d.text(x(1)+4, wordsTop-18, "score = A·(x + x0) / √(n² + d1·y + d2·y² + d0),  x = a·c,  y = p·c,  n² = c·c", 11.5, d.palette.quiet, "")
	d.path(fmt.Sprintf("M%d %d V%d", middle(3), wordsTop-32, queryTop+boxHeight))

	d.text(left, height-52, "Small names are Go packages. perspective is public; the others are below internal/. In a page, static/lib does the work of search.", 11.5, d.palette.quiet, "")
	d.text(left, height-34, "A hybrid query takes both ways, and fusion joins the rankings. While encoder or vectors are missing, only words answer.", 11.5, d.palette.quiet, "")
	d.text(left, height-16, "With an encode server, the server encodes the texts of a query. All other steps are the same.", 11.5, d.palette.quiet, "")
}
