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

// In these elements, the end tag of a formatting element that was opened before them may be ignored.
var shielding = map[atom.Atom]bool{
	atom.Table: true, atom.Applet: true, atom.Marquee: true, atom.Object: true, atom.Template: true, atom.Select: true,
	atom.Svg: true, atom.Math: true, atom.Noscript: true,
}

// checkNodes runs before the parser. It refuses a page with more elements, attributes and texts than a JSON text
// may have values, because a tag of three bytes becomes a node of a hundred bytes, or many such nodes if many
// formatting elements are open. When it cannot know which elements the parser opens again, it counts too many.
func checkNodes(content []byte) *InputError {
	nodes := 0
	open := unclosed{scopes: []scope{{}}, elements: map[atom.Atom][]element{}}
	z := html.NewTokenizer(bytes.NewReader(content))
	for {
		switch kind := z.Next(); kind {
		case html.ErrorToken:
			return nil
		case html.TextToken:
			nodes += 1 + open.size
		case html.StartTagToken, html.SelfClosingTagToken:
			name, more := z.TagName()
			tag := atom.Lookup(name)
			size := 1
			for more {
				_, _, more = z.TagAttr()
				size++
			}
			nodes += size + open.size
			if kind == html.StartTagToken || tag != atom.Svg && tag != atom.Math { // HTML ignores the slash in other tags
				open.start(tag, size)
			}
		case html.EndTagToken:
			name, _ := z.TagName()
			if tag := atom.Lookup(name); formatting[tag] {
				nodes += open.size // the parser makes copies of elements that are nested wrongly
				open.end(tag)
			} else {
				open.leave(tag)
			}
		}
		if nodes > jsonlite.MaxValues {
			return &InputError{Problem: fmt.Sprintf("more than %d elements, attributes and texts", jsonlite.MaxValues),
				Remedy: "split the page, close its elements, or move it out of the folder"}
		}
	}
}

// unclosed has the formatting elements that are open.
type unclosed struct {
	size     int // nodes and attributes of those that a paragraph may open again
	anchor   int // those of links: the longest one
	scopes   []scope
	made     int // number of scopes so far
	elements map[atom.Atom][]element
}

// scope is a shielding element, or a cell or the caption of a table.
type scope struct {
	tag atom.Atom
	id  int
}

// element is an open formatting element.
type element struct {
	size  int // what it adds to unclosed.size
	scope int
}

func (u *unclosed) scope() *scope { return &u.scopes[len(u.scopes)-1] }

func (u *unclosed) start(tag atom.Atom, size int) {
	switch {
	case tag == atom.Td || tag == atom.Th || tag == atom.Caption:
		u.made++
		u.scope().id = u.made
	case shielding[tag]:
		u.made++
		u.scopes = append(u.scopes, scope{tag, u.made})
	case formatting[tag]:
		if tag == atom.A { // closes the link before it, so that only one is opened again: count the longest
			longest := u.anchor
			u.anchor = max(longest, size)
			size = u.anchor - longest
		}
		u.size += size
		u.elements[tag] = append(u.elements[tag], element{size, u.scope().id})
	}
}

// end closes the last element of a kind, unless the end tag may be ignored.
func (u *unclosed) end(tag atom.Atom) {
	list := u.elements[tag]
	if last := len(list) - 1; last >= 0 && list[last].scope == u.scope().id {
		u.size -= list[last].size
		if tag == atom.A {
			u.anchor -= list[last].size
		}
		u.elements[tag] = list[:last]
	}
}

func (u *unclosed) leave(tag atom.Atom) {
	if len(u.scopes) > 1 && u.scope().tag == tag {
		u.scopes = u.scopes[:len(u.scopes)-1]
	}
}
