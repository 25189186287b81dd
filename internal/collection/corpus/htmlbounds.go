package corpus

import (
	"bytes"
	"fmt"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/vantage-search/vantage/internal/wasm/jsonlite"
)

// By the HTML standard, formatting elements that are not closed are opened again in every following paragraph.
var formatting = map[atom.Atom]bool{
	atom.A: true, atom.B: true, atom.Big: true, atom.Code: true, atom.Em: true, atom.Font: true, atom.I: true, atom.Nobr: true,
	atom.S: true, atom.Small: true, atom.Strike: true, atom.Strong: true, atom.Tt: true, atom.U: true,
}

// checkNodes runs before the parser. It refuses a page with more elements, attributes and texts than a JSON text
// may have values, because a tag of three bytes becomes a node of a hundred bytes, or many such nodes if many
// formatting elements are open.
func checkNodes(content []byte) *InputError {
	nodes := 0
	var open []int // nodes and attributes of each open formatting element
	anew := 0      // sum of open
	z := html.NewTokenizer(bytes.NewReader(content))
	for {
		switch z.Next() {
		case html.ErrorToken:
			return nil
		case html.TextToken:
			nodes += 1 + anew
		case html.StartTagToken, html.SelfClosingTagToken:
			name, more := z.TagName()
			tag := atom.Lookup(name)
			size := 1
			for more {
				_, _, more = z.TagAttr()
				size++
			}
			nodes += size + anew
			if formatting[tag] {
				open = append(open, size)
				anew += size
			}
		case html.EndTagToken:
			name, _ := z.TagName()
			if n := len(open); n > 0 && formatting[atom.Lookup(name)] {
				nodes += anew // the parser makes copies of elements that are nested wrongly
				anew -= open[n-1]
				open = open[:n-1]
			}
		}
		if nodes > jsonlite.MaxValues {
			return &InputError{Problem: fmt.Sprintf("more than %d elements, attributes and texts", jsonlite.MaxValues),
				Remedy: "split the page, close its elements, or move it out of the folder"}
		}
	}
}
